"""Ten tasks of an operator, on a wide screen and on a phone: how many clicks each takes, and whether what the page says is what
the API answers. Played by run.py (A16)."""

import datetime
import json
import re
import time

from playwright.sync_api import expect

import examples
import host as hosts
import past

BACKUP, MAIL, SITE = "com.example.backup", "com.example.mail", "com.example.site"
APPLICATIONS = [
    examples.application(BACKUP, "Backup", {
        BACKUP + ".home": examples.program("done", requires={"externalPower": True}, schedule={"calendar": "30 2 * * *", "timeZone": "UTC"}),
        BACKUP + ".upload": examples.program("fail", "backup.example.com"),
    }),
    examples.application(MAIL, "Mail index", {
        MAIL + ".index": examples.program("done", "41 messages"),
        MAIL + ".compact": examples.program("done", schedule={"calendar": "0 5 * * SUN", "timeZone": "UTC"}),
    }),
    examples.application(SITE, "Web site", {
        SITE + ".render": examples.program("done"),
        SITE + ".check": examples.program("warn"),
        SITE + ".runaway": examples.program("spin", budget={"wallClock": "10m"}),
    }),
]
WIDTHS = (1280, 390)
AT_MOST = 3


class Hand:
    """Somebody at the page: counts the clicks."""

    def __init__(self, tab):
        self.tab = tab
        self.clicks = 0
        # What past.py wrote has no sums of the host's.
        tab.add_locator_handler(tab.locator("#notes .note.bad", has_text="record is damaged"), lambda note: note.get_by_role("button", name="Dismiss").click())

    def begin(self):
        """At Now, from where everybody sets out, with the menu folded and nothing left of the task before."""
        self.tab.evaluate("document.querySelectorAll('#notes [aria-label=Dismiss]').forEach(one => one.click())")
        for place in ("#/nowhere", "#/"):
            self.tab.evaluate("place => { location.hash = place; return new Promise(done => setTimeout(done)) }", place)
        expect(self.tab.locator("#view h1")).to_have_text("Now")
        expect(self.tab.locator("#view")).not_to_contain_text("Loading…")
        self.clicks = 0

    def click(self, found):
        expect(found).to_be_visible()
        found.click()
        self.clicks += 1

    def press(self, name, within="#view", exact=True):
        self.click(self.tab.locator(within).get_by_role("button", name=name, exact=exact).first)

    def open(self, title):
        """A view by the navigation, which a phone folds."""
        menu = self.tab.get_by_role("button", name="Views")
        if menu.is_visible():
            self.click(menu)
        self.click(self.tab.locator("#nav").get_by_role("link", name=title, exact=True))
        expect(self.tab.locator("#view h1")).to_have_text(title)
        expect(self.tab.locator("#view")).not_to_contain_text("Loading…")


def section(tab, title):
    return tab.locator(f'#view section:has(h2:text-is("{title}"))')


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def ago(**long):
    return (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**long)).strftime("%Y-%m-%dT%H:%M:%SZ")


def prepare(bench):
    """A host with a past of six days, a run of 3 s among hundreds of shorter ones, a failure, and a manifest that changed."""
    host = bench.host("tasks", APPLICATIONS)
    host.close_daemon()
    past.fill(host.state, [(MAIL + ".index", 0, 0.2, 900), (SITE + ".render", 0, 0.4, 1800), (BACKUP + ".upload", 0, 0.6, 21600)], 6)
    slow = past.slow(host.state, SITE + ".render", 3, usual=0.6, before=150)
    past.age(host.state, 2)
    host.serve()
    path = host.manifests / (MAIL + ".json")
    manifest = json.loads(path.read_text())
    manifest["tasks"][MAIL + ".index"]["budget"] = {"wallClock": "5m"}
    path.write_text(json.dumps(manifest, indent=2))
    host.post("/v1/reload")
    host.command("device", "set", "power=battery")
    host.post("/v1/requests", {"identifier": BACKUP + ".home"})
    [wrote] = host.run(SITE + ".check")
    assert host.ended(wrote)["wroteErrors"]
    [failed] = host.run(BACKUP + ".upload")
    assert host.ended(failed)["outcome"] == "failed"
    newest = [run["run"] for run in host.get("/v1/runs?limit=100")["runs"]]
    assert slow not in newest
    return host, slow, failed


