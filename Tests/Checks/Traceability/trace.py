"""Finds the functions and tests that cite each requirement in `requirements.toml`, and writes the table: see run.sh."""

import argparse
import collections
import difflib
import os
import re
import sys
import tomllib

import reading
from reading import HERE, ROOT

TABLE = os.path.join(ROOT, "Sources", "PureAttest", "PureAttest.docc", "Traceability.md")

# {folder: the document that a citation without a document ("§8.3.2") cites}. The longest matching folder applies.
DEFAULTS = {
    "PureDER": "X.690", "PureCBOR": "RFC 8949", "PureX509": "RFC 5280", "PureX509Paths": "RFC 5280", "PureX509/CMS": "RFC 5652", "PureECDSA": "SEC 1", "PureRSA": "RFC 8017", "PureJSON": "RFC 8259", "PureJWS": "RFC 7515", "PureAppStore": None, "PureAttestPurchasesCore": None, "PureAttestPurchasesMessages": None, "PureAttest": None, "PureKeyAttestation": None,
}
# These test targets test the modules above with a virtual device.
TESTS_OF_OTHERS = {"PureAttestTestingTests"}
# {file: the list of steps that a comment such as "Step 4:" cites}
STEPS = {
    "PureAttest/Attestation/AttestationVerification.swift": "Apple attestation",
    "PureAttest/Assertion/AssertionVerification.swift": "Apple assertion",
    "PureECDSA/ECDSA/ECDSAVerification.swift": "FIPS 186-5 §6.4.2",
}
SECTION = re.compile(
    r"(?:(RFC \d+|X\.\d+|FIPS [\d-]+|SEC 1|SP [\d-]+\w*|IEEE [\d-]+|CTAP [\d.]+|WebAuthn|SHAVS|2019/266) )?"
    r"§(\d+(?:\.\d+)*)((?:(?:,? (?:and )?)?\([a-z]\)(?:\(\d\)(?:\([ivx]+\))?)?)*)((?: steps? \d(?:(?:, | and |–)\d)*)?)")
# "Rule A1" names a rule of App Attest that genuine devices follow, but that has no number in any published text. "Rule K1" names a rule of Android's key
# attestation.
RULE = re.compile(r"\bRule ([AK]\d+)\b")
APPLE = re.compile(r"\b(attestation|assertion) steps? (\d+)(?:(?: and |, )(\d+))?", re.IGNORECASE)
SIGNATURE = "Apple receipt signature"
FIELD = re.compile(r"\b[Ff]ield (\d+)\b")
STEP = re.compile(r"\b[Ss]teps? (\d+)(?:(?: and |, )(\d+))?\b")
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|private|fileprivate|internal|static|mutating|final|convenience|indirect|nonisolated)(?:\(set\))? )*"
    r"(func|init|var|let|struct|enum|extension|protocol|class|case)\b[?]? ?([`\w.<=+\-*]*)")


def numbers(text):
    """Parses "1, 2" or "3–5" as a list of integers."""
    found = []
    for part in re.findall(r"\d+(?:–\d+)?", text):
        first, _, last = part.partition("–")
        found += range(int(first), int(last or first) + 1)
    return found


def citations(comment, default, steps, receipt):
    found, document = [], default
    for name, section, letters, step in SECTION.findall(comment):
        document = name or document
        if document is None:
            continue
        base = f"{document} §{section}"
        # "(b)(2)(i)" cites (b)(2).
        parts = re.findall(r"\([a-z]\)(?:\(\d\))?", re.sub(r"(\d\))\([ivx]+\)", r"\1", letters))
        found += [f"{base} {part}" for part in parts] if parts else [base]
        found += [f"{base} step {n}" for n in numbers(step)]
    for kind, *values in APPLE.findall(comment):
        found += [f"Apple {kind.lower()} step {n}" for n in values if n]
    found += [f"Rule {name}" for name in RULE.findall(comment)]
    if receipt:
        found += [f"Apple receipt field {number}" for number in FIELD.findall(comment)]
    if "Verify that the signature is valid" in comment or "Apple receipt: signature" in comment:
        found.append(SIGNATURE)
    if steps and re.fullmatch(r"\d+", comment):
        found.append(f"{steps} step {comment}")
    if steps:
        found += [f"{steps} step {n}" for pair in STEP.findall(comment) for n in pair if n]
    return found


