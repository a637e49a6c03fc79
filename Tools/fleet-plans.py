#!/usr/bin/env python3
"""How the server carries out each statement of a fleet that has a million requests: Tools/fleet-plans.py BIN [--rows N] [--schema FILE]

Fills a fleet in a PostgreSQL of its own, calls each function of the protocol and each statement that hosts and verbs send, with
auto_explain on, and looks at the plans: no sequential scan of a large table, and no step that reads more than its statement may.
A function that no call reached is a fault too. Prints what each call took; exit status 1 with a sentence for each fault.
The tables are looked at without statistics, as just after they were filled, then with them, then with the plans that the server keeps
for the sixth call of a session. At the end statements that are bad on purpose are found, or the tool is at fault itself.
--schema FILE: that file makes the schema, in the place of `taskhost fleet init`. --all: prints every plan's steps.
"""
import argparse
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from private_postgres import PrivatePostgres  # noqa: E402

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Rows of a table that may be read as a whole.
SMALL = 1000
# Rows that a step of a plan may give or throw away, and pages that a statement may touch, unless its call says otherwise. A
# session's first call of a function reads some thousand pages of catalogs. Rows of a step with loops are an average that the server
# rounds: what is less than half a row each time, pages show.
ROWS, PAGES = 1000, 6000

# SQL functions without settings or rights of their own: the server puts their bodies in the place of the calls, and counts none.
INLINED = {"count_in", "kept_detail", "kept_output", "state_of", "walked"}
# These end with an error and are not counted: a call that was refused so has reached them.
REFUSING = {"refuse": {"TH002", "TH004"}, "refuse_value": {"TH003"}}
# Written in the program's own sources, so that a changed statement is noticed here. Spaces count as one.
SOURCES = {
    "Sources/Fleet/Looking/FleetHostRow.swift": [
        """SELECT name, state, \\(Column.time("last_seen")), draining, labels, version, leases, status
        FROM taskhost.hosts ORDER BY name"""],
    "Sources/Fleet/Looking/FleetRequestRow.swift": [
        """SELECT key, identifier, state, priority, attempt, losses, host, \\(Column.time("free")),
                \\(Column.time("submitted")), outcome, labels
            FROM taskhost.requests WHERE \\(condition) ORDER BY \\(order) LIMIT \\(limit)""",
        'by order: String = "key DESC"'],
    "Sources/Fleet/Looking/FleetRolloutRow.swift": [
        """SELECT application, percent, settled, coming, \\(Column.time("changed")), changed_by
        FROM taskhost.rollouts ORDER BY application"""],
    "Sources/Fleet/PostgresClaims+Looking.swift": [
        'where: "leased", by: "free"', 'where: "ended IS NULL AND NOT leased", by: "key"'],
    "Sources/Fleet/Looking/FleetRunRow.swift": [
        """SELECT key, number, identifier, host, \\(Column.time("claimed")), \\(Column.time("ended")), outcome, accepted, detail
            FROM taskhost.runs WHERE \\(condition) ORDER BY ended DESC, key DESC LIMIT \\(limit)"""],
    "Sources/Fleet/Looking/FleetSession+Looking.swift": [
        """all ? condition : condition + " AND ended IS NULL\"""", '("true", [])', '("key = $\\(number)"',
        '("identifier = $\\(number)"', "SELECT taskhost.cancel($1)", "SELECT taskhost.drain($1, $2)",
        "SELECT taskhost.roll_out($1, $2, $3)", "SELECT taskhost.withdraw($1)", "SELECT taskhost.output($1, $2)",
        """SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, priority => $4::smallint,
                labels => $5, dedupe => $6, policy => $7, details => $8)"""],
    "Sources/Fleet/FleetStatement.swift": [
        "SELECT taskhost.version()", "SELECT taskhost.keep('30 days')", "SELECT taskhost.join($1, $2, $3, $4, $5, $6)",
        "SELECT taskhost.seen($1, $2, $3)", "SELECT taskhost.leave($1)",
        "SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, key => $4, details => $5)",
        '''SELECT key, number, losses, identifier, details, payload, attempt, failures, deferrals"
                + " FROM taskhost.claim($1, $2, $3, $4)''',
        "SELECT extract(epoch FROM taskhost.next_free($1, $2))", "SELECT key, number FROM taskhost.renew($1, $2, $3, $4)",
        "SELECT taskhost.complete($1, $2, $3, $4, $5, $6)",
        "SELECT taskhost.give_back($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        "SELECT application, manifest FROM taskhost.rollouts_of($1)",
        'SELECT identifier, extract(epoch FROM clock_timestamp() - since) FROM taskhost.oldest($1)'],
}


def microseconds(name):
    """As Sources/Fleet/Looking/Column.swift asks for times."""
    return f"(extract(epoch FROM {name}) * 1000000)::bigint"


HOSTS = (f"SELECT name, state, {microseconds('last_seen')}, draining, labels, version, leases, status"
         " FROM taskhost.hosts ORDER BY name")
ROLLOUTS = (f"SELECT application, percent, settled, coming, {microseconds('changed')}, changed_by"
            " FROM taskhost.rollouts ORDER BY application")
