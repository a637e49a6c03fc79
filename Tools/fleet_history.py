"""The history of a fleet, and the rules that it has to follow: what was submitted, what the database has, how each row of
taskhost.request changed, and what handlers wrote. Times are seconds since 1970 by the one clock of the test's machine, which is the
database's, too.
"""
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

# Clocks of two processes on one machine are one; floats are not exact.
SLACK = 0.002


@dataclass
class Submission:
    """`payload` is its first word, which names it in the handlers' log."""

    key: str
    payload: str
    earliest: float = 0.0
    host: str = ""
    # What must not start: it was kept out, its place was taken, or its transaction was rolled back.
    starts: bool = True


@dataclass
class Request:
    """A row of taskhost.request at the end."""

    key: str
    state: str
    number: int
    outcome: str = ""


@dataclass
class Run:
    """A row of taskhost.run; `outcome` is empty where it is NULL: the request went back."""

    key: str
    number: int
    host: str
    outcome: str
    accepted: bool
    ended: float


@dataclass
class Change:
    """A version of a row of taskhost.request, as a trigger saw it."""

    at: float
    key: str
    number: int
    leased: bool
    ended: bool
    free: float
    host: str


@dataclass
class Life:
    """A handler: from its first line until its last."""

    payload: str
    run: str
    host: str
    start: float
    last: float
    # end, fail, or nothing: it was killed.
    end: str = ""


@dataclass
class Token:
    """A claim, as its request's changes tell."""

    number: int
    host: str
    claimed: float
    # The last of its lease's ends.
    free: float


@dataclass
class History:
    submissions: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    runs: list = field(default_factory=list)
    changes: list = field(default_factory=list)
    lives: list = field(default_factory=list)
    # Exit statuses of hosts that were asked to stop, by name.
    exits: dict = field(default_factory=dict)
    # A host stood still for longer than its lease: what it began before goes on beside the next run.
    mayOverlap: bool = False


def lives(lines):
    """Of lines `time word payload run host`, in any order."""
    found = {}
    for line in lines:
        match = re.fullmatch(r"(\d+\.\d+) (start|tick|end|fail) (\S+) (\S+) (\S+)", line.strip())
        if match is None:
            raise ValueError(f"no line of a handler: {line!r}")
        at, word, payload, run, host = float(match[1]), *match.groups()[1:]
        life = found.setdefault((payload, run, host), Life(payload, run, host, at, at))
        life.start, life.last = min(life.start, at), max(life.last, at)
        if word in ("end", "fail"):
            life.end = word
    return sorted(found.values(), key=lambda life: life.start)


def tokens(changes):
    """The claims of one request, in order."""
    found, before = [], None
    for change in changes:
        if change.leased and (before is None or change.number > before.number):
            found.append(Token(change.number, change.host, change.at, change.free))
        elif change.leased and found and change.number == found[-1].number:
            found[-1].free = max(found[-1].free, change.free)
        before = change
    return found


# Rules. Each says, for a history, what does not hold. ----------------------------------------------------------------------------


def one_end_of_a_token(history):
    count = Counter((run.key, run.number) for run in history.runs if run.accepted)
    return [f"token {key}/{number} has {times} accepted ends" for (key, number), times in count.items() if times > 1]


def one_end_that_counts(history):
    faults = []
    ends = defaultdict(list)
    # A try that went back for another one is a row of its own.
    tries = {(change.key, change.number) for change in history.changes if not change.leased and not change.ended}
    for run in history.runs:
        if run.accepted and run.outcome and (run.key, run.number) not in tries:
            ends[run.key].append(run)
    for request in history.requests:
        mine = ends[request.key]
        if request.state != "ended":
            faults.append(f"request {request.key} is {request.state} at the end")
        elif len(mine) != 1:
            faults.append(f"request {request.key} has {len(mine)} ends that count")
        elif (mine[0].number, mine[0].outcome) != (request.number, request.outcome):
            faults.append(
                f"request {request.key} ended as {request.number} {request.outcome}, and its end that counts is "
                f"{mine[0].number} {mine[0].outcome}")
    return faults


def none_lost(history):
    known = {request.key for request in history.requests}
    wanted = {submission.key for submission in history.submissions if submission.starts}
    return [f"request {key} is lost" for key in sorted(wanted - known)] + [
        f"request {key} was never submitted" for key in sorted(known - wanted)]


def none_early(history):
    earliest = {submission.payload: submission.earliest for submission in history.submissions}
    return [
        f"{life.payload} started {earliest[life.payload] - life.start:.3f} s too early on {life.host}"
        for life in history.lives
        if life.payload in earliest and life.start < earliest[life.payload] - SLACK]


def dedupe(history):
    never = {submission.payload for submission in history.submissions if not submission.starts}
    return [f"{life.payload} started on {life.host}, and was not to" for life in history.lives if life.payload in never]


def only_its_hosts(history):
    wanted = {submission.payload: submission.host for submission in history.submissions if submission.host}
    return [
        f"{life.payload} ran on {life.host}, and has the label of {wanted[life.payload]}"
        for life in history.lives
        if life.payload in wanted and life.host != wanted[life.payload]]


