"""A fleet of three real hosts whose handlers write what they do, and what became of its requests."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

import fleet_history
from fleet_servers import NOBODY, Failed, Proxy, Server, ask, parents, wait_for

HOSTS = ["one", "two", "three"]
LEASE = 10.0
APPLICATIONS, TASKS = 4, 4

# The payload is `NAME SECONDS FLAGS`; of a schedule's requests, which have one payload, the name is `key`. `stubborn`: it does not
# end when it is asked to. `fails`: its first try does. `over`: its first try takes longer than any budget.
HANDLER = r"""#!/bin/bash
IFS=' ' read -r name seconds flags
[[ $name == key ]] && name=$TASKHOST_FLEET_KEY
host=${TASKHOST_STATE#*/state/}
note() { printf '%s %s %s %s %s\n' "$EPOCHREALTIME" "$1" "$name" "$TASKHOST_RUN" "${host%%/*}" >>"$LOG"; }
note start
[[ $flags == *stubborn* ]] && trap '' TERM
[[ $flags == *over* ]] && mkdir "$LOG.$name" 2>/dev/null && seconds=60000
end=$((10#${EPOCHREALTIME/./} + 10#$seconds * 1000))
while ((10#${EPOCHREALTIME/./} < end)); do
    sleep 0.3
    note tick
done
if [[ $flags == *fails* ]] && mkdir "$LOG.$name" 2>/dev/null; then
    note fail
    exit 1
fi
note end
"""

# Each version of a request, as those see it that come after its transaction.
AUDIT = """
CREATE TABLE public.change (
    seq bigint GENERATED ALWAYS AS IDENTITY, at timestamptz, key uuid, number bigint, leased boolean, ended boolean,
    free timestamptz, host text);
CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO public.change (at, key, number, leased, ended, free, host) VALUES (
        clock_timestamp(), NEW.key, NEW.number, NEW.leased, NEW.ended IS NOT NULL, NEW.free,
        (SELECT h.name FROM taskhost.host h WHERE h.id = NEW.holder));
    RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE ON taskhost.request FOR EACH ROW EXECUTE FUNCTION public.note();
CREATE ROLE jobs_host LOGIN;
GRANT taskhost_host, taskhost_reader TO jobs_host;
"""


class Host:
    """A `taskhost serve` with a folder of its own. `before`: words that begin its command, such as those of a namespace;
    `settings`: more of its configuration."""

    def __init__(self, fleet, name, database, before=(), environment=None, settings=None):
        self.fleet, self.name, self.database = fleet, name, database
        self.before, self.environment = list(before), environment or {}
        self.state = os.path.join(fleet.work, "state", name)
        self.log = os.path.join(fleet.work, f"{name}.log")
        self.process = None
        os.makedirs(self.state)
        self.config = os.path.join(fleet.work, f"{name}.json")
        member = {"database": database, "name": name, "lease": f"{LEASE:.0f}s", "labels": {"host": name}}
        configuration = {**(settings or {}), "fleet": {**member, **(settings or {}).get("fleet", {})}}
        with open(self.config, "w", encoding="utf-8") as file:
            json.dump(configuration, file)

    def start(self, **environment):
        """`environment`: variables of this life only."""
        command = [
            *self.before, f"{self.fleet.bin}/taskhost", "serve", "--manifests", f"{self.fleet.work}/manifests", "--state",
            self.state, "--config", self.config]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self.environment, **environment})

    def send(self, number):
        os.kill(self.process.pid, number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def verb(self, *words):
        command = [*self.before, f"{self.fleet.bin}/taskhost", *words, "--state", self.state]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)

    def descendants(self):
        """Processes below it, with their command lines."""
        above = parents()
        found, more = [], [self.process.pid]
        while more:
            parent = more.pop()
            below = [process for process, its in above.items() if its == parent]
            found += below
            more += below
        lines = []
        for process in found:
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    lines.append((process, file.read().replace(b"\0", b" ").decode(errors="replace").strip()))
            except OSError:
                continue
        return lines


class Fleet:
    """One scenario's: folders, a server, three hosts, requests. What it needs beside these is told to `closing`."""

    def __init__(self, binaries, name, seed, schema=None):
        self.bin, self.name, self.schema = binaries, name, schema
        self.random = random.Random(f"{seed} {name}")
        self.work = tempfile.mkdtemp(prefix=f"fleet-{name}-")
        os.chmod(self.work, 0o755)
        self.lines = os.path.join(self.work, "lines", "log")
        self.hosts = {}
        self.closing = []
        self.submissions = []
        self.lock = threading.Lock()
        self.history = fleet_history.History(submissions=self.submissions)
        self.faults = []
        self.released = 0
        self.began = time.monotonic()
        self.more = None
        # More about how it went, as lines for people.
        self.table = []
        # How this program asks; the server is any that has the requests.
        self.server = None
        self.admin = ""

    # MARK: Making

    def make_server(self, **options):
        self.server = Server(os.path.join(self.work, "database"), **options)
        self.closing.append(self.server.stop)
        self.server.make()
        self.server.start()
        self.fill(self.server)

    def fill(self, server):
        server.ask("CREATE DATABASE jobs", "postgres")
        self.admin = f"host={server.folder} port={server.port} user=taskhost dbname=jobs"
        if self.schema:
            with open(self.schema, encoding="utf-8") as file:
                server.ask(f"BEGIN; CREATE SCHEMA taskhost; {file.read()}; COMMIT;")
        else:
            done = subprocess.run(
                [f"{self.bin}/taskhost", "fleet", "init", self.admin], capture_output=True, text=True, check=False)
            if done.returncode:
                raise Failed(f"fleet init ended with {done.returncode}: {done.stderr}")
        server.ask(AUDIT)

    def socket_database(self):
        return f"host={self.server.folder} port={self.server.port} dbname=jobs user=jobs_host"

    def make_hosts(self, databases=None, before=None, environments=None, tasks=None, settings=None):
        """Writes the manifests and starts three hosts. Each of the first three dictionaries is by name. `tasks`: what
        applications have beside their ordinary ones, by identifier; `settings`: more of the hosts' configuration."""
        os.makedirs(os.path.dirname(self.lines))
        os.chmod(os.path.dirname(self.lines), 0o777)
        with open(self.lines, "w", encoding="utf-8"):
            os.chmod(self.lines, 0o666)
        folder = os.path.join(self.work, "manifests")
        os.makedirs(folder)
        with open(os.path.join(folder, "work.sh"), "w", encoding="utf-8") as file:
            file.write(HANDLER)
            os.fchmod(file.fileno(), 0o755)
        for application in range(APPLICATIONS):
            identifier = f"com.example.fleet{application}"
            task = {
                "kind": "appRefresh", "budget": {"wallClock": "40s"}, "retry": {"attempts": 6, "backoff": "1s"},
                "handler": {"command": ["/bin/bash", "$MANIFEST/work.sh"], "environment": {"LOG": self.lines}}}
            manifest = {
                "identifier": identifier, "permissions": {"read": ["$MANIFEST"], "write": [os.path.dirname(self.lines)]},
                "tasks": {f"{identifier}.t{number}": task for number in range(TASKS)}}
            for name, more in (tasks or {}).items():
                if name.startswith(f"{identifier}."):
                    manifest["tasks"][name] = {**task, **more}
            with open(os.path.join(folder, f"{identifier}.json"), "w", encoding="utf-8") as file:
                json.dump(manifest, file)
        for name in HOSTS:
            database = (databases or {}).get(name) or self.socket_database()
            host = Host(self, name, database, (before or {}).get(name, ()), (environments or {}).get(name), settings)
            self.hosts[name] = host
            if NOBODY == host.before[: len(NOBODY)]:
                shutil.chown(host.state, "nobody", "nogroup")
            host.start()
        self.wait_live(3)
        # What else the machine has to do ends no run here.
        for host in self.hosts.values():
            done = host.verb("device", "set", "memory=nominal", "cpu=nominal", "disk=ok", "thermal=nominal")
            if done.returncode:
                raise Failed(f"device set ended with {done.returncode}: {done.stderr}")

    def wait_live(self, count):
        def live():
            for host in self.hosts.values():
                if host.process.poll() is not None:
                    raise Failed(f"host {host.name} ended with {host.process.returncode}; {host.log}")
            return self.count("taskhost.hosts WHERE state = 'live'") == count

        wait_for(f"{count} hosts live", live, 60)

    # MARK: Asking

    def ask(self, sql, check=True):
        return ask(self.admin, sql, check)

    def insist(self, sql, patience=90):
        """Until it is answered. The same again must change nothing."""
        return wait_for(sql[:60], lambda: (answer := self.ask(sql, check=False)) is not None and [answer], patience, 0.3)[0]

    def count(self, rows):
        """-1: the database does not answer."""
        return int(self.ask(f"SELECT count(*) FROM {rows}", check=False) or -1)

    def lives(self):
        with open(self.lines, encoding="utf-8") as file:
            return fleet_history.lives(file)

    def at_work(self, name):
        """Handlers of the host that are at work now."""
        return [life for life in self.lives() if life.host == name and not life.end and life.last > time.time() - 1.0]

    def wait_at_work(self, name, count=1, patience=60):
        """Handlers of the host. Others may have had all that there was: then it gets some of its own."""
        try:
            return wait_for("work", lambda: len(self.at_work(name)) >= count and self.at_work(name), 5)
        except Failed:
            self.insist("".join(self.statement(self.random.uniform(3, 5), host=name) for _ in range(count)))
        return wait_for(f"host {name} works", lambda: len(self.at_work(name)) >= count and self.at_work(name), patience)

    def expect(self, truth, words):
        if not truth:
            self.faults.append(f"expected: {words}")

    # MARK: Submitting

    def identifier(self):
        return f"com.example.fleet{self.random.randrange(APPLICATIONS)}.t{self.random.randrange(TASKS)}"

    def key(self):
        """A new ULID, as a UUID."""
        value = int(time.time() * 1000) << 80 | self.random.getrandbits(80)
        return str(uuid.UUID(int=value))

    def statement(
            self, seconds, flags="", earliest=0.0, host="", key=None, dedupe=None, policy="allow", starts=True, details="",
            identifier=None):
        """SQL that submits one, and notes it. Any thread."""
        with self.lock:
            key = key or self.key()
            payload = f"r{len(self.submissions):03d}"
            self.submissions.append(fleet_history.Submission(key, payload, earliest, host, starts))
        text = f"{payload} {int(seconds * 1000)} {flags}"
        terms = [
            f"identifier => '{identifier or self.identifier()}'" if dedupe is None else "identifier => 'com.example.fleet0.t0'",
            f"payload => convert_to('{text}', 'UTF8')", f"key => '{key}'", f"policy => '{policy}'",
            f"priority => {self.random.randrange(-2, 3)}::smallint"]
        if earliest:
            terms.append(f"earliest => to_timestamp({earliest:.6f})")
        if host:
            terms.append(f"labels => '{{\"host\": \"{host}\"}}'")
        if dedupe:
            terms.append(f"dedupe => '{dedupe}'")
        if details:
            terms.append(f"details => '{details}'")
        return f"SELECT taskhost.submit({', '.join(terms)});"

    def submit_many(self, short=24, long=6):
        """What waits, what takes longer than leases, what fails at first, what has a name, and what never was."""
        now = time.time()
        wanted = [self.statement(self.random.uniform(0.2, 1.5)) for _ in range(short)]
        wanted += [
            self.statement(self.random.uniform(6, 13), "stubborn" if number % 2 else "") for number in range(long)]
        wanted += [self.statement(0.5, "fails") for _ in range(3)]
        wanted += [self.statement(0.5, earliest=now + self.random.uniform(4, 15)) for _ in range(4)]
        wanted += [self.statement(0.5, host=name) for name in HOSTS]
        # Of another version, or somebody's own.
        wanted.append(self.statement(0.5, details='{"kind": 5, "attempt": 1e20, "settings": "?", "resources": -1, "title": []}'))
        self.random.shuffle(wanted)
        # One takes the other's place; one is kept out; one is rolled back.
        first, kept = self.key(), self.key()
        wanted += [
            self.statement(0.5, earliest=now + 30, dedupe="replaced", policy="replace", key=first, starts=False),
            self.statement(0.5, earliest=now + 12, dedupe="replaced", policy="replace", key=first),
            self.statement(0.5, earliest=now + 8, dedupe="kept", policy="keep", key=kept)]
        self.ask("\n".join(wanted))
        for policy, name, key in (("replace", "replaced", first), ("keep", "kept", kept)):
            # Another key is asked for, and the one that is there is answered.
            mine = self.statement(0.5, dedupe=name, policy=policy, earliest=now + 12, starts=policy == "replace")
            self.expect(self.ask(mine) == key, f"{policy} answers with the request that is there")
            self.submissions[-1].key = key
        for submission in self.submissions:
            if submission.key == first and submission is not self.submissions[-2]:
                submission.starts = False
        self.ask(f"BEGIN; {self.statement(0.5, starts=False)} ROLLBACK;")
        self.submit_by_verb()

    def submit_by_verb(self):
        """One with the verb's own options; in place of the next number."""
        earliest = time.time() + 6
        payload = f"r{len(self.submissions):03d}"
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(earliest))
        command = [
            f"{self.bin}/taskhost", "submit", self.identifier(), "--fleet", "--database", self.admin, "--payload-text",
            f"{payload} 500 ", "--earliest", moment, "--key", "verb", "--priority", "5"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"submit ended with {done.returncode}: {done.stderr}")
        key = self.ask("SELECT key FROM taskhost.request WHERE dedupe = 'verb'")
        self.submissions.append(fleet_history.Submission(key, payload, float(int(earliest))))

    def submit_meanwhile(self, count=10, pause=1.5):
        """While faults come: each until it is answered, by its key."""
        def go():
            try:
                for _ in range(count):
                    self.insist(self.statement(0.5))
                    time.sleep(pause)
            except Failed as failed:
                self.faults.append(str(failed))

        self.more = threading.Thread(target=go)
        self.more.start()

    def forget(self):
        """The database forgets what there was."""
        self.submissions.clear()
        with open(self.lines, "w", encoding="utf-8"):
            pass

    # MARK: Ending

    def wait_ended(self, patience=150):
        """All have ended. Those whose leases were lost again and again are released, as a person would."""
        if self.more:
            self.more.join()

        def ended():
            open_ones = self.ask("SELECT state, key FROM taskhost.requests WHERE state <> 'ended'", check=False)
            if open_ones is None:
                return False
            for line in open_ones.splitlines():
                state, key = line.split("|")
                if state == "quarantined" and self.ask(f"SELECT taskhost.release('{key}')", check=False) == "t":
                    self.released += 1
            return not open_ones

        try:
            wait_for("all requests end", ended, patience, 0.5)
        except Failed as failed:
            rows = self.ask("SELECT key, identifier, state, number, losses, attempt, host, free - clock_timestamp() "
                            "FROM taskhost.requests WHERE state <> 'ended'", check=False)
            raise Failed(f"{failed}; {rows}") from failed

    def stop_hosts(self):
        for host in self.hosts.values():
            if host.process.poll() is None:
                host.send(signal.SIGTERM)
        for host in self.hosts.values():
            try:
                self.history.exits[host.name] = host.process.wait(30)
            except subprocess.TimeoutExpired:
                self.history.exits[host.name] = "no end within 30 s"
                host.kill()

    def read(self):
        """The whole history; of which the rules say what does not hold."""
        history = self.history
        history.lives = self.lives()
        words = "coalesce(%s, '')"
        for row in self.rows(f"SELECT key, state, number, {words % 'outcome'} FROM taskhost.requests"):
            history.requests.append(fleet_history.Request(row[0], row[1], int(row[2]), row[3]))
        for row in self.rows(
                f"SELECT key, number, {words % 'host'}, {words % 'outcome'}, accepted, extract(epoch FROM ended) "
                "FROM taskhost.run ORDER BY ended"):
            history.runs.append(
                fleet_history.Run(row[0], int(row[1]), row[2], row[3], row[4] == "t", float(row[5])))
        for row in self.rows(
                "SELECT extract(epoch FROM at), key, number, leased, ended, extract(epoch FROM free), coalesce(host, '') "
                "FROM public.change ORDER BY seq"):
            history.changes.append(fleet_history.Change(
                float(row[0]), row[1], int(row[2]), row[3] == "t", row[4] == "t", float(row[5]), row[6]))

    def rows(self, sql):
        return [line.split("|") for line in self.ask(sql).splitlines()]

    def finish(self):
        self.wait_ended()
        self.stop_hosts()
        self.read()
        self.faults += fleet_history.check(self.history)

    def close(self):
        for host in self.hosts.values():
            if host.process and host.process.poll() is None:
                host.send(signal.SIGCONT)
                host.kill()
        for end in reversed(self.closing):
            try:
                end()
            except (Failed, OSError) as fault:
                print(f"  while it ended: {fault}", flush=True)

    # MARK: Figures

    @property
    def lost(self):
        return sum(run.outcome == "leaseLost" for run in self.history.runs)

    @property
    def superseded(self):
        return sum(not run.accepted and run.outcome != "leaseLost" for run in self.history.runs)

    def proxies(self):
        """A proxy for each host, and the databases through them."""
        found = {}
        for name in HOSTS:
            found[name] = Proxy(f"{self.server.folder}/.s.PGSQL.{self.server.port}")
            self.closing.append(found[name].close)
        return found, {
            name: f"host=127.0.0.1 port={proxy.port} dbname=jobs user=jobs_host" for name, proxy in found.items()}
