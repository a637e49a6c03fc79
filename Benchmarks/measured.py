"""What scripts of the benchmarks measure: manifests, a record of many runs, a process's own clock."""
import json
import os
import sqlite3
import time

LIBRARY = "libz.so.1"


def processor_clock(pid):
    """The clock of the processor time of all threads of a process: clock_getcpuclockid(3)."""
    return (~pid << 3) | 2


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
