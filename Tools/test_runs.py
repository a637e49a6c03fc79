#!/usr/bin/env python3
"""Runs the tests of a built bundle and judges them: Tools/test.sh BUNDLE [--filter REGEX]… [--jobs N] [--results FOLDER] [--patience S]

Tests of one process take turns on as many threads as there are processors, and most of them wait. So the modules of the bundle are
run beside each other, each in a process of its own, several at a time (--jobs). What a run shares (fixtures, certificates) lies in one
folder that TASKHOST_TEST_SHARED names. Samples are drawn by the commit's tree (TASKHOST_SAMPLE, printed); give it to draw the same again.

What failed is run once more, alone. What passes then is `flaky`: it is printed last, by name, with the words of its first failure, and
the run is green. Red is: what fails twice; more than three flaky names; a name that is flaky on two runs of one tree; a process that
crashed or hangs. FOLDER (.build/test-results) gets flaky.txt, the log of each process, and what earlier runs of the tree found.

The exit status is 0, 1 (red) or 64 (usage).
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MOST_FLAKY = 3
# Longest first: what begins last should not be what takes longest.
SLOWEST = ["HostTests.[Q-Z]", "HostTests.[A-E]", "CLITests", "HostTests.[F-P]", "EngineTests", "SDKTests", "WorkerTests", "TransferTests"]


def tree():
    """Names the sources as they are: the commit's tree, and what differs from it."""
    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout.strip()
    difference = git("diff", "HEAD")
    name = git("rev-parse", "HEAD^{tree}") or "none"
    return name if not difference else hashlib.sha1((name + difference).encode()).hexdigest()


class Part:
    """One process of the bundle, and what its stream of events says."""

    def __init__(self, bundle, name, filters, options, library="swift-testing"):
        folder = f"{options.results}/logs"
        self.least_patience = options.patience
        self.name = name
        self.log_path = f"{folder}/{name}.log"
        self.events_path = f"{folder}/{name}.events"
        words = [bundle, "--testing-library", library]
        if library == "swift-testing":
            words += ["--event-stream-version", "0", "--event-stream-output-path", self.events_path]
            # Else all begin at once and take turns, and no end is told before nearly all have come to theirs.
            words += ["--experimental-maximum-parallelization-width", str(max(2, os.cpu_count() or 1))]
            for text in filters:
                words += ["--filter", text]
        else:
            words = [bundle]
        self.library = library
        # By a pipe, as a shell's: what the programs of the tests have open must be no file of ours.
        with open(self.log_path, "wb") as log:
            self.log = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=log)
        open(self.events_path, "wb").close()
        self.events = open(self.events_path, "rb")
        self.rest = b""
        self.began = self.heard = time.monotonic()
        self.longest_silence = 0.0
        self.work = None     # processor time of the process and of the children that it has waited for
        self.failures = {}   # the test's id -> the words of its failures
        self.names = {}
        self.passed = self.failed = 0
        self.hangs = False
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.log.stdin, stderr=subprocess.STDOUT,
                                        start_new_session=True)
        self.log.stdin.close()

    def look(self):
        """Takes the events that have come; true once the process has ended."""
        ended = self.process.poll() is not None
        new = self.events.read()
        now = time.monotonic()
        work = self.processor_time()
        if new or work != self.work:
            self.work = work
            self.longest_silence = max(self.longest_silence, now - self.heard)
            self.heard = now
        lines = (self.rest + new).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.hear(json.loads(line))
        return ended

    def processor_time(self):
        """Clock ticks (proc(5), fields 14 to 17 of stat); None once it is gone."""
        try:
            with open(f"/proc/{self.process.pid}/stat", encoding="utf-8", errors="replace") as file:
                return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15]))
        except OSError:
            return None

    def hear(self, document):
        payload = document["payload"]
        if document["kind"] == "test":
            self.names[payload["id"]] = payload
            return
        test = payload.get("testID")
        if payload["kind"] == "issueRecorded" and not payload["issue"].get("isKnown"):
            words = "\n".join(message["text"] for message in payload.get("messages", []))
            self.failures.setdefault(test or "(no test)", []).append(words)
        if payload["kind"] == "testEnded" and self.names.get(test, {}).get("kind") == "function":
            if test in self.failures:
                self.failed += 1
            else:
                self.passed += 1

    @property
    def patience(self):
        """Seconds without an event and without work after which it hangs: many times the longest that ended so far."""
        return max(self.least_patience, 20 * self.longest_silence)

    def end(self):
        """Ends a process that hangs, with everything that comes from it."""
        self.hangs = True
        with open(self.log_path, "ab") as log:
            subprocess.run(["ps", "-eo", "pid,ppid,stat,etimes,wchan:24,args", "--forest"], stdout=log, check=False)
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    @property
    def fault(self):
        """What is wrong with the process itself, in words; None: nothing."""
        status = self.process.returncode
        if self.hangs:
            return f"said nothing and did nothing for {self.patience:.0f} s, and was ended"
        if status < 0:
            return f"crashed: {signal.Signals(-status).name}"
        if self.library == "swift-testing":
            if status not in (0, 69) and not self.failures:
                return f"ended with status {status} and no failure"
        elif status != 0:
            return f"ended with status {status}"
        return None


def run(parts, jobs):
    """Starts the parts, `jobs` at a time, and returns them when all have ended."""
    waiting, running, ended = list(parts), [], []
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(waiting.pop(0)())
        time.sleep(0.1)
        for part in list(running):
            if not part.look():
                if time.monotonic() - part.heard > part.patience:
                    part.end()
                    part.look()
                else:
                    continue
            part.look()
            running.remove(part)
            ended.append(part)
            print(f"{time.monotonic() - part.began:6.0f} s  {part.passed:5d} passed  {part.failed:3d} failed  {part.name}", flush=True)
    return ended


