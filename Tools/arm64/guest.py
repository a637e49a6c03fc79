#!/usr/bin/env python3
"""What is tried inside the emulated machine: guest.py PART…, as root, with /lab as Tools/arm64/machine.py lays it out.

Prints a line for each fault, then "part NAME: N tried, M faults". Exit status 1 if there was any.
"""
import concurrent.futures
import functools
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

LAB = pathlib.Path("/lab")
FIXTURES = LAB / "fixtures"
MACHINE = os.uname().machine
# One second of a fixture's budget is several of an emulated processor's.
PATIENCE = 90
# Debian's Dispatch is a module of its own compiler alone: the probe is built without.
WITHOUT_DISPATCH = ("dispatch", "dispatchTimer")


class Part:
    def __init__(self, name):
        self.name, self.tried, self.faults = name, 0, 0

    def expect(self, truth, words):
        self.tried += 1
        if not truth:
            self.faults += 1
            print(f"  NO: {words}", flush=True)


def new_folder():
    """For a state folder: workers run as users of their own and pass through it."""
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o711)
    return folder


def delegated(words):
    """The command in a control group of its own, as a unit with Delegate=yes is."""
    script = 'g=/sys/fs/cgroup/th/$$; mkdir "$g" && echo $$ >"$g/cgroup.procs" && exec "$@"'
    return ["sh", "-c", script, "sh", *words]


def plain(words):
    return list(words)


def run(words, group=delegated, **options):
    return subprocess.run(group([str(word) for word in words]), capture_output=True, text=True, timeout=PATIENCE, **options)


def document(words, group=delegated):
    done = run([*words, "--json"], group)
    try:
        return done, json.loads(done.stdout)
    except ValueError:
        return done, {}


