"""Draws the plot as plain SVG."""
import math
from xml.sax.saxutils import escape

from .peers import PEERS

COLOURS = dict(zip(PEERS, ("#3b6fb6", "#e08e0b", "#c8453b", "#2a9d8f", "#00a5c8", "#9aa314", "#d0679d", "#7b4ea3", "#8a6d3b", "#5f6b76", "#3f7d4e")))
OURS = "#1b1f24"
GREY, LIGHT = "#6b7280", "#e5e7eb"
WIDTH, MARGIN = 960, 28


class Drawing:
    def __init__(self):
        self.parts = []

    def line(self, x1, y1, x2, y2, colour=LIGHT, width=1.0):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                          f'stroke-width="{width}"/>')

    def text(self, x, y, text, anchor="start", size=12, colour=OURS, bold=False):
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{colour}"{weight}>{escape(text)}</text>')

    def dot(self, x, y, colour, radius=4.0):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')

    def bar(self, x, y, width, height, colour):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}" rx="2"/>')

    def path(self, points, colour, dashes=None):
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{steps}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')

    def document(self, height):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
                f'viewBox="0 0 {WIDTH} {height:.0f}" font-family="system-ui, -apple-system, \'Segoe UI\', Helvetica, Arial, sans-serif">\n'
                f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


class Axis:

    def __init__(self, low, high, start, end, logarithmic=True):
        self.transform = math.log if logarithmic else float
        self.low, self.high = self.transform(low), self.transform(high)
        self.start, self.end = start, end

    def __call__(self, value):
        return self.start + (self.transform(value) - self.low) / (self.high - self.low) * (self.end - self.start)


def short(value):
    for unit, size in (("M", 1_048_576), ("k", 1_024)):
        if value >= size and value % size == 0:
            return f"{value // size}{unit}"
    return str(value)


def ratios(drawing, result, top):
    """Draws a row for each operation. Each peer has a dot, and a line from its lowest to its highest ratio."""
    rows = result["operations"]
    shown = [peer for peer in PEERS if any(peer in row["ratios"] for row in rows)]
    left, right, height = 316, WIDTH - MARGIN, 40
    values = [value[key] for row in rows for value in row["ratios"].values() for key in ("minimum", "maximum")] or [1]
    axis = Axis(min(0.25, min(values) / 1.1), max(12, max(values) * 1.1), left, right)
    bottom = top + 62 + height * len(rows)
    drawing.text(MARGIN, top, "How many times as fast as each peer", size=16, bold=True)
    x = MARGIN
    for peer in shown:
        drawing.dot(x + 5, top + 18, COLOURS[peer])
        drawing.text(x + 14, top + 22, peer, colour=GREY)
        x += 34 + 7.2 * len(peer)
    for tick in (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128):
        if axis.start <= axis(tick) <= axis.end:
            one = tick == 1
            drawing.line(axis(tick), top + 40, axis(tick), bottom - 14, GREY if one else LIGHT, 1.5 if one else 1)
            drawing.text(axis(tick), bottom + 2, f"{tick:g}×", "middle", 11, GREY)
    drawing.text(axis(1) - 8, top + 48, "peer faster", "end", 11, GREY)
    drawing.text(axis(1) + 8, top + 48, "PureAttest faster", "start", 11, GREY)
    for index, row in enumerate(rows):
        middle = top + 76 + height * index
        drawing.text(left - 14, middle + 4, row["title"].replace(" with the SHA extensions off", ", no SHA ext."), "end", 12.5)
        drawing.line(left, middle, right, middle, "#f3f4f6")
        peers = [peer for peer in shown if peer in row["ratios"]]
        for place, peer in enumerate(peers):
            value = row["ratios"][peer]
            y = middle + 7.5 * (place - (len(peers) - 1) / 2)
            drawing.line(axis(value["minimum"]), y, axis(value["maximum"]), y, COLOURS[peer], 2)
            drawing.dot(axis(value["median"]), y, COLOURS[peer])
    return bottom + 40


def ticks(low, high, from_zero):
    if not from_zero:
        return [10.0 ** exponent for exponent in range(-3, 8) if low <= 10.0 ** exponent <= high]
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, math.inf) if high / step <= 6)
    return [step * count for count in range(7) if step * count <= high]


