#!/usr/bin/env python3
"""How fast this machine computes: Tools/pace.py prints the seconds of processor time that a known piece of work takes at present, done on
every processor at once.

Tools/pace.py --most N --seconds S --pace P judges a run of the checks: S seconds on a machine of pace P may be as much work as N
seconds on the machine whose pace is REFERENCE, where the limits of the checks were set. Exit status 1: it is more.
"""
import argparse
import hashlib
import multiprocessing
import time

# Seconds of the piece on two idle processors of the machine whose limits these are: it built programs and tests in 250 s, and one
# where the piece takes 0.36 s builds them in 700 s.
REFERENCE = 0.13


def once(_):
    start = time.process_time()
    value, table = b"", {}
    for number in range(2_000_000):
        table[number % 65536] = number * 3 + len(table)
        if number % 64 == 0:
            value = hashlib.sha256(value + bytes(64)).digest()
    return time.process_time() - start


def piece():
    """The best of three: whatever else runs only ever slows it."""
    count = multiprocessing.cpu_count()
    with multiprocessing.Pool(count) as pool:
        return min(max(pool.map(once, range(count), chunksize=1)) for _ in range(3))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--pace", type=float)
    options = parser.parse_args()
    if options.most is None:
        print(f"{piece():.3f}")
        return 0
    # What was quick at the start may have become slow: the slower of both counts.
    pace = max(options.pace, piece())
    worth = options.seconds * REFERENCE / pace
    print(f"checks: {options.seconds:.0f} s at a pace of {pace:.3f} s; worth {worth:.0f} s at {REFERENCE:.3f} s, of {options.most:.0f} at most")
    return 0 if worth <= options.most else 1


raise SystemExit(main())
