#!/usr/bin/env python3
"""Writes the tables beside it from the zone files in ../Zones, with Python's own reader of them (zoneinfo).

ZONE.changes: every change of the offset from UTC between 1850 and 2200, as "second offset".
times.txt:    zone; expression; first and last second looked at; the times as "first +distance*count ...".

The times come from walking over every minute, as the rules of Documentation/Manifests.md say it, not as the code does it.
"""
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

HERE = Path(__file__).parent
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def second(*date):
    return int((datetime(*date, tzinfo=timezone.utc) - EPOCH).total_seconds())


def load(path):
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=path.stem)


def offset(zone, at):
    return int((EPOCH + timedelta(seconds=at)).astimezone(zone).utcoffset().total_seconds())


def changes(zone):
    """Steps of six hours: no zone changes there and back within one."""
    step, end = 6 * 3600, second(2200, 1, 1)
    at = second(1850, 1, 1)
    before = offset(zone, at)
    yield at, before
    while at < end:
        after = offset(zone, at + step)
        if after != before:
            low, high = at, at + step
            while high - low > 1:
                middle = (low + high) // 2
                if offset(zone, middle) == before:
                    low = middle
                else:
                    high = middle
            yield high, after
            before = after
        at += step


FIELDS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]
DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]


def values(text, low, high):
    found = set()
    for item in text.split(","):
        span, _, step = item.partition("/")
        if span == "*":
            first, last = low, high
        else:
            ends = [DAYS.index(word) if word in DAYS else int(word) for word in span.split("-")]
            first, last = ends[0], ends[-1]
        found.update(range(first, last + 1, int(step or 1)))
    return found


def times(zone, expression, start, end):
    texts = expression.split()
    minutes, hours, days, months, weekdays = (values(text, *field) for text, field in zip(texts, FIELDS))
    weekdays = {day % 7 for day in weekdays}
    both = texts[2].startswith("*") or texts[4].startswith("*")

    def fits(local):
        day, weekday = local.day in days, local.isoweekday() % 7 in weekdays
        return (local.minute in minutes and local.hour in hours and local.month in months
                and (day and weekday if both else day or weekday))

    def local(at):
        return (EPOCH + timedelta(seconds=at)).astimezone(zone).replace(tzinfo=None)

    if hours == set(range(24)):
        return [at for at in range(start + 60, end, 60) if fits(local(at))]
    # The clock has reached these already; two days of them, for it may have been set back.
    reached = max(local(at) for at in range(start - 2 * 86400, start + 60, 60))
    found = []
    for at in range(start + 60, end, 60):
        now = local(at)
        if now <= reached:
            continue
        minute, hit = reached + timedelta(minutes=1), False
        while minute <= now:
            hit = hit or fits(minute)
            minute += timedelta(minutes=1)
        if hit:
            found.append(at)
        reached = now
    return found


def packed(found):
    if not found:
        return "none"
    words, before = [str(found[0])], found[0]
    for at in found[1:]:
        distance, count = at - before, 1
        if len(words) > 1 and words[-1].startswith(f"+{distance}*"):
            count = int(words.pop().split("*")[1]) + 1
        words.append(f"+{distance}*{count}")
        before = at
    return " ".join(words)


MOMENTS = {
    "Europe-Berlin": [(2026, 3, 29, 1), (2026, 10, 25, 1), (2095, 3, 27, 1)],
    "America-New_York": [(2026, 3, 8, 7), (2026, 11, 1, 6), (1918, 3, 31, 7)],
    "Australia-Lord_Howe": [(2026, 4, 4, 15), (2026, 10, 3, 15, 30)],
    "Asia-Kolkata": [(2026, 3, 29, 1)],
    "Pacific-Apia": [(2011, 12, 30, 10), (2011, 9, 24, 14)],
    "Africa-Casablanca": [(2026, 2, 15, 2), (2026, 3, 22, 2)],
    "UTC": [(2026, 2, 28, 0), (2028, 2, 29, 0)],
}
DENSE = ["*/15 * * * *", "30 * * * *", "0 * * * *", "15 * * * MON-FRI"]
SPARSE = [
    "30 2 * * *", "0 2 * * *", "59 1 * * *", "15,45 1-3 * * *", "0 */2 * * *", "*/20 2 * * SUN", "0 0 * * *",
    "0 2 * * FRI", "0 12 31,30 12 *", "30 23 */2 * MON", "30 0 29 3,2,4 SUN", "10 3 1 * 7",
]

if __name__ == "__main__":
    lines = []
    for path in sorted((HERE.parent / "Zones").iterdir()):
        zone = load(path)
        table = "".join(f"{at} {seconds}\n" for at, seconds in changes(zone))
        (HERE / f"{path.stem}.changes").write_text(table)
        for moment in MOMENTS[path.stem]:
            middle = second(*moment)
            for expressions, hours in (DENSE, 6), (SPARSE, 72):
                start, end = middle - hours * 3600, middle + hours * 3600
                for expression in expressions:
                    found = packed(times(zone, expression, start, end))
                    lines.append(f"{path.stem}; {expression}; {start} {end}; {found}\n")
    (HERE / "times.txt").write_text("".join(lines))
