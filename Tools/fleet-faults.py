#!/usr/bin/env python3
"""A fleet under faults: three real hosts, a PostgreSQL of their own, and a checker that reads the whole history.

    Tools/fleet-faults.py BIN [--points [--point NAME]…] [--only NAME]… [--seed N] [--keep] [--schema FILE]
    Tools/fleet-faults.py --self-test

Each scenario submits some fifty requests, does harm, waits until all have ended, and asks the rules of fleet_history.py what does
not hold. Some scenarios need root, and one needs libfaketime: without them they are skipped, which is said. Those of --points, in
which host, worker and database die at named points, need a debug build. Exit status: 0; 1 a scenario failed, and the folder with
its logs is named; 64 usage.
"""
import argparse
import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import traceback

import fleet_history
import fleet_points
from fleet_servers import NOBODY, Failed, Server, wait_for
from fleet_under_test import HOSTS, LEASE, Fleet


class Skipped(Exception):
    pass


def need_root():
    if os.getuid() != 0:
        raise Skipped("only root may do this")


def pause(fleet, least, most):
    """Faults come whenever they like: this is no wait for an event."""
    time.sleep(fleet.random.uniform(least, most))


def run(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stderr.strip()}")
    return done


# Scenarios -------------------------------------------------------------------------------------------------------------------------


def kill_host(fleet):
    """Hosts are killed in the middle of runs, again and again, and come back."""
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    fleet.submit_meanwhile()
    for name in ["one", "two", "one", "three", "two"]:
        fleet.wait_at_work(name)
        fleet.hosts[name].kill()
        pause(fleet, 0.5, 4)
        fleet.hosts[name].start()
        pause(fleet, 0.5, 2)
    fleet.finish()
    fleet.expect(fleet.lost > 0, "a killed host loses leases")


