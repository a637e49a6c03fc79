"""Kills at the named points of a claim: host, worker and database each die once at each point that a claimed run passes.

The points are those of debug builds (Sources/Setting/Loop/Failpoint.swift). The host dies of itself, at a passage that is counted;
for the others it pauses at the point and is stopped there, and workers or database are killed before it goes on. A point counts
when the host held a lease of this life then: hosts of this suite run nothing but requests of the fleet. Until that was so it is
tried again, a few times; a point that is not reached is a fault.
"""
import os
import platform
import re
import signal
import struct
import subprocess
import time
import uuid
from dataclasses import dataclass, field

import fleet_history
from fleet_servers import Failed, parents, wait_for
from fleet_under_test import APPLICATIONS

VICTIM = "one"
TRIES = 6
# How long a host may take to a point.
PATIENCE = 45.0
# A host that has not been at its point for so long gets more to do.
IDLE = 8.0
# Whole minutes are the times of the schedule.
MINUTE = 60
# Three claims at once: as many pauses of a second are shorter than what is left of a lease before its fence.
SETTINGS = {"fleet": {"places": 3}, "scheduling": {"crashesAllowed": 1000}}
SCHEDULED = "com.example.fleet0.minute"
LONG = [f"com.example.fleet{number}.long" for number in range(APPLICATIONS)]
SHORT = [f"com.example.fleet{number}.short" for number in range(APPLICATIONS)]
TASKS = {
    **{identifier: {} for identifier in LONG},
    **{identifier: {"budget": {"wallClock": "3s", "grace": "1s"}} for identifier in SHORT},
    SCHEDULED: {"schedule": {"calendar": "* * * * *", "timeZone": "UTC", "scope": "fleet", "payload": "key 300 "}}}
# clock_nanosleep(2), by machine.
SLEEP = {"x86_64": 230, "aarch64": 115}


@dataclass
class Point:
    name: str
    # The passage that is the first to count; those before it are the host's start. Where each turn passes the point, it is one of
    # as many that follow.
    count: int = 1
    # It takes a run that exceeds its budget.
    isOver: bool = False
    # It takes a time of the schedule.
    isTimed: bool = False


POINTS = [
    Point("claim.take"), Point("commit.before", 8), Point("commit.after", 8), Point("launch.before"), Point("launch.after"),
    Point("start"), Point("flush.before", 20), Point("flush.after", 20), Point("claim.renew"), Point("expire", isOver=True),
    Point("kill.before", isOver=True), Point("kill.after", isOver=True), Point("reply.before"), Point("reply.after"),
    Point("claim.end"), Point("claim.answer"), Point("retire"), Point("claim.submit", isTimed=True)]


@dataclass
class Case:
    point: Point
    # Of the submissions that it made: the first one, and the one after its last.
    first: int
    after: int = 0
    tries: int = 0
    # Leases of this life that the host held at the point.
    held: int = 0
    faults: list = field(default_factory=list)


def refusal(binaries):
    """Why these programs do not do, or nothing."""
    program = os.path.join(binaries, "taskhost")
    try:
        with open(program, "rb") as file:
            if b"TASKHOST_FAILPOINT" in file.read():
                return ""
    except OSError as fault:
        return f"{fault.strerror}; {program}; build it with 'make build-tests'"
    return f"a release build has no named points; {program}; run 'make test-fleet-points', which makes a debug build"


# The host at a point --------------------------------------------------------------------------------------------------------------


def stands(host):
    """The host's loop sleeps for the one second of a point: no other pause of it is as long."""
    number = SLEEP.get(platform.machine())
    if number is None:
        raise Failed(f"the number of clock_nanosleep is not known on {platform.machine()}; {__file__}; add it to SLEEP")
    process = f"/proc/{host.process.pid}"
    try:
        with open(f"{process}/syscall", encoding="ascii") as file:
            words = file.read().split()
        if words[0] != str(number):
            return False
        with open(f"{process}/mem", "rb", buffering=0) as file:
            file.seek(int(words[3], 16))
            return struct.unpack("qq", file.read(16)) == (1, 0)
    except PermissionError as fault:
        raise Failed(f"one may not see where a host stands; {fault.filename}; run it as root, or allow ptrace") from fault
    except (OSError, struct.error):
        # It went on, or it is gone.
        return False


def freeze(host):
    """Whether the host stands at its point. It is stopped there then, so that there is time for what follows."""
    if not stands(host):
        return False
    host.send(signal.SIGSTOP)
    wait_for(f"host {host.name} is stopped", lambda: state(host) in "TZX", 10, 0.002)
    if stands(host):
        return True
    host.send(signal.SIGCONT)
    return False


