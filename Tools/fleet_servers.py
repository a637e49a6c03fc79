"""Servers for checks of a fleet: a PostgreSQL of one's own, and a proxy that loses, holds and resets what goes through it."""
import glob
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


class Failed(Exception):
    pass


def wait_for(what, holds, patience=60.0, pause=0.1):
    """The first value of `holds()` that is true."""
    end = time.monotonic() + patience
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"{what}: not within {patience:.0f} s")
        time.sleep(pause)


def programs():
    """The folder of the newest PostgreSQL server."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"), key=lambda path: float(path.split("/")[4]))
    if not found:
        raise Failed("no PostgreSQL server; /usr/lib/postgresql; install it with 'apt install postgresql'")
    return os.path.dirname(found[-1])


def parents():
    """The parent of each process of this machine."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                found[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    return found


class Server:
    """A PostgreSQL in a folder of its own, as an ordinary user. `network`: the prefix of a command that puts it into a network
    namespace. Power does not fail here, so nothing is synced."""

    def __init__(self, folder, port=5432, settings=(), network=()):
        self.folder, self.port, self.network = folder, port, list(network)
        self.data = os.path.join(folder, "data")
        self.settings = ["fsync=off", "listen_addresses=", *settings]
        self.process = None
        self.user = NOBODY if os.getuid() == 0 else []
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o777)
        self.log = open(os.path.join(folder, "server.log"), "ab")

    def run(self, program, *words):
        command = self.user + [os.path.join(programs(), program), *words]
        done = subprocess.run(command, cwd="/", stdout=self.log, stderr=self.log, check=False)
        if done.returncode:
            raise Failed(f"{program} ended with {done.returncode}; {self.log.name}")

    def make(self):
        self.run("initdb", "-D", self.data, "-U", "taskhost", "-A", "trust", "-E", "UTF8", "--no-locale", "-N", "--wal-segsize=1")

    def copy(self, other):
        """A standby of the other server."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run(
            "pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d",
            f"host={other.folder} port={other.port} user=taskhost application_name=standby")

    def start(self):
        settings = [word for setting in self.settings for word in ("-c", setting)]
        command = [
            *self.network, *self.user, os.path.join(programs(), "postgres"), "-D", self.data, "-k", self.folder, "-p",
            str(self.port), *settings]

        def answers():
            # Processes of a server that was killed keep its memory for a moment: the next one does not start until they are gone.
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(command, cwd="/", stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
            return self.ask("SELECT 1", "postgres", check=False) == "1"

        wait_for("the server answers", answers, 60, 0.2)

    def kill(self, whole=False):
        """`whole`: its sessions at once, too; otherwise they see by themselves that it is gone."""
        sessions = [process for process, above in parents().items() if above == self.process.pid] if whole else []
        self.process.kill()
        for session in sessions:
            try:
                os.kill(session, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()

    def stop(self, clean=False):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT if clean else signal.SIGQUIT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def promote(self):
        self.run("pg_ctl", "promote", "-D", self.data, "-w")

    def ask(self, sql, database="jobs", check=True, **options):
        return ask(f"host={self.folder} port={self.port} user=taskhost dbname={database}", sql, check, **options)


def ask(database, sql, check=True, patience=20):
    """What psql prints: rows of columns with | between. None: it failed, and check is false."""
    environment = {"PATH": os.environ["PATH"], "PGCONNECT_TIMEOUT": "5", "LC_ALL": "C.UTF-8"}
    command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", database]
    try:
        done = subprocess.run(
            command, input=sql, capture_output=True, text=True, env=environment, timeout=patience, cwd="/", check=False)
        words = done.stderr.strip()
        if done.returncode == 0:
            return done.stdout.strip()
    except subprocess.TimeoutExpired:
        words = f"no answer for {patience} s"
    if check:
        raise Failed(f"psql: {words}; {sql[:120]}")
    return None


class Proxy:
    """From a port of this machine to the socket of a server, on a thread of its own.

    pass: bytes go on at once. delay: half a second late. hold: bytes wait, and go on later, as through a cable that is put back.
    hole: nothing goes through, and connections of that time never say a word again, as behind a firewall that forgot them. reset:
    connections are reset, those of now and those that come. deaf: what the server says is lost, and it hears all."""

    DELAY = 0.5

    def __init__(self, path):
        self.path = path
        self.mode = "pass"
        self.pairs = []
        self.ends = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def close(self):
        self.ends = True
        self.thread.join()
        for pair in self.pairs:
            pair.close()
        self.listener.close()

    def serve(self):
        self.listener.setblocking(False)
        while not self.ends:
            selector = selectors.DefaultSelector()
            selector.register(self.listener, selectors.EVENT_READ)
            for pair in self.pairs:
                pair.watch(selector, self.mode)
            events = selector.select(0.05)
            selector.close()
            for key, _ in events:
                if key.fileobj is self.listener:
                    self.accept()
                else:
                    key.data.read(key.fileobj, time.monotonic() + (self.DELAY if self.mode == "delay" else 0))
            if self.mode == "reset":
                for pair in self.pairs:
                    pair.reset()
            for pair in self.pairs:
                pair.write(self.mode)
            self.pairs = [pair for pair in self.pairs if not pair.isClosed]

    def accept(self):
        client, _ = self.listener.accept()
        upstream = None
        # A hole takes a connection, as a network does that loses what comes after; nobody answers.
        if self.mode != "hole":
            upstream = socket.socket(socket.AF_UNIX)
            try:
                upstream.connect(self.path)
            except OSError:
                upstream.close()
                client.close()
                return
        self.pairs.append(Pair(client, upstream))


class Pair:
    """A connection: two sockets, and what waits for each."""

    def __init__(self, client, upstream):
        self.client, self.upstream = client, upstream
        self.isDead = upstream is None
        # It has lost a part of what the server said, and gets no more.
        self.isDeaf = False
        self.isClosed = False
        self.waiting = {client: [], upstream: []}
        self.isOver = {client: False, upstream: False}
        client.setblocking(False)
        if upstream:
            upstream.setblocking(False)

    def watch(self, selector, mode):
        if mode == "hole":
            self.isDead = True
        if mode == "deaf":
            self.isDeaf = True
        if self.isDead or mode == "hold":
            return
        for one in (self.client, self.upstream):
            # A peer that takes nothing does not fill this process.
            if not self.isOver[one] and len(self.waiting[self.other(one)]) < 64:
                selector.register(one, selectors.EVENT_READ, self)

    def other(self, one):
        return self.upstream if one is self.client else self.client

    def read(self, one, due):
        try:
            data = one.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.isOver[one] = True
        elif self.isDeaf and one is self.upstream:
            return
        self.waiting[self.other(one)].append((due, data))

    def write(self, mode):
        if self.isDead or self.isClosed or mode == "hold":
            return
        for one in (self.client, self.upstream):
            waiting = self.waiting[one]
            while waiting and waiting[0][0] <= time.monotonic():
                data = waiting[0][1]
                if not data:
                    return self.close()
                try:
                    sent = one.send(data)
                except BlockingIOError:
                    break
                except OSError:
                    return self.close()
                if sent == len(data):
                    waiting.pop(0)
                else:
                    waiting[0] = (0, data[sent:])

    def reset(self):
        # SO_LINGER of no time: the close resets.
        if not self.isClosed:
            self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close()

    def close(self):
        self.isClosed = True
        self.client.close()
        if self.upstream:
            self.upstream.close()
