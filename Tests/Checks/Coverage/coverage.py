"""Evaluates the coverage data that `llvm-cov export` wrote. See run.sh."""

import collections
import json
import os
import re
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SOURCES = os.path.join(ROOT, "Sources")
MODULES = [
    "PureBytes", "PureSHA2", "PureDER", "PureCBOR", "PureJSON", "PureRSA", "PureECDSA", "PureX509", "PureX509Paths", "PureJWS",
    "PureSignedContent", "PureAttest", "PureKeyAttestation", "PureAppStore", "PureAttestPurchasesCore",
]


def read(path):
    """Returns {file: {region: execution count}}. A region is (first line, column, last line, column). Adds up the counts of a function's specialisations."""
    with open(path, encoding="utf-8") as file:
        export = json.load(file)["data"][0]
    counts = collections.defaultdict(dict)
    for function in export["functions"]:
        for *place, count, number, _, kind in (r[:8] for r in function["regions"]):
            name = os.path.relpath(function["filenames"][number], SOURCES)
            if kind == 0 and name.split("/")[0] in MODULES:
                regions = counts[name]
                regions[tuple(place)] = regions.get(tuple(place), 0) + count
    return counts


def flat(lines):
    """Joins lines into a single line, without comments and indentation."""
    return " ".join(filter(None, (re.sub(r"(^|\s)//.*", "", l.decode(errors="replace")).strip() for l in lines)))


class File:
    """The text of a source file. Lines and columns start at 1, and columns count bytes."""

    def __init__(self, name):
        with open(os.path.join(SOURCES, name), "rb") as file:
            self.lines = file.read().split(b"\n")

    def text(self, region):
        first, start, last, end = region
        lines = self.lines[first - 1 : last]
        lines = lines[:-1] + [lines[-1][: end - 1]]
        lines[0] = lines[0][start - 1 :]
        text = flat(lines)
        return text if len(text) <= 100 else text[:99] + "…"

    def owner(self, region):
        """Returns the name of the enclosing function: the nearest declaration above the region that is less indented."""
        indent = len(self.lines[region[0] - 1]) - len(self.lines[region[0] - 1].lstrip())
        for number in range(region[0] - 1, -1, -1):
            line = self.lines[number].decode(errors="replace")
            match = re.match(r"(\s*)(?:[\w@()]+ )*(func|init|var|subscript)\b[?]? ?([`\w]*)", line)
            if match and (len(match.group(1)) < indent or number == region[0] - 1):
                return match.group(3) or match.group(2)
        return "-"


def lines_of(regions):
    """Returns {line: whether tests reached the line}. The innermost region that contains a line decides. On a region's first line, it also
    suffices that tests reached the previous region that contains the line.
    """
    reached = {}
    for region, count in sorted(regions.items(), key=lambda r: (r[0][0], r[0][1], -r[0][2], -r[0][3])):
        for line in range(region[0], region[2] + 1):
            reached[line] = count > 0 or (line == region[0] and reached.get(line, False))
    return reached


def percent(part, whole):
    return f"{1000 * part // whole / 10 if whole else 100:.1f}"


def read_reasons():
    """Returns {`file: function: text of the region`: the reason why tests do not reach the region}."""
    with open(os.path.join(HERE, "uncovered.toml"), "rb") as file:
        return {region: group["reason"] for group in tomllib.load(file).get("group", []) for region in group["regions"]}


def check():
    """Checks that the sources still contain every region that uncovered.toml explains. Runs no tests."""
    errors = []
    for region in read_reasons():
        name, _, text = region.split(": ", 2)
        path = os.path.join(SOURCES, name)
        if not os.path.exists(path) or text.rstrip("…") not in flat(File(name).lines):
            errors.append(f"uncovered.toml is stale: “{region}” no longer exists; Tests/Checks/Coverage/run.sh --list prints the regions that tests do not reach")
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


def summary(rows, uncovered, reasons):
    lines = ["# Coverage of the library by its tests", ""]
    lines += ["Written by `Tests/Checks/Coverage/run.sh`; `Tests/Checks/Coverage/run.sh --list` names every region that is not reached.", ""]
    lines += ["| module | regions | reached | reached, % | lines | reached | reached, % |", "|---|---|---|---|---|---|---|"]
    total = ("all", *(sum(row[i] for row in rows) for i in range(1, 5)))
    for name, regions, of_regions, reached, of_lines in [*rows, total]:
        lines.append(f"| {name} | {of_regions} | {regions} | {percent(regions, of_regions)} "
                     f"| {of_lines} | {reached} | {percent(reached, of_lines)} |")
    lines += ["", "Not reached, by reason (`uncovered.toml` lists each; of nested regions the outermost):", ""]
    counts = collections.Counter(reasons.get(text, "not explained") for _, _, text in uncovered)
    lines += [f"- {count}: {reason}" for reason, count in counts.most_common()]
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    path, *options = sys.argv[1:]
    counts = read(path)
    rows, uncovered = [], []
    for module in MODULES:
        files = {name: regions for name, regions in counts.items() if name.startswith(module + "/")}
        lines = [reached for regions in files.values() for reached in lines_of(regions).values()]
        total = [count for regions in files.values() for count in regions.values()]
        rows.append((module, sum(c > 0 for c in total), len(total), sum(lines), len(lines)))
        for name, regions in sorted(files.items()):
            file = File(name)
            missed = [r for r, count in sorted(regions.items()) if count == 0]
            # If unreached regions are nested, report only the outermost one.
            outer = [r for r in missed if not any(o != r and (o[0], o[1]) <= (r[0], r[1]) and (r[2], r[3]) <= (o[2], o[3]) for o in missed)]
            # Omits regions that are only a closing brace. They contain no code, and follow a loop or a call that does not return. Their count is a difference
            # of counters, which races between threads can make nonzero.
            uncovered += [(name, r, f"{name}: {file.owner(r)}: {text}") for r in outer if (text := file.text(r)) != "}"]

    reasons = read_reasons()
    with open(os.path.join(HERE, "summary.md"), "w", encoding="utf-8") as file:
        file.write(summary(rows, uncovered, reasons))
    names = {text for _, _, text in uncovered}
    errors = [f"not reached and not explained in uncovered.toml: {t}  ({n}:{r[0]})" for n, r, t in uncovered if t not in reasons]
    errors += [f"uncovered.toml is stale: “{text}” is reached or no longer exists" for text in sorted(set(reasons) - names)]
    errors += [f"{module}: no coverage data" for module, _, of_regions, *_ in rows if not of_regions]

    if "--json" in options:
        keys = ("module", "regions_reached", "regions", "lines_reached", "lines")
        print(json.dumps({"modules": [dict(zip(keys, row)) for row in rows], "errors": errors}, ensure_ascii=False, indent=1))
        return 1 if errors else 0
    print(f"{'module':<12}{'regions':>14}{'%':>7}{'lines':>16}{'%':>7}")
    for module, regions, of_regions, lines, of_lines in rows:
        print(f"{module:<12}{f'{regions}/{of_regions}':>14}{percent(regions, of_regions):>7}"
              f"{f'{lines}/{of_lines}':>16}{percent(lines, of_lines):>7}")
    if "--list" in options:
        for name, region, text in uncovered:
            print(f"{name}:{region[0]}:{region[1]}: {text.split(': ', 1)[1]}  [{reasons.get(text, 'NOT EXPLAINED')}]")
    print("\n".join(errors), end="\n" if errors else "")
    print(f"{len(uncovered)} regions not reached, {sum(t in reasons for _, _, t in uncovered)} of them explained")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