def state(host):
    """Its letter in proc_pid_stat(5)."""
    with open(f"/proc/{host.process.pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


def workers(host):
    """The host's workers: children of their launcher."""
    above = parents()
    mine = []
    for process, parent in above.items():
        if above.get(parent) != host.process.pid:
            continue
        try:
            with open(f"/proc/{process}/comm", encoding="utf-8") as file:
                if file.read().strip() == "taskhost-worker":
                    mine.append(process)
        except OSError:
            continue
    return mine


def held(fleet, begun):
    """How many leases the host holds that it got since then."""
    return int(fleet.ask(
        "SELECT count(*) FROM taskhost.request r WHERE r.leased AND r.ended IS NULL AND "
        f"(SELECT min(c.at) >= to_timestamp({begun:.6f}) FROM public.change c "
        f"WHERE c.key = r.key AND c.number = r.number AND c.leased AND c.host = '{VICTIM}')"))


def start(fleet, point, count, isHeld):
    """With something to do. The moment before."""
    if point.isTimed:
        await_time(fleet)
    load(fleet, point)
    begun = time.time()
    words = f"{point.name}:{count}" + (":hold" if isHeld else "")
    fleet.hosts[VICTIM].start(TASKHOST_FAILPOINT=words)
    return begun


def load(fleet, point):
    seconds = fleet.random.uniform(13, 15) if point.isTimed else fleet.random.uniform(4, 6)
    statements = [
        fleet.statement(seconds, host=VICTIM, identifier=fleet.random.choice(LONG)),
        fleet.statement(fleet.random.uniform(0.2, 1), host=VICTIM),
        fleet.statement(0.3, "fails", host=VICTIM),
        *(fleet.statement(fleet.random.uniform(0.2, 1), host=name) for name in fleet.hosts if name != VICTIM),
        fleet.statement(0.3, earliest=time.time() + fleet.random.uniform(1, 4))]
    if point.isOver:
        statements.append(fleet.statement(0.3, "over stubborn", host=VICTIM, identifier=fleet.random.choice(SHORT)))
    fleet.insist("".join(statements))


def await_time(fleet):
    """Some seconds before the schedule's next time. The host has been there since the one before."""
    host = fleet.hosts[VICTIM]
    host.start()
    fleet.wait_live(3)
    time.sleep(2)
    stop(fleet)
    if not 0 <= time.time() % MINUTE <= 51:
        time.sleep(MINUTE - time.time() % MINUTE)
        return await_time(fleet)
    time.sleep(51 - time.time() % MINUTE)


def stop(fleet):
    """The host is asked to end, and does."""
    host = fleet.hosts[VICTIM]
    host.send(signal.SIGTERM)
    try:
        status = host.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        status = f"no end within {PATIENCE:.0f} s"
        host.kill()
    if status != 0:
        fleet.faults.append(f"host {host.name} ended with {status}")


# Victims --------------------------------------------------------------------------------------------------------------------------


def kill_host_at(fleet, case):
    """The host ends itself there, and starts again with the next point."""
    host = fleet.hosts[VICTIM]
    point = case.point
    count = point.count + fleet.random.randrange(point.count)
    while not case.held and case.tries < TRIES:
        case.tries += 1
        begun = start(fleet, point, count, False)
        try:
            status = host.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            host.kill()
            return case.faults.append(f"point {point.name}:{count} was not passed within {PATIENCE:.0f} s; {host.log}")
        if status != -signal.SIGKILL:
            return case.faults.append(f"host {host.name} ended with {status} at point {point.name}:{count}; {host.log}")
        case.held = held(fleet, begun)
        count += point.count
    if not case.held:
        case.faults.append(f"point {point.name} with a claimed run: {case.tries} deaths without a lease; {host.log}")


def strike_at(fleet, case, strike):
    """Harm while the host stands there; then it goes on. `strike` says whether there was something to harm."""
    host = fleet.hosts[VICTIM]
    point = case.point
    begun = start(fleet, point, point.count + fleet.random.randrange(point.count), True)
    patience = PATIENCE + (MINUTE if point.isTimed else 0)
    end = time.monotonic() + patience
    idle = time.monotonic()
    while not case.held and time.monotonic() < end:
        if host.process.poll() is not None:
            status = host.process.returncode
            return case.faults.append(f"host {host.name} ended with {status} at point {point.name}; {host.log}")
        if freeze(host):
            case.tries += 1
            leases = held(fleet, begun)
            if leases and strike():
                case.held = leases
            host.send(signal.SIGCONT)
            idle = time.monotonic()
        elif not point.isTimed and time.monotonic() > idle + IDLE:
            # What there was has gone by without a lease, or without a worker.
            load(fleet, point)
            idle = time.monotonic()
        time.sleep(0.005)
    if case.held:
        return
    what = f"{case.tries} passages without a lease" if case.tries else "no passage"
    case.faults.append(f"point {point.name} with a claimed run: {what} within {patience:.0f} s; {host.log}")


def kill_worker_at(fleet, case):
    host = fleet.hosts[VICTIM]

    def strike():
        mine = workers(host)
        for worker in mine:
            try:
                os.kill(worker, signal.SIGKILL)
            except ProcessLookupError:
                mine = [process for process in mine if process != worker]
        return mine

    strike_at(fleet, case, strike)
    if host.process.poll() is None:
        time.sleep(fleet.random.uniform(1, 3))
        stop(fleet)


def kill_database_at(fleet, case):
    host = fleet.hosts[VICTIM]
    isGone = False

    def strike():
        nonlocal isGone
        fleet.server.kill(whole=True)
        isGone = True
        return True

    strike_at(fleet, case, strike)
    if isGone:
        time.sleep(fleet.random.uniform(0.3, 2.5))
        fleet.server.start()
    if host.process.poll() is None:
        wait_for("two connections of each host", lambda: fleet.count("pg_stat_activity WHERE usename = 'jobs_host'") >= 6)
        stop(fleet)


def play(fleet, kill_at):
    """All points, one after the other."""
    fleet.make_server()
    begun = time.time()
    fleet.make_hosts(tasks=TASKS, settings=SETTINGS)
    live = time.time()
    stop(fleet)
    cases = []
    for point in POINTS:
        case = Case(point, len(fleet.submissions))
        cases.append(case)
        try:
            kill_at(fleet, case)
        except Failed as failed:
            case.faults.append(f"point {point.name}: {failed}")
            recover(fleet)
        case.after = len(fleet.submissions)
    fleet.hosts[VICTIM].start()
    fleet.wait_live(3)
    fleet.wait_ended()
    # No time of the schedule comes before the hosts have stopped.
    wait_for("a time between two times of the schedule", lambda: 10 < time.time() % MINUTE < 35, 2 * MINUTE)
    note_times(fleet, begun, live)
    fleet.faults += [words for case in cases for words in case.faults]
    fleet.finish()
    fleet.table = table(fleet, cases)


def recover(fleet):
    """For the next point, after one that went wrong."""
    host = fleet.hosts[VICTIM]
    if host.process.poll() is None:
        host.kill()
    if fleet.server.process.poll() is not None:
        fleet.server.start()


def points_host(fleet):
    """A host dies at each named point of a claim."""
    play(fleet, kill_host_at)


def points_worker(fleet):
    """The workers of a host die while it stands at each named point of a claim."""
    play(fleet, kill_worker_at)


def points_database(fleet):
    """The server dies while a host stands at each named point of a claim."""
    play(fleet, kill_database_at)


SCENARIOS = [points_host, points_worker, points_database]


# The schedule ---------------------------------------------------------------------------------------------------------------------


def note_times(fleet, begun, live):
    """Each time of the schedule has one request, whichever hosts were there. The checker looks at what became of it."""
    seen = {}
    for row in fleet.rows(f"SELECT key FROM taskhost.request WHERE identifier = '{SCHEDULED}'"):
        moment = (uuid.UUID(row[0]).int >> 80) / 1000
        seen.setdefault(moment, []).append(row[0])
        fleet.submissions.append(fleet_history.Submission(row[0], ulid(row[0]), moment))
    now = time.time()
    wanted = {float(moment) for moment in range(0, int(now) + 1, MINUTE)[-1 - int(now - live) // MINUTE:] if moment > live}
    for moment in sorted(wanted | set(seen)):
        if len(seen.get(moment, [])) != 1 or not begun < moment < now:
            words = time.strftime("%H:%M:%S", time.gmtime(moment))
            fleet.faults.append(f"the time {words} of the schedule has {len(seen.get(moment, []))} requests")


def ulid(key):
    """A key as handlers get it."""
    value = uuid.UUID(key).int
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[value >> shift & 31] for shift in range(125, -1, -5))


# What it was ----------------------------------------------------------------------------------------------------------------------


def table(fleet, cases):
    """A line for each point, of the requests that were submitted for it."""
    victim = fleet.name.removeprefix("points-")
    lines = [f"{'point':14} {'victim':8} tries held requests runs lost superseded verdict"]
    last = cases[-1].after
    for case in [*cases, None]:
        mine = fleet.submissions[case.first:case.after] if case else fleet.submissions[last:]
        names = {submission.key for submission in mine}
        runs = [run for run in fleet.history.runs if run.key in names]
        names |= {submission.payload for submission in mine}
        lost = sum(run.outcome == "leaseLost" for run in runs)
        late = sum(not run.accepted and run.outcome != "leaseLost" for run in runs)
        isBad = any(names & set(re.findall(r"[\w-]+", words)) for words in fleet.faults) or case and case.faults
        head = f"{case.point.name:14} {victim:8} {case.tries:5} {case.held:4}" if case else f"{'the schedule':33}"
        lines.append(f"{head} {len(mine):8} {len(runs):4} {lost:4} {late:10} {'FAILED' if isBad else 'ok'}")
    return lines
