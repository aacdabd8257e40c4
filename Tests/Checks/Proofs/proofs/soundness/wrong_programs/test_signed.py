"""Tests the rules for signed code (`execute_signed.py`) on small programs. The rules must reject wrong programs, and compute correct results.

Each program is the body of a function of two words, x and y. Each word is represented by a congruent number in a given range. For an accepted program, the
result is compared with the expected value for some numbers. A program has no value if it breaks a promise for a number in the range.
"""

import itertools
import unittest

from proofs.domains.polynomial import constant
from proofs.execution import wide_product
from proofs.execution.execute import Run, paths
from proofs.execution.execute_signed import LimbRun, SignedRun
from proofs.execution.segments import Segment
from proofs.ir.memory import Memory, Pointer
from proofs.ir.module import Module
from proofs.outcomes import Unproven, Unsupported
from proofs.soundness.numbers_of_runs import Numbers

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
WORD, FLAG = (LEAST, GREATEST), (0, 1)
FLAGS = "%p = trunc i64 %x to i1\n%q = trunc i64 %y to i1\n"
CHOICE = "%z = select i1 %c, i64 7, i64 8\nret i64 %z"

# (program, its value as a function of x and y, range of x, range of y)
RIGHT = [
    (FLAGS + "%a = add i1 %p, %q\n%z = zext i1 %a to i64\nret i64 %z", lambda x, y: (x + y) & 1, WORD, WORD),
    (FLAGS + "%n = sub i1 false, %p\n%a = or i1 %n, %q\n%z = zext i1 %a to i64\nret i64 %z", lambda x, y: (x | y) & 1, WORD, WORD),
    ("%c = icmp ult i64 %x, 5\n" + CHOICE, lambda x, y: 7 if 0 <= x < 5 else 8, WORD, WORD),
    ("%c = icmp eq i64 %x, -1\n" + CHOICE, lambda x, y: 7 if x == -1 else 8, (-1, 0), WORD),
    ("%s = mul i64 %x, %y\n%c = icmp eq i64 %s, 0\n" + CHOICE, lambda x, y: 7 if x * y % 2**64 == 0 else 8, (1, GREATEST), (1, GREATEST)),
    ("%m = ashr i64 -8, 1\n%c = icmp ult i64 %m, 5\n" + CHOICE, lambda x, y: 8, WORD, WORD),
    ("%m = sext i32 -1 to i64\n%c = icmp eq i64 %m, -1\n" + CHOICE, lambda x, y: 7, WORD, WORD),
    ("%m = ashr i64 -8, 1\n%z = call i64 @llvm.umin.i64(i64 %m, i64 5)\nret i64 %z", lambda x, y: 5, WORD, WORD),
    ("%m = ashr i32 -8, 1\n%z = call i32 @llvm.umin.i32(i32 %m, i32 5)\n%w = zext i32 %z to i64\nret i64 %w", lambda x, y: 5, WORD, WORD),
    ("%p = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %x, i64 %y)\n%z = extractvalue { i64, i1 } %p, 0\nret i64 %z", lambda x, y: x - y, FLAG, FLAG),
]

