"""Tests of the proofs of point routines: changes of what is around the operations, each of which must be refused: test_point_routines.py DIRECTORY

`mutate.py` changes single instructions; here several go together, or are added, as a wrong program would have them, in P-256's addition with its
branches, and in doubling. The IR is that of `release.py`. The routines as they are have to be proven by the same calls.
"""

import re
import sys
import unittest

from ir import Module, Unsupported
from outcomes import Infeasible, Trap, Unproven
from point_routines import PointRoutine

# (what is wrong, a line, what takes its place, what the refusal says)
ADDITION = [
    ("P is not infinite where one word of Z is that of p", r"(icmp eq i64 %\d+, )-1\n", r"\g<1>-2\n", "a decision"),
    ("a word of Z is not asked for", r"(%\d+ = or i64 %\d+, )%\d+(\n  %\d+ = icmp eq)", r"\g<1>0\2", "a decision"),
    ("the ways of infinity are the other way round", r"br i1 (%or\.cond), label (%\d+), label (%\d+)\n", r"br i1 \1, label \3, label \2\n", ""),
    ("y is copied from x", r"(@llvm\.memcpy.*?%\.Y\d*, ptr .*?)%\.y\d*, i64 32", r"\g<1>%0, i64 32", "coordinates"),
    ("a part of x is copied", r"(@llvm\.memcpy.*?%1, ptr .*?%0, i64 )32", r"\g<1>24", "coordinates"),
    ("Z₃ of infinity is not 1", r"store i64 1, ptr %\.Z,", r"store i64 2, ptr %.Z,", "coordinates"),
    ("the correction is skipped", r"br i1 (%\d+), label %(\d+), label %(\d+)\n\n\2:\n(.* call swiftcc \{ i64)", r"br i1 \1, label %\3, label %\3\n\n\2:\n\4", "phi"),
    ("the correction is the sum's", r"V15subtractingOnce33_D564", "V10addingOnce33_D564", ""),
    ("the corrected words are not taken", r"= phi i64 \[ (%\d+), (%\d+) \], \[ (%\d+), ", r"= phi i64 [ \3, \2 ], [ \3, ", ""),
    ("the correction stores to the point", r"(V15subtractingOnce33_D564.*\n)", r"\1  store i64 0, ptr %.Z.l1, align 8\n", "depends on"),
    ("addSameX is not what is called", r"V8addSameX33_\w+?FALLyy5FieldQzFAA9P256CurveO_Tg5\"\(.*, ptr", r'V6doubleyyFAA9P256CurveO_Tg5"(ptr', "call"),
    ("R has its words in another order", r"(V8addSameX.*\()i64 (%\d+), i64 (%\d+)", r"\1i64 \3, i64 \2", "call"),
    ("Y is stored in the place of X", r"(store i64 %\d+, ptr )%\.Y,", r"\1%1,", "coordinates"),
    ("a word is stored twice, and another not", r"(store i64 %\d+, ptr )%\.Y\.l2,", r"\1%.Y.l1,", "coordinates"),
    ("X is changed before it is read", r"(\n  %\d+ = load i64, ptr %1, )", r"\n  store i64 0, ptr %1, align 8\1", "word 0 of X"),
    ("Q is changed", r"(\n  ret void)", r"\n  store i64 0, ptr %0, align 8\1", "store to an argument"),
    ("it returns before Y is stored", r"\n  store i64 %\d+, ptr %\.Y, (?s:.*?)\n  br", r"\n  br", "coordinates"),
    ("a result is stored before it is made whole", r"(store i64 )(%\d+)(, ptr %\.Y\.l3,)", r"\g<1>0\3", "coordinates"),
]

DEBUGGING = re.compile(r", ![\w.]+ !\d+| +; preds = .*|\n +#dbg_.*")  # what the lines above do not spell out


class PointRoutineTests(unittest.TestCase):
    module, sources = None, {}

    def changed(self, function, pattern, other):
        source = self.sources[function.name]
        made, count = re.subn(pattern, other, source, count=1)
        self.assertEqual(count, 1, pattern)
        self.assertNotEqual(made, source)
        self.module.sources[function.name] = made
        del self.module.functions[function.name]

    def restored(self, function):
        self.module.sources[function.name] = self.sources[function.name]
        self.module.functions.pop(function.name, None)

    def refused(self, row, pattern, other, reason):
        function = row.first(self.module)
        self.changed(function, pattern, other)
        try:
            with self.assertRaisesRegex((Unproven, Unsupported, Trap, Infeasible), reason or ""):
                row.prove(self.module)
        finally:
            self.restored(function)

    def test_the_routines_as_they_are_are_proven(self):
        for name in ("addVarTime", "addSameX"):
            PointRoutine("P256", name).prove(self.module)

    def test_what_is_wrong_around_the_operations_is_refused(self):
        for what, pattern, other, reason in ADDITION:
            with self.subTest(what):
                self.refused(PointRoutine("P256", "addVarTime"), pattern, other, reason)

    def test_equal_and_opposite_points_are_told_apart(self):
        for pattern, other in ((r"V6doubleyy", "V10addVarTimeyy"), (r"br i1 (%\S+), label (%\d+), label (%\d+)", r"br i1 \1, label \3, label \2")):
            self.refused(PointRoutine("P256", "addSameX"), pattern, other, "")

    @classmethod
    def setUpClass(cls):
        cls.module = Module.read(cls.ir)
        for row in (PointRoutine("P256", "addVarTime"), PointRoutine("P256", "addSameX")):
            name = row.first(cls.module).name
            cls.sources[name] = cls.module.sources[name] = DEBUGGING.sub("", cls.module.sources[name])


if __name__ == "__main__":
    PointRoutineTests.ir = sys.argv.pop(1) + "/PureECDSA"
    unittest.main()