OLDEST = "SELECT identifier, extract(epoch FROM clock_timestamp() - since) FROM taskhost.oldest($1)"
REQUESTS = (f"SELECT key, identifier, state, priority, attempt, losses, host, {microseconds('free')},"
            f" {microseconds('submitted')}, outcome, labels FROM taskhost.requests WHERE %s ORDER BY %s LIMIT 200")
RUNS = (f"SELECT key, number, identifier, host, {microseconds('claimed')}, {microseconds('ended')}, outcome, accepted, detail"
        " FROM taskhost.runs WHERE %s ORDER BY ended DESC, key DESC LIMIT 20")
SUBMIT = "SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, key => $4, details => $5)"
SUBMIT_OF_PEOPLE = ("SELECT taskhost.submit(identifier => $1, payload => $2, earliest => $3, priority => $4::smallint,"
                    " labels => $5, dedupe => $6, policy => $7, details => $8)")
CLAIM = ("SELECT key, number, losses, identifier, details, payload, attempt, failures, deferrals"
         " FROM taskhost.claim($1, $2, $3, $4)")

FILL = r"""
CREATE ROLE host_a LOGIN IN ROLE taskhost_host;
CREATE ROLE host_b LOGIN IN ROLE taskhost_host;
CREATE ROLE clerk LOGIN IN ROLE taskhost_submitter;
CREATE ROLE other_clerk LOGIN IN ROLE taskhost_submitter;
CREATE ROLE looker LOGIN IN ROLE taskhost_reader;
ALTER ROLE host_a SET auto_explain.log_min_duration = 0;
ALTER ROLE host_b SET auto_explain.log_min_duration = 0;
ALTER ROLE clerk SET auto_explain.log_min_duration = 0;
ALTER ROLE other_clerk SET auto_explain.log_min_duration = 0;
CREATE ROLE roller LOGIN IN ROLE taskhost_operator;
ALTER ROLE roller SET auto_explain.log_min_duration = 0;
ALTER ROLE looker SET auto_explain.log_min_duration = 0;
SET jit = off;
-- Nobody waits yet, and it would ask so for each of a million rows.
ALTER TABLE taskhost.request DISABLE TRIGGER wake;
CREATE FUNCTION pg_temp.ulid(moment timestamptz, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || substr(md5(n::text), 1, 20))::uuid $$;

-- Days as taskhost.make_days makes them, back to those that taskhost.keep('30 days') drops.
DO $$
DECLARE
    day date;
BEGIN
    FOR before IN 1..34 LOOP
        day := (clock_timestamp() AT TIME ZONE 'UTC')::date - before;
        CONTINUE WHEN before = 20;
        EXECUTE format('CREATE TABLE taskhost.%I (LIKE taskhost.run INCLUDING ALL)', 'run_' || to_char(day, 'YYYYMMDD'));
        EXECUTE format('ALTER TABLE taskhost.run ATTACH PARTITION taskhost.%I FOR VALUES FROM (%L) TO (%L)',
            'run_' || to_char(day, 'YYYYMMDD'), day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
    END LOOP;
END
$$;

-- 400 hosts, most of them started many times.
INSERT INTO taskhost.host (id, name, identity, owner, boot, version, labels, lease, joined, last_seen, replaced, waits)
SELECT n, 'host' || n % 400, 'identity' || n % 400, 'host_a', gen_random_uuid(), '1', '{"room": "lab"}', '30 s',
    now() - interval '50 days', CASE WHEN n < 400 THEN now() - interval '40 days' WHEN n < 4600 THEN now() - interval '1 day'
        ELSE now() + interval '1 day' END, CASE WHEN n < 4600 THEN now() END, n >= 4600
FROM generate_series(1, 5000 - 1) n;

-- 200 identifiers, three sets of labels each for some.
INSERT INTO taskhost.queue (identifier, labels, digest)
SELECT 'com.example.t' || n, l, sha256(convert_to(l::text, 'UTF8'))
FROM generate_series(1, 200) n, unnest(ARRAY['{}', '{"room": "lab"}', '{"gpu": "yes"}']::jsonb[]) WITH ORDINALITY a (l, place)
WHERE place = 1 OR n % 10 = 0;
INSERT INTO taskhost.queue (identifier, labels, digest)
SELECT i, '{}', sha256(convert_to('{}', 'UTF8')) FROM unnest(ARRAY['com.example.rare', 'com.example.flood']) i;
-- One that has had nearly as many sets of labels as it may, and one that has had as many.
INSERT INTO taskhost.queue (identifier, labels, digest)
SELECT CASE WHEN n <= 900 THEN 'com.example.many' ELSE 'com.example.toomany' END, l, sha256(convert_to(l::text, 'UTF8'))
FROM generate_series(1, 1900) n, jsonb_build_object('n', n::text) l;

-- Ended ones, a tenth of them of one identifier, over the last eight days; the first ones long ago.
CREATE TEMPORARY TABLE ended AS
SELECT n, CASE WHEN n % 10 = 0 THEN 'com.example.flood' WHEN n % (:rows / 8) = 7 THEN 'com.example.rare'
        ELSE 'com.example.t' || 1 + n % 200 END AS identifier,
    CASE WHEN n <= :rows / 180 THEN now() - interval '31 days' - n * interval '10 s'
        ELSE now() - n * (interval '8 days' / :rows) END AS moment
FROM generate_series(1, :rows * 9 / 10) n;
INSERT INTO taskhost.request (key, queue, identifier, priority, line, free, ready, later, ended, number, holder, claimed, attempt,
    failures, deferrals, submitted, submitted_by, outcome, details, payload)
SELECT pg_temp.ulid(e.moment - interval '1 minute', e.n), q.id, e.identifier, 0, 0, e.moment, false, false, e.moment, 1,
    1 + e.n % 4000, e.moment - interval '3 s', 1, 0, 0, e.moment - interval '1 minute', 'clerk', 'succeeded',
    '{"kind": "processing", "origin": "person"}', ''
FROM ended e JOIN taskhost.queue q ON q.identifier = e.identifier AND q.labels = '{}';
INSERT INTO taskhost.run (key, number, identifier, host, claimed, ended, outcome, accepted, detail, output)
SELECT pg_temp.ulid(e.moment - interval '1 minute', e.n), 1, e.identifier, 'host' || e.n % 400, e.moment - interval '3 s', e.moment,
    CASE WHEN e.n % 50 = 3 THEN NULL ELSE 'succeeded' END, true, '{}', CASE WHEN e.n % 10 = 1 THEN '\x6f6b'::bytea END
FROM ended e;
-- History that missed its day.
INSERT INTO taskhost.run (key, number, identifier, host, claimed, ended, outcome, accepted)
SELECT pg_temp.ulid(now() - interval '40 days', n), 1, 'com.example.t1', 'host1', now() - interval '40 days',
    now() - interval '40 days' + n * interval '1 s', 'succeeded', true
FROM generate_series(1, 3000) n;

-- Open ones. n % 20: 0–11 waiting, 12–16 later (a twentieth of them due), 17–18 leased (a tenth lost), 19 quarantined. Half of
-- those that wait are of one identifier.
CREATE TEMPORARY TABLE open AS
SELECT n, n % 20 AS kind, n / 20 AS turn,
    CASE WHEN n % 20 <= 5 THEN 'com.example.flood' WHEN n = 7 OR n = 33 THEN 'com.example.rare'
        ELSE 'com.example.t' || 1 + (n * 7) % 200 END AS identifier,
    now() - interval '1 hour' + n * interval '20 ms' AS moment
FROM generate_series(1, :rows / 10) n;
INSERT INTO taskhost.request (key, queue, identifier, dedupe, priority, line, free, ready, later, leased, quarantined, number, holder,
    claimed, losses, attempt, failures, deferrals, submitted, submitted_by, details, payload)
SELECT pg_temp.ulid(o.moment, o.n), q.id, o.identifier, CASE WHEN o.n % 4 = 0 THEN 'own' || o.n / 8 END, o.n % 3, -(o.n % 3),
    CASE WHEN kind <= 11 THEN o.moment WHEN kind <= 16 AND turn % 20 = 0 THEN now() - interval '1 s'
        WHEN kind <= 16 THEN now() + interval '1 hour' + turn * interval '1 s'
        WHEN kind <= 18 AND turn % 10 = 0 THEN now() - interval '2 s' ELSE now() + interval '1 day' END,
    kind <= 11, kind BETWEEN 12 AND 18, kind IN (17, 18), kind = 19, CASE WHEN kind >= 17 THEN 3 ELSE 0 END,
    CASE WHEN kind >= 17 THEN 4600 + turn % 40 END, CASE WHEN kind >= 17 THEN o.moment END,
    CASE WHEN kind = 19 THEN 5 WHEN kind >= 17 AND turn % 20 = 0 THEN 4 ELSE 0 END, 1, 0, 0, o.moment, 'clerk',
    '{"kind": "processing", "origin": "person"}', convert_to(repeat('x', 100), 'UTF8')
FROM open o JOIN taskhost.queue q ON q.identifier = o.identifier AND q.labels = '{}';
DROP TABLE ended, open;
ALTER TABLE taskhost.request ENABLE TRIGGER wake;
"""