def lines(drawing, title, series, box, unit, label, from_zero=False):
    """Draws a line chart with a logarithmic x axis. The y axis is logarithmic, or linear from 0. A series is a
    tuple (name, colour, dashes, points)."""
    x0, x1, y0, y1 = box
    xs = sorted({x for _, _, _, points in series for x, _ in points})
    ys = [y for _, _, _, points in series for _, y in points]
    low, high = (0, max(ys) * 1.1) if from_zero else (min(ys) / 1.25, max(ys) * 1.25)
    x, y = Axis(xs[0], xs[-1], x0, x1), Axis(low, high, y1, y0, logarithmic=not from_zero)
    drawing.text(x0 - 34, y0 - 44, title, size=14, bold=True)
    drawing.text(x0 - 34, y0 - 12, unit, size=11, colour=GREY)
    for tick in ticks(low, high, from_zero):
        drawing.line(x0, y(tick), x1, y(tick))
        drawing.text(x0 - 6, y(tick) + 4, f"{tick:g}" if tick < 1000 else f"{tick:,.0f}", "end", 11, GREY)
    drawing.line(x0, y1, x1, y1, GREY)
    for index, value in enumerate(xs):
        if len(xs) <= 6 or index % 2 == 0 or value == xs[-1]:
            drawing.text(x(value), y1 + 16, short(value) if "bytes" in label else f"{value:,}", "middle", 11, GREY)
    drawing.text((x0 + x1) / 2, y1 + 34, label, "middle", 11, GREY)
    offset = x0
    for place, (name, colour, dashes, points) in enumerate(series):
        drawing.path([(x(a), y(b)) for a, b in points], colour, dashes)
        for a, b in points:
            drawing.dot(x(a), y(b), colour, 2.6)
        row, column = divmod(place, 2)
        at = y1 + 56 + 17 * row
        offset = x0 - 34 + column * 158
        drawing.path([(offset, at - 4), (offset + 20, at - 4)], colour, dashes)
        drawing.text(offset + 26, at, name, size=11, colour=GREY)


def cores(drawing, result, box):
    x0, x1, y0, y1 = box
    bars = [(name, colour, result["cores"][key]) for key, name, colour in
            (("PureAttest", "PureAttest", OURS), ("OpenSSL", "OpenSSL", COLOURS["OpenSSL"])) if key in result["cores"]]
    y = Axis(0, max(2, *(value["maximum"] for _, _, value in bars)) * 1.05, y1, y0, logarithmic=False)
    drawing.text(x0 - 34, y0 - 44, "Gain of a second core", size=14, bold=True)
    drawing.text(x0 - 34, y0 - 12, "×, by the clock", size=11, colour=GREY)
    for tick in (0, 0.5, 1, 1.5, 2):
        drawing.line(x0, y(tick), x1, y(tick), GREY if tick == 0 else LIGHT)
        drawing.text(x0 - 6, y(tick) + 4, f"{tick:g}", "end", 11, GREY)
    step = (x1 - x0) / len(bars)
    for index, (name, colour, value) in enumerate(bars):
        middle = x0 + step * (index + 0.5)
        drawing.bar(middle - 24, y(value["median"]), 48, y1 - y(value["median"]), colour)
        drawing.line(middle, y(value["minimum"]), middle, y(value["maximum"]), "#ffffff", 4)
        drawing.line(middle, y(value["minimum"]), middle, y(value["maximum"]), GREY, 1.5)
        drawing.text(middle, y1 + 16, name, "middle", 11, GREY)
        drawing.text(middle, y1 + 34, f"{value['median']:.2f}", "middle", 12, bold=True)


def svg(result):
    drawing = Drawing()
    machine = result["machine"]
    drawing.text(MARGIN, 40, "PureAttest and its peers", size=22, bold=True)
    drawing.text(MARGIN, 62, f"{machine['processor']}, {machine['cores']} cores · interleaved, "
                 f"{result['method']['rounds']} times: medians, lines from the lowest to the highest", size=12, colour=GREY)
    top = ratios(drawing, result, 100) + 62
    bottom = top + 190

    def points(what, who):
        return [(item["bytes"], item["microseconds"]["median"]) for item in result["messages"]
                if (item["what"], item["who"]) == (what, who)]

    theirs = COLOURS["BoringSSL"]
    lines(drawing, "Cost by message size", [
        ("P-256 verification", OURS, None, points("p256-verify-message", "pure")),
        ("SHA-256", OURS, "5 3", points("sha256", "pure")),
        ("BoringSSL", theirs, None, points("p256-verify-message", "swift-crypto")),
        ("BoringSSL", theirs, "5 3", points("sha256", "swift-crypto")),
    ], (MARGIN + 40, 350, top, bottom), "µs of CPU time", "bytes, SHA extensions off")

    def batch(tasks):
        return [(item["assertions"], item["microsecondsEach"]["median"]) for item in result["batches"]
                if item["tasks"] == tasks]

    lines(drawing, "Cost of an assertion by batch size", [
        ("one task", OURS, "5 3", batch("one")), ("many tasks", OURS, None, batch("all")),
        *([("one task, in lanes", COLOURS["AWS-LC"], None, batch("lanes"))] if batch("lanes") else []),
    ], (430, 690, top, bottom), "µs of CPU time each", "assertions in a batch",
        from_zero=True)
    cores(drawing, result, (770, WIDTH - MARGIN, top, bottom))
    return drawing.document(bottom + 96)
