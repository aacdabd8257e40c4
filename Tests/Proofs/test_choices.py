"""The rules of choices on IR made by hand: a sum of two words, with its carry handed on by selects or by branches, is proven, and each change of it is refused.

The words that are stored are a + b modulo 2¹²⁸, or with the last carry as a third word modulo 2¹⁹²: on every path, for all words of a and b.
"""

import unittest

import wide_product
from congruence import require_congruence
from execute import paths
from ir import Module, Unsupported
from memory import Memory, Pointer
from outcomes import Unproven
from polynomial import add
from routines import number

OVERFLOW = "call { i64, i1 } @llvm.uadd.with.overflow.i64"
LOADS = """
  %a1p = getelementptr inbounds nuw i8, ptr %1, i64 8
  %b1p = getelementptr inbounds nuw i8, ptr %2, i64 8
  %r1p = getelementptr inbounds nuw i8, ptr %0, i64 8
  %a0 = load i64, ptr %1, align 8
  %a1 = load i64, ptr %a1p, align 8
  %b0 = load i64, ptr %2, align 8
  %b1 = load i64, ptr %b1p, align 8
"""
SUMS = f"""
  %low = {OVERFLOW}(i64 %a0, i64 %b0)
  %low.0 = extractvalue {{ i64, i1 }} %low, 0
  %low.1 = extractvalue {{ i64, i1 }} %low, 1
  %high = {OVERFLOW}(i64 %a1, i64 %b1)
  %high.0 = extractvalue {{ i64, i1 }} %high, 0
"""
STORES = """
  store i64 %low.0, ptr %0, align 8
  store i64 %word, ptr %r1p, align 8
  ret void
"""
BY_SELECT = "entry:" + LOADS + SUMS + f"""
  %more = {OVERFLOW}(i64 %high.0, i64 1)
  %chosen = select i1 %low.1, {{ i64, i1 }} %more, {{ i64, i1 }} %high
  %word = extractvalue {{ i64, i1 }} %chosen, 0
""" + STORES
BY_BRANCH = "entry:" + LOADS + SUMS + f"""
  br i1 %low.1, label %carried, label %joined
carried:
  %more = {OVERFLOW}(i64 %high.0, i64 1)
  %more.0 = extractvalue {{ i64, i1 }} %more, 0
  br label %joined
joined:
  %word = phi i64 [ %high.0, %entry ], [ %more.0, %carried ]
""" + STORES
BY_FLAGS = "entry:" + LOADS + SUMS + f"""
  %more = {OVERFLOW}(i64 %high.0, i64 1)
  %more.0 = extractvalue {{ i64, i1 }} %more, 0
  %more.1 = extractvalue {{ i64, i1 }} %more, 1
  %carried = select i1 %low.1, i1 %more.1, i1 false
  %high.1 = extractvalue {{ i64, i1 }} %high, 1
  %out = or i1 %carried, %high.1
  %word = select i1 %low.1, i64 %more.0, i64 %high.0
  %r2p = getelementptr inbounds nuw i8, ptr %0, i64 16
  %third = zext i1 %out to i64
  store i64 %third, ptr %r2p, align 8
""" + STORES

PRODUCT = """
define swiftcc i64 NAME(ptr noalias captures(none) %0, i64 %1, i64 %2) {
entry:
  %3 = lshr i64 %2, 32
  %4 = and i64 %2, 4294967295
  %5 = lshr i64 %1, 32
  %6 = and i64 %1, 4294967295
  %7 = mul nuw i64 %4, %6
  %8 = mul nuw i64 %3, %6
  %9 = lshr i64 %7, 32
  %10 = add nuw i64 %9, %8
  %11 = mul nuw i64 %4, %5
  %12 = lshr i64 %10, 32
  %13 = and i64 %10, 4294967295
  %14 = add nuw i64 %13, %11
  %15 = mul nuw i64 %3, %5
  %16 = add nuw i64 %12, %15
  %17 = lshr i64 %14, 32
  %18 = add nuw i64 %16, %17
  %19 = shl i64 %14, 32
  %20 = and i64 %7, 4294967295
  %21 = or disjoint i64 %19, %20
  store i64 %21, ptr %0, align 8
  ret i64 %18
}
""".replace("NAME", wide_product.SYMBOL)