# (program, range of x, range of y): for some x and y in the ranges, the program has no value, or the rules cannot determine its value
REFUSED = [
    ("%s = add i64 %x, %y\n%c = icmp slt i64 %s, 0\n" + CHOICE, WORD, WORD),
    ("%z = lshr exact i64 %x, 3\nret i64 %z", (0, 100), WORD),
    ("%z = ashr exact i64 %x, 3\nret i64 %z", WORD, WORD),
    ("%c = icmp samesign slt i64 %x, 5\n" + CHOICE, (-4, 3), WORD),
    ("%z = or disjoint i64 %x, %y\nret i64 %z", FLAG, FLAG),
    ("%z = add nsw i64 %x, 1\nret i64 %z", WORD, WORD),
    ("%z = add nsw i64 9223372036854775807, 1\nret i64 %z", WORD, WORD),
    ("%z = add nuw i64 %x, -1\nret i64 %z", (1, 5), WORD),
    ("%z = shl nuw i64 -1, 1\nret i64 %z", WORD, WORD),
    ("%z = shl nsw i64 4611686018427387905, 1\nret i64 %z", WORD, WORD),
    ("%z = shl nsw i64 %x, 64\nret i64 %z", (0, 0), WORD),
    ("%z = zext nneg i32 %x to i64\nret i64 %z", (-1, 0), WORD),
    ("%m = sext i32 -1 to i64\n%z = and i64 %x, %m\nret i64 %z", WORD, WORD),
    (
        "%a = sext i64 %x to i128\n%b = sext i64 %y to i128\n%p = mul nsw i128 %a, %b\n%h = lshr i128 %p, 64\n%z = trunc nsw i128 %h to i64\nret i64 %z",
        WORD, WORD),
    ("%p = call { i64, i1 } @llvm.uadd.with.overflow.i32(i64 %x, i64 1)\n%z = extractvalue { i64, i1 } %p, 0\nret i64 %z", WORD, WORD),
]

LIMB = (-5 << 27, 5 << 27)
RIGHT_OF_LIMBS = [
    ("%s = shl i64 %x, 28\n%z = and i64 %s, 268435456\nret i64 %z", lambda x, y: (x & 1) << 28, LIMB, LIMB),
    ("%z = and i64 %x, 496\nret i64 %z", lambda x, y: x & 496, LIMB, LIMB),
    ("%z = and i64 %x, -16\nret i64 %z", lambda x, y: x & -16, WORD, WORD),
    ("%z = and i64 %x, -1\nret i64 %z", lambda x, y: x, WORD, WORD),
    ("%s = shl i64 %x, 1\n%z = ashr i64 %s, 3\nret i64 %z", lambda x, y: 2 * x >> 3, LIMB, LIMB),
    ("%s = shl i64 %x, 40\n%z = ashr i64 %s, 3\nret i64 %z", lambda x, y: ((x << 40) + 2**63) % 2**64 - 2**63 >> 3, (0, 2**22), LIMB),
    ("%s = shl nsw i64 %x, 9\n%z = add i64 %s, %y\nret i64 %z", lambda x, y: (x << 9) + y, LIMB, LIMB),
]
REFUSED_OF_LIMBS = [
    ("%z = and i64 %x, 5\nret i64 %z", LIMB, LIMB),
    ("%z = and i64 %x, %y\nret i64 %z", LIMB, LIMB),
    ("%z = shl nuw i64 %x, 1\nret i64 %z", LIMB, LIMB),
    ("%z = shl nsw i64 %x, 60\nret i64 %z", LIMB, LIMB),
    ("%z = shl i64 %x, 64\nret i64 %z", LIMB, LIMB),
]

PART = """
define void @part(ptr %m, <2 x i64> %v, i64 %x) {
  %w = insertelement <2 x i64> %v, i64 %x, i32 0
  store <2 x i64> %w, ptr %m, align 8
  ret void
}
"""


def function(text, more=""):
    return Module("define i64 @f(ptr %m, i64 %x, i64 %y) {\n" + text + "\n}\n" + more)


def results(text, first, second, run_class=SignedRun, more=""):
    """Returns [(run, result, memory)] of each path."""
    def prepare(run):
        memory = Memory(32, words=[constant(77)] * 4)
        x, y = ({(run.algebra.symbol(name, *limits),): 1} for name, limits in (("x", first), ("y", second)))
        return run.call("@f", [Pointer(memory), x, y]), memory

    return [(run, *result) for run, result in paths(function(text, more), prepare, run_class=run_class)]


def numbers_in(low, high):
    return sorted({n for n in (low, low + 1, -2**32, -1, 0, 1, 4, 5, 2**32, high - 1, high) if low <= n <= high})


