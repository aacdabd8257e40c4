"""Tests that `unchecked.py` detects an additional caller, a missing statement, and a changed number."""

import unittest

from proofs.outcomes import Unproven
from proofs.statements.register import NAMES
from proofs.statements.unchecked import check, sources


class UncheckedTests(unittest.TestCase):
    def test_a_further_caller_or_a_lost_statement_is_noticed(self):
        texts = sources()
        check(texts, NAMES)
        for name, call in (
            ("CurveScalar.swift", "    static func half(_ a: Self) -> Self { Self(unchecked: a.plain) }\n"),
            ("P256.swift", "func f() {\n    let x = P256Scalar(unchecked: y)\n}\n"),
        ):
            with self.assertRaisesRegex(Unproven, "not known"):
                check(texts | {name: texts[name] + call}, NAMES)
        again = texts["CurveScalar.swift"].replace("self.init(unchecked: z)", "self.init(unchecked: z); self.init(unchecked: y)")
        with self.assertRaisesRegex(Unproven, "2 calls"):
            check(texts | {"CurveScalar.swift": again}, NAMES)
        with self.assertRaisesRegex(Unproven, "nothing is called n256_digest"):
            check(texts, NAMES - {"n256_digest"})
        operations = texts["ScalarOperations.swift"].replace("unchecked: .zero", "unchecked: .one")
        with self.assertRaisesRegex(Unproven, "not 0"):
            check(texts | {"ScalarOperations.swift": operations}, NAMES)
        with self.assertRaisesRegex(Unproven, "no caller"):
            check(texts | {"P384Scalar.swift": ""}, NAMES)
