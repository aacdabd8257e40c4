"""Shows that `CurveScalar.init(unchecked:)` receives only numbers below n: a statement bounds each caller's number.

The proof fails if a caller is not in the table, or if an entry has no caller or no proven statement.
"""

import collections
import re

from proofs.claim import Claim
from proofs.outcomes import Unproven
from proofs.places import SOURCES
from proofs.source.swift_syntax import Parser, configured, matching

# (file, the declaration with the call) -> the statements that bound the number
CALLERS = {
    ("CurveScalar.swift", "init?(plain"): ["n256_enter", "n384_enter"],
    ("CurveScalar.swift", "init(digest"): ["n256_digest", "n384_digest"],
    ("CurveScalar.swift", "static func *"): ["n256_product", "n384_product"],
    ("P256Scalar.swift", "func invertedVarTime"): ["safegcd normalized<5> n", "safegcd unsigned<5>"],
    ("P384Scalar.swift", "func invertedVarTime"): ["safegcd normalized<7> n", "safegcd unsigned<7>"],
    ("ScalarOperations.swift", "static func generatorMultiple"): [],  # 0
}
DECLARATION = re.compile(r"^\s*(?:\w+ )*?((?:static )?(?:init\??|func [\w*+=-]+|var \w+))(\((\w+))?")


def callers(texts):
    """Returns {(file, declaration): number of calls of `init(unchecked:)`}."""
    found = collections.Counter()
    for name, text in texts.items():
        declaration = None
        for line in text.splitlines():
            code = line.split("//")[0]
            m = DECLARATION.match(code)
            if m and not code.strip().startswith(("self.init", "let ", "var ")):
                declaration = m[1] + (f"({m[3]}" if m[1].startswith("init") else "")
            if "unchecked" in code and not re.search(r"\binit\(unchecked plain\b", code):
                found[name, declaration] += code.count("unchecked")
    return found


def check(texts, proven):
    found = callers(texts)
    for place in found.keys() ^ CALLERS.keys():
        raise Unproven(f"{place}: " + ("a caller that is not known" if place in found else "no caller any more"))
    for place, statements in CALLERS.items():
        if found[place] != 1:
            raise Unproven(f"{place}: {found[place]} calls")
        for name in statements:
            if name not in proven:
                raise Unproven(f"{place}: nothing is called {name}")
        if not statements and handed_over(texts[place[0]]) != ("member", None, "zero"):
            raise Unproven(f"{place}: not 0")
    return len(found)


def handed_over(text):
    """Returns the parsed argument of the only call in a file."""
    text = configured(text)
    start = text.index("(", text.index("(unchecked:"))
    (found,) = Parser("f" + text[start : matching(text, start)]).statements()
    _, (_, _, ((_, value),)) = found
    return value


def sources():
    return {path.name: path.read_text() for path in (SOURCES / "PureECDSA").rglob("*.swift")}


class Unchecked(Claim):
    """`proven` holds the names of the statements that are proven for the release build."""

    name = "init(unchecked:)"
    text = "each of its callers hands over a number of which a bound is proven"
    of = ("P256Scalar.init(unchecked:)", "P384Scalar.init(unchecked:)")

    def __init__(self, proven):
        self.proven = proven

    def prove(self, module):
        return f"{check(sources(), self.proven)} callers"