class SignedRuleTests(unittest.TestCase):
    def test_what_is_accepted_is_right(self):
        for run_class, (text, expected, first, second) in [*itertools.product((SignedRun, LimbRun), RIGHT), *((LimbRun, case) for case in RIGHT_OF_LIMBS)]:
            found = results(text, first, second, run_class)
            for x, y in itertools.product(numbers_in(*first), numbers_in(*second)):
                got = [numbers.of(result) for run, result, _ in found if (numbers := Numbers(run, x, y)).is_on_path()]
                self.assertEqual(len(got), 1, text)
                self.assertEqual(got[0] % 2**64, expected(x, y) % 2**64, f"{text} for {x}, {y}")

    def test_what_has_no_value_is_refused(self):
        # The rules of limbs accept the mask −1, which the general rules for signed code reject.
        refused_of_limbs = [case for case in REFUSED if "= and" not in case[0]] + REFUSED_OF_LIMBS
        for run_class, (text, first, second) in [*((SignedRun, case) for case in REFUSED), *((LimbRun, case) for case in refused_of_limbs)]:
            with self.assertRaises((Unproven, Unsupported), msg=text):
                results(text, first, second, run_class)

    def test_disjoint_is_shown_of_unsigned_words_too(self):
        for text in ("%z = or disjoint i64 %x, %y\nret i64 %z", FLAGS + "%a = or disjoint i1 %p, %q\n%z = zext i1 %a to i64\nret i64 %z"):
            with self.assertRaises(Unproven):
                results(text, FLAG, FLAG, Run)

    def test_segments_keep_their_promises(self):
        for text in (
            "%z = shl nsw i64 4611686018427387905, 2\nret i64 %z",
            "%p = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %x, i64 1)\n%z = extractvalue { i64, i1 } %p, 0\nret i64 %z",
            "%p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 2147483647, i32 1)\n%q = extractvalue { i32, i1 } %p, 0\n%z = zext i32 %q to i64\nret i64 %z",
        ):
            with self.assertRaises((Unproven, Unsupported), msg=text):
                results(text, (0, 9), FLAG, Segment)

    def test_a_number_stands_for_every_element(self):
        for vector, second in (("splat (i64 5)", 5), ("zeroinitializer", 0), ("<i64 4, i64 6>", 6)):
            for run_class in (Run, SignedRun):
                ((run, _, memory),) = results(f"call void @part(ptr %m, <2 x i64> {vector}, i64 %x)\nret i64 0", (0, 9), FLAG, run_class, PART)
                numbers = Numbers(run, 3, 0)
                self.assertEqual([numbers.of(word) for word in memory.words(4)], [3, second, 77, 77])
        with self.assertRaises(Unsupported):
            results("call void @part(ptr %m, <3 x i64> <i64 1, i64 2, i64 3>, i64 %x)\nret i64 0", (0, 9), FLAG, Run, PART)

    def test_what_depends_on_data_is_refused_in_memory(self):
        for text in (
            "%o = trunc i64 %x to i8\ncall void @llvm.memset.p0.i64(ptr %m, i8 %o, i64 8, i1 false)\nret i64 0",
            "%a = getelementptr inbounds nuw i8, ptr %m, i64 16\ncall void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %a, i64 %x, i1 false)\nret i64 0",
            "%a = getelementptr inbounds nuw i8, ptr %m, i64 16\n%b = getelementptr inbounds nuw i8, ptr %a, i64 -8\n%z = load i64, ptr %b, align 8\nret i64 %z",
        ):
            with self.assertRaises(Unsupported, msg=text):
                results(text, (0, 8), FLAG, Run)

    def test_a_product_is_no_lower_word(self):
        for row in wide_product.ROWS:
            module = Module(f"define i64 {row.symbol}(ptr %0, i64 %1, i64 %2) {{\n  %p = mul i64 %1, %2\n  store i64 %p, ptr %0, align 8\n  ret i64 0\n}}\n")
            with self.assertRaises((Unproven, Unsupported)):
                row.prove(module)
            with self.assertRaises((Unproven, Unsupported)):
                wide_product.contracts(module)

    def test_unsigned_factors_are_words(self):
        run = SignedRun(Module(""))
        negative = {(run.algebra.symbol("x", -1, 0),): 1}
        with self.assertRaises(Unproven):
            wide_product.ROWS[0].call(run, [Pointer(Memory(8)), negative, constant(2)])