def kill_worker(fleet):
    """Workers and handlers are killed."""
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    fleet.submit_meanwhile()
    killed = 0
    end = time.monotonic() + 15
    while time.monotonic() < end:
        pause(fleet, 0.2, 0.6)
        mine = fleet.hosts[fleet.random.choice(HOSTS)].descendants()
        mine = [process for process, line in mine if "work.sh" in line or "taskhost-worker" in line]
        if mine:
            try:
                os.kill(fleet.random.choice(mine), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                continue
    # Applications that crash again and again rest for minutes, unless a person says otherwise.
    for host in fleet.hosts.values():
        for application in range(4):
            host.verb("app", "unquarantine", f"com.example.fleet{application}")
    fleet.finish()
    fleet.expect(killed > 5, f"more than {killed} processes are killed")


def kill_database(fleet):
    """The server is killed, and starts again."""
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    fleet.submit_meanwhile()
    for gone in (0.2, 1.0, 8.0, 0.2):
        pause(fleet, 1, 3)
        fleet.server.kill()
        time.sleep(gone)
        fleet.server.start()
    fleet.finish()


def stop_host(fleet):
    """A host stands still for longer than its leases, with runs that go on, and then continues."""
    fleet.history.mayOverlap = True
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    for name in ("one", "two"):
        fleet.ask(fleet.statement(4) + fleet.statement(4) + fleet.statement(4))
        fleet.wait_at_work(name)
        fleet.hosts[name].send(signal.SIGSTOP)
        time.sleep(LEASE + fleet.random.uniform(2, 4))
        fleet.hosts[name].send(signal.SIGCONT)
    fleet.finish()
    fleet.expect(fleet.lost > 0, "a host that stands still loses leases")


def others_go_on(fleet, name, seconds):
    """For so long, while that host is cut off."""
    first = len(fleet.submissions)
    fleet.ask("".join(fleet.statement(0.3, host=other) for other in HOSTS if other != name))
    mine = [submission for submission in fleet.submissions[first:] if submission.host]
    time.sleep(seconds)
    if seconds > LEASE:
        keys = ", ".join(f"'{submission.key}'" for submission in mine)
        ended = fleet.count(f"taskhost.requests WHERE state = 'ended' AND key IN ({keys})")
        fleet.expect(ended > 0, f"the others go on while host {name} is cut off")


def partition(fleet):
    """One host is cut off in each way there is, while the others go on, and is let in again."""
    fleet.make_server()
    proxies, databases = fleet.proxies()
    fleet.make_hosts(databases)
    fleet.submit_many()
    fleet.submit_meanwhile(14, 2)
    for name, mode, seconds in (
            ("one", "hole", LEASE + 3), ("two", "delay", 6), ("two", "hold", LEASE + 3), ("three", "reset", 5),
            ("one", "deaf", LEASE + 6), ("three", "hold", 3), ("one", "hole", 2)):
        proxies[name].mode = mode
        others_go_on(fleet, name, seconds)
        proxies[name].mode = "pass"
    fleet.finish()


def restored_backup(fleet):
    """The database is set back to a time before some hosts joined: each joins anew, and none takes itself for another."""
    fleet.make_server()
    fleet.server.stop(clean=True)
    copy = fleet.server.data + ".copy"
    run("cp", "-a", fleet.server.data, copy)
    fleet.server.start()
    proxies, databases = fleet.proxies()
    fleet.make_hosts(databases)
    fleet.ask("".join(fleet.statement(0.2) for _ in range(6)))
    fleet.wait_ended()
    # Host one comes back last, when others have joined the older database.
    proxies["one"].mode = "reset"
    fleet.server.stop()
    shutil.rmtree(fleet.server.data)
    run("cp", "-a", copy, fleet.server.data)
    fleet.forget()
    fleet.server.start()
    fleet.ask("".join(fleet.statement(8, host="two") for _ in range(4)))
    fleet.wait_live(2)
    fleet.wait_at_work("two")
    proxies["one"].mode = "pass"
    fleet.wait_live(3)
    fleet.submit_many()
    fleet.finish()


def clock_steps(fleet):
    """The wall clock of one host steps by an hour, ahead and back (libfaketime); the database's stays."""
    library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
    if not library:
        raise Skipped("libfaketime is missing; install it with 'apt install libfaketime'")
    fleet.make_server()
    clock = os.path.join(fleet.work, "clock")

    def step(words):
        with open(clock + ".new", "w", encoding="utf-8") as file:
            file.write(words + "\n")
        os.replace(clock + ".new", clock)

    step("+0")
    # `env` makes the library's shared memory. The variable that names it moves the environment, from which Swift finds the words
    # of the command; so it must be there before the host begins.
    fleet.make_hosts(before={"one": ["env"]}, environments={"one": {
        "LD_PRELOAD": library[0], "FAKETIME_TIMESTAMP_FILE": clock, "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1"}})
    fleet.submit_many()
    fleet.submit_meanwhile()
    for words in ("+3600", "-3600", "+3600", "+0"):
        fleet.wait_at_work("one")
        step(words)
        pause(fleet, 2, 4)
        fleet.ask(fleet.statement(0.5, host="one") + fleet.statement(0.5, "fails", host="one"))
    fleet.wait_ended()
    runs = json.loads(fleet.hosts["one"].verb("history", "--json").stdout)["runs"]
    hours = {run["startedAt"][11:13] for run in runs if run["startedAt"]}
    fleet.expect(len(hours) >= 3, f"host one has runs of three hours by its clock, and has those of {sorted(hours)}")
    fleet.finish()


def together(primary):
    """From now on a transaction is at both servers, or it waits."""
    primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
    primary.ask("SELECT pg_reload_conf()")
    wait_for("the standby follows", lambda: primary.ask(
        "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'") == "1")


def alone(server):
    server.ask("ALTER SYSTEM RESET synchronous_standby_names")
    server.ask("SELECT pg_reload_conf()")


def make_pair(fleet):
    """A primary and its standby, and hosts that know both."""
    one = Server(os.path.join(fleet.work, "left"), 5433)
    two = Server(os.path.join(fleet.work, "right"), 5434)
    fleet.closing += [one.stop, two.stop]
    one.make()
    one.start()
    fleet.fill(one)
    two.copy(one)
    two.start()
    together(one)
    both = f"host={one.folder},{two.folder} port={one.port},{two.port} dbname=jobs"
    fleet.admin = both + " user=taskhost target_session_attrs=read-write"
    fleet.make_hosts({name: both + " user=jobs_host" for name in HOSTS})
    return one, two


def standby_missing(fleet):
    """The standby that each transaction has to reach is gone, and comes back: what was written meanwhile counts then."""
    one, two = make_pair(fleet)
    fleet.submit_many()
    for seconds in (3, LEASE + 8):
        fleet.wait_at_work("one")
        two.kill()
        time.sleep(seconds)
        two.start()
        fleet.ask("".join(fleet.statement(fleet.random.uniform(1, 5)) for _ in range(6)))
    fleet.finish()
    fleet.expect(one.ask("SHOW synchronous_standby_names") == "*", "the primary waits for its standby")


def promoted_replica(fleet):
    """The primary dies and its standby takes over; then the servers change places, and sockets stay open."""
    one, two = make_pair(fleet)
    fleet.submit_many()
    fleet.submit_meanwhile(16, 2)
    fleet.wait_at_work("one")

    one.kill()
    two.promote()
    alone(two)
    fleet.wait_live(3)
    # The old primary comes back as a standby, at its old place.
    one.copy(two)
    one.start()
    together(two)
    fleet.ask("".join(fleet.statement(fleet.random.uniform(1, 5)) for _ in range(8)))
    fleet.wait_at_work("two")

    # They change places. The old primary takes no more writes, and leaves open what is connected: SQLSTATE 25006.
    two.ask("ALTER SYSTEM SET default_transaction_read_only = on")
    two.ask("SELECT pg_reload_conf()")
    wait_for("the standby has all", lambda: two.ask(
        "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()") == "1")
    one.promote()
    # pg_basebackup has copied the settings of the other one.
    alone(one)
    fleet.wait_live(3)
    fleet.ask("".join(fleet.statement(0.5, host=name) for name in HOSTS))
    fleet.finish()
    fleet.expect(
        two.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'jobs_host'") == "0",
        "no host stays at the server that takes no writes")


def full_disk(fleet):
    """The database's disk is full, and then it is not."""
    need_root()
    disk = os.path.join(fleet.work, "disk")
    os.makedirs(disk)
    run("mount", "-t", "tmpfs", "-o", "size=160m,mode=777", "none", disk)
    fleet.closing.append(lambda: run("umount", "-l", disk))
    fleet.server = Server(disk, settings=["min_wal_size=2MB", "max_wal_size=4MB"])
    fleet.closing.append(fleet.server.stop)
    fleet.server.make()
    fleet.server.start()
    fleet.fill(fleet.server)
    fleet.make_hosts()
    fleet.submit_many()
    fleet.submit_meanwhile()
    fleet.wait_at_work("one")
    died = False
    for seconds in (6, LEASE + 4):
        filler = os.path.join(disk, "filler")
        end = time.monotonic() + seconds
        with open(filler, "wb", buffering=0) as file:
            while time.monotonic() < end:
                try:
                    file.write(bytes(1 << 16))
                except OSError:
                    time.sleep(0.1)
        os.remove(filler)
        # A server that could not write its log is gone, and somebody starts it.
        if fleet.server.ask("SELECT 1", check=False) is None:
            died = True
            fleet.server.stop()
            fleet.server.start()
        pause(fleet, 2, 4)
    fleet.finish()
    with open(os.path.join(disk, "server.log"), encoding="utf-8", errors="replace") as file:
        fleet.expect(died or "No space left on device" in file.read(), "the server finds its disk full")


def idle_in_transaction(fleet):
    """Sessions stay in transactions: one that reads, and one that submits and does not commit. Hosts are woken all the same."""
    fleet.make_server()
    fleet.make_hosts()
    sessions = []
    for words in (
            "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM taskhost.requests, taskhost.runs;",
            "BEGIN; " + fleet.statement(0.5, dedupe="idle", starts=False)):
        session = subprocess.Popen(
            ["psql", "-X", "-q", "-d", fleet.admin], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        session.stdin.write(words + "\n")
        session.stdin.flush()
        sessions.append(session)
        fleet.closing.append(session.kill)
    idle = "pg_stat_activity WHERE state = 'idle in transaction'"
    wait_for("two sessions are idle in transactions", lambda: fleet.count(idle) == 2)
    fleet.submit_many()
    fleet.submit_meanwhile()
    fleet.ask("".join(fleet.statement(0.05) for _ in range(100)))
    fleet.wait_ended()
    fleet.expect(fleet.count(idle) == 2, "the sessions stay")
    # Nothing is under way, and hosts wait for news.
    for _ in range(4):
        # A host that has ended a run looks for the next one by itself.
        time.sleep(3)
        submitted = time.time()
        fleet.ask(fleet.statement(0.1))
        fleet.wait_ended()
        waited = fleet.lives()[-1].start - submitted
        fleet.expect(waited < 5, f"a host is woken for a request, and it waited {waited:.1f} s")
    for session in sessions:
        session.kill()
    fleet.finish()


def locked_table(fleet):
    """Somebody locks the table of requests for more than a minute: hosts wait, and do not use up the server's connections."""
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    fleet.wait_at_work("one")
    session = subprocess.Popen(
        ["psql", "-X", "-q", "-d", fleet.admin], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    fleet.closing.append(session.kill)
    session.stdin.write("BEGIN; LOCK TABLE taskhost.request IN ACCESS EXCLUSIVE MODE;\n")
    session.stdin.flush()
    most = 0
    end = time.monotonic() + 75
    while time.monotonic() < end:
        most = max(most, fleet.count("pg_stat_activity WHERE usename = 'jobs_host'"))
        time.sleep(1)
    session.kill()
    fleet.finish()
    fleet.expect(most <= 12, f"a host has two connections, or some more that end; three had {most}")


def no_connections(fleet):
    """Others have all connections of the server for longer than a lease."""
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    for name in HOSTS:
        fleet.wait_at_work(name)
    fleet.ask("ALTER ROLE jobs_host CONNECTION LIMIT 0")
    fleet.ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'jobs_host'")
    fleet.submit_meanwhile()
    time.sleep(LEASE + 4)
    fleet.expect(fleet.count("pg_stat_activity WHERE usename = 'jobs_host'") == 0, "no host has a connection")
    fleet.expect(not any(fleet.at_work(name) for name in HOSTS), "no run of a lease goes on without it")
    fleet.ask("ALTER ROLE jobs_host CONNECTION LIMIT -1")
    fleet.finish()


def stopped_while_cut_off(fleet):
    """Hosts are stopped while they reach nothing, and end all the same; they start again before the link is there."""
    fleet.make_server()
    proxies, databases = fleet.proxies()
    fleet.make_hosts(databases)
    fleet.submit_many()
    fleet.submit_meanwhile()
    for name in HOSTS:
        fleet.wait_at_work(name)
    for proxy in proxies.values():
        proxy.mode = "hole"
    pause(fleet, 0.5, 2)
    fleet.stop_hosts()
    for host in fleet.hosts.values():
        fleet.expect(fleet.history.exits[host.name] == 0, f"host {host.name} ends with 0 without its database")
        host.start()
    pause(fleet, 2, 4)
    for proxy in proxies.values():
        proxy.mode = "pass"
    fleet.finish()


def all_sessions_killed(fleet):
    """An administrator ends every session, several times."""
    fleet.make_server()
    fleet.make_hosts()
    fleet.submit_many()
    fleet.submit_meanwhile()
    for _ in range(8):
        pause(fleet, 0.5, 2)
        fleet.insist(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
    fleet.finish()


def namespaces(fleet):
    """Each host has a network of its own, and one's cable is pulled."""
    need_root()
    mark = f"thf{os.getpid() % 100000}"
    spaces = {name: f"{mark}{name}" for name in ["db", *HOSTS]}
    for space in spaces.values():
        if run("ip", "netns", "add", space, check=False).returncode:
            raise Skipped("no network namespaces here")
        fleet.closing.append(lambda space=space: run("ip", "netns", "del", space))
    inside = {name: ["nsenter", f"--net=/run/netns/{space}"] for name, space in spaces.items()}

    def at(name, *words):
        run(*inside[name], "ip", *words)

    at("db", "link", "add", "br0", "type", "bridge")
    at("db", "addr", "add", "10.99.0.1/24", "dev", "br0")
    at("db", "link", "set", "br0", "up")
    for number, name in enumerate(HOSTS, 2):
        at("db", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", spaces[name])
        at("db", "link", "set", name, "master", "br0", "up")
        at(name, "addr", "add", f"10.99.0.{number}/24", "dev", "eth0")
        at(name, "link", "set", "eth0", "up")
        at(name, "link", "set", "lo", "up")
    server = Server(os.path.join(fleet.work, "database"), settings=["listen_addresses=10.99.0.1"], network=inside["db"])
    fleet.server = server
    fleet.closing.append(server.stop)
    server.make()
    with open(os.path.join(server.data, "pg_hba.conf"), "a", encoding="utf-8") as file:
        file.write("host all all 10.99.0.0/24 trust\n")
    server.start()
    fleet.fill(server)
    database = "host=10.99.0.1 dbname=jobs user=jobs_host"
    fleet.make_hosts({name: database for name in HOSTS}, inside)
    fleet.submit_many()
    fleet.submit_meanwhile()
    for name, seconds in (("one", 3), ("two", LEASE + 5), ("one", LEASE + 2)):
        fleet.wait_at_work(name)
        at("db", "link", "set", name, "down")
        others_go_on(fleet, name, seconds)
        at("db", "link", "set", name, "up")
        fleet.ask("".join(fleet.statement(fleet.random.uniform(1, 6)) for _ in range(6)))
    fleet.finish()


def tls(fleet):
    """Through TLS with a certificate that is looked at, a password in a passfile, and a service file; one host as nobody."""
    fleet.server = server = Server(os.path.join(fleet.work, "database"))
    fleet.closing.append(server.stop)
    server.make()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        server.port = probe.getsockname()[1]
    key, certificate = (os.path.join(server.data, name) for name in ("server.key", "server.crt"))
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    os.chmod(key, 0o600)
    root = os.path.join(fleet.work, "root.crt")
    shutil.copy(certificate, root)
    os.chmod(root, 0o644)
    if os.getuid() == 0:
        shutil.chown(key, "nobody", "nogroup")
        shutil.chown(certificate, "nobody", "nogroup")
    with open(os.path.join(server.data, "pg_hba.conf"), "w", encoding="utf-8") as file:
        file.write("local all all trust\nhostssl all all all scram-sha-256\n")
    server.settings = ["fsync=off", "listen_addresses=localhost", "ssl=on"]
    server.start()
    fleet.fill(server)
    server.ask("ALTER ROLE jobs_host PASSWORD 'a pass:word'")
    service = os.path.join(fleet.work, "service.conf")
    with open(service, "w", encoding="utf-8") as file:
        file.write(
            f"[fleet]\nhost=localhost\nport={server.port}\ndbname=jobs\nuser=jobs_host\nsslmode=verify-full\n"
            f"sslrootcert={root}\n")
    os.chmod(service, 0o644)
    environments = {}
    for name in HOSTS:
        words = os.path.join(fleet.work, f"pass.{name}")
        with open(words, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("localhost:*:jobs:jobs_host:a pass\\:word\n")
        # libpq looks for certificates of its own there, and fails if it may not.
        environments[name] = {"PGSERVICEFILE": service, "PGPASSFILE": words, "HOME": fleet.work}
    before = {}
    if os.getuid() == 0:
        before["one"] = NOBODY
        shutil.chown(environments["one"]["PGPASSFILE"], "nobody", "nogroup")
    fleet.make_hosts({name: "service=fleet" for name in HOSTS}, before, environments)
    encrypted = fleet.count("pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.usename = 'jobs_host' AND s.ssl")
    fleet.expect(encrypted == 6, f"two connections of each host are encrypted, and {encrypted} are")
    fleet.submit_many(12, 3)
    fleet.submit_meanwhile()
    for _ in range(2):
        fleet.wait_at_work("one")
        fleet.server.kill()
        fleet.server.start()
    fleet.finish()


SCENARIOS = [
    kill_host, kill_worker, kill_database, stop_host, partition, clock_steps, promoted_replica, standby_missing,
    restored_backup, full_disk, idle_in_transaction, locked_table, all_sessions_killed, no_connections,
    stopped_while_cut_off, namespaces, tls]


def play(scenario, binaries, seed, keep, schema):
    """Whether it went well."""
    name = scenario.__name__.replace("_", "-")
    fleet = Fleet(binaries, name, seed, schema)
    verdict = "ok"
    try:
        scenario(fleet)
    except Skipped as skipped:
        verdict = f"skipped: {skipped}"
    except Failed as failed:
        fleet.faults.append(str(failed))
    except Exception:
        fleet.faults.append(traceback.format_exc())
    finally:
        fleet.close()
    if fleet.faults:
        verdict = "FAILED"
    history = fleet.history
    print(
        f"{name:20} {verdict:8} {len(history.requests):4} requests {len(history.lives):4} runs {fleet.lost:3} leases lost "
        f"{fleet.superseded:3} superseded {fleet.released:2} released {time.monotonic() - fleet.began:4.0f} s", flush=True)
    for fault in fleet.faults[:20]:
        print(f"    {fault}", flush=True)
    for line in fleet.table:
        print(f"    {line}", flush=True)
    if fleet.faults or keep:
        print(f"    logs: {fleet.work}", flush=True)
    else:
        shutil.rmtree(fleet.work, ignore_errors=True)
    return not fleet.faults


def main():
    scenarios = {scenario.__name__.replace("_", "-"): scenario for scenario in SCENARIOS + fleet_points.SCENARIOS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", nargs="?", help="folder of the built programs")
    parser.add_argument("--only", action="append", choices=scenarios, metavar="NAME", help=", ".join(scenarios))
    parser.add_argument("--points", action="store_true", help="kills at the named points of a claim, and no others; a debug build")
    points = [point.name for point in fleet_points.POINTS]
    parser.add_argument("--point", action="append", choices=points, metavar="NAME", help=f"of the points: {', '.join(points)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keeps all folders")
    parser.add_argument("--schema", metavar="FILE", help="the fleet's schema, in place of the one in the programs")
    parser.add_argument("--self-test", action="store_true", help="of the checker: it finds what is planted")
    options = parser.parse_args()
    faults = fleet_history.self_test()
    for fault in faults:
        print(f"the checker: {fault}", file=sys.stderr)
    if faults or options.self_test:
        print(f"the checker: {len(fleet_history.PLANTED)} planted violations, {len(faults)} faults")
        return 1 if faults else 0
    if options.bin is None:
        parser.error("BIN is missing")
    binaries = os.path.abspath(options.bin)
    wanted = fleet_points.SCENARIOS if options.points else SCENARIOS
    if options.only:
        wanted = [scenario for name, scenario in scenarios.items() if name in options.only]
    refusal = fleet_points.refusal(binaries) if set(wanted) & set(fleet_points.SCENARIOS) else ""
    if refusal:
        print(f"{parser.prog}: {refusal}", file=sys.stderr)
        return 64
    if options.point:
        fleet_points.POINTS = [point for point in fleet_points.POINTS if point.name in options.point]
    good = [play(scenario, binaries, options.seed, options.keep, options.schema) for scenario in wanted]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