def every_start_has_a_token(history):
    """Each run is inside of the lease of a token that its host had, and of another token than other runs."""
    faults = []
    keys = {submission.payload: submission.key for submission in history.submissions}
    changes = by_key(history.changes)
    taken = set()
    for life in history.lives:
        key = keys.get(life.payload)
        mine = [
            token for token in tokens(changes.get(key, []))
            if token.host == life.host and token.claimed <= life.start + SLACK
            and (history.mayOverlap or life.start <= token.free + SLACK) and (key, token.number) not in taken]
        if not mine:
            faults.append(f"{life.payload} started at {life.start:.3f} on {life.host} without a token of its own")
        else:
            taken.add((key, mine[-1].number))
    return faults


def inside_of_the_lease(history):
    """No handler lives on when the last lease of its host's tokens is over."""
    if history.mayOverlap:
        return []
    keys = {submission.payload: submission.key for submission in history.submissions}
    changes = by_key(history.changes)
    faults = []
    for life in history.lives:
        mine = [
            token for token in tokens(changes.get(keys.get(life.payload), []))
            if token.host == life.host and token.claimed <= life.start + SLACK]
        if mine and life.last > mine[-1].free + SLACK:
            faults.append(f"{life.payload} was at work on {life.host} {life.last - mine[-1].free:.3f} s after its lease")
    return faults


def success_has_run(history):
    """A success that counts is that of a handler which came to its end, on the host that told it."""
    payloads = {submission.key: submission.payload for submission in history.submissions if submission.starts}
    done = {(life.payload, life.host) for life in history.lives if life.end == "end"}
    return [
        f"token {run.key}/{run.number} succeeded on {run.host} without a handler that ended"
        for run in history.runs
        if run.accepted and run.outcome == "succeeded" and (payloads.get(run.key), run.host) not in done]


def none_at_once(history):
    if history.mayOverlap:
        return []
    faults = []
    last = {}
    for life in history.lives:
        before = last.get(life.payload)
        if before and life.start < before.last - SLACK:
            faults.append(
                f"{life.payload} ran on {life.host} while it was at work on {before.host}, {before.last - life.start:.3f} s")
        if before is None or life.last > before.last:
            last[life.payload] = life
    return faults


def claims_in_order(history):
    """Tokens only grow, claims come when a lease or a pause is over, and an end is one for good."""
    faults = []
    for key, changes in by_key(history.changes).items():
        for old, new in zip(changes, changes[1:]):
            if new.number < old.number:
                faults.append(f"request {key} went from token {old.number} to {new.number}")
            if old.ended:
                faults.append(f"request {key} changed after its end")
            if new.leased and new.number == old.number and new.host != old.host:
                faults.append(f"token {key}/{new.number} went from {old.host} to {new.host}")
            if new.leased and new.number > old.number and new.at < old.free - SLACK:
                what = "the lease was over" if old.leased else "it was free"
                faults.append(f"request {key} was claimed by {new.host} {old.free - new.at:.3f} s before {what}")
    return faults


def hosts_stop(history):
    return [f"host {name} ended with {status}" for name, status in sorted(history.exits.items()) if status != 0]


def by_key(changes):
    found = defaultdict(list)
    for change in changes:
        found[change.key].append(change)
    return found


RULES = [
    one_end_of_a_token, one_end_that_counts, none_lost, none_early, dedupe, only_its_hosts, every_start_has_a_token,
    inside_of_the_lease, success_has_run, none_at_once, claims_in_order, hosts_stop]


def check(history):
    """All that does not hold, as sentences."""
    return [f"{rule.__name__}: {words}" for rule in RULES for words in rule(history)]


# The checker's own test ------------------------------------------------------------------------------------------------------------