# Each does its task by the hand's clicks alone, and asserts what it read.

def why_no_backup(hand, host, plan):
    hand.click(hand.tab.locator("#waiting").locator(f'a[href="#/tasks/{BACKUP}.home"]'))
    summary = host.get(f"/v1/tasks/{BACKUP}.home/why")["summary"]
    assert "external power" in summary, summary
    expect(section(hand.tab, "Why it waits").locator("p").first).to_have_text(summary)


def log_of_failure(hand, host, plan):
    row = section(hand.tab, "Failed last").locator("tbody tr", has_text=BACKUP + ".upload").last
    said = host.get("/v1/runs/" + plan["failed"])
    # The reason is in the row.
    expect(row).to_contain_text(f"exit status {said['exitStatus']}")
    assert said["lastLine"] in host.get(f"/v1/runs/{plan['failed']}/log"), said
    expect(row).to_contain_text(said["lastLine"])
    hand.click(row.locator(f'a[href="#/runs/{plan["failed"]}"]'))
    expect(hand.tab.locator(".log .list")).to_contain_text(said["lastLine"])


def again(hand, host, plan):
    before = {run["run"] for run in host.get(f"/v1/runs?identifier={BACKUP}.upload")["runs"]}
    row = section(hand.tab, "Failed last").locator("tbody tr", has_text=BACKUP + ".upload").last
    hand.click(row.get_by_role("button", name="Retry", exact=False))
    fresh = hosts.until("it runs again", lambda: [run for run in host.get(f"/v1/runs?identifier={BACKUP}.upload")["runs"] if run["run"] not in before])
    host.ended(fresh[0]["run"])


def sunday(hand, host, plan):
    today = datetime.datetime.now(datetime.timezone.utc).date()
    day = today + datetime.timedelta(days=(6 - today.weekday()) % 7)
    wanted = sorted((run["at"], run["identifier"]) for run in host.command("forecast", "--days", "7")["runs"] if moment(run["at"]).date() == day)
    assert any(identifier == MAIL + ".compact" for _, identifier in wanted) or day == today, wanted
    hand.open("Calendar")
    column = hand.tab.locator(f'.column[data-day="{day}"]')
    if not column.count() or hand.tab.viewport_size["width"] < 860 and day != today:
        hand.press(f"{day.day} Sun", exact=False) if hand.tab.get_by_role("button", name=f"{day.day} Sun").count() else hand.press(f"Sun {day.day}", exact=False)
    expect(column).to_be_visible()
    shown = lambda: sorted((at, task) for at, task in hand.tab.evaluate(
        "day => [...document.querySelectorAll(`.column[data-day='${day}'] .event:not(.past)`)].map(one => [one.dataset.at, decodeURIComponent(one.hash.slice(8))])", str(day)))
    hosts.until("the forecast of Sunday", lambda: shown() == wanted, 5)


def slowest(hand, host, plan):
    hand.open("History")
    hand.press("Slowest of 7 days")
    [first] = host.get(f"/v1/runs?sort=wallTime&limit=1&since={ago(days=7)}")["runs"]
    row = hand.tab.locator("#view tbody tr").first
    expect(row.locator('a[href^="#/runs/"]').first).to_have_attribute("href", "#/runs/" + first["run"])
    assert first["run"] == plan["slow"], first
    expect(row).to_contain_text("3 s")