class Call:
    """One statement, sent as a program sends it."""

    def __init__(self, name, user, statement, *parameters, refused=None, rows=ROWS, pages=PAGES, before="", whole=()):
        """refused: the SQLSTATE that it ends with. rows, pages: what it may. before: statements of the same session, not looked at.
        whole: tables that it may read as a whole."""
        self.name, self.user, self.statement, self.parameters = name, user, statement, parameters
        self.refused, self.rows, self.pages, self.before, self.whole = refused, rows, pages, before, whole


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, (list, tuple)):
        return literal("{" + ",".join(str(one) for one in value) + "}")
    return "'" + str(value).replace("'", "''") + "'"


class Fleet:
    """The filled database, and what its server says of the plans."""

    def __init__(self, options):
        self.server = PrivatePostgres("taskhost-plans-", {
            "session_preload_libraries": "auto_explain", "track_functions": "all", "autovacuum": "off", "fsync": "off",
            "shared_buffers": "512MB", "max_wal_size": "8GB", "logging_collector": "on", "log_directory": "log",
            "log_filename": "server.log", "log_rotation_size": "0", "log_rotation_age": "0", "log_destination": "csvlog",
            "auto_explain.log_nested_statements": "on", "auto_explain.log_min_duration": "-1", "auto_explain.log_analyze": "on",
            "auto_explain.log_buffers": "on", "auto_explain.log_format": "json", "synchronous_commit": "off",
        })
        self.read = 0
        self.server.query("CREATE DATABASE jobs", "postgres")
        if options.schema:
            with open(options.schema) as schema:
                self.server.query("BEGIN; CREATE SCHEMA IF NOT EXISTS taskhost;\n" + schema.read() + "\nCOMMIT;")
        else:
            subprocess.run([os.path.join(options.bin, "taskhost"), "fleet", "init", self.server.database()], check=True,
                           stdout=subprocess.DEVNULL)
        self.server.query(FILL, variables=[("rows", options.rows)])

    def ask(self, sql, user="taskhost"):
        return self.server.query(sql, user=user)[0]

    def call(self, call, settings=""):
        """Returns what it answered and the plans of all statements that it took, each with the functions that it stands in."""
        values = ", ".join(literal(value) for value in call.parameters)
        arguments = f"({values})" if call.parameters else ""
        script = (f"{settings}\n{call.before}\nPREPARE asked AS {call.statement};\n"
                  f"SET application_name = 'looked at';\nEXECUTE asked{arguments};\n"
                  "SET application_name = 'done';\n" + self.mark())
        text, errors = self.server.query(script, user=call.user, check=False)
        return text, errors, self.plans()

    def mark(self):
        # The collector writes soon after: the mark comes last.
        self.last = f"mark {time.monotonic_ns()}"
        return f"DO $$ BEGIN RAISE LOG '{self.last}'; END $$;\n"

    def plans(self):
        path = os.path.join(self.server.data, "log", "server.csv")
        deadline = time.monotonic() + 30
        while True:
            with open(path, newline="") as log:
                log.seek(self.read)
                text = log.read()
            if self.last in text:
                break
            if time.monotonic() > deadline:
                raise RuntimeError(f"the server's log has no mark; {path}")
            time.sleep(0.01)
        self.read += len(text.encode())
        plans = []
        for row in csv.reader(text.splitlines(keepends=True)):
            if len(row) > 22 and row[22] == "looked at" and row[13].startswith("duration: ") and "plan:" in row[13]:
                plans.append(Plan(json.loads(row[13].split("plan:", 1)[1]), row[18]))
        return plans