def declarations(lines):
    """Returns, for each line, the declaration that contains the line or that the line documents."""
    owners, stack = [None] * len(lines), []
    for number, line in enumerate(lines):
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if text and not text.startswith(("//", ")", "}", "#", "]")):
            while stack and stack[-1][0] >= indent:
                stack.pop()
            match = DECLARATION.match(text)
            if match and match.group(1) not in ("let", "case") or match and not any(kind == "func" for _, kind, _ in stack):
                kind = "func" if match.group(1) in ("func", "init") else "type"
                labels = re.findall(r"(?:^|[(,])\s*(\w+)(?: \w+)?:", signature(lines, number))
                name = match.group(2) if match.group(1) != "init" else "init"
                name = name if re.fullmatch(r"\W+", name) else name.split("<")[0].strip("`:")
                stack.append((indent, kind, name + ("(" + "".join(l + ":" for l in labels) + ")" if kind == "func" else "")))
        while text.startswith("//") and not text.startswith("///") and stack and stack[-1][0] >= indent:
            stack.pop()
        owners[number] = ".".join(name for _, _, name in stack)
    for number in range(len(lines) - 2, -1, -1):
        text = lines[number].strip()
        if text.startswith("///") or text.startswith("@") and not DECLARATION.match(text):
            owners[number] = owners[number + 1]
    return owners


def signature(lines, number):
    """Returns the parameters of the function that starts on a line."""
    text, start = "".join(lines[number : number + 12]), None
    depth = 0
    for index, character in enumerate(text):
        if character == "(":
            start = index if start is None else start
            depth += 1
        elif character == ")" and start is not None:
            depth -= 1
            if depth == 0:
                # Omits parameter types, and the text inside their brackets.
                return re.sub(r"(?<!^)\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", "", text[start:index])
    return ""


def comments(lines):
    """Yields (index of the last line, text) for each block of comment lines, and (index of the line, text) for each comment after code."""
    block = []
    for number, line in enumerate([*lines, ""]):
        match = re.match(r"\s*///? ?(.*)", line)
        if match:
            block.append(match.group(1))
        else:
            if block:
                yield number - 1, " ".join(block)
            trailing = re.search(r"[^:/]// (.*)", line)
            if trailing:
                yield number, trailing.group(1)
            block = []


def collect(folder, is_test):
    """Returns {requirement: the declarations that cite it}."""
    found = collections.defaultdict(list)
    for path in sorted(files(folder, is_test)):
        relative = os.path.relpath(path, folder)
        module = relative.split("/")[0].removesuffix("Tests")
        key = max((k for k in DEFAULTS if (relative.replace("Tests/", "/", 1) if is_test else relative).startswith(k + "/")), key=len, default=None)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        owners = declarations(lines)
        for number, comment in comments(lines):
            owner = owners[number]
            if not owner:
                continue
            for requirement in citations(comment, DEFAULTS.get(key), STEPS.get(relative), "Receipt" in relative):
                place = f"{module} {owner}"
                if place not in found[requirement]:
                    found[requirement].append(place)
    return found


def files(folder, is_test):
    for parent, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if f != "Generated" and not f.startswith(".")]
        top = os.path.relpath(parent, folder).split("/")[0]
        known = top.removesuffix("Tests") in DEFAULTS or top in TESTS_OF_OTHERS
        if parent != folder and (not known or is_test != top.endswith("Tests")):
            continue
        # Skips the files of error types. Their comments cite rules, but error types check nothing.
        yield from (os.path.join(parent, n) for n in names if n.endswith(".swift") and not n.endswith("Error.swift"))


