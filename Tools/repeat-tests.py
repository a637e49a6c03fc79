#!/usr/bin/env python3
"""Runs tests again and again beside processes that only spin: Tools/repeat-tests.py [--times 100] [--spin 6] BUNDLE REGEX…

Each REGEX is run alone, in a process of its own, as often as --times says. What was done stands in --record (.build/repeated.json) with the
commit's tree: a call that is interrupted goes on where it stopped. A failure's log is kept beside the record. The exit status is 1 if
one failed.
"""
import argparse
import json
import os
import signal
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--spin", type=int, default=6)
    parser.add_argument("--record", default=".build/repeated.json")
    parser.add_argument("bundle")
    parser.add_argument("tests", nargs="+", metavar="REGEX")
    options = parser.parse_args()
    tree = subprocess.run(["git", "rev-parse", "HEAD^{tree}"], capture_output=True, text=True, check=True).stdout.strip()
    record = {}
    if os.path.exists(options.record):
        with open(options.record, encoding="utf-8") as file:
            record = json.load(file)
    done = record.setdefault(tree, {})
    spinning = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.spin)]
    try:
        for test in options.tests:
            row = done.setdefault(test, {"passed": 0, "failed": []})
            while row["passed"] + len(row["failed"]) < options.times:
                number = row["passed"] + len(row["failed"]) + 1
                log = f"{options.record}.{abs(hash(test)) % 100000}.{number}.log"
                with open(log, "wb") as file:
                    status = subprocess.run(
                        [options.bundle, "--testing-library", "swift-testing", "--filter", test], stdout=file,
                        stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False).returncode
                if status == 0:
                    row["passed"] += 1
                    os.unlink(log)
                else:
                    row["failed"].append(log)
                with open(options.record, "w", encoding="utf-8") as file:
                    json.dump(record, file, indent=1)
            print(f"{row['passed']:4d} passed  {len(row['failed']):3d} failed  {test}  {' '.join(row['failed'])}", flush=True)
    finally:
        for process in spinning:
            process.send_signal(signal.SIGKILL)
    return 1 if any(done[test]["failed"] for test in options.tests) else 0


sys.exit(main())
