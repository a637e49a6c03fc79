"""Processes of a turn: their first answer, and their end."""
import os
import socket
import subprocess
import time

from measured import end_process, processor_seconds


def wait_until(is_so, what, seconds=120.0):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise RuntimeError(f"{what} did not come within {seconds:.0f} s")
        time.sleep(0.01)


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


class Server:
    """One that serves for a turn. Its log is in its folder."""

    def __init__(self, command, folder, environment, is_ready):
        self.log = os.path.join(folder, "server.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(lambda: self.check() or is_ready(), f"an answer of {command[0]}")

    def check(self):
        if self.process.poll() is not None:
            with open(self.log, errors="replace", encoding="utf-8") as log:
                raise RuntimeError(f"a server has ended; {self.process.args[0]}; it said: {log.read()[-600:]}")

    def time(self):
        return processor_seconds(self.process.pid)

    def close(self):
        end_process(self.process, 20)


def finished(process, what):
    """Waits for it, and returns the processor time of it and its children."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{what} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime
