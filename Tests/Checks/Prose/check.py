#!/usr/bin/env python3
"""Checks the prose of this repository: comments, documentation, names and messages of tests, Markdown.

    Tests/Checks/Prose/run.sh                 checks the folders of done.txt
    Tests/Checks/Prose/run.sh FOLDER ...      checks these folders instead, finished or not
    Tests/Checks/Prose/run.sh --statistics    prints phrases per 1,000 words and the share of long sentences, for every folder

Rules:
    phrase     a pattern of phrases.toml
    length     a sentence of more than 30 words; a code span counts as one, symbols and one-letter variables do not count
    spelling   a word that codespell corrects, unless words.txt lists it

exceptions.txt lists exceptions with their reasons. An unused exception is an error. A word of words.txt that occurs nowhere is an error too. The script does
not check files that tools write (WRITTEN_BY_TOOLS). done.txt lists the checked folders, and the output names all other folders.

Exit status: 0 if there are no findings, 1 if there are, 2 if it could not run. Needs git, codespell and Python 3.11.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

from extract import kind_of, paragraphs, sentences, word_count

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LONGEST = 30
WRITTEN_BY_TOOLS = re.compile(
    r"(^|/)(records|Generated|corpus)/|^Vectors/[^/]+/|/Traceability\.md$|^Tests/Checks/(Mutation|Coverage)/summary\.md$|^Tests/Checks/Fuzzing/(record|budget)\.md$"
    r"|^Tests/Checks/Proofs/(proofs/soundness/(mutants|random-programs)|status)\.md$|^Tests/Checks/Interoperability/GoogleVerifier/record\.md$|^Benchmarks/peers\.md$|^Tests/Support/RSATestKeys/TestKeys\.swift$")

Finding = collections.namedtuple("Finding", "path line rule excerpt message")


class Phrases:
    """The patterns of phrases.toml."""

    def __init__(self, text):
        self.rules = []
        for phrase in tomllib.loads(text)["phrase"]:
            pattern = f"(?:{phrase['pattern']})"
            pattern = rf"^[\"“(*]*{pattern}" if phrase.get("start") else rf"\b{pattern}(?!\w)"
            self.rules.append((re.compile(pattern, re.IGNORECASE), phrase["advice"]))

    def search(self, sentence):
        """Yields (the phrase found, the advice)."""
        for pattern, advice in self.rules:
            if match := pattern.search(sentence):
                yield " ".join(match[0].split()[:4]), advice


def group_of(path):
    """Returns the folder that done.txt lists: the first two levels of the path, or one level for a dot folder."""
    parts = path.split("/")
    if len(parts) == 1:
        return "."
    return parts[0] if parts[0].startswith(".") or len(parts) == 2 else "/".join(parts[:2])


def files():
    """Yields (path, text) of the tracked files with prose."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in sorted(filter(None, listed.split("\0"))):
        if WRITTEN_BY_TOOLS.search(path) or not (ROOT / path).is_file():
            continue
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if kind_of(path, text):
            yield path, text


def findings(path, text, phrases):
    """Yields a finding for each match of `phrases` outside headings, and for each sentence that is too long."""
    for paragraph, kind in paragraphs(path, text):
        for line, sentence in sentences(paragraph):
            if kind != "heading":
                for found, advice in phrases.search(sentence):
                    yield Finding(path, line, "phrase", sentence, f"“{found}”: {advice}")
            count = word_count(sentence)
            if count > LONGEST:
                yield Finding(path, line, "length", sentence, f"a sentence of {count} words; use at most 25, or a list: “{sentence[:60]}…”")


def spelling(paths, words):
    """Yields misspelt words, and the members of `words` that codespell does not report."""
    command = ["codespell", "--quiet-level=7", *paths]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    unused = set(words)
    for path, line, wrong, right in re.findall(r"^(.+?):(\d+): (\S+) ==> (.+)$", output, re.MULTILINE):
        unused.discard(wrong.lower())
        if wrong.lower() not in words:
            yield Finding(path.removeprefix("./"), int(line), "spelling", wrong, f"“{wrong}” is misspelt: {right}; or give a reason in words.txt")
    for word in sorted(unused):
        yield Finding("Tests/Checks/Prose/words.txt", 1, "spelling", word, f"“{word}” occurs nowhere; remove it")