def package(part):
    """The packages are installed; those of another machine are refused."""
    packages = sorted((LAB / "packages").glob("*_arm64.deb"))
    done = run(["dpkg", "--install", *packages], plain, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    part.expect(done.returncode == 0, f"dpkg: {done.stdout[-500:]} {done.stderr[-1500:]}")
    done = run(["dpkg", "--install", LAB / "other.deb"], plain)
    part.expect(
        done.returncode != 0 and "does not match system" in done.stderr, f"a package of another machine: {done.stderr}")
    done = run(["taskhost", "--version"])
    part.expect(done.returncode == 0, f"--version: {done.stdout} {done.stderr}")


def doctor(part):
    """The machine, in the doctor's words."""
    for group, name in ((delegated, "delegated group"), (plain, "no delegated group")):
        done, found = document(["taskhost", "doctor", "--state", new_folder()], group)
        part.expect(done.returncode in (0, 1) and found, f"{name}: {done.stderr}")
        faults = [check for check in found.get("checks", []) if check["status"] == "fault"]
        part.expect(len(found.get("checks", [])) > 10 and not faults, f"{name}: {found}")
        for check in found.get("checks", []):
            if check["status"] != "ok":
                print(f"  {name}: {check['check']}: {check['found']}", flush=True)


def examples(part):
    """The installation's own examples."""
    done, found = document([
        "taskhost", "run", "--all", "--manifests", "/usr/share/taskhost/manifests", "--payload-text", "123456789",
        "--state", new_folder()])
    runs = found.get("runs", [])
    part.expect(len(runs) >= 5, f"{len(runs)} runs: {done.stderr}")
    for ended in runs:
        part.expect(ended["outcome"] == "succeeded", f"{ended}")


def confinement(part):
    """The table of what a worker is refused and can do, in each situation."""
    user = ["--as", "65534"]
    situations = {
        "root": [], "account": ["--account", "65534"], "rootWithNetwork": ["--network"], "user": user,
        "accountWithFirstLandlock": ["--account", "65534", "--abi", "1"], "userWithNetwork": [*user, "--network"],
        "userWithFirstLandlock": [*user, "--abi", "1"], "userWithFourthLandlock": [*user, "--abi", "4"],
    }
    tried = []
    for line in (LAB / "confinement.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        action, verdict, _, where = line.split("\t")
        if action in WITHOUT_DISPATCH:
            continue
        names = list(situations) if where == "-" else where.split()
        if where != "-":
            names += [name.replace("user", "account") for name in names if name in ("user", "userWithFirstLandlock")]
        tried += [(action, verdict, name) for name in names]

    def attempt(row):
        return run([LAB / "confinement-probe", *situations[row[2]], *row[0].split()], plain)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (action, verdict, name), done in zip(tried, pool.map(attempt, tried)):
            last = done.stdout.splitlines()[-1] if done.stdout else f"status {done.returncode}: {done.stderr[-300:]}"
            met = last == verdict or verdict == "refused" and last.startswith("refused ")
            part.expect(met, f"{action} as {name}: {last}, expected {verdict}")
            if verdict == "refused":
                part.expect("seccomp=true" in done.stdout, f"{action} as {name}: there is no filter")


def hostile(part, group):
    """Each hostile fixture with a neighbour, in one host."""
    folder = LAB / "hostile"
    can = set() if group is plain else {"memoryLimit", "processLimit"}
    for row in json.loads((LAB / "expectations.json").read_text())["fixtures"]:
        if not set(row.get("needs", [])) <= can | {"ownUser"}:
            continue
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in (f"hostile.{row['name']}", "fixtures.echo"):
            shutil.copy(FIXTURES / f"{name}.json", folder)
        for library in (f"libhostile-{row['name']}.so", "libecho.so"):
            shutil.copy(FIXTURES / library, folder)
        neighbour = "org.taskhost.fixtures.echo"
        done, found = document([
            "taskhost", "run", row["identifier"], neighbour, "--concurrency", "1", "--payload-text", "neighbour",
            "--manifests", folder, "--state", new_folder()], group)
        if row.get("isInvalid"):
            part.expect(done.returncode == 65, f"{row['name']}: {done.returncode} {done.stderr}")
            continue
        runs = {ended["identifier"]: ended for ended in found.get("runs", [])}
        ended = runs.get(row["identifier"], {})
        outcome = ended.get("outcome")
        part.expect(
            outcome in [row["outcome"], *row.get("accepts", [])],
            f"{row['name']}: {outcome}, expected {row['outcome']}: {done.stderr[-300:]}")
        if outcome == row["outcome"]:
            wanted = row.get("signals", {}).get(MACHINE, row.get("signal"))
            part.expect(wanted is None or ended.get("signal") == wanted, f"{row['name']}: signal {ended.get('signal')}")
            part.expect(ended.get("reason") == row.get("reason"), f"{row['name']}: reason {ended.get('reason')}")
        part.expect(runs.get(neighbour, {}).get("outcome") == "succeeded", f"{row['name']}: the neighbour: {runs}")
        left = run(["pgrep", "-x", "taskhost-worker"], plain).stdout.split()
        part.expect(not left, f"{row['name']}: processes {left} are left")


def libraries(part):
    """The frozen plugin runs, a library of another machine is named, and a signed return address is read."""
    _, found = document(["taskhost", "run", "--manifests", FIXTURES / "fixtures.frozen.json", "--all", "--state", new_folder()])
    part.expect([ended["outcome"] for ended in found.get("runs", [])] == ["succeeded"] * 2, f"{found}")
    folder = pathlib.Path(new_folder())
    shutil.copy(LAB / "x86_64.so", folder / "libother.so")
    (folder / "org.example.other.json").write_text(json.dumps({
        "identifier": "org.example.other", "library": "libother.so",
        "tasks": {"org.example.other": {"kind": "processing", "handler": "exported"}}}))
    done = run(["taskhost", "validate", folder])
    part.expect(done.returncode == 65 and "is for x86_64; this machine is aarch64" in done.stdout + done.stderr,
                f"{done.returncode} {done.stdout} {done.stderr}")
    hanging = FIXTURES / "hostile.constructor-hang.json"
    _, found = document(["taskhost", "run", "--all", "--manifests", hanging, "--state", new_folder()])
    part.expect("called from libhostile-constructor-hang.so+0x" in json.dumps(found), f"no caller is named: {found}")


class Daemon:
    def __init__(self, *manifests, state=None):
        self.state = state or new_folder()
        self.manifests = [word for manifest in manifests for word in ("--manifests", manifest)]
        self.start()

    def start(self):
        self.process = subprocess.Popen(delegated(["taskhost", "serve", "--state", self.state, *map(str, self.manifests)]))
        limit = time.monotonic() + PATIENCE
        while run(["taskhost", "status", "--state", self.state]).returncode != 0:
            if time.monotonic() > limit or self.process.poll() is not None:
                raise RuntimeError("the daemon did not start")
            time.sleep(0.2)

    def ask(self, *words):
        return document(["taskhost", *words, "--state", self.state])

    def until(self, words, holds):
        limit = time.monotonic() + PATIENCE
        while True:
            _, found = self.ask(*words)
            if holds(found) or time.monotonic() > limit:
                return found
            time.sleep(0.3)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)


def serving(part):
    """A request that was accepted survives kill -9 of the daemon; then the daemon ends in order."""
    daemon = Daemon(FIXTURES / "fixtures.echo.json")
    task = "org.taskhost.fixtures.echo"

    def succeeded(found):
        return sum(ended["outcome"] == "succeeded" for ended in found.get("runs", []))

    for number in range(1, 6):
        done, _ = daemon.ask("submit", task)
        part.expect(done.returncode == 0, f"submit: {done.stderr}")
        daemon.kill()
        daemon.start()
        found = daemon.until(["history", task], lambda found: succeeded(found) >= number)
        part.expect(succeeded(found) >= number, f"request {number}: {found}")
    part.expect(daemon.stop() == 0, "the daemon ends with another status than 0")


def transfers(part):
    """A background transfer of 5 MiB that a killed daemon goes on with."""
    folder = pathlib.Path(new_folder())
    content = os.urandom(5 << 20)
    (folder / "file").write_bytes(content)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    manifest = folder / "org.example.fetch.json"
    manifest.write_text(json.dumps({
        "identifier": "org.example.fetch", "permissions": {"network": [f"loopback:{server.server_port}"]},
        "tasks": {"org.example.fetch": {"kind": "processing", "handler": {"command": ["/bin/true"]}}}}))
    daemon = Daemon(manifest)
    done, _ = daemon.ask("transfers", "add", f"http://127.0.0.1:{server.server_port}/file", "--for", "org.example.fetch")
    part.expect(done.returncode == 0, f"transfers add: {done.stderr}")
    daemon.kill()
    daemon.start()
    ended = daemon.until(["transfers", "--all"], lambda found: '"delivered"' in json.dumps(found))
    part.expect('"delivered"' in json.dumps(ended), f"{ended}")
    copies = [p for p in pathlib.Path(daemon.state).rglob("*") if p.is_file() and p.stat().st_size == len(content)]
    part.expect(any(p.read_bytes() == content for p in copies), f"{copies}")
    part.expect(daemon.stop() == 0, "the daemon ends with another status than 0")


def clock(part):
    """A clock at 1970 that jumps by fifty years: each schedule runs once at most for it, and goes on from there."""
    today = time.time()
    folder = pathlib.Path(new_folder())
    tasks = {"org.example.clock.pace": {"every": "15m"}, "org.example.clock.day": {"calendar": "30 2 * * *"}}
    (folder / "org.example.clock.json").write_text(json.dumps({
        "identifier": "org.example.clock",
        "tasks": {
            name: {"kind": "processing", "handler": {"command": ["/bin/true"]}, "requires": {"idle": False}, "schedule": schedule}
            for name, schedule in tasks.items()}}))
    repeats(part, folder, today)
    run(["date", "-s", "@300"], plain)
    daemon = Daemon(folder)
    try:
        run(["date", "-s", f"@{int(today)}"], plain)
        for name in tasks:
            found = daemon.until(["history", name], lambda found: any(r["outcome"] for r in found.get("runs", [])))
            part.expect([r["outcome"] for r in found["runs"]] == ["succeeded"], f"{name}: {found['runs']}")
        _, found = daemon.ask("pending")
        part.expect(len(found["requests"]) == len(tasks), f"{found}")
        for request in found["requests"]:
            part.expect(request["scheduledFor"] and request["scheduledFor"][:4] >= "2026", f"{request}")
    finally:
        run(["date", "-s", f"@{int(today)}"], plain)
        daemon.stop()


def repeats(part, folder, today):
    """A board without a clock starts at 1970: what waits for tomorrow does not run when the network tells the time."""
    daemon = Daemon(folder)
    _, before = daemon.ask("pending")
    daemon.kill()
    run(["date", "-s", "@300"], plain)
    try:
        daemon.start()
        run(["date", "-s", f"@{int(today)}"], plain)
        found = daemon.until(["pending"], lambda found: found.get("requests") == before["requests"])
        times = [[request["scheduledFor"] for request in answer["requests"]] for answer in (before, found)]
        part.expect(len(times[0]) == 2 and times[0] == times[1], f"{times}")
        _, found = daemon.ask("history")
        part.expect(found["runs"] == [], f"{found['runs']}")
    finally:
        run(["date", "-s", f"@{int(today)}"], plain)
        daemon.stop()


def read_only(part):
    """A disk that turns read-only: nothing more is promised, and what was promised is there when it can be written again."""
    state = pathlib.Path("/srv/read-only")
    state.mkdir(mode=0o711, parents=True)
    daemon = Daemon(FIXTURES / "fixtures.echo.json", state=str(state))
    task = "org.taskhost.fixtures.echo"
    done, _ = daemon.ask("submit", task, "--earliest", "+1h")
    part.expect(done.returncode == 0, f"submit: {done.stderr}")
    # As the kernel does on a fault of the disk, whatever is open.
    pathlib.Path("/proc/sysrq-trigger").write_text("u")
    limit = time.monotonic() + PATIENCE
    while " ro," not in next(line for line in open("/proc/mounts") if " / ext4 " in line) and time.monotonic() < limit:
        time.sleep(0.1)
    done, _ = daemon.ask("submit", task, "--payload-text", "later")
    part.expect(done.returncode != 0 and done.stderr.count(";") >= 1, f"submit: {done.returncode} {done.stderr}")
    print(f"  {done.stderr.strip()[:300]}", flush=True)
    daemon.kill()
    run(["mount", "-o", "remount,rw", "/"], plain)
    daemon.start()
    _, found = daemon.ask("pending")
    part.expect([request["identifier"] for request in found["requests"]] == [task], f"{found}")
    part.expect(daemon.stop() == 0, "the daemon ends with another status than 0")


def memory(process):
    """Of a process in KiB: resident, in proportion, and what no file backs."""
    lines = dict(line.split(":") for line in open(f"/proc/{process}/smaps_rollup") if ":" in line and "[" not in line)
    return [int(lines[key].split()[0]) for key in ("Rss", "Pss", "Anonymous")]


def largest(process):
    """The mappings of a process with the largest share, in KiB."""
    found = []
    for line in open(f"/proc/{process}/smaps"):
        words = line.split()
        if "-" in words[0]:
            found.append([0, 0, 0, words[1], words[5] if len(words) > 5 else "anonymous"])
        elif words[0] in ("Pss:", "Rss:", "Anonymous:"):
            found[-1][("Pss:", "Rss:", "Anonymous:").index(words[0])] = int(words[1])
    return "; ".join("{0} of {1}, {2} anonymous: {3} {4}".format(*row) for row in sorted(found, reverse=True)[:12])


def workers():
    """The zygote and its workers, in the order of their starts."""
    return [int(process) for process in run(["pgrep", "-f", "taskhost-worker"], plain).stdout.split()]


def small(part):
    """Defaults follow the machine, an idle host is small, and so is a worker of a plugin in C."""
    _, found = document(["taskhost", "config", "--state", new_folder()])
    values = {value["key"]: value["text"] for value in found["values"]}
    print("  defaults: " + ", ".join(f"{key} {values[key]}" for key in ("concurrency", "retention.size", "output")), flush=True)
    part.expect(4 <= int(values["concurrency"]) <= 16, f"concurrency {values['concurrency']}")
    _, found = document(["taskhost", "doctor", "--state", new_folder()])
    part.expect([c["status"] for c in found["checks"] if c["check"] == "memory"] == ["note"], f"doctor: {found}")
    # Long enough to be looked at while its handler waits.
    manifest = json.loads((FIXTURES / "fixtures.sleeper.json").read_text())
    manifest["library"] = str(FIXTURES / manifest["library"])
    manifest["tasks"]["org.taskhost.fixtures.sleeper"]["budget"] = {"wallClock": "10m", "grace": "5s"}
    sleeper = pathlib.Path(new_folder()) / "sleeper.json"
    sleeper.write_text(json.dumps(manifest))
    daemon = Daemon(sleeper)
    # It gives up what it hardly uses 10 s after it last had work.
    limit = time.monotonic() + PATIENCE
    while memory(daemon.process.pid)[0] > 12 << 10 and time.monotonic() < limit:
        time.sleep(1)
    resident, share, own = memory(daemon.process.pid)
    print(f"  idle daemon: {resident} KiB resident, {share} in proportion, {own} of its own", flush=True)
    part.expect(resident <= 12 << 10 and own <= 4 << 10, f"the idle daemon has {resident} KiB, {own} of its own")
    daemon.ask("submit", "org.taskhost.fixtures.sleeper")
    daemon.until(["status"], lambda _: len(workers()) == 2)
    # What only its launch needed is unmapped a moment after its handler was called.
    limit = time.monotonic() + PATIENCE
    found = workers()
    part.expect(len(found) == 2, f"zygote and worker: {found}")
    while memory(found[-1])[1] > 1 << 10 and time.monotonic() < limit:
        time.sleep(0.2)
    for name, process in zip(("zygote", "worker"), found):
        resident, share, own = memory(process)
        print(f"  {name}: {resident} KiB resident, {share} in proportion, {own} of its own", flush=True)
        part.expect(own <= 1280, f"the {name} has {own} KiB of its own")
    part.expect(share <= 1 << 10, f"the worker has {share} KiB in proportion: {largest(found[-1])}")
    part.expect(daemon.stop() == 0, "the daemon ends with another status than 0")


def bare(part):
    """A kernel without Landlock and without limits of memory: what that costs is said, and who accepts it goes on."""
    folder = pathlib.Path(new_folder())
    task = {"kind": "processing", "handler": {"command": ["/bin/true"]}}
    for name, more in (("strict", {}), ("lenient", {"enforcement": "bestEffort"})):
        identifier = f"org.example.{name}"
        (folder / f"{identifier}.json").write_text(json.dumps({"identifier": identifier, "tasks": {identifier: task}, **more}))
    _, found = document(["taskhost", "doctor", "--state", new_folder(), "--manifests", folder])
    checks = {check["check"]: check for check in found["checks"]}
    for name, words in (("landlock", "lsm= boot parameter"), ("delegation", "cgroup_enable=memory")):
        part.expect(words in (checks[name]["remedy"] or ""), f"{checks[name]}")
        print(f"  doctor: {checks[name]['found']}; {checks[name]['remedy']}", flush=True)
    _, found = document(["taskhost", "run", "--all", "--manifests", folder, "--state", new_folder()])
    runs = {ended["identifier"]: ended for ended in found["runs"]}
    part.expect(runs["org.example.strict"]["outcome"] == "refused" and runs["org.example.strict"]["diagnostics"], f"{runs}")
    part.expect(runs["org.example.lenient"]["outcome"] == "succeeded", f"{runs}")
    part.expect("landlock" in runs["org.example.lenient"]["degraded"], f"{runs}")


def power(part):
    """Power that goes away while the first start writes its state: the next start is a first one, or goes on from there.

    Each boot looks at what the one before left, and cuts at the next moment: when a file of the state is there.
    """
    moments = ("state", "state/taskhost.db", "state/taskhost.db-wal", "state/control.sock")
    base = pathlib.Path("/srv/power")
    base.mkdir(mode=0o711, parents=True, exist_ok=True)
    begun = sorted(base.iterdir())
    task = "org.taskhost.fixtures.echo"
    if begun:
        print(f"  left: {sorted(str(p.relative_to(begun[-1])) for p in begun[-1].rglob('*'))}", flush=True)
        daemon = Daemon(FIXTURES / "fixtures.echo.json", state=str(begun[-1] / "state"))
        done, _ = daemon.ask("submit", task)
        part.expect(done.returncode == 0, f"submit: {done.stderr}")
        found = daemon.until(["history", task], lambda found: any(r["outcome"] for r in found.get("runs", [])))
        part.expect([r["outcome"] for r in found["runs"]] == ["succeeded"], f"{found}")
        part.expect(daemon.stop() == 0, "the daemon ends with another status than 0")
    if part.faults or len(begun) == len(moments):
        return
    moment = moments[len(begun)]
    folder = base / str(len(begun))
    folder.mkdir(mode=0o711)
    os.sync()
    # Said before: the console loses its last lines.
    print(f"  cutting the power when {moment} is there", flush=True)
    words = ["taskhost", "serve", "--state", folder / "state", "--manifests", FIXTURES / "fixtures.echo.json"]
    subprocess.Popen(delegated([str(word) for word in words]))
    limit = time.monotonic() + PATIENCE
    while not (folder / moment).exists() and time.monotonic() < limit:
        time.sleep(0.0005)
    # At once: nothing is written any more, and nothing is told.
    pathlib.Path("/proc/sysrq-trigger").write_text("b")
    time.sleep(PATIENCE)


PARTS = {
    "package": package, "doctor": doctor, "examples": examples, "libraries": libraries, "serving": serving,
    "transfers": transfers, "clock": clock, "read-only": read_only, "hostile": functools.partial(hostile, group=delegated),
    "hostile-without-groups": functools.partial(hostile, group=plain), "confinement": confinement,
    "small": small, "bare": bare, "power": power,
}


def main(names):
    faults = 0
    print(f"machine {MACHINE}, Linux {os.uname().release}, pages of {os.sysconf('SC_PAGESIZE')} bytes", flush=True)
    names = names or [name for name in PARTS if name not in ("small", "bare", "power")]
    # All others try what it installs.
    for name in names if "package" in names else ["package", *names]:
        part = Part(name)
        began = time.monotonic()
        try:
            PARTS[name](part)
        except Exception as error:  # the next part is tried all the same
            part.expect(False, f"{type(error).__name__}: {error}")
        faults += part.faults
        print(f"part {name}: {part.tried} tried, {part.faults} faults ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
