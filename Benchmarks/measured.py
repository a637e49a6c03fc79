"""What scripts of the benchmarks share: manifests, a record of many runs, folders, and processor time."""
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

LIBRARY = "libz.so.1"


def processor_clock(pid):
    """The clock of the processor time of all threads of a process: clock_getcpuclockid(3)."""
    return (~pid << 3) | 2


def tree(pid):
    """A process and all below it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children") as file:
                    found += map(int, file.read().split())
    return found


def processor_seconds(pid):
    """Of a process and all that it started, also of those that have ended."""
    ticks = 0
    for each in tree(pid):
        # The time of one that has ended since is its parent's.
        with contextlib.suppress(OSError), open(f"/proc/{each}/stat", errors="replace") as file:
            ticks += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def session(command):
    """Runs a host that ends by itself.

    Returns its exit status, the seconds of processors that it took, and took with all its children, and what it said to standard error.
    """
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = process.stderr.read().decode(errors="replace")
    # It has ended and is not yet reaped: its clock still stands.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    own = time.clock_gettime(processor_clock(process.pid))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, own, usage.ru_utime + usage.ru_stime, words


def end_process(process, seconds, number=signal.SIGTERM):
    """Lets a process end, and kills it when it has not after so many seconds."""
    if process.poll() is None:
        process.send_signal(number)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def new_folder(scratch):
    """An empty folder in `scratch` that workers of other users may pass, until the end of the block."""
    os.makedirs(scratch, exist_ok=True)
    folder = tempfile.mkdtemp(dir=scratch)
    os.chmod(folder, 0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def manifest(folder, number, library=LIBRARY, task="work"):
    identifier = f"com.example.application{number:05}"
    path = os.path.join(folder, f"{identifier}.json")
    with open(path + ".new", "w") as file:
        json.dump({
            "identifier": identifier, "library": library,
            "tasks": {f"{identifier}.{task}": {"kind": "processing", "handler": "zlibVersion"}},
        }, file)
    os.rename(path + ".new", path)
    return identifier


def fill(database, runs):
    """Finished runs of all tasks, in the order of time, as if they had ended during the last hours."""
    record = sqlite3.connect(database)
    record.execute("PRAGMA synchronous = OFF")
    tasks = [row[0] for row in record.execute("SELECT id FROM tasks ORDER BY id")]
    begin = time.time_ns() // 1_000_000 - runs * 10
    def rows():
        for number in range(runs):
            moment = begin + number * 10
            nanoseconds = moment * 1_000_000
            yield (number + 1, moment.to_bytes(6, "big") + os.urandom(10), tasks[number * 7919 % len(tasks)], nanoseconds,
                   nanoseconds, nanoseconds + 100_000)
    record.executemany(
        "INSERT INTO runs (seq, ulid, task, attempt, submitted, started, ended, outcome, wall, cpu, peak, status, events) "
        "VALUES (?, ?, ?, 1, ?, ?, ?, 1, 100000, 50000, 200000, 0, x'')", rows())
    record.commit()
    record.close()
