#!/usr/bin/env python3
"""What a host writes to its disk: Benchmarks/wear.py BIN --slow-sync FILE [--runs N] [--idle SECONDS] [--sync MS], as root.

The state folder is an ext4 of its own on a loop device, whose kernel counters tell the bytes and the flushes that reach the disk,
with the file system's own. A run is one of /bin/true, submitted on its own; the idle host has one schedule that is not due.
Then with syncs that take longer (FILE, of Benchmarks/Reference/slowsync.c): what runs cost each alone, and 16 at once.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time


def counters(device):
    """Bytes written and flushes, since the device was made (the kernel's Documentation/block/stat.rst)."""
    fields = pathlib.Path(f"/sys/block/{os.path.basename(device)}/stat").read_text().split()
    return int(fields[6]) * 512, int(fields[15])


def settle(folder):
    """What the kernel still holds back of this file system belongs to what came before."""
    subprocess.run(["sync", "-f", folder], check=True)


class Host:
    """A daemon with its state on the disk."""

    def __init__(self, taskhost, state, manifests, more={}):
        self.words = taskhost, state
        self.process = subprocess.Popen(
            [taskhost, "serve", "--state", state, "--manifests", manifests], stderr=subprocess.PIPE, text=True,
            env={**os.environ, **more})
        while "serving" not in self.process.stderr.readline():
            pass

    def ask(self, *words):
        return subprocess.run([self.words[0], *words, "--state", self.words[1]], capture_output=True, text=True)

    def run(self, task):
        """Runs the task at once, and waits for its end."""
        if self.ask("run", task).returncode:
            sys.exit(f"{task} does not succeed")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def slow(arguments, taskhost, folder, device, manifests):
    """Runs a second and flushes a run, one after another and 16 at once, with slow syncs."""
    more = {"LD_PRELOAD": str(arguments.slow_sync.resolve()), "SLOWSYNC_MS": str(arguments.sync)}
    for width in (1, 16):
        host = Host(taskhost, folder / f"slow-{width}", manifests, more)
        tasks = [f"com.example.wear.slow{number}" for number in range(width)]
        for task in tasks:
            host.run(task)
        before, began, runs = counters(device), time.monotonic(), 6 * width
        with concurrent.futures.ThreadPoolExecutor(width) as pool:
            list(pool.map(host.run, [tasks[number % width] for number in range(runs)]))
        span = time.monotonic() - began
        flushes = counters(device)[1] - before[1]
        host.stop()
        print(
            f"sync of {arguments.sync} ms, {width} at once: {runs / span:.1f} runs a second, "
            f"{width * span / runs * 1000:.0f} ms each, {flushes / runs:.2f} flushes each")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--idle", type=int, default=60)
    parser.add_argument("--sync", type=int, default=50)
    parser.add_argument("--slow-sync", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    taskhost = arguments.bin / "taskhost"
    with tempfile.TemporaryDirectory() as folder:
        image, disk, manifests = (pathlib.Path(folder) / name for name in ("image", "disk", "manifests"))
        disk.mkdir()
        manifests.mkdir()
        os.chmod(folder, 0o711)
        (manifests / "com.example.wear.json").write_text(json.dumps({
            "identifier": "com.example.wear",
            "tasks": {
                "com.example.wear.run": {
                    "kind": "appRefresh", "handler": {"command": ["/bin/true"]}, "requires": {"idle": False}},
                "com.example.wear.daily": {
                    "kind": "processing", "handler": {"command": ["/bin/true"]}, "schedule": {"every": "7d"}},
                **{f"com.example.wear.slow{number}": {
                    "kind": "appRefresh", "handler": {"command": ["/bin/true"]}, "requires": {"idle": False}}
                    for number in range(16)}}}))
        with open(image, "wb") as file:
            file.truncate(256 << 20)
        subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-E", "lazy_itable_init=0,lazy_journal_init=0", image], check=True)
        device = subprocess.run(["losetup", "--find", "--show", image], capture_output=True, text=True, check=True).stdout.strip()
        try:
            subprocess.run(["mount", "-o", "noatime", device, disk], check=True)
            os.chmod(disk, 0o711)
            host = Host(taskhost, disk / "state", manifests)
            host.ask("submit", "com.example.wear.run")
            time.sleep(2)
            # The file system writes what was left behind after 30 s.
            settle(disk)
            time.sleep(45)
            settle(disk)
            before = counters(device)
            time.sleep(arguments.idle)
            idle = [b - a for a, b in zip(before, counters(device))]

            before = counters(device)
            done = 0
            while done < arguments.runs:
                if host.ask("submit", "com.example.wear.run").returncode:
                    sys.exit("a request was refused")
                done += 1
                while json.loads(host.ask("pending", "--json").stdout)["requests"][1:]:
                    time.sleep(0.01)
            time.sleep(1)
            settle(disk)
            busy = [b - a for a, b in zip(before, counters(device))]
            found = json.loads(host.ask("history", "com.example.wear.run", "--limit", "1", "--json").stdout)
            if found["runs"][0]["outcome"] != "succeeded":
                sys.exit(f"the runs do not succeed: {found}")
            host.stop()
            slow(arguments, taskhost, disk, device, manifests)
        finally:
            subprocess.run(["umount", disk], check=False)
            subprocess.run(["losetup", "-d", device], check=False)
    day = 86_400
    print(f"idle for {arguments.idle} s: {idle[0]} bytes, {idle[1]} flushes; a day: {idle[0] * day / arguments.idle / 2**20:.2f} MiB")
    each = [value / arguments.runs for value in busy]
    print(f"{arguments.runs} runs: {each[0] / 1024:.1f} KiB and {each[1]:.2f} flushes each")
    for span, name in ((900, "a quarter of an hour"), (60, "a minute"), (10, "10 s")):
        print(f"one each {name}: {each[0] * day / span / 2**20:.0f} MiB and {each[1] * day / span:.0f} flushes a day")


if __name__ == "__main__":
    main()