class Plan:
    def __init__(self, text, context):
        self.text = " ".join(text["Query Text"].split())
        self.root = text["Plan"]
        self.functions = re.findall(r"(?:PL/pgSQL|SQL) function (?:taskhost\.)?\"?(\w+)", context)
        self.milliseconds = self.root.get("Actual Total Time", 0)
        self.pages = self.root.get("Shared Hit Blocks", 0) + self.root.get("Shared Read Blocks", 0)

    @property
    def place(self):
        return self.functions[0] if self.functions else "itself"

    def nodes(self, node=None, depth=0):
        node = node or self.root
        yield node, depth
        for child in node.get("Plans", []):
            yield from self.nodes(child, depth + 1)

    @staticmethod
    def rows(node):
        return round(node.get("Actual Rows", 0) * node.get("Actual Loops", 1))

    @staticmethod
    def removed(node):
        return round(sum(value for key, value in node.items() if key.startswith("Rows Removed by")) * node.get("Actual Loops", 1))


def name_of(node):
    parts = [node["Node Type"]]
    for key in ("Index Name", "Relation Name", "Function Name", "CTE Name"):
        if key in node:
            parts.append(node[key])
            break
    return " ".join(parts)


def faults_of(call, plans, sizes):
    """What is wrong with the plans of a call, in sentences."""
    found = []
    for plan in plans:
        where = f"{call.name}, in {plan.place}: {plan.text[:140]}"
        for node, _ in plan.nodes():
            table = node.get("Relation Name")
            if node["Node Type"] == "Seq Scan" and sizes.get(table, 0) > SMALL and table not in call.whole:
                found.append(f"{table} of {sizes[table]} rows is read as a whole; {where}; let an index lead to its rows")
            for what, count in (("gives", plan.rows(node)), ("throws away", plan.removed(node))):
                if count > call.rows:
                    found.append(f"the step {name_of(node)} {what} {count} rows, more than {call.rows}; {where}; bound it")
        if plan.pages > call.pages:
            found.append(f"it touches {plan.pages} pages, more than {call.pages}; {where}; look at its plan with --all")
    return found


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) if column == 0 else text.rjust(width)
                        for column, (text, width) in enumerate(zip(row, widths))).rstrip())