def sum_of(body):
    """Proves that the function leaves a + b; the number of its paths."""
    module = Module("define void @sum(ptr %0, ptr %1, ptr %2) {\n" + "\n".join(line for line in body.split("\n") if line) + "\n}\n")

    def prepare(run):
        inputs = [[run.algebra.input_word(letter + str(i)) for i in range(2)] for letter in "ab"]
        result = Memory(24)
        run.call("@sum", [Pointer(result)] + [Pointer(Memory(16, words=words, read_only=True)) for words in inputs])
        return inputs, result.words(len(result.cells))

    count = 0
    for run, (inputs, words) in paths(module, prepare):
        require_congruence(run, add(number(words), add(number(inputs[0]), number(inputs[1])), -1), 1 << 64 * len(words))
        count += 1
    return count


class ChoiceTests(unittest.TestCase):
    def refused(self, body, old, new):
        self.assertEqual(body.count(old), 1, old)
        with self.assertRaises((Unproven, Unsupported, TypeError, AttributeError)):
            sum_of(body.replace(old, new))

    def test_a_sum_with_its_carry_by_a_select_is_proven_on_one_path(self):
        self.assertEqual(sum_of(BY_SELECT), 1)

    def test_a_select_with_another_carry_or_order_is_refused(self):
        self.refused(BY_SELECT, "(i64 %high.0, i64 1)", "(i64 %high.0, i64 2)")
        self.refused(BY_SELECT, "(i64 %high.0, i64 1)", "(i64 %low.0, i64 1)")
        self.refused(BY_SELECT, "%more, { i64, i1 } %high", "%high, { i64, i1 } %more")
        self.refused(BY_SELECT, "{ i64, i1 } %more, ", "{ i64, i1 } %low, ")

    def test_ways_that_meet_again_are_one_path(self):
        self.assertEqual(sum_of(BY_BRANCH), 1)

    def test_ways_that_hand_on_something_else_are_refused(self):
        self.refused(BY_BRANCH, "(i64 %high.0, i64 1)", "(i64 %high.0, i64 2)")
        self.refused(BY_BRANCH, "[ %high.0, %entry ], [ %more.0, %carried ]", "[ %more.0, %carried ], [ %a1, %entry ]")
        self.refused(BY_BRANCH, "label %carried, label %joined", "label %joined, label %carried")

    def test_a_way_that_stores_is_a_path_of_its_own(self):
        store = "  store i64 %a0, ptr %0, align 8\n  br label %joined\n"
        self.assertEqual(sum_of(BY_BRANCH.replace("  br label %joined\n", store)), 2)

    def test_what_a_way_stores_is_kept_to_its_path(self):
        store = "  store i64 %a0, ptr %r1p, align 8\n  br label %joined\n"
        changed = BY_BRANCH.replace("  br label %joined\n", store).replace("  store i64 %word, ptr %r1p, align 8\n", "")
        with self.assertRaises((Unproven, Unsupported)):
            sum_of(changed)

    def test_the_last_carry_by_flags_is_proven(self):
        self.assertEqual(sum_of(BY_FLAGS), 1)

    def test_a_carry_of_another_sum_is_refused(self):
        self.refused(BY_FLAGS, "select i1 %low.1, i1 %more.1, i1 false", "select i1 %low.1, i1 %low.1, i1 false")
        self.refused(BY_FLAGS, "select i1 %low.1, i1 %more.1, i1 false", "select i1 %low.1, i1 true, i1 %more.1")
        self.refused(BY_FLAGS, "select i1 %low.1, i64 %more.0, i64 %high.0", "select i1 %high.1, i64 %more.0, i64 %high.0")
        self.refused(BY_FLAGS, "or i1 %carried, %high.1", "or i1 %carried, %low.1")


class WideProductTests(unittest.TestCase):
    def test_the_product_in_halves_is_proven(self):
        self.assertEqual(wide_product.WideProduct().prove(Module(PRODUCT)), "1 path")

    def test_each_line_matters(self):
        for old, new in (
            ("%15 = mul nuw i64 %3, %5", "%15 = mul nuw i64 %3, %6"),
            ("%14 = add nuw i64 %13, %11", "%14 = add nuw i64 %10, %11"),
            ("%13 = and i64 %10, 4294967295", "%13 = and i64 %10, 2147483647"),
            ("%12 = lshr i64 %10, 32", "%12 = lshr i64 %10, 31"),
            ("%18 = add nuw i64 %16, %17", "%18 = add nuw i64 %16, 0"),
            ("%20 = and i64 %7, 4294967295", "%20 = and i64 %8, 4294967295"),
            ("ret i64 %18", "ret i64 %16"),
        ):
            self.assertEqual(PRODUCT.count(old), 1, old)
            with self.assertRaises((Unproven, Unsupported), msg=new):
                wide_product.WideProduct().prove(Module(PRODUCT.replace(old, new)))


if __name__ == "__main__":
    unittest.main()