def odd(hand, host, plan):
    hand.open("History")
    row = hand.tab.locator("#view tbody tr", has_text=SITE + ".check").first
    expect(row.locator(".odd")).to_have_text("wrote errors")
    hand.press("Unlike themselves")
    [run] = host.get("/v1/runs?unlike=true")["runs"]
    assert run["run"] == plan["slow"], run
    [mark] = run["unlikeItself"]
    rows = hand.tab.locator("#view tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.locator(".odd")).to_have_text("longer ×5")
    expect(rows.locator(".odd")).to_have_attribute("title", mark["text"])
    # What follows is the run's own page.
    rows.locator(f'a[href="#/runs/{run["run"]}"]').click()
    expect(hand.tab.locator("#view ul.banner")).to_contain_text(mark["text"])


def uses_most(hand, host, plan):
    tasks = host.get("/v1/usage")["tasks"]
    first = hand.tab.locator('#view tbody tr a[href^="#/tasks/"]').first
    hand.open("Usage")
    expect(first).to_have_attribute("href", "#/tasks/" + tasks[0]["identifier"])
    hand.press("Memory")
    most = max(tasks, key=lambda one: one["peakMemory"] or 0)
    expect(first).to_have_attribute("href", "#/tasks/" + most["identifier"])


def changed(hand, host, plan):
    changes = host.get("/v1/changes")
    hand.open("Changes")
    assert any(one["identifier"] == BACKUP + ".upload" and one["before"] == "succeeded" and one["now"] == "failed" for one in changes["outcomes"]), changes
    outcomes = section(hand.tab, "Outcomes").locator("tbody tr")
    expect(outcomes).to_have_count(len(changes["outcomes"]))
    for at, one in enumerate(changes["outcomes"]):
        expect(outcomes.nth(at)).to_contain_text(one["identifier"])
        expect(outcomes.nth(at)).to_contain_text(one["now"])
    definitions = section(hand.tab, "Definitions").locator("tbody tr")
    expect(definitions).to_have_count(len(changes["definitions"]))
    mail = next(one for one in changes["definitions"] if one["path"].endswith(MAIL + ".json") and one["change"] == "changed")
    assert mail["keys"], mail
    expect(definitions.filter(has_text=MAIL + ".json").filter(has_text=mail["keys"][0]).first).to_be_visible()


def pause_all(hand, host, plan):
    if not hand.tab.get_by_role("button", name="Pause all").is_visible():
        hand.click(hand.tab.get_by_role("button", name="Views"))
    began = time.time()
    hand.press("Pause all", "#header")
    hand.press("1 hour", "#dialog")
    [pause] = hosts.until("the pause", lambda: host.get("/v1/pauses")["pauses"])
    assert pause["of"] == "host" and abs(moment(pause["until"]).timestamp() - began - 3600) < 60, pause
    expect(hand.tab.locator("#banners")).to_contain_text("All work is paused until")
    clock = moment(pause["until"]).strftime("%H:%M:%S")
    expect(hand.tab.locator("#banners")).to_contain_text(clock)
    host.post("/v1/resume", {})
    expect(hand.tab.locator("#banners")).not_to_contain_text("All work is paused")


def stop(hand, host, plan):
    [run] = host.run(SITE + ".runaway")
    hand.click(hand.tab.locator(f'article[aria-label="{SITE}.runaway"]').get_by_role("button", name="Cancel"))
    assert host.ended(run)["outcome"] == "cancelled"


def edit(hand, host, plan):
    """A manifest, its fault under the cursor, and the file as it was written."""
    path = host.manifests / (SITE + ".json")
    hand.open("Manifests")
    hand.click(hand.tab.locator("#view").get_by_role("link", name=SITE + ".json"))
    field = hand.tab.get_by_label("Text of the manifest")
    text = path.read_text()
    expect(field).to_have_value(text)
    opened = hand.clicks
    broken = text.replace('"wallClock"', '"wallClok"', 1)
    field.fill(broken)
    fault = hand.tab.locator("ol.faults li", has_text="wallClok")
    line = broken[:broken.index('"wallClok"')].count("\n") + 1
    expect(fault).to_contain_text(f"{line}:")
    hand.click(fault.get_by_role("button"))
    chosen = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert "wallClok" in chosen, chosen
    expect(hand.tab.locator("ol.faults li.here")).to_have_count(1)
    field.press("Control+Home")
    expect(hand.tab.locator("ol.faults li.here")).to_have_count(0)
    # It is not written while it has an error, and nothing is lost by going elsewhere.
    hand.tab.expected = ["422", "Failed to load resource"]
    hand.press("Save")
    expect(hand.tab.locator("#notes .note.bad")).to_have_count(1)
    assert path.read_text() == text
    hand.tab.go_back()
    hand.tab.go_forward()
    expect(field).to_have_value(broken)
    plan["edited"] += 1
    minutes = 10 + plan["edited"]
    field.fill(re.sub(r'"wallClock": "\d+m"', f'"wallClock": "{minutes}m"', text))
    expect(hand.tab.locator("#view [role=status]")).to_have_text("no faults")
    hand.press("Save")
    expect(hand.tab.locator("#notes")).to_contain_text("Wrote")
    hosts.until("the host has the text", lambda: host.get(f"/v1/tasks/{SITE}.runaway")["budget"]["wallClock"] == minutes * 60)
    # What is counted is the way to the text.
    hand.clicks = opened


def add(hand, host, plan):
    identifier = "com.example.added" + str(hand.tab.viewport_size["width"])
    hand.open("Manifests")
    hand.click(hand.tab.locator("#view").get_by_role("link", name="Add a job"))
    hand.tab.get_by_label("Identifier").fill(identifier)
    hand.tab.get_by_label("Command").fill("/bin/echo 'two words' three")
    hand.tab.get_by_label("Schedule").fill("every 1h")
    hand.press("Propose a manifest")
    field = hand.tab.get_by_label("Text of the manifest")
    expect(field).to_have_value(re.compile(r"^\s*\{[\s\S]*\}\s*$"))
    assert "two words" in field.input_value()
    hand.press("Save")
    expect(hand.tab.locator("#notes")).to_contain_text("Wrote")
    hosts.until("the host has the job", lambda: any(one["identifier"] == identifier for one in host.get("/v1/tasks")["tasks"]))


TASKS = [
    ("why the backup did not run", why_no_backup), ("the log of the failure", log_of_failure), ("run it again", again), ("what runs on Sunday", sunday),
    ("the slowest run of the week", slowest), ("what was odd", odd), ("what uses most", uses_most), ("what changed", changed), ("pause for an hour", pause_all),
    ("stop a runaway", stop), ("open a manifest to edit", edit),
]


def faults(tab, host):
    """A warning is no fault: the host uses the file all the same, and the page does not say otherwise."""
    path = host.manifests / (SITE + ".json")
    manifest = json.loads(path.read_text())
    task = manifest["tasks"][SITE + ".check"]
    tab.evaluate("task => { location.hash = '#/tasks/' + task }", SITE + ".check")
    banner = tab.locator("#view .banner")
    task["schedule"] = {"every": "2m"}
    for keys, words in (({}, "Its manifest has a warning."), ({"walClock": "3s"}, "Its manifest has faults; the host uses its earlier form.")):
        task["budget"] = keys
        path.write_text(json.dumps(manifest))
        host.post("/v1/reload")
        tab.reload()
        expect(banner).to_contain_text(words)
    expect(banner.get_by_role("link", name="Open the manifest")).to_be_visible()


def play(bench):
    host, slow, failed = prepare(bench)
    plan = {"slow": slow, "failed": failed, "edited": 0}
    # A phone needs the most clicks.
    for width in WIDTHS if bench.is_all else WIDTHS[-1:]:
        counts = {}
        with bench.tab(host.page(), viewport={"width": width, "height": 844}, timezone_id="UTC") as tab:
            hand = Hand(tab)
            for title, task in TASKS:
                hand.begin()
                task(hand, host, plan)
                assert hand.clicks <= AT_MOST, f"{title} took {hand.clicks} clicks at {width}"
                counts[title] = hand.clicks
            hand.begin()
            add(hand, host, plan)
            counts["add a job"] = hand.clicks
            if width == WIDTHS[-1]:
                faults(tab, host)
        bench.note(f"clicks at {width}: " + ", ".join(f"{title} {count}" for title, count in counts.items()))