def table(found_in_sources, found_in_tests, documents):
    """Returns the article, and the missing citations."""
    lines = [
        "# Traceability",
        "",
        "Which function keeps each rule, and which test breaks it.",
        "",
        "## Overview",
        "",
        "This page is for auditors. At its end they know, for each rule of Apple, RFC 5280 and the encodings, where it is checked and tested.",
        "",
        "Sources and tests cite the rules. `Tests/Checks/Traceability/run.sh` collects the citations, compares them with its",
        "`requirements.toml`, and fails if a rule has no function or no test, or if this page is out of date.",
        "<doc:AppleSteps> explains Apple's steps.",
    ]
    missing = []
    for document in documents:
        lines += ["", f"### {document['title']}", "", "| rule | what | function | test |", "|---|---|---|---|"]
        for requirement in document["requirements"]:
            name, rule = requirement["id"], requirement["rule"]
            sources, tests = found_in_sources.get(name, []), found_in_tests.get(name, [])
            if reason := requirement.get("not_covered"):
                if sources or tests:
                    missing.append(f"{name} is cited but listed as not covered")
                lines.append(f"| {short(name)} | {rule} | not covered: {reason} | |")
                continue
            if not sources:
                missing.append(f"{name} ({rule}): no function cites it")
            if not tests:
                missing.append(f"{name} ({rule}): no test cites it")
            if reason := requirement.get("refused"):
                rule += f"; refused: {reason}"
            lines.append(f"| {short(name)} | {rule} | {shown(sources)} | {shown(tests)} |")
    return "\n".join(lines) + "\n", missing


def short(name):
    """Returns the requirement's name without its document, because the heading names the document."""
    return name[name.index("§") :] if "§" in name and not name.startswith("RFC 5480") else name.removeprefix("Apple ")


def shown(places):
    """Returns the text for a table cell: at most four declarations, functions first."""
    names = sorted((place.split(" ", 1)[1] for place in places), key=lambda name: not name.endswith(")"))
    text = [f"`{name}`" for name in names[:4]]
    return ", ".join(text) + (f" and {len(places) - 4} more" if len(places) > 4 else "")


def main():
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table and the line counts of the auditor's guide, instead of checking them")
    parser.add_argument("--citations", action="store_true", help="print every citation")
    options = parser.parse_args()
    sources = collect(os.path.join(ROOT, "Sources"), False)
    tests = collect(os.path.join(ROOT, "Tests"), True)
    if options.citations:
        for title, found in (("sources", sources), ("tests", tests)):
            for name in sorted(found):
                print(f"{title}: {name}: {', '.join(found[name])}")
        return 0
    with open(os.path.join(HERE, "requirements.toml"), "rb") as file:
        documents = tomllib.load(file)["document"]
    text, errors = table(sources, tests, documents)
    if options.write:
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(text)
        reading.write()
    else:
        old = ""
        if os.path.exists(TABLE):
            with open(TABLE, encoding="utf-8") as file:
                old = file.read()
        changed = [l for l in difflib.unified_diff(old.split("\n"), text.split("\n"), lineterm="", n=0) if l[:1] in "+-"][2:]
        if changed:
            errors.append(f"{os.path.relpath(TABLE, ROOT)} is not up to date (Tests/Checks/Traceability/run.sh --write):")
            errors += changed[:20]
    errors += reading.check()
    errors += [f"trace.py: STEPS names {path}, which does not exist" for path in STEPS if not os.path.exists(os.path.join(ROOT, "Sources", path))]
    requirements = [r for d in documents for r in d["requirements"]]
    if not requirements or not sources or not tests:
        errors.append("found no rules, sources or tests, so nothing was checked")
    left_out = sum("not_covered" in r for r in requirements)
    refused = sum("refused" in r for r in requirements)
    print("\n".join(errors), end="\n" if errors else "")
    print(f"{len(requirements)} rules: {len(requirements) - left_out} with a function and a test, {refused} of them by rejecting such input; "
          f"{left_out} not covered, with a reason")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
