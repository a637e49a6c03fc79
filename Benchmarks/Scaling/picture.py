"""A curve as SVG: the number of something on a logarithmic scale, and what an event costs then, from zero."""
import math

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 50
STYLE = ("text{font:13px sans-serif;fill:#444}.title{font-size:15px;fill:#111}.line{fill:none;stroke:#2563eb;stroke-width:2}"
         ".dot{fill:#2563eb}.grid{stroke:#ddd}"
         "@media(prefers-color-scheme:dark){text{fill:#bbb}.title{fill:#eee}.grid{stroke:#444}}")


def number(value):
    for limit, letter in [(1_000_000, "M"), (1_000, "k")]:
        if value >= limit:
            return f"{value / limit:g}{letter}"
    return f"{value:g}"


def nice(value):
    """The next of 1, 2 and 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def place(title, unit, points):
    """`points`: pairs of a number and a cost."""
    # Nothing at all stands one decade before the first number.
    first = min(count for count, _ in points if count > 0)
    logs = [math.log10(count) if count > 0 else math.log10(first) - 1 for count, _ in points]
    step = nice(max(cost for _, cost in points) / 4)
    top = step * math.ceil(max(cost for _, cost in points) * 1.05 / step)
    span = max(logs) - min(logs) or 1

    def x(log):
        return LEFT + (log - min(logs)) / span * (WIDTH - LEFT - RIGHT)

    def y(cost):
        return HEIGHT - BOTTOM - cost / top * (HEIGHT - TOP - BOTTOM)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title><style>{STYLE}</style>'
    yield f'<text class="title" x="{LEFT}" y="22">{title}</text>'
    for index in range(round(top / step) + 1):
        cost = index * step
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(cost):.1f}" y2="{y(cost):.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y(cost) + 4:.1f}" text-anchor="end">{cost:g}</text>'
    for (count, _), log in zip(points, logs):
        yield f'<text x="{x(log):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{number(count)}</text>'
    yield f'<text x="{LEFT - 8}" y="{HEIGHT - 8}" text-anchor="end">{unit}</text>'
    line = " ".join(f"{x(log):.1f},{y(cost):.1f}" for (_, cost), log in zip(points, logs))
    yield f'<polyline class="line" points="{line}"/>'
    for (count, cost), log in zip(points, logs):
        yield f'<circle class="dot" cx="{x(log):.1f}" cy="{y(cost):.1f}" r="3.5"><title>{number(count)}: {cost:.3g} {unit}</title></circle>'
    yield "</svg>"


def save(path, title, unit, points):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(place(title, unit, points)) + "\n")