ALL = [f"com.example.t{number}" for number in range(1, 201)] + ["com.example.flood", "com.example.rare"]
DETAILS = '{"kind":"processing","origin":"person"}'


class Round:
    """All calls, one after the other: what a call changed the next one finds."""

    def __init__(self, fleet, options, settings, verbs):
        self.fleet, self.options, self.settings, self.verbs = fleet, options, settings, verbs
        self.rows, self.faults = [], []
        self.sizes, self.refusals = {}, set()

    def call(self, *arguments, **keywords):
        call = Call(*arguments, **keywords)
        text, errors, plans = self.fleet.call(call, self.settings)
        refused = re.search(r"ERROR:  (\w{5}): ", errors)
        if refused:
            self.refusals.add(refused[1])
        if (refused[1] if refused else None) != call.refused:
            self.faults.append(f"{call.name} was answered otherwise than with {call.refused or 'rows'}; {errors[:300] or text[:100]}")
        self.faults += faults_of(call, plans, self.sizes)
        most = max((Plan.rows(node) for plan in plans for node, _ in plan.nodes()), default=0)
        removed = max((Plan.removed(node) for plan in plans for node, _ in plan.nodes()), default=0)
        own = [plan for plan in plans if not plan.functions]
        self.rows.append([call.name, str(len(plans)), str(sum(1 for plan in plans for _ in plan.nodes())), str(most), str(removed),
                          str(max((plan.pages for plan in plans), default=0)),
                          f"{sum(plan.milliseconds for plan in own):.2f}"])
        if self.options.all:
            for plan in plans:
                print(f"{call.name} · {plan.place} · {plan.text[:160]}")
                for node, depth in plan.nodes():
                    print(f"    {'  ' * depth}{name_of(node)}: {Plan.rows(node)} rows, {Plan.removed(node)} thrown away,"
                          f" {node.get('Actual Loops')} loops, {node.get('Shared Hit Blocks', 0)} pages")
        return text

    def one(self, sql):
        return self.fleet.ask(sql).split("\n")[0].split("|")

    def join(self, user, name, refused=None):
        return self.call(f"join ({name})", user, "SELECT taskhost.join($1, $2, $3, $4, $5, $6)", name, f"identity of {name} {user}",
                         "00000000-0000-4000-8000-000000000001", "1", '{"room": "lab"}', "30 s", refused=refused)

    def play(self):
        self.sizes = dict(
            (name, int(count)) for name, count in (line.split("|") for line in self.fleet.ask(
                "SELECT c.relname, (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM taskhost.%I', c.relname),"
                " false, true, '')))[1]::text FROM pg_class c WHERE c.relnamespace = 'taskhost'::regnamespace AND c.relkind = 'r'"
            ).split("\n")))
        self.hosts()
        self.submissions()
        self.claims()
        self.ends()
        self.people()
        self.care()

    def hosts(self):
        for user in ("host_a", "clerk", "looker"):
            self.call(f"version ({user})", user, "SELECT taskhost.version()")
        self.me = self.join("host_a", "alpha")
        # Its host lives, and another one has taken its name.
        self.join("host_b", "alpha", refused="TH001")
        self.old, self.me = self.me, self.join("host_a", "alpha")
        # A host that was started often; others of its name are gone.
        self.join("host_a", "host7", refused="TH001")
        self.call("seen", "host_a", "SELECT taskhost.seen($1, $2, $3)", self.me, '{"installs":[],"ready":[]}', "t")
        self.call("seen, no such host", "host_a", "SELECT taskhost.seen($1, $2, $3)", 99999999, "{}", "t", refused="TH004")
        self.call("seen, another's host", "host_b", "SELECT taskhost.seen($1, $2, $3)", self.me, "{}", "t", refused="TH002")
        self.call("seen, a long status", "host_a", "SELECT taskhost.seen($1, $2, $3)", self.me,
                  json.dumps({"a": "b" * 70000}), "t", refused="TH003")
        # Each name has some dozen incarnations here.
        self.call("drain", "host_a", "SELECT taskhost.drain($1, $2)", "host8", "t")
        self.call("drain, no such host", "host_a", "SELECT taskhost.drain($1, $2)", "nobody", "t")
        rollouts = "SELECT application, manifest FROM taskhost.rollouts_of($1)"
        for percent in (10, 100):
            self.call(f"roll_out, {percent} %", "roller", "SELECT taskhost.roll_out($1, $2, $3)", "com.example", "{}", percent)
        self.call("roll_out, none", "roller", "SELECT taskhost.roll_out($1, $2, $3)", "com.unknown", None, 10, refused="TH003")
        # Each incarnation of a host is looked at: a few thousand.
        self.call("rollouts_of", "host_a", rollouts, self.me, rows=6000, whole=["host"])
        self.call("rollouts_of, another's host", "host_b", rollouts, self.me, refused="TH002")
        for user in ("looker", "roller"):
            self.call(f"rollouts ({user})", user, ROLLOUTS)
        self.call("withdraw", "roller", "SELECT taskhost.withdraw($1)", "com.example")
        self.call("leave", "host_a", "SELECT taskhost.leave($1)", self.old)

    def submissions(self):
        def key():
            return self.one("SELECT taskhost.new_key()")[0]

        same = key()
        for name in ("submit by a host", "submit by a host again"):
            self.call(name, "host_a", SUBMIT, "com.example.t1", "", None, same, DETAILS)
        self.call("submit, later", "clerk", SUBMIT, "com.example.t2", "", "2126-01-01", key(), DETAILS)
        self.call("submit, many labels", "clerk", SUBMIT_OF_PEOPLE, "com.example.many", "", None, 0,
                  json.dumps({"new": str(time.monotonic_ns())}), None, "allow", DETAILS)
        self.call("submit, wrong labels", "clerk", SUBMIT_OF_PEOPLE, "com.example.t1", "", None, 0, '{"a": 1}', None, "allow",
                  DETAILS, refused="TH003")
        self.call("submit, too many labels", "clerk", SUBMIT_OF_PEOPLE, "com.example.toomany", "", None, 0,
                  json.dumps({"a": "1"}), None, "allow", DETAILS, refused="TH003")
        identifier, dedupe = self.one(
            "SELECT identifier, dedupe FROM taskhost.request WHERE dedupe IS NOT NULL AND ready ORDER BY key LIMIT 1")
        for policy in ("keep", "replace", "allow"):
            self.call(f"submit, {policy}", "clerk", SUBMIT_OF_PEOPLE, identifier, "", None, 1, "{}", dedupe, policy, DETAILS)
        self.call("submit, keep, none yet", "clerk", SUBMIT_OF_PEOPLE, identifier, "", None, 1, "{}", f"new {key()}", "keep", DETAILS)
        self.call("submit, replace another's", "other_clerk", SUBMIT_OF_PEOPLE, identifier, "", None, 1, "{}", dedupe, "replace",
                  DETAILS, refused="TH006")
        for state, condition in (("waiting", "ready AND dedupe IS NULL"), ("leased", "leased"), ("ended", "ended IS NOT NULL"),
                                 ("quarantined", "quarantined")):
            found = self.one(f"SELECT key FROM taskhost.request WHERE {condition} LIMIT 1")[0]
            for user in ("clerk", "other_clerk", "looker"):
                self.call(f"state, {state} ({user})", user, "SELECT * FROM taskhost.state($1)", found)
            self.call(f"release, {state}", "clerk", "SELECT taskhost.release($1)", found)
            if state != "quarantined":
                self.call(f"cancel, {state}", "clerk", "SELECT taskhost.cancel($1)", found)
        self.call("cancel, another's", "other_clerk", "SELECT taskhost.cancel($1)", same)
        self.call("state, none", "looker", "SELECT * FROM taskhost.state($1)", key())

    def claim(self, name, identifiers, most, **keywords):
        text = self.call(name, "host_a", CLAIM, self.me, sorted(identifiers), most, "30000000 microseconds", **keywords)
        return [line.split("|")[:2] for line in text.split("\n") if line]

    def claims(self):
        for name, identifiers in (("all", ALL), ("one", ["com.example.flood"]), ("none", ["com.example.unknown"])):
            self.call(f"oldest of {name}", "host_a", OLDEST, identifiers, pages=12000)
        self.call("next_free, much", "host_a", "SELECT extract(epoch FROM taskhost.next_free($1, $2))", self.me, ALL)
        # The first sees what became free: a claim puts in line what is due, twice what it may take of each queue.
        self.tokens = self.claim("claim 8 of all", ALL, 8, rows=16 * 300, pages=60000)
        self.tokens += self.claim("claim 8 more of all", ALL, 16, rows=16 * 300, pages=60000)
        self.tokens += self.claim("claim 64 of all", ALL, 80, rows=16 * 300, pages=60000)
        self.tokens += self.claim("claim, nothing more is wished", ALL, 8)
        self.tokens += self.claim("claim 20 of one", ["com.example.flood"], 100)
        self.tokens += self.claim("claim the rare", ["com.example.rare"], 200)
        self.call("next_free, nothing but later", "host_a", "SELECT extract(epoch FROM taskhost.next_free($1, $2))", self.me,
                  ["com.example.rare"])
        self.call("next_free, nothing", "host_a", "SELECT extract(epoch FROM taskhost.next_free($1, $2))", self.me,
                  ["com.example.unknown"])
        self.claim("claim of what nobody has", ["com.example.unknown"], 200)
        self.lost()
        self.walks()
        keys = [key for key, _ in self.tokens]
        numbers = [number for _, number in self.tokens]
        # By its key, whatever else the host has.
        self.call("renew 1", "host_a", "SELECT key, number FROM taskhost.renew($1, $2, $3, $4)", self.me, keys[:1], numbers[:1], "30 s",
                  rows=2)
        self.call(f"renew {len(keys)}", "host_a", "SELECT key, number FROM taskhost.renew($1, $2, $3, $4)", self.me, keys, numbers,
                  "30 s", rows=2 * len(keys))
        self.call("renew, old tokens", "host_a", "SELECT key, number FROM taskhost.renew($1, $2, $3, $4)", self.me, keys[:4],
                  [0, 0, 0, 0], "30 s", rows=8)
        self.call("renew, no lease", "host_a", "SELECT key, number FROM taskhost.renew($1, $2, $3, $4)", self.me, keys[:1],
                  numbers[:1], "0 s", refused="TH003")

    def lost(self):
        """Leases that ended without a word: another claim takes what they were for, or puts it into quarantine."""
        for name, losses in (("claim, lost leases", 0), ("claim, lost for the fifth time", 4)):
            key, identifier = self.one(
                "UPDATE taskhost.request SET free = now() - interval '1 s', losses = %d, line = -9 WHERE key = (SELECT key FROM"
                " taskhost.request WHERE leased AND identifier LIKE 'com.example.t_' AND holder <> %s ORDER BY key LIMIT 1)"
                " RETURNING key, identifier" % (losses, self.me))
            self.tokens += self.claim(name, [identifier], len(self.tokens) + 4, pages=10000)
            found = self.one(f"SELECT losses, quarantined, holder = {self.me} FROM taskhost.request WHERE key = '{key}'")
            if found != (["5", "t", "f"] if losses else ["1", "f", "t"]):
                self.faults.append(f"{name} left {found}; the request {key}; mend Tools/fleet-plans.py")

    def walks(self):
        """A session stays in a transaction, so dead entries stand before what can be claimed, and claims keep marks."""
        idle = subprocess.Popen(["psql", "-X", "-q", "-d", self.fleet.server.database()], stdin=subprocess.PIPE, text=True)
        try:
            idle.stdin.write("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM taskhost.meta \\g /dev/null\n")
            idle.stdin.flush()
            while self.one("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'")[0] != "1":
                time.sleep(0.02)
            self.fleet.ask("UPDATE taskhost.request SET ready = false, later = true, free = now() + interval '1 day' WHERE key IN ("
                           "SELECT key FROM taskhost.request WHERE ready AND identifier = 'com.example.flood'"
                           " ORDER BY line, key LIMIT 2000)")
            other = self.one("SELECT taskhost.new_key()")[0]
            me = self.join("host_b", f"walker {other[-6:]}")
            claim = "SELECT count(*) FROM taskhost.claim(%s, '{com.example.flood}', %d, '30 s');"
            self.call("claim behind 2,000 dead entries", "host_b", CLAIM, me, ["com.example.flood"], 8, "30 s")
            self.call("claim with marks", "host_b", CLAIM, me, ["com.example.flood"], 16, "30 s", before=claim % (me, 8))
            self.call("next_free with marks", "host_b", "SELECT extract(epoch FROM taskhost.next_free($1, $2))", me,
                      ["com.example.flood"], before=claim % (me, 24))
        finally:
            idle.stdin.close()
            idle.wait()

    def ends(self):
        complete = "SELECT taskhost.complete($1, $2, $3, $4, '{}', NULL)"
        give_back = "SELECT taskhost.give_back($1, $2, $3, $4, $5, $6, $7, NULL, '{}', NULL)"
        ended, again = self.tokens[:2]
        self.call("complete", "host_a", complete, self.me, *ended, "succeeded")
        self.call("complete, said again", "host_a", complete, self.me, *ended, "succeeded")
        self.call("complete, an old token", "host_a", complete, self.me, again[0], 0, "succeeded")
        self.call("complete, no such request", "host_a", complete, self.me, "00000000-0000-0000-0000-000000000001", 1, "succeeded")
        self.call("complete, no outcome", "host_a", complete, self.me, *again, "", refused="TH003")
        self.call("complete with output", "host_a", "SELECT taskhost.complete($1, $2, $3, $4, $5, $6)", self.me, *self.tokens[2],
                  "failed", json.dumps({"a": "b" * 70000}), "x" * 300000)
        self.call("give_back at once", "host_a", give_back, self.me, *self.tokens[3], 2, 1, 0, "0 microseconds")
        self.call("give_back for later", "host_a", give_back, self.me, *self.tokens[4], 2, 1, 0, "60000000 microseconds")
        self.call("give_back with history", "host_a", "SELECT taskhost.give_back($1, $2, $3, NULL, NULL, NULL, $4, 'failed', '{}', NULL)",
                  self.me, *self.tokens[5], "60 s")
        self.call("give_back, said again", "host_a", give_back, self.me, *self.tokens[5], 2, 1, 0, "0 microseconds")
        for user in ("host_a", "clerk", "other_clerk"):
            self.call(f"output ({user})", user, "SELECT taskhost.output($1, $2)", *self.tokens[2])
        # Of the life before.
        self.me = self.join("host_a", "alpha")
        self.call("complete after a start", "host_a", complete, self.me, *self.tokens[6], "succeeded")
        self.call("give_back after a start", "host_a", give_back, self.me, *self.tokens[7], 2, 1, 0, "0 microseconds")

    def people(self):
        if not self.verbs:
            return
        # One row for each host, so all incarnations are read, and all leases counted.
        self.call("fleet", "looker", HOSTS, rows=20000, pages=20000, whole=["host"])
        # Of few open ones the server may well read all queues and hosts, to join them.
        queues = {"rows": 6000, "whole": ["queue", "host"]}
        # What a host's page asks for. Leases are sorted: there are as many as hosts have places.
        self.call("leased", "looker", REQUESTS % ("leased", "free"), rows=20000, pages=20000, whole=["queue", "host"])
        self.call("waiting", "looker", REQUESTS % ("ended IS NULL AND NOT leased", "key"), **queues)
        self.call("pending", "looker", REQUESTS % ("true AND ended IS NULL", "key DESC"), **queues)
        for name in ("flood", "t3", "rare", "unknown"):
            self.call(f"pending, {name}", "looker", REQUESTS % ("identifier = $1 AND ended IS NULL", "key DESC"), f"com.example.{name}",
                      **queues)
            self.call(f"history, {name}", "looker", RUNS % "identifier = $1", f"com.example.{name}")
        found = self.one("SELECT key FROM taskhost.run WHERE ended < now() - interval '2 days' AND outcome IS NOT NULL LIMIT 1")[0]
        self.call("pending of a key", "looker", REQUESTS % ("key = $1 AND ended IS NULL", "key DESC"), self.tokens[8][0])
        self.call("why of a key", "looker", REQUESTS % ("key = $1", "key DESC"), found)
        self.call("history", "looker", RUNS % "true")
        self.call("history of a key", "looker", RUNS % "key = $1", found)

    def care(self):
        # It deletes up to 1,000 rows, and looks at each incarnation of a host: an index of when each was seen would be written
        # with every sign of life.
        for name in ("keep", "keep again"):
            self.call(name, "host_a", "SELECT taskhost.keep('30 days')", pages=30000, rows=6000)
        self.call("keep, no age", "host_a", "SELECT taskhost.keep(NULL)", refused="TH003")


