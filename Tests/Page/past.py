"""A past for a host that is not running: rows of its record."""

import random
import sqlite3
import time

SECOND = 10**9


def ulid(at, chance):
    return (at // 10**6).to_bytes(6, "big") + chance.randbytes(10)


def record(state):
    return sqlite3.connect(state / "taskhost.db")


def fill(state, tasks, days, seed=1):
    """Past runs of the tasks over the last days. A task is its identifier, how often of a hundred it fails, its length and its
    interval in seconds; the identifiers must be known to the record, and it has no runs yet. Outcomes: 1 succeeded, 2 failed,
    3 expired, 7 crashed. Returns how many they are."""
    chance = random.Random(seed)
    database = record(state)
    ids = dict(database.execute("SELECT identifier, id FROM tasks"))
    end = time.time_ns() - 600 * SECOND
    times = []
    for identifier, fails, length, every in tasks:
        # Schedules count from 1970.
        last = end - end % (every * SECOND)
        times += [(last - at * every * SECOND + chance.randrange(SECOND), identifier, fails, length) for at in range(days * 86400 // every)]
    rows = []
    for at, (submitted, identifier, fails, length) in enumerate(sorted(times), 1):
        wall = int(length * chance.uniform(0.6, 1.5) * SECOND)
        outcome = chance.choice([2, 2, 3, 7]) if chance.randrange(100) < fails else 1
        started = submitted + chance.randrange(4, 40) * 10**6
        rows.append((at, ulid(submitted, chance), ids[identifier], chance.choice([1, 1, 1, 2, 3]), submitted, started,
                     started + wall * 8 // 10 if outcome == 3 else None, started + wall, outcome, 1 if outcome == 3 else None, wall, wall // 7,
                     chance.randrange(4, 60) << 20, 11 if outcome == 7 else None, {1: 0, 2: 1}.get(outcome), 1, 2, 2))
    with database:
        database.executemany(
            "INSERT INTO runs (seq, ulid, task, attempt, submitted, started, expired, ended, outcome, reason, wall, cpu, peak, signal,"
            " status, setup, origin, kind) VALUES (" + ", ".join("?" * 18) + ")", rows)
    database.close()
    return len(rows)


def slow(state, task, seconds, usual, before):
    """Makes one run of a task last so long, and longer than the usual seconds: the newest that has so many newer runs. Returns its
    id."""
    database = record(state)
    [newest] = database.execute("SELECT max(seq) FROM runs").fetchone()
    seq, octets = database.execute(
        "SELECT runs.seq, ulid FROM runs JOIN tasks ON tasks.id = runs.task WHERE identifier = ? AND runs.seq <= ? ORDER BY runs.seq DESC LIMIT 1",
        (task, newest - before)).fetchone()
    with database:
        database.execute("UPDATE runs SET wall = ?1, ended = started + ?1, marks = 1, differences = 'longer:' || ?1 || ':' || ?2 WHERE seq = ?3",
                         (seconds * SECOND, int(usual * SECOND), seq))
    database.close()
    number = int.from_bytes(octets, "big")
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> shift & 31] for shift in range(125, -1, -5))


def age(state, days):
    """Manifests were found so many days ago."""
    database = record(state)
    with database:
        database.execute("UPDATE manifests SET at = at - ?", (days * 86400 * SECOND,))
    database.close()


def conditions(state, changes):
    """Past values of conditions: hours ago, the condition, its value; oldest first."""
    database = record(state)
    now = time.time_ns()
    first = (database.execute("SELECT min(seq) FROM device_log").fetchone()[0] or 1) - len(changes)
    with database:
        database.executemany("INSERT INTO device_log VALUES (?, ?, ?, ?)", [
            (first + at, now - int(hours * 3600 * SECOND), condition, value) for at, (hours, condition, value) in enumerate(changes)])
    database.close()
