"""What runs jobs: each has a turn of its own, in a new folder, from before its first job is handed in until its last one has ended."""
import json
import os
import socket
import subprocess
import sys
import time

from measured import processor_seconds, tree
from processes import Server, answers, finished, free_port, wait_until

HERE = os.path.dirname(os.path.abspath(__file__))


class Contender:
    """What a table says of it.

    is_once: a turn takes minutes, and one of them is enough.

    kind: the row of taskhost that it is compared with. durable: what of a job outlives the power. isolated: whether a job that
    crashes takes no other one along; both as words of the table.
    """

    is_ours = is_once = False

    def __init__(self, bench, name, kind, count, durable, isolated):
        self.bench, self.name, self.kind, self.count = bench, name, kind, count
        self.durable, self.isolated = durable, isolated

    @property
    def syncs(self):
        return self.durable != "no"

    def turn(self, folder, count, environment):
        """Seconds, and seconds of processors."""
        raise NotImplementedError


class Taskhost(Contender):
    is_ours = True

    def __init__(self, bench, name, kind, count, isolated, tasks, in_flight):
        super().__init__(bench, name, kind, count, "its start and its end", isolated)
        self.tasks, self.in_flight = tasks, in_flight

    def manifests(self, folder):
        return self.bench.manifests

    def turn(self, folder, count, environment):
        command = [f"{self.bench.binaries}/taskhost", "run", *self.tasks, "--manifests", self.manifests(folder), "--state",
                   f"{folder}/state", "--json", "--repeat", str(count // len(self.tasks)), "--concurrency", str(self.in_flight)]
        begin = time.monotonic()
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        used = finished(process, self.name)
        return time.monotonic() - begin, used


class TaskhostProgram(Taskhost):
    """A program, as in a crontab, with a limit for everything and confined."""

    TASK = "org.taskhost.bench.program.noop"

    def __init__(self, bench, name, count, in_flight):
        super().__init__(bench, name, "program", count, "a process for each run", [self.TASK], in_flight)

    def manifests(self, folder):
        text = {"identifier": "org.taskhost.bench.program",
                "tasks": {self.TASK: {"kind": "processing", "handler": {"command": [f"{self.bench.references}/noop"]}}}}
        with open(f"{folder}/program.json", "w", encoding="utf-8") as file:
            json.dump(text, file)
        return f"{folder}/program.json"


class Command(Contender):
    """A program that starts the others, as from a pipe of lines."""

    def __init__(self, bench, name, count, words):
        super().__init__(bench, name, "program", count, "no", "a process")
        self.words = words

    def turn(self, folder, count, environment):
        lines = "\n".join(map(str, range(count))) + "\n"
        begin = time.monotonic()
        process = subprocess.Popen(self.words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=folder)
        process.stdin.write(lines.encode())
        process.stdin.close()
        used = finished(process, self.name)
        return time.monotonic() - begin, used


class Systemd(Command):
    """Units of the machine's own manager, which does the work: its processor time is not told apart from what else it does."""

    def __init__(self, bench, count, words):
        super().__init__(bench, "systemd-run --wait", count, words)

    def turn(self, folder, count, environment):
        return super().turn(folder, count, environment)[0], None


class Lines(Contender):
    """A server that jobs.c speaks to."""

    def __init__(self, bench, name, count, durable, protocol, command):
        super().__init__(bench, name, "warm", count, durable, "no, in the worker")
        self.protocol, self.command = protocol, command

    def turn(self, folder, count, environment):
        port = free_port()
        server = Server(self.command(port, folder), folder, environment, lambda: answers(port))
        try:
            words = [f"{self.bench.references}/jobs", self.protocol]
            share = str(count // os.cpu_count())  # counts are multiples of it
            workers = [subprocess.Popen([*words, "work", str(port), share], stdout=subprocess.PIPE) for _ in range(os.cpu_count())]
            for worker in workers:
                worker.stdout.readline()
            before = server.time()
            begin = time.monotonic()
            used = finished(subprocess.Popen([*words, "submit", str(port), str(count)]), self.name)
            used += sum(finished(worker, self.name) for worker in workers)
            spent = time.monotonic() - begin
            return spent, used + server.time() - before
        finally:
            server.close()


class Redis:
    """Questions to a server, one after the other, over its socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.stream = self.socket.makefile("rwb")

    def number(self, *words):
        self.stream.write(" ".join(words).encode() + b"\r\n")
        self.stream.flush()
        answer = self.stream.readline()
        if not answer.startswith(b":"):
            raise RuntimeError(f"redis answered {answer!r}")
        return int(answer[1:])


class Queue(Contender):
    """One in Python over Redis, with as many worker processes as there are processors. `is_done`: the last job was taken, and has nothing
    to do."""

    def __init__(self, bench, name, peer, kind, count, isolated, workers, is_ready, is_done):
        super().__init__(bench, name, kind, count, "all (appendfsync always)", isolated)
        self.peer, self.workers, self.is_ready, self.is_done = peer, workers, is_ready, is_done

    def turn(self, folder, count, environment):
        path = f"{folder}/redis.sock"
        server = Server(
            ["/usr/bin/redis-server", "--port", "0", "--unixsocket", path, "--dir", folder, "--save", "", "--appendonly", "yes",
             "--appendfsync", "always"], folder, environment, lambda: os.path.exists(path))
        scheme = "redis+socket" if self.peer == "celery" else "unix"
        environment = {**os.environ, "REDIS_URL": f"{scheme}://{path}", "RQ_REDIS_URL": f"unix://{path}", "PEER": self.peer, "PYTHONPATH": HERE,
                       "PATH": f"{self.bench.environment}/bin:{os.environ['PATH']}"}
        workers = []
        try:
            with open(f"{folder}/workers.log", "wb") as log:
                workers = [subprocess.Popen(words, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                           for words in self.workers]
            redis = Redis(path)

            def ready():
                if any(worker.poll() is not None for worker in workers):
                    with open(f"{folder}/workers.log", errors="replace", encoding="utf-8") as log:
                        raise RuntimeError(f"a worker of {self.name} has ended; it said: {log.read()[-600:]}")
                return self.is_ready(redis, workers, folder)

            wait_until(ready, f"the workers of {self.name}")
            before = server.time() + sum(processor_seconds(worker.pid) for worker in workers)
            begin = time.monotonic()
            used = finished(subprocess.Popen([f"{self.bench.environment}/bin/python3", f"{HERE}/queues.py", self.peer, str(count)],
                                             env=environment, cwd=folder), self.name)
            wait_until(lambda: self.is_done(redis), f"the last job of {self.name}")
            spent = time.monotonic() - begin
            used += server.time() + sum(processor_seconds(worker.pid) for worker in workers) - before
            return spent, used
        finally:
            for worker in workers:
                for each in reversed(tree(worker.pid)):
                    try:
                        os.kill(each, 9)
                    except ProcessLookupError:
                        pass
                worker.wait()
            server.close()


class Cron(Contender):
    """Jobs of one minute, in a mount namespace where cron finds no others, from the first that runs to the last one; each appends the time
    to a file. Two minutes: it waits for what has ended at the next one."""

    is_once = True

    def __init__(self, bench, count):
        super().__init__(bench, "cron", "program", count, "no", "a process")

    def turn(self, folder, count, environment):
        stamps = f"{folder}/stamps"
        with open(f"{folder}/crontab", "w", encoding="utf-8") as file:
            file.writelines(f"* * * * * root {self.bench.references}/stamp {stamps}\n" for _ in range(count))
        os.mkdir(f"{folder}/empty")
        script = ("mount --bind \"$1/crontab\" /etc/crontab && mount --bind \"$1/empty\" /etc/cron.d && "
                  "mount --bind \"$1/empty\" /var/spool/cron/crontabs && mount -t tmpfs none /run && exec cron -f")
        server = Server(["unshare", "--mount", "sh", "-c", script, "sh", folder], folder, environment, lambda: True)
        try:
            def ran():
                return os.path.getsize(stamps) // 8 if os.path.exists(stamps) else 0
            wait_until(lambda: ran() >= count, "the jobs of cron", 130)
            # Those that it forks wait for theirs, and it waits for them when it wakes.
            before_next = time.time() // 60
            wait_until(lambda: time.time() // 60 > before_next and len(tree(server.process.pid)) == 1, "the next minute", 130)
            with open(stamps, "rb") as file:
                data = file.read()[:8 * count]
            times = sorted(int.from_bytes(data[i:i + 8], sys.byteorder) for i in range(0, len(data), 8))
            return (times[-1] - times[0]) / 1e9, server.time() * count / ran()
        finally:
            server.close()


def all_of(bench):
    processors = os.cpu_count()
    python, noop = f"{bench.environment}/bin", f"{bench.references}/noop"
    found = [
        Taskhost(bench, "taskhost, a C symbol in a warm worker", "warm", 40_000, "a process for each application",
                 ["org.taskhost.bench.first.noop", "org.taskhost.bench.second.noop"], 64),
        Lines(bench, "beanstalkd, workers in C", 40_000, "no", "beanstalk",
              lambda port, folder: ["beanstalkd", "-l", "127.0.0.1", "-p", str(port)]),
        Lines(bench, "beanstalkd -f0, workers in C", 4_000, "all", "beanstalk",
              lambda port, folder: ["beanstalkd", "-l", "127.0.0.1", "-p", str(port), "-b", folder, "-f0"]),
        Lines(bench, "gearmand, workers in C", 20_000, "no", "gearman",
              lambda port, folder: ["gearmand", "-L", "127.0.0.1", "-p", str(port), "-l", f"{folder}/log"]),
        Lines(bench, "gearmand -q libsqlite3, workers in C", 2_000, "all", "gearman",
              lambda port, folder: ["gearmand", "-L", "127.0.0.1", "-p", str(port), "-l", f"{folder}/log", "-q", "libsqlite3",
                                    f"--libsqlite3-db={folder}/queue.db"]),
        Queue(bench, "huey, Redis", "huey", "warm", 2_000, "no, in the worker",
              [[f"{python}/huey_consumer", "queues.huey", "-w", str(processors), "-k", "process", "-d", "0.01", "-m", "0.1"]],
              lambda redis, workers, folder: len(tree(workers[0].pid)) > processors,
              lambda redis: not redis.number("LLEN", "huey.redis.bench")),
        Queue(bench, "Celery, Redis", "celery", "warm", 2_000, "no, in the worker",
              [[f"{python}/celery", "-A", "queues", "worker", "-c", str(processors), "-l", "warning"]],
              # It has declared what it takes from.
              lambda redis, workers, folder: redis.number("SCARD", "_kombu.binding.celery") > 0,
              lambda redis: not redis.number("LLEN", "celery") and not redis.number("HLEN", "unacked")),
        Taskhost(bench, "taskhost, a C symbol in a process of its own", "own", 3_000, "a process for each run",
                 ["org.taskhost.bench.cold.noop"], 2 * processors),
        Queue(bench, "RQ, Redis, a fork for each job", "rq", "own", 400, "a process",
              [[f"{python}/rq", "worker"] for _ in range(processors)],
              lambda redis, workers, folder: redis.number("SCARD", "rq:workers") == processors,
              lambda redis: not redis.number("LLEN", "rq:queue:default") and not redis.number("ZCARD", "rq:wip:default")),
        TaskhostProgram(bench, "taskhost, a program", 2_000, 2 * processors),
        Command(bench, f"xargs -P {2 * processors}", 4_000, ["xargs", "-P", str(2 * processors), "-I", "{}", noop]),
        Command(bench, f"parallel -j {2 * processors}", 400, ["parallel", "--will-cite", "-N0", "-j", str(2 * processors), noop]),
    ]
    if os.path.isdir("/run/systemd/system"):
        found.append(Systemd(bench, 200, ["xargs", "-P", str(2 * processors), "-I", "{}", "systemd-run", "--quiet", "--wait",
                                          "--collect", noop]))
    if os.geteuid() == 0:
        found.append(Cron(bench, 200))
    return found