def planted(fleet, sizes):
    """Statements that are bad on purpose, each with a word of the fault that it has to be found for."""
    fleet.ask("GRANT USAGE ON SCHEMA taskhost TO clerk; GRANT SELECT ON taskhost.request TO clerk")
    for name, setting, statement, word in (
            ("a scan by details", "", "SELECT count(*) FROM taskhost.request WHERE details ->> 'title' = 'x'", "read as a whole"),
            ("a walk along an index", "SET enable_seqscan = off; SET enable_bitmapscan = off;",
             "SELECT key FROM taskhost.request WHERE ended IS NULL AND details ->> 'title' = 'x'", "throws away"),
            ("an index whose head is not given", "SET enable_seqscan = off; SET enable_bitmapscan = off;",
             "SELECT count(*) FROM taskhost.request WHERE leased AND free = '2000-01-01'", "pages")):
        # As few pages as lead to one row.
        call = Call(name, "clerk", statement, before=setting, pages=2)
        _, _, plans = fleet.call(call)
        if not any(word in fault for fault in faults_of(call, plans, sizes)):
            yield f"a bad statement was not found; {name}: {statement}; mend Tools/fleet-plans.py"


def unreached(fleet, refusals):
    for line in fleet.ask(
            "SELECT p.proname, l.lanname, p.proconfig IS NOT NULL OR p.prosecdef, coalesce(f.calls, 0) FROM pg_proc p"
            " JOIN pg_language l ON l.oid = p.prolang LEFT JOIN pg_stat_user_functions f ON f.funcid = p.oid"
            " WHERE p.pronamespace = 'taskhost'::regnamespace ORDER BY 1").split("\n"):
        name, language, is_whole, calls = line.split("|")
        if name in INLINED and language == "sql" and is_whole == "f":
            continue
        if calls == "0" and not REFUSING.get(name, set()) & refusals:
            yield f"the function {name} was not reached by any call; Tools/fleet-plans.py; add a call of it"


