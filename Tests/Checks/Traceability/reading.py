"""Maintains the reading order in the auditor's guide, with files and line counts. Part of run.sh."""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
ARTICLE = os.path.join(ROOT, "Sources", "PureAttest", "PureAttest.docc", "Auditing.md")
START, END = "<!-- reading order -->", "<!-- end of reading order -->"
# The article is stale if a line count is wrong by more than a fifth and by more than 40 lines. Small changes need no update.
TOLERANCE = (0.2, 40)

# A row of the article: a part to read, its files and lines, and the questions for it. A part that is a folder covers the folder's files, except files that a
# part with a longer path covers.
ROW = re.compile(r"^\| \d+ \| `([^`]+)` \| (\d+) \| (\d+) \| (.*) \|$", re.MULTILINE)
# The verdicts do not depend on these modules, nor on those whose names end in "Testing".
NOT_AUDITED = {"PureAttestFoundation", "PureAttestPurchases", "PureAttestServer"}


def article():
    with open(ARTICLE, encoding="utf-8") as file:
        return file.read()


def modules():
    found = sorted(name for name in os.listdir(os.path.join(ROOT, "Sources")) if name.startswith("Pure") and not name.endswith("Testing"))
    return [name for name in found if name not in NOT_AUDITED]


def code_lines(path):
    """Counts the lines except blank lines and comments."""
    with open(path, encoding="utf-8") as file:
        return sum(bool(line.strip()) and not line.strip().startswith("//") for line in file)


def counts(parts):
    """Returns {part: [number of files, number of lines]}, and the source files that belong to no part."""
    found, others = {part: [0, 0] for part in parts}, []
    for module in modules():
        for folder, folders, names in os.walk(os.path.join(ROOT, "Sources", module)):
            folders[:] = [f for f in folders if f != "Generated" and not f.endswith(".docc")]
            for name in names:
                if name.endswith(".swift"):
                    path = os.path.join(folder, name)
                    relative = os.path.relpath(path, os.path.join(ROOT, "Sources"))
                    part = max((p for p in found if relative == p or relative.startswith(p + "/")), key=len, default=None)
                    if part is None:
                        others.append(relative)
                        continue
                    found[part][0] += 1
                    found[part][1] += code_lines(path)
    return found, others


def write():
    """Updates the numbers in the article."""
    before, table = article().split(START)
    table, after = table.split(END)
    questions = {part: question for part, _, _, question in ROW.findall(table)}
    found, _ = counts(questions)
    lines = ["| | part | files | lines | questions |", "|---|---|---|---|---|"]
    for number, (part, question) in enumerate(questions.items(), 1):
        files, code = found[part]
        lines.append(f"| {number} | `{part}` | {files} | {code} | {question} |")
    files, code = (sum(f[i] for f in found.values()) for i in (0, 1))
    lines.append(f"| | in all | {files} | {code} | |")
    with open(ARTICLE, "w", encoding="utf-8") as file:
        file.write(before + "\n".join([START, *lines, END]) + after)


def check():
    """Returns the errors in the article's table."""
    listed = {part: int(code) for part, _, code, _ in ROW.findall(article().split(START)[-1].split(END)[0])}
    found, others = counts(listed)
    errors = [f"the reading order in Auditing.md has no part that covers {file}" for file in others]
    for part, (_, code) in found.items():
        if not code:
            errors.append(f"the reading order names {part}, which does not exist or has no code")
        elif abs(listed[part] - code) > max(TOLERANCE[1], TOLERANCE[0] * code):
            errors.append(f"Auditing.md gives {listed[part]} lines for {part}, which has {code} (Tests/Checks/Traceability/run.sh --write)")
    return errors
