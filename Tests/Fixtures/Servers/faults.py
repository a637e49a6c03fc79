"""A TCP proxy that does to connections what networks do: faults.py PORT PLAN

It leads to 127.0.0.1:PORT. The file PLAN has a line for each connection, in order of their coming; the last one holds for
all others. A new file (another inode) begins anew. Words of a line:
  pass            nothing happens
  refuse          reset at once
  cut N           both sides are closed once N bytes came from the server
  reset N         the same, by a reset
  cut-up N        once N bytes came from the client
  stall N         after N bytes from the server nothing passes any more, and nothing is closed
  delay S         S seconds before the first byte passes
  slow N          N bytes a tenth of a second, from the server
SIGUSR1 cuts all connections that are open; SIGUSR2 lets the port go, and takes it again the next time, as a link that goes
down and comes up. Prints `ready PORT`, `open`, `cut`, `stalled`, `down`, `up`.
"""
import os
import signal
import socket
import struct
import sys
import threading

printing = threading.Lock()
guard = threading.Lock()
alive = set()


def say(*words):
    with printing:
        print(*words, flush=True)


class Plan:
    """The lines of the file, one for each connection."""

    def __init__(self, path):
        self.path = path
        self.identity = None
        self.lines = []

    def next(self):
        facts = os.stat(self.path)
        identity = (facts.st_ino, facts.st_mtime_ns)
        if identity != self.identity:
            self.identity = identity
            with open(self.path, encoding="utf-8") as file:
                self.lines = [line.split() for line in file if line.strip()] or [["pass"]]
        return self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]


class Pair:
    """A connection and the one that it leads to."""

    def __init__(self, client, server, words):
        self.client, self.server = client, server
        self.kind = words[0]
        self.amount = float(words[1]) if len(words) > 1 else 0
        self.is_cut = False
        with guard:
            alive.add(self)

    def start(self):
        if self.kind == "delay":
            threading.Event().wait(self.amount)
        threading.Thread(target=self.up, daemon=True).start()
        self.down()

    def up(self):
        self.carry(self.client, self.server, "cut-up" == self.kind)

    def down(self):
        self.carry(self.server, self.client, self.kind in ("cut", "reset", "stall"))

    def carry(self, source, sink, is_counted):
        left = int(self.amount) if is_counted else None
        step = int(self.amount) if self.kind == "slow" and source is self.server else 1 << 16
        try:
            while left is None or left > 0:
                data = source.recv(step if left is None else min(step, left))
                if not data:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(data)
                left = None if left is None else left - len(data)
                if step < 1 << 16:
                    threading.Event().wait(0.1)
            if self.kind == "stall":
                say("stalled")
                threading.Event().wait()
            self.cut()
        except OSError:
            self.cut()

    def cut(self):
        with guard:
            if self.is_cut:
                return
            self.is_cut = True
            alive.discard(self)
        for side in (self.client, self.server):
            try:
                if self.kind == "reset" and side is self.client:
                    side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    # Whoever still waits in recv would keep it open.
                    side.shutdown(socket.SHUT_RD)
                else:
                    side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            side.close()
        say("cut")


def take(client, plan, target):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    words = plan.next()
    if words[0] == "refuse":
        say("open", *words)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        return
    try:
        server = socket.create_connection(("127.0.0.1", target))
    except OSError:
        client.close()
        return
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    pair = Pair(client, server, words)
    # From now on it can be cut.
    say("open", *words)
    threading.Thread(target=pair.start, daemon=True).start()


class Listener:
    """The port, where nobody listens for a while, but which nobody else gets."""

    def __init__(self, plan, target):
        self.plan, self.target = plan, target
        self.held = self.bind(0)
        self.port = self.held.getsockname()[1]
        self.socket = None

    def open(self):
        self.socket = self.bind(self.port)
        self.socket.listen(512)
        threading.Thread(target=self.accept, args=(self.socket,), daemon=True).start()

    @staticmethod
    def bind(port):
        bound = socket.socket()
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", port))
        return bound

    def accept(self, listening):
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            take(client, self.plan, self.target)

    def toggle(self):
        if self.socket is None:
            self.open()
            say("up")
        else:
            # Wakes whoever waits in accept.
            self.socket.shutdown(socket.SHUT_RDWR)
            self.socket.close()
            self.socket = None
            cut_all()
            say("down")


def cut_all():
    with guard:
        pairs = list(alive)
    for pair in pairs:
        pair.cut()


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGUSR2})
listener = Listener(Plan(sys.argv[2]), int(sys.argv[1]))
listener.open()
say("ready", listener.port)
while True:
    if signal.sigwait({signal.SIGUSR1, signal.SIGUSR2}) == signal.SIGUSR1:
        cut_all()
        say("all cut")
    else:
        listener.toggle()