def changed_statements():
    for path, texts in SOURCES.items():
        with open(os.path.join(TREE, path)) as file:
            source = " ".join(file.read().split())
        for text in texts:
            if " ".join(text.split()) not in source:
                yield f"a statement was not found in the sources; {path}: {' '.join(text.split())[:100]}; mend Tools/fleet-plans.py"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--schema")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    # So that the server ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    faults, refusals = list(changed_statements()), set()
    began = time.monotonic()
    fleet = Fleet(options)
    try:
        print(f"{options.rows} requests in {time.monotonic() - began:.0f} s, {fleet.ask('SHOW server_version')}")
        for name, before, settings, verbs in (
                ("without statistics", None, "", False), ("with statistics", "VACUUM ANALYZE", "", True),
                ("with plans that are kept", None, "SET plan_cache_mode = force_generic_plan;", False)):
            if before:
                fleet.ask(before)
            part = Round(fleet, options, settings, verbs)
            part.play()
            print(f"\n{name}")
            table([["call", "plans", "steps", "rows", "thrown away", "pages", "ms"], *part.rows])
            faults += [f"{name}: {fault}" for fault in part.faults]
            refusals |= part.refusals
        faults += unreached(fleet, refusals)
        faults += planted(fleet, part.sizes)
    finally:
        fleet.server.close()
    print()
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else f"no fault; {time.monotonic() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