def sound():
    """A history in which all holds: one is lost by host a and taken over by b, one is tried again, one waits for its time, one took
    another's place."""
    return History(
        submissions=[
            Submission("A", "a1"), Submission("B", "b1", host="a"), Submission("C", "c1", earliest=130.0),
            Submission("D", "d1", starts=False), Submission("D", "d2"), Submission("E", "e1", starts=False)],
        requests=[Request(key, "ended", number, "succeeded") for key, number in (("A", 2), ("B", 2), ("C", 1), ("D", 1))],
        runs=[
            Run("A", 1, "a", "leaseLost", False, 120.0), Run("A", 2, "b", "succeeded", True, 124.0),
            Run("A", 1, "a", "succeeded", False, 125.0), Run("B", 1, "a", "failed", True, 103.0),
            Run("B", 2, "a", "succeeded", True, 110.0), Run("C", 1, "a", "succeeded", True, 132.0),
            Run("D", 1, "b", "succeeded", True, 107.0)],
        changes=[
            Change(100.0, "A", 0, False, False, 100.0, ""), Change(101.0, "A", 1, True, False, 111.0, "a"),
            Change(105.0, "A", 1, True, False, 115.0, "a"), Change(120.0, "A", 2, True, False, 130.0, "b"),
            Change(124.0, "A", 2, False, True, 130.0, "b"),
            Change(100.0, "B", 0, False, False, 100.0, ""), Change(101.0, "B", 1, True, False, 111.0, "a"),
            Change(103.0, "B", 1, False, False, 105.0, ""), Change(106.0, "B", 2, True, False, 116.0, "a"),
            Change(110.0, "B", 2, False, True, 116.0, "a"),
            Change(100.0, "C", 0, False, False, 130.0, ""), Change(130.5, "C", 1, True, False, 140.5, "a"),
            Change(132.0, "C", 1, False, True, 140.5, "a"),
            Change(100.0, "D", 0, False, False, 103.0, ""), Change(101.0, "D", 0, False, False, 104.0, ""),
            Change(104.5, "D", 1, True, False, 114.5, "b"), Change(107.0, "D", 1, False, True, 114.5, "b")],
        lives=[
            Life("a1", "r1", "a", 101.5, 109.0), Life("b1", "r2", "a", 102.0, 102.9, "fail"),
            Life("d2", "r3", "b", 105.0, 106.0, "end"), Life("b1", "r4", "a", 106.5, 109.5, "end"),
            Life("a1", "r5", "b", 121.0, 123.0, "end"), Life("c1", "r6", "a", 131.0, 131.5, "end")],
        exits={"a": 0, "b": 0})


# What each rule has to find, planted into the sound history.
PLANTED = {
    "one_end_of_a_token": lambda h: h.runs.append(Run("B", 1, "b", "", True, 104.0)),
    "one_end_that_counts": lambda h: h.runs.append(Run("A", 1, "a", "failed", True, 125.0)),
    "one_end_that_counts, still open": lambda h: h.requests.__setitem__(2, Request("C", "leased", 1)),
    "one_end_that_counts, of an older token": lambda h: h.requests.__setitem__(0, Request("A", "ended", 3, "succeeded")),
    "none_lost": lambda h: h.requests.pop(),
    "none_lost, one too many": lambda h: h.requests.append(Request("E", "ended", 1, "succeeded")),
    "none_early": lambda h: h.lives.append(Life("c1", "r9", "a", 129.0, 129.5)),
    "dedupe": lambda h: h.lives.append(Life("d1", "r9", "b", 104.6, 104.7)),
    "dedupe, rolled back": lambda h: h.lives.append(Life("e1", "r9", "b", 104.6, 104.7)),
    "only_its_hosts": lambda h: h.lives.append(Life("b1", "r9", "b", 112.0, 113.0)),
    "every_start_has_a_token": lambda h: h.lives.append(Life("d2", "r9", "a", 105.0, 105.1)),
    "every_start_has_a_token, twice": lambda h: h.lives.append(Life("d2", "r9", "b", 106.1, 106.2)),
    "every_start_has_a_token, too late": lambda h: h.lives.insert(0, replace(h.lives.pop(0), start=117.0, last=118.0)),
    "inside_of_the_lease": lambda h: h.lives.insert(0, replace(h.lives.pop(0), last=116.0)),
    "success_has_run": lambda h: h.lives.pop(),
    "none_at_once": lambda h: h.lives.insert(0, replace(h.lives.pop(0), last=121.5)),
    "claims_in_order": lambda h: h.changes.__setitem__(3, replace(h.changes[3], at=114.0)),
    "claims_in_order, backwards": lambda h: h.changes.__setitem__(2, replace(h.changes[2], number=0, leased=False)),
    "claims_in_order, in its pause": lambda h: h.changes.__setitem__(8, replace(h.changes[8], at=104.0)),
    "claims_in_order, after the end": lambda h: h.changes.append(Change(140.0, "C", 2, True, False, 150.0, "a")),
    "claims_in_order, one token of two": lambda h: h.changes.__setitem__(2, replace(h.changes[2], host="b")),
    "hosts_stop": lambda h: h.exits.update(b=1),
}


def self_test():
    """Each planted violation is found, and a sound history has none; the faults of this."""
    faults = [f"a sound history: {words}" for words in check(sound())]
    for name, plant in PLANTED.items():
        history = sound()
        plant(history)
        if not any(words.startswith(name.split(",")[0] + ":") for words in check(history)):
            faults.append(f"not found: {name}")
    missing = {rule.__name__ for rule in RULES} - {name.split(",")[0] for name in PLANTED}
    faults += [f"nothing planted for {name}" for name in sorted(missing)]
    text = ["100.5 start x r1 a", "101.5 tick x r1 a", "102.5 end x r1 a", "101.0 start y r2 b"]
    if lives(text) != [Life("x", "r1", "a", 100.5, 102.5, "end"), Life("y", "r2", "b", 101.0, 101.0)]:
        faults.append(f"lines are read as {lives(text)}")
    stopped = sound()
    stopped.mayOverlap = True
    stopped.lives[0] = replace(stopped.lives[0], last=121.5)
    return faults + [f"a host that stood still: {words}" for words in check(stopped)]
