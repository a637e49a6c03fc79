#!/usr/bin/python3
"""Compares the calendars of imported crontabs and timers with others' for a year that has both changes of the clocks.

usage: Tools/check-calendars.py TASKHOST

Times of crontabs come from croniter, which knows no time zone here: it makes local times, and cron's own rule for changes of
the clocks is applied to them (cron(8): a job of a time of day that is skipped runs right after the gap, one that comes twice
runs once; jobs of every hour follow real time). Times of timers come from `systemd-analyze calendar`. Each difference is
printed; only those that the documents name are allowed: systemd leaves out a time of day that is skipped, and all times of an hour that
comes for the second time.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import zoneinfo

from croniter import croniter

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"]
CRONTABS = [
    "0 5 * * 1", "*/5 * * * *", "0 0 * * *", "0 * * * *", "0 0 * * 0", "0 0 1 * *", "0 0 1 1 *", "30 2 * * 1-5",
    "15 14 1 * *", "0 22 * * 1-5", "23 0-23/2 * * *", "5 4 * * 0", "0 0 1,15 * 3", "0 3 * 1,7 *", "10 10 * * 6",
    "*/10 * * * *", "7 7 * * *", "0 12 * * *", "0 6 * * *", "59 23 31 12 *", "30 1 * * *", "0 2 * * *", "15 1-3 * * *",
    "45 2 * 3,10,11 *", "0 0,12 1 */2 *", "20 4 8-14 * *", "*/15 8-18 * * 1-5", "0 1 28 2 *", "5 0 * 8 *", "12 3 * 4 *",
]
TIMERS = [
    "daily", "hourly", "weekly", "monthly", "yearly", "quarterly", "semiannually", "*-*-* 02:30:00",
    "*-*-* 6,18:00", "Mon..Fri *-*-* 02:15", "*:0/15", "*-*-* 1..3:30", "*-*-1,15 12:00", "Sun *-*-* 03:10:00",
    "Sat,Sun 23:59", "*-02-28 00:30", "*-*-* 8..17/2:30", "*-10-* 02:00", "*-03-* 02:00",
]
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
END = datetime.datetime(2027, 1, 1, tzinfo=datetime.timezone.utc)
UTC = datetime.timezone.utc


def ours(taskhost, fields, zone):
    """All times of the year, in portions: the verb prints a thousand at a time."""
    times, since = [], START
    while True:
        command = [taskhost, "calendar", fields, "--zone", zone, "--count", "1000", "--from",
                   since.strftime("%Y-%m-%dT%H:%M:%SZ"), "--json"]
        reply = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        page = [datetime.datetime.fromisoformat(time.replace("Z", "+00:00")) for time in json.loads(reply)["times"]]
        times += [time for time in page if time < END]
        if not page or page[-1] >= END:
            return set(times)
        since = page[-1]


def local_walls(fields):
    """The local times of the year and a day beyond it at each end, as if no clock changed."""
    start = START.replace(tzinfo=None) - datetime.timedelta(days=2)
    times = croniter(fields, start, day_or=True)
    wall = times.get_next(datetime.datetime)
    while wall < END.replace(tzinfo=None) + datetime.timedelta(days=2):
        yield wall
        wall = times.get_next(datetime.datetime)


def of_cron(fields, zone):
    """What cron does: real time for jobs of every hour, else each wall time once."""
    place = zoneinfo.ZoneInfo(zone)
    is_hourly = fields.split()[1] in ("*", "*/1", "0-23")
    times = set()
    if is_hourly:
        walls = set(local_walls(fields))
        moment = START
        while moment < END:
            moment += datetime.timedelta(minutes=1)
            if moment.astimezone(place).replace(tzinfo=None) in walls:
                times.add(moment)
    else:
        for wall in local_walls(fields):
            first = wall.replace(tzinfo=place, fold=0)
            moment = first.astimezone(UTC)
            if moment.astimezone(place).replace(tzinfo=None) != wall:
                # It is skipped: the end of the gap, which is where the offsets change.
                low, high = moment - datetime.timedelta(hours=3), moment + datetime.timedelta(hours=3)
                while high - low > datetime.timedelta(seconds=1):
                    middle = low + (high - low) / 2
                    if middle.astimezone(place).utcoffset() == low.astimezone(place).utcoffset():
                        low = middle
                    else:
                        high = middle
                moment = high.replace(microsecond=0)
            times.add(moment)
    return {time for time in times if START < time < END}


def of_systemd(expression, zone):
    """The times of the year in UTC."""
    environment = dict(os.environ, TZ=zone)
    count = 40_000
    command = ["systemd-analyze", "calendar", "--iterations", str(count), "--base-time", "2026-01-01 00:00:00 UTC", expression]
    text = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    times = set()
    for line in text.stdout:
        found = re.search(r"(?:\(in UTC\)|Next elapse|Iter\. #\d+): \w+ (\S+ \S+) UTC", line)
        if not found:
            continue
        moment = datetime.datetime.fromisoformat(found[1]).replace(tzinfo=UTC)
        if moment >= END:
            text.kill()
            break
        times.add(moment)
    text.wait()
    return {time for time in times if time > START}


def imported(taskhost, expression):
    """The fields that the import makes of an expression."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/a.timer", "w") as file:
            file.write(f"[Timer]\nOnCalendar={expression}\n")
        with open(f"{folder}/a.service", "w") as file:
            file.write("[Service]\nDynamicUser=yes\nExecStart=/bin/true\n")
        command = [taskhost, "import", "timers", f"{folder}/a.timer", "--directory", folder, "--json"]
        reply = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        return reply["tasks"][0]["calendar"]


def is_named(moment, zone):
    """The documents name it: the clocks go forward right before it, or its hour comes for the second time."""
    place = zoneinfo.ZoneInfo(zone)
    before = (moment - datetime.timedelta(seconds=1)).astimezone(place)
    local = moment.astimezone(place)
    return local.utcoffset() > before.utcoffset() or local.fold == 1


def main():
    taskhost = sys.argv[1]
    faults, compared = 0, 0
    for zone in ZONES:
        for fields in CRONTABS:
            here, there = ours(taskhost, fields, zone), of_cron(fields, zone)
            compared += len(there)
            if here != there:
                faults += 1
                print(f"{fields} in {zone}: only here {sorted(map(str, here - there))[:5]}, only cron {sorted(map(str, there - here))[:5]}")
        named = 0
        for expression in TIMERS:
            here, there = ours(taskhost, imported(taskhost, expression), zone), of_systemd(expression, zone)
            compared += len(there)
            extra = {time for time in here - there if not is_named(time, zone)}
            named += len(here - there) - len(extra)
            if extra or there - here:
                faults += 1
                print(f"{expression} in {zone}: only here {sorted(map(str, extra))[:5]}, only systemd {sorted(map(str, there - here))[:5]}")
        print(f"{zone}: {len(CRONTABS)} lines of crontabs, {len(TIMERS)} timers; {named} times at changes of the clocks that systemd leaves out")
    print(f"{compared} times compared, {faults} faults")
    return 1 if faults or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
