#!/usr/bin/env python3
"""Processor time of a warm durable run of this tree beside that of a commit, both measured in turns.

The commit is built in a work tree of its own, .build/against/COMMIT, with its own flags; a later call finds it built. A round is
a session of each: this tree, then the commit; the next round the other way round. A sample is the difference between a long and
a short session divided by that of their runs, so that start and end of the processes drop out. Prints the median over the rounds
with least and most, of the host alone and of the host with its zygotes and workers, and the median of the rounds' own ratios.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Tools"))
from measured import session  # noqa: E402
from older_tree import AGAINST, ROOT, Failure, make  # noqa: E402

TASKS = ["org.taskhost.bench.first.noop", "org.taskhost.bench.second.noop"]


class Contestant:
    """A built tree, and what its rounds brought."""

    def __init__(self, name, tree):
        self.name = name
        self.tree = tree
        self.scratch = AGAINST / f"scratch-{os.getpid()}"
        # Seconds of a run, one for each round.
        self.host = []
        self.all = []

    def measure(self, runs, in_flight):
        few = max(in_flight, runs // 10)
        short, long = self.session(few, in_flight), self.session(few + runs, in_flight)
        self.host.append((long[0] - short[0]) / runs)
        self.all.append((long[1] - short[1]) / runs)

    def session(self, runs, in_flight):
        """Seconds of the processor that the host took, and that it took with all its children."""
        state = self.scratch / "state"
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        command = [self.tree / ".build/release/taskhost", "run", *TASKS, "--manifests",
                   self.tree / ".build/bench/plugins", "--state", state, "--json",
                   "--repeat", str(runs // len(TASKS)), "--concurrency", str(in_flight)]
        try:
            status, host, everything, words = session(command)
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
        if status != 0:
            raise Failure(f"taskhost of {self.name} ended with status {status}: {words[-500:]}")
        return host, everything


def figure(samples):
    times = [sample * 1e6 for sample in samples]
    return f"{statistics.median(times):6.2f} µs ({min(times):.2f} to {max(times):.2f})"


def report(ours, theirs):
    lines = [["processor time of a warm run", "this tree", theirs.name, "ratio"]]
    for title, mine, other in [("the host", ours.host, theirs.host), ("with zygotes and workers", ours.all, theirs.all)]:
        ratios = [a / b for a, b in zip(mine, other)]
        lines.append([title, figure(mine), figure(other),
                      f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"])
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        print("| " + " | ".join(word.ljust(width) for word, width in zip(line, widths)) + " |")


def number(least):
    def parse(text):
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"at least {least}")
        return value
    return parse


def main():
    parser = argparse.ArgumentParser(description="Processor time of a warm run of this tree beside that of a commit.")
    parser.add_argument("revision", help="the commit, as git knows it")
    parser.add_argument("--rounds", type=number(1), default=9, help="sessions of each (default 9)")
    parser.add_argument("--runs", type=number(1000), default=30000, help="runs of a sample (default 30000)")
    parser.add_argument("--in-flight", type=number(1), default=64, help="runs at a time (default 64)")
    options = parser.parse_args()
    try:
        name, tree = make(options.revision, ["make", "build", "bench-plugins"])
        ours, theirs = Contestant("this tree", ROOT), Contestant(name, tree)
        for round in range(options.rounds):
            for contestant in [ours, theirs] if round % 2 == 0 else [theirs, ours]:
                contestant.measure(options.runs, options.in_flight)
            print(f"round {round + 1} of {options.rounds}: {ours.host[-1] * 1e6:.2f} µs of the host, "
                  f"{theirs.host[-1] * 1e6:.2f} µs of {name}'s", file=sys.stderr)
        print(f"{options.rounds} rounds of {options.runs} runs, {options.in_flight} in flight; median (least to most)\n")
        report(ours, theirs)
    except Failure as failure:
        sys.exit(f"bench-against: {failure}")


main()
