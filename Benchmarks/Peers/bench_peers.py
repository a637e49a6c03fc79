#!/usr/bin/env python3
"""Jobs that do nothing, run by taskhost and by what else people run jobs with, in turns on one machine.

A turn is a new folder and a new server; it counts from before the first job is handed in until the last one has ended. Each round has a turn
of each, every second round in the other order. The figures are medians over the rounds, of jobs a second and of processor time for a
job: of submitter, server and workers together. A ratio is the median of the rounds' own, of taskhost's rate to the other's.
"""
import argparse
import os
import platform
import statistics
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from contenders import all_of  # noqa: E402
from measured import new_folder  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--references", required=True)
    parser.add_argument("--plugins", required=True)
    parser.add_argument("--python", required=True, help="the environment that has the queues in Python")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="words of names, by commas")
    parser.add_argument("--slow", type=int, default=5, help="milliseconds of a slow disk's sync; 0: no such table")
    parser.add_argument("--scratch", default=".build/peers", help="a folder on the disk that is measured")
    return parser.parse_args()


# Jobs come in shares of workers and of tasks.
BLOCK = 2 * os.cpu_count()


class Bench:
    def __init__(self, options):
        self.options = options
        self.binaries, self.references = map(os.path.abspath, (options.bin, options.references))
        self.manifests, self.environment = map(os.path.abspath, (options.plugins, options.python))
        self.scratch = os.path.abspath(options.scratch)

    def chosen(self):
        words = [word.strip() for word in self.options.only.split(",") if word.strip()]
        return [each for each in all_of(self) if not words or any(word in each.name for word in words)]

    def rounds(self, contenders, share, environment):
        """Of each contender and round: jobs a second, and processor time of a job."""
        found = {each: [] for each in contenders}
        for number in range(self.options.rounds):
            for each in contenders if number % 2 == 0 else contenders[::-1]:
                if found[each] and each.is_once:
                    continue
                count = max(1, int(each.count * share) // BLOCK) * BLOCK
                with new_folder(self.scratch) as folder:
                    seconds, used = each.turn(folder, count, environment)
                found[each].append((count / seconds, None if used is None else used / count))
                print(f"round {number + 1}: {each.name}: {count / seconds:.0f}/s", file=sys.stderr, flush=True)
        return found


def table(title, found):
    print(f"\n{title}\n")
    print("| | durable | apart from others | jobs a second | processor time of a job | taskhost's rate to it |")
    print("|---|---|---|---|---|---|")
    ours = {each.kind: each for each in found if each.is_ours}
    for each, rows in found.items():
        rate = statistics.median(row[0] for row in rows)
        used = [row[1] for row in rows if row[1] is not None]
        used = f"{statistics.median(used) * 1e3:.3f} ms" if used else "–"
        ratio = ""
        if each.kind in ours and each is not ours[each.kind]:
            ratio = f"{statistics.median(a[0] / b[0] for a, b in zip(found[ours[each.kind]], rows)):.2f}"
        print(f"| {each.name} | {each.durable} | {each.isolated} | {rate:,.0f} | {used} | {ratio} |")


def main():
    options = arguments()
    bench = Bench(options)
    contenders = bench.chosen()
    print(f"{os.cpu_count()} processors, {platform.machine()}, Linux {platform.release().split('-')[0]}, {options.rounds} rounds")
    table("The disk as it is", bench.rounds(contenders, 1.0, dict(os.environ)))
    waiting = [each for each in contenders if each.syncs]
    if options.slow and waiting:
        slow = {**os.environ, "LD_PRELOAD": f"{bench.references}/slowsync.so", "SLOWSYNC_MS": str(options.slow)}
        table(f"A disk whose sync takes {options.slow} ms longer, for what waits for it", bench.rounds(waiting, 0.1, slow))


if __name__ == "__main__":
    main()
