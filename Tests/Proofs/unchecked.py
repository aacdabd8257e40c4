"""Shows that `CurveScalar.init(unchecked:)` is handed numbers below n: each of its callers has a statement that bounds what it hands over.

    unchecked.py                 the check, from the sources
    unchecked.py --test          the check's own test

A caller that is not in the table fails, and so does an entry without a caller, or one whose statement is not among the proven.
"""

import collections
import pathlib
import re
import sys
import unittest

from swift_syntax import Parser, configured, matching

SOURCES = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources/PureECDSA"

# (file, the declaration that has the call) -> what is proven of the number
CALLERS = {
    ("CurveScalar.swift", "init?(plain"): ["n256_enter", "n384_enter"],
    ("CurveScalar.swift", "init(digest"): ["n256_digest", "n384_digest"],
    ("CurveScalar.swift", "static func *"): ["n256_product", "n384_product"],
    ("P256Scalar.swift", "func invertedVarTime"): ["safegcd normalized<5> n", "safegcd unsigned<5>"],
    ("P384Scalar.swift", "func invertedVarTime"): ["safegcd normalized<7> n", "safegcd unsigned<7>"],
    ("ScalarOperations.swift", "static func generatorMultiple"): [],  # 0
}
DECLARATION = re.compile(r"^\s*(?:\w+ )*?((?:static )?(?:init\??|func [\w*+=-]+|var \w+))(\((\w+))?")


class Unbounded(Exception):
    """A call of which no bound is known."""


def callers(texts):
    """{(file, declaration): number of calls}"""
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
        raise Unbounded(f"{place}: " + ("a caller that is not known" if place in found else "no caller any more"))
    for place, statements in CALLERS.items():
        if found[place] != 1:
            raise Unbounded(f"{place}: {found[place]} calls")
        for name in statements:
            if name not in proven:
                raise Unbounded(f"{place}: nothing is called {name}")
        if not statements and handed_over(texts[place[0]]) != ("member", None, "zero"):
            raise Unbounded(f"{place}: not 0")
    return len(found)


def handed_over(text):
    """What the one call of a file hands over, parsed."""
    text = configured(text)
    start = text.index("(", text.index("(unchecked:"))
    (found,) = Parser("f" + text[start : matching(text, start)]).statements()
    _, (_, _, ((_, value),)) = found
    return value


def inputs():
    from proven import STATEMENTS

    return {p.name: p.read_text() for p in SOURCES.rglob("*.swift")}, {s.name for found in STATEMENTS.values() for s in found}


class UncheckedTests(unittest.TestCase):
    def test_a_further_caller_or_a_lost_statement_is_noticed(self):
        texts, proven = inputs()
        check(texts, proven)
        for name, call in (
            ("CurveScalar.swift", "    static func half(_ a: Self) -> Self { Self(unchecked: a.plain) }\n"),
            ("P256.swift", "func f() {\n    let x = P256Scalar(unchecked: y)\n}\n"),
        ):
            with self.assertRaisesRegex(Unbounded, "not known"):
                check(texts | {name: texts[name] + call}, proven)
        again = texts["CurveScalar.swift"].replace("self.init(unchecked: z)", "self.init(unchecked: z); self.init(unchecked: y)")
        with self.assertRaisesRegex(Unbounded, "2 calls"):
            check(texts | {"CurveScalar.swift": again}, proven)
        with self.assertRaisesRegex(Unbounded, "nothing is called n256_digest"):
            check(texts, proven - {"n256_digest"})
        operations = texts["ScalarOperations.swift"].replace("unchecked: .zero", "unchecked: .one")
        with self.assertRaisesRegex(Unbounded, "not 0"):
            check(texts | {"ScalarOperations.swift": operations}, proven)
        with self.assertRaisesRegex(Unbounded, "no caller"):
            check(texts | {"P384Scalar.swift": ""}, proven)


if __name__ == "__main__":
    if sys.argv[1:] == ["--test"]:
        unittest.main(argv=["unchecked.py", "--quiet"])
    try:
        print(f"init(unchecked:): each of its {check(*inputs())} callers hands over a number of which a bound is proven")
    except Unbounded as e:
        raise SystemExit(f"FAILED: init(unchecked:): {e}")