def indented(text):
    return "\n".join("    " + line for line in text.splitlines())


def exact(test):
    """A filter that finds one test: its id up to the place in the source."""
    return "^" + re.escape(re.sub(r"/[^/]*\.swift:\d+:\d+$", "", test)) + "(/|$)"


def main():
    parser = argparse.ArgumentParser(prog="Tools/test.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", help="the test bundle, or a folder of products that holds one")
    parser.add_argument("--filter", action="append", default=[], metavar="REGEX", help="only tests whose id it finds; in one process")
    parser.add_argument("--jobs", type=int, default=max(2, (os.cpu_count() or 1) * 3 // 2), help="processes at a time (%(default)s)")
    parser.add_argument("--patience", type=float, default=900, metavar="S", help="seconds without an event and without work in which no process hangs yet (%(default)s)")
    parser.add_argument("--results", default=".build/test-results", metavar="FOLDER")
    options = parser.parse_args()
    bundle = options.bundle
    if os.path.isdir(bundle):
        found = [name for name in os.listdir(bundle) if name.endswith(".xctest")]
        if len(found) != 1:
            parser.error(f"{bundle} holds {len(found)} test bundles; build it with: swift build --build-tests")
        bundle = os.path.join(bundle, found[0])
    bundle = os.path.abspath(bundle)
    source = tree()
    os.environ.setdefault("TASKHOST_SAMPLE", str(int(source[:7], 16) if source != "none" else 1))
    os.environ.setdefault("LANG", "C.UTF-8")
    # A crash must not be held open by a backtrace of minutes.
    os.environ.setdefault("SWIFT_BACKTRACE", "enable=no")
    print(f"tests: samples are drawn by TASKHOST_SAMPLE={os.environ['TASKHOST_SAMPLE']}", flush=True)
    history_path = f"{options.results}/history.json"
    history = {}
    if os.path.exists(history_path):
        with open(history_path, encoding="utf-8") as file:
            history = json.load(file)
    logs = f"{options.results}/logs"
    shutil.rmtree(logs, ignore_errors=True)
    os.makedirs(logs)
    with tempfile.TemporaryDirectory(prefix="taskhost-tests-") as shared:
        os.chmod(shared, 0o755)
        os.environ["TASKHOST_TEST_SHARED"] = shared
        status, flaky = judge(bundle, options, history.get(source, []))
    history = {source: sorted(set(history.get(source, [])) | set(flaky))}
    with open(history_path, "w", encoding="utf-8") as file:
        json.dump(history, file, indent=1)
    return status


def plan(bundle, options):
    """The parts of a run, longest first."""
    if options.filter:
        return [lambda: Part(bundle, "chosen", options.filter, options)]
    listed = subprocess.run([bundle, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
    modules = sorted({line.split(".")[0] for line in listed.stdout.splitlines() if "." in line})
    names = [name for name in SLOWEST if name.split(".")[0] in modules]
    names += [module for module in modules if not any(name.split(".")[0] == module for name in names)]
    parts = [lambda name=name: Part(bundle, name, [f"^{name}" + ("" if "[" in name else r"\.")], options) for name in names]
    return parts + [lambda: Part(bundle, "XCTest", [], options, library="xctest")]


def judge(bundle, options, flaky_before):
    """Runs everything, then what failed. Returns the exit status and the flaky names."""
    parts = run(plan(bundle, options), options.jobs)
    passed, failed = sum(part.passed for part in parts), sum(part.failed for part in parts)
    faults = [f"{part.name}: {part.fault}; {part.log_path}" for part in parts if part.fault]
    first = {test: words for part in parts for test, words in part.failures.items()}
    twice, flaky = {}, {}
    for number, (test, words) in enumerate(first.items()):
        if test == "(no test)":
            twice[test] = words
            continue
        print(f"once more, alone: {test}", flush=True)
        again = run([lambda: Part(bundle, f"again-{number}", [exact(test)], options)], 1)[0]
        if again.fault:
            faults.append(f"{test}, alone: {again.fault}; {again.log_path}")
        if again.failures or again.passed == 0:
            twice[test] = words + ["once more, alone:"] + [text for texts in again.failures.values() for text in texts]
        else:
            flaky[test] = words
    red = []
    if faults:
        red.append("a process crashed or hangs")
    if twice:
        red.append(f"{len(twice)} failed twice")
    if len(flaky) > MOST_FLAKY:
        red.append(f"{len(flaky)} are flaky, and {MOST_FLAKY} may be")
    again = sorted(set(flaky) & set(flaky_before))
    if again:
        red.append("flaky on two runs of this tree: " + ", ".join(again))
    if passed == 0:
        red.append("no test passed")
    for text in faults:
        print(f"fault: {text}")
    for part in parts:
        if part.fault:
            with open(part.log_path, encoding="utf-8", errors="replace") as file:
                print(indented("".join(file.readlines()[-40:])))
    for test, words in twice.items():
        print(f"failed: {test}\n{indented(chr(10).join(words)[:20000])}")
    with open(f"{options.results}/flaky.txt", "w", encoding="utf-8") as file:
        for test, words in flaky.items():
            text = f"flaky: {test}\n{indented(words[0][:8000])}\n"
            file.write(text)
            print(text, end="")
    print(f"Tests: {passed + len(flaky)} passed, {failed - len(flaky)} failed")
    if red:
        print("tests: red: " + "; ".join(red))
    elif flaky:
        print(f"tests: green, with {len(flaky)} flaky: a flake is a defect of the next hour; see CONTRIBUTING.md")
    return (1 if red else 0), list(flaky)


sys.exit(main())
