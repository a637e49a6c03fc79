#!/usr/bin/env python3
"""Finds the functions that a worker's life takes, for the linker to lay them side by side: Tools/worker-functions.py BIN

Serves tasks of each kind with the release programs of BIN, follows one worker of each by single steps, and writes the functions
to Tools/worker-link/functions, first those that most workers take. A name that no longer exists is passed over, so that the file
is made anew when a launch has changed and `make bench-counts` finds more page faults. As root, on x86-64; a minute. The names
are those of other machines too.
"""
import bisect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOREIGN = {"library": "libc.so.6", "symbol": "getpid", "signature": "i32()", "arguments": [], "success": "result > 0"}
WATCHED = 4
COMMAND = {"command": ["/bin/true"]}
KINDS = {
    "symbol": {"library": "libBenchNoop.so", "handler": "bench_noop"},
    "apart": {"library": "libBenchNoop.so", "handler": "bench_noop", "isolation": "run"},
    "foreign": {"library": "libBenchNoop.so", "handler": FOREIGN},
    "program": {"handler": COMMAND},
    "unconfined": {"handler": COMMAND, "confinement": "none", "user": "root"},
}


def write(folder, name):
    """A folder of manifests with the one task of that kind."""
    identifier = f"org.taskhost.functions.{name}"
    keys = {key: value for key, value in KINDS[name].items() if key != "handler"}
    task = {"kind": "appRefresh", "handler": KINDS[name]["handler"], "requires": {"idle": False}}
    os.makedirs(folder)
    with open(f"{folder}/{name}.json", "w", encoding="utf-8") as file:
        json.dump({"identifier": identifier, **keys, "tasks": {f"{identifier}.t": task}}, file)
    shutil.copy(f"{ROOT}/.build/bench/plugins/libBenchNoop.so", folder)


def children(process):
    with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as file:
        return [int(child) for child in file.read().split()]


def run(binary, options, name, count):
    """Submits the task, and returns when it has run `count` times in all."""
    identifier = f"org.taskhost.functions.{name}.t"
    subprocess.run([binary, "submit", identifier, *options], check=True, stdout=subprocess.DEVNULL)
    for _ in range(600):
        time.sleep(0.1)
        listed = subprocess.run([binary, "history", "--json", *options], check=True, capture_output=True, text=True).stdout
        outcomes = [found["outcome"] for found in json.loads(listed)["runs"] if found["outcome"] is not None]
        if any(outcome != "succeeded" for outcome in outcomes):
            raise SystemExit(f"worker-functions: a run ended as {outcomes}; {identifier}; run the task with taskhost run")
        if len(outcomes) >= count:
            return
    raise SystemExit(f"worker-functions: no run; {identifier}; taskhost why says what it waits for")


def follow(binary, steps, scratch, name):
    """The addresses that a worker of that kind came by, in their order."""
    state, manifests = f"{scratch}/{name}.state", f"{scratch}/{name}"
    write(manifests, name)
    host = subprocess.Popen([binary, "serve", "--state", state, "--manifests", manifests], stderr=subprocess.DEVNULL)
    try:
        options = ["--state", state]
        while subprocess.run([binary, "status", *options], check=False, capture_output=True).returncode != 0:
            time.sleep(0.1)
        # The first runs of a program are watched, by workers of another zygote.
        for count in range(1, WATCHED + 1):
            run(binary, options, name, count)
        zygote = children(host.pid)[-1]
        with open(f"{scratch}/{name}.steps", "w+", encoding="utf-8") as taken:
            # A worker has ten seconds until it is ready. On one processor a step takes half as long as on two.
            os.sched_setaffinity(zygote, {0})
            tracer = subprocess.Popen([steps, str(zygote)], stdout=taken)
            os.sched_setaffinity(tracer.pid, {0})
            time.sleep(0.2)
            # Those that were forked before, the one that was made ahead among them.
            before = children(zygote)
            for worker in before:
                os.kill(worker, signal.SIGKILL)
            while set(before) & set(children(zygote)):
                time.sleep(0.1)
            time.sleep(1)
            run(binary, options, name, WATCHED + 1)
            tracer.terminate()
            tracer.wait()
            taken.seek(0)
            return [int(line, 16) for line in taken]
    finally:
        host.terminate()
        host.wait()


def symbols(program):
    """Address, size and name of each function, by address."""
    listed = subprocess.run(["nm", "-S", "--defined-only", program], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return sorted((int(row[0], 16), int(row[1], 16), row[3]) for row in rows if len(row) == 4 and row[2] in "tTwW")


def standard(scratch):
    """Functions of the standard library that lie in one section of 1.5 MiB, of which most that a worker takes are near the end."""
    told = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
    archive = told["paths"]["runtimeResourcePath"] + "_static/linux/libswiftCore.a"
    with open(f"{scratch}/Swift.o", "wb") as file:
        subprocess.run(["ar", "p", archive, "Swift.o"], check=True, stdout=file)
    listed = subprocess.run(["readelf", "-SsW", f"{scratch}/Swift.o"], check=True, capture_output=True, text=True).stdout
    section = re.search(r"\[ *(\d+)\] \.text +PROGBITS", listed)[1]
    rows = [line.split() for line in listed.splitlines()]
    return {row[7] for row in rows if len(row) >= 8 and row[6] == section}


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    binary = os.path.abspath(sys.argv[1])
    functions = symbols(f"{binary}/taskhost-worker")
    starts = [start for start, _, _ in functions]
    users, order = {}, {}
    with tempfile.TemporaryDirectory(prefix="taskhost-functions-") as scratch:
        os.chmod(scratch, 0o755)
        steps = f"{scratch}/steps"
        subprocess.run(["cc", "-O2", "-o", steps, f"{ROOT}/Tools/worker-link/steps.c"], check=True)
        together = standard(scratch)
        for name in KINDS:
            found = set()
            for address in follow(f"{binary}/taskhost", steps, scratch, name):
                index = bisect.bisect_right(starts, address) - 1
                if index >= 0 and address < functions[index][0] + functions[index][1]:
                    found.add(functions[index][0])
                    order.setdefault(functions[index][0], len(order))
            for start in found:
                users[start] = users.get(start, 0) + 1
            print(f"{name}: {len(found)} functions", flush=True)
    names, size = {start: [] for start in users}, 0
    for start, length, name in functions:
        if start in names:
            size += 0 if names[start] else length
            names[start].append(name)
    # The section comes first and whole, and the others follow its end.
    chosen = sorted(users, key=lambda start: (together.isdisjoint(names[start]), -users[start], order[start]))
    with open(f"{ROOT}/Tools/worker-link/functions", "w", encoding="utf-8") as file:
        file.write("# Made by Tools/worker-functions.py: what a worker's life takes, first what most of them do.\n")
        file.writelines(f"{name}\n" for start in chosen for name in names[start])
    print(f"{len(chosen)} functions, {size} bytes")


main()