def table(text):
    """Returns the lines of a list file: [(line, fields)]. Tabs separate fields, and `#` begins a comment."""
    lines = enumerate(text.split("\n"), 1)
    return [(number, line.split("\t")) for number, line in lines if line.strip() and not line.startswith("#")]


def without_exceptions(found, exceptions, checked):
    """Yields the findings that exceptions.txt does not excuse, and a finding for each stale or malformed line of exceptions.txt."""
    used = set()
    for finding in found:
        excused = False
        for number, fields in exceptions:
            if len(fields) == 4 and fields[0] == finding.path and fields[1] == finding.rule and fields[2] in finding.excerpt:
                used.add(number)
                excused = True
        if not excused:
            yield finding
    for number, fields in exceptions:
        if len(fields) != 4 or not fields[3].strip():
            yield Finding("Tests/Checks/Prose/exceptions.txt", number, "exception", "", "needs path, rule, text and reason, separated by tabs")
        elif number not in used and group_of(fields[0]) in checked:
            yield Finding("Tests/Checks/Prose/exceptions.txt", number, "exception", "", f"excuses nothing in {fields[0]}; remove it")


def statistics(phrases):
    totals = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for path, text in files():
        for paragraph, kind in paragraphs(path, text):
            for _, sentence in sentences(paragraph):
                count, row = word_count(sentence), totals[group_of(path)]
                row[0] += count
                row[1] += 1
                row[2] += count > 25
                row[3] += count > LONGEST
                row[4] += 0 if kind == "heading" else sum(1 for _ in phrases.search(sentence))
    totals["all"] = [sum(column) for column in zip(*totals.values())]
    print(f"{'folder':40} {'words':>8} {'phrases per 1,000':>18} {'over 25 words, %':>17} {'over 30, %':>11}")
    for name, (words, number, over_25, over_30, found) in totals.items():
        print(f"{name:40} {words:8} {1000 * found / max(words, 1):18.2f} {100 * over_25 / max(number, 1):17.1f} {100 * over_30 / max(number, 1):11.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statistics", action="store_true", help="print a table of all folders")
    parser.add_argument("folder", nargs="*", help="a folder to check instead of those in done.txt")
    arguments = parser.parse_args()
    for tool in ("git", "codespell"):
        if not shutil.which(tool):
            print(f"check.py: {tool} is not installed (codespell: apt-get install codespell)", file=sys.stderr)
            return 2
    phrases = Phrases((HERE / "phrases.toml").read_text())
    if arguments.statistics:
        statistics(phrases)
        return 0
    texts = dict(files())
    groups = sorted({group_of(path) for path in texts})
    checked = {folder.rstrip("/") for folder in arguments.folder} or {fields[0] for _, fields in table((HERE / "done.txt").read_text())}
    if unknown := sorted(checked - set(groups)):
        print(f"check.py: no such folder: {', '.join(unknown)}", file=sys.stderr)
        return 2
    paths = [path for path in texts if group_of(path) in checked]
    found = [finding for path in paths for finding in findings(path, texts[path], phrases)]
    words = {} if arguments.folder else {fields[0]: fields for _, fields in table((HERE / "words.txt").read_text())}
    found += spelling(paths, words) if words or not arguments.folder else []
    found = list(without_exceptions(found, table((HERE / "exceptions.txt").read_text()), checked))
    for finding in found:
        print(f"{finding.path}:{finding.line}: {finding.message}")
    rest = [group for group in groups if group not in checked]
    print(f"{len(checked)} of {len(groups)} folders checked, {len(paths)} files, {len(found)} findings")
    if rest and not arguments.folder:
        print("not checked yet: " + " ".join(rest))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
