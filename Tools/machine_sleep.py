"""A real sleep of a virtual machine (S3) under a run, and windows of time under a clock that is set; a part of machine-test.py."""
import json
import time

STATE = "/srv/sleep"
TICK = "org.taskhost.keeper.tick"
CONFIGURATION = '{"windows": [{"from": "0 3 * * *", "for": "1h", "timeZone": "UTC"}]}'


def until(machine, what, command, wanted, seconds=240):
    """Asks until the answer has it. What a guest's clock shows is its own: only this machine's counts."""
    end = time.monotonic() + seconds
    while True:
        answer = machine.sh(command, status=None)
        if wanted(answer):
            return answer
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: {answer[-2000:]}")
        time.sleep(0.5)


def sleeping(machine, expect):
    """The daemon lets the machine sleep when everybody stands still, and the run goes on in pieces."""
    machine.manifest(TICK, "tick")
    machine.sh(f"mkdir -p {STATE} && chmod 755 {STATE}")
    machine.sh(f"systemd-run -q --unit sleeper -p Type=notify -p Delegate=yes taskhost serve --state {STATE} --manifests /opt/keeper")
    verb = f"taskhost {{}} --state {STATE} --json"
    source = until(
        machine, "the lock", verb.format("device"), lambda answer: "InhibitDelayMaxSec" in answer or '"logind"' in answer)
    expect("sleep waits for 5 s" in source, "device tells how long logind waits")
    locks = "systemd-inhibit --list --no-legend"
    held = until(machine, "the lock", locks, lambda answer: "taskhost" in answer)
    expect("delay" in held, "the lock is held while nothing is done")
    machine.sh(f"systemd-run -q --unit ticker taskhost run --state {STATE} {TICK} --payload-text 300 --quiet")
    task = f"{verb.format('history')} {TICK}"
    until(machine, "the run", task, lambda answer: json.loads(answer)["runs"] and json.loads(answer)["runs"][0]["startedAt"])
    time.sleep(5)
    # The clock of the machine's board wakes it; where that does not, the monitor does.
    machine.sh("rtcwake -m no -s 45 >/dev/null; systemctl suspend --no-block")
    end = time.monotonic() + 180
    while machine.vm.qmp("query-status")["return"]["status"] != "suspended":
        if time.monotonic() > end:
            raise TimeoutError("the machine does not sleep: " + machine.sh("journalctl -b -n 40 --no-pager", status=None))
        time.sleep(0.2)
    expect(True, "the machine sleeps (S3)")
    time.sleep(20)
    if machine.vm.qmp("query-status")["return"]["status"] == "suspended":
        machine.vm.qmp("system_wakeup")
    run = json.loads(
        until(machine, "the run's end", task, lambda answer: json.loads(answer)["runs"][0]["outcome"], 600)
    )["runs"][0]
    pauses = run["pauses"]
    expect(run["outcome"] == "succeeded" and run["attempt"] == 1, f"the run goes on: {run['outcome']}, attempt {run['attempt']}")
    expect(len(pauses) == 1, f"it stood still once: {json.dumps(pauses)}")
    # The monotonic clock stood still meanwhile; the record tells what the calendar does.
    expect(run["frozenTime"] > 15, f"for {run['frozenTime']} s, beside {run['wallTime']} s of work")
    ticks = machine.sh(f"taskhost logs --state {STATE} {run['run']}").splitlines()
    count = sum(line.startswith("tick ") for line in ticks)
    expect(count == 300, f"all of its {count} ticks are there")
    journal = machine.sh("journalctl -b -u systemd-logind --no-pager", status=None)
    expect("inhibitor timeout is reached" not in journal, "logind's patience was not used up")
    print(machine.sh(f"taskhost show --state {STATE} {run['run']}"), flush=True)
    print(machine.sh(f"taskhost journal --state {STATE}"), flush=True)
    held = until(machine, "the lock", locks, lambda answer: "taskhost" in answer)
    expect("delay" in held, "the lock is held again")
    machine.sh("systemctl stop sleeper")


def windows(machine, expect):
    """A clock that is set into a window opens it, and out of it closes it."""
    machine.vm.put("/etc/taskhost-windows.json", CONFIGURATION)
    machine.sh("timedatectl set-ntp false 2>/dev/null; date -u -s '2026-03-10 02:59:00'")
    machine.sh(
        f"systemd-run -q --unit windows -p Type=notify -p Delegate=yes taskhost serve --state {STATE} --manifests /opt/keeper "
        "--config /etc/taskhost-windows.json"
    )
    def window():
        return json.loads(machine.sh(f"taskhost device --state {STATE} --json"))["conditions"]["window"]

    expect(window()["value"] == "closed" and window()["next"] == "2026-03-10T03:00:00.000Z", "closed, until 3 o'clock")
    machine.sh("date -u -s '2026-03-10 03:30:00'")
    expect(window()["value"] == "open" and window()["next"] == "2026-03-10T04:00:00.000Z", "a clock set into it opens it")
    machine.sh("date -u -s '2026-03-09 12:00:00'")
    expect(window()["value"] == "closed" and window()["next"] == "2026-03-10T03:00:00.000Z", "set back it is closed")
    machine.sh("date -u -s '2026-03-10 02:59:57'")
    until(machine, "the edge", f"taskhost device --state {STATE} --json", lambda answer: json.loads(answer)["conditions"]["window"]["value"] == "open")
    expect(True, "the edge comes by itself")
    machine.sh("systemctl stop windows")
