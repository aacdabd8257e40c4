"""Tests the rules for choices on hand-written IR: a two-word sum whose carry passes through selects or branches.

The proof must accept the sum, and reject each changed version of the sum. On every path and for all words of a and b, the stored words must be a + b modulo
2¹²⁸. If the code also stores the last carry as a third word, the three words must be a + b modulo 2¹⁹².
"""

from proofs.domains.congruence import require_congruence
from proofs.domains.polynomial import add, number
from proofs.execution import wide_product
from proofs.execution.execute import paths
from proofs.ir.memory import Memory, Pointer
from proofs.ir.module import Module
from proofs.outcomes import REFUSALS
from proofs.soundness.wrong_programs.wrong import WrongPrograms

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
""".replace("NAME", wide_product.WideProduct().symbol)


SIGNED_PRODUCT = """
define swiftcc i64 NAME(ptr noalias captures(none) %0, i64 %1, i64 %2) {
entry:
  %4 = ashr i64 %1, 32
  %5 = and i64 %2, 4294967295
  %6 = mul nsw i64 %5, %4
  %7 = and i64 %1, 4294967295
  %8 = ashr i64 %2, 32
  %9 = mul nsw i64 %8, %7
  %10 = mul nuw i64 %5, %7
  %11 = lshr i64 %10, 32
  %12 = add nsw i64 %11, %9
  %13 = and i64 %12, 4294967295
  %14 = add nsw i64 %13, %6
  %15 = ashr i64 %14, 32
  %16 = ashr i64 %12, 32
  %17 = mul nsw i64 %8, %4
  %18 = add nsw i64 %16, %17
  %19 = add nsw i64 %18, %15
  %20 = shl i64 %14, 32
  %21 = and i64 %10, 4294967295
  %22 = or disjoint i64 %20, %21
  store i64 %22, ptr %0, align 8
  ret i64 %19
}
""".replace("NAME", wide_product.WideProduct(signed=True).symbol)


WRONG_PRODUCTS = (
    ("%15 = mul nuw i64 %3, %5", "%15 = mul nuw i64 %3, %6"),
    ("%14 = add nuw i64 %13, %11", "%14 = add nuw i64 %10, %11"),
    ("%13 = and i64 %10, 4294967295", "%13 = and i64 %10, 2147483647"),
    ("%12 = lshr i64 %10, 32", "%12 = lshr i64 %10, 31"),
    ("%18 = add nuw i64 %16, %17", "%18 = add nuw i64 %16, 0"),
    ("%20 = and i64 %7, 4294967295", "%20 = and i64 %8, 4294967295"),
    ("ret i64 %18", "ret i64 %16"),
)
WRONG_SIGNED_PRODUCTS = (
    ("%4 = ashr i64 %1, 32", "%4 = lshr i64 %1, 32"),
    ("%16 = ashr i64 %12, 32", "%16 = lshr i64 %12, 32"),
    ("%15 = ashr i64 %14, 32", "%15 = ashr i64 %14, 31"),
    ("%14 = add nsw i64 %13, %6", "%14 = add nsw i64 %12, %6"),
    ("%13 = and i64 %12, 4294967295", "%13 = and i64 %12, 2147483647"),
    ("%18 = add nsw i64 %16, %17", "%18 = add nsw i64 %16, 0"),
    ("%20 = shl i64 %14, 32", "%20 = shl i64 %14, 31"),
    ("ret i64 %19", "ret i64 %18"),
    # The new flags are promises that do not hold.
    ("%10 = mul nuw i64 %5, %7", "%10 = mul nsw i64 %5, %7"),
    ("%6 = mul nsw i64 %5, %4", "%6 = mul nuw i64 %5, %4"),
    ("%20 = shl i64 %14, 32", "%20 = shl nsw i64 %14, 32"),
    ("%19 = add nsw i64 %18, %15", "%19 = add nuw i64 %18, %15"),
)


def sum_of(body):
    """Proves that the function stores a + b; returns the number of its paths."""
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


class ChoiceTests(WrongPrograms):
    refusals = *REFUSALS, AttributeError  # a choice that is not merged is no polynomial

    def test_a_sum_with_its_carry_by_a_select_is_proven_on_one_path(self):
        self.assertEqual(sum_of(BY_SELECT), 1)
        self.refused(
            sum_of, BY_SELECT, ("(i64 %high.0, i64 1)", "(i64 %high.0, i64 2)"), ("(i64 %high.0, i64 1)", "(i64 %low.0, i64 1)"),
            ("%more, { i64, i1 } %high", "%high, { i64, i1 } %more"), ("{ i64, i1 } %more, ", "{ i64, i1 } %low, "))

    def test_ways_that_meet_again_are_one_path(self):
        self.assertEqual(sum_of(BY_BRANCH), 1)
        self.refused(
            sum_of, BY_BRANCH, ("(i64 %high.0, i64 1)", "(i64 %high.0, i64 2)"),
            ("[ %high.0, %entry ], [ %more.0, %carried ]", "[ %more.0, %carried ], [ %a1, %entry ]"),
            ("label %carried, label %joined", "label %joined, label %carried"))

    def test_a_way_that_stores_is_a_path_of_its_own(self):
        store = "  store i64 %a0, ptr %0, align 8\n  br label %joined\n"
        self.assertEqual(sum_of(BY_BRANCH.replace("  br label %joined\n", store)), 2)

    def test_what_a_way_stores_is_kept_to_its_path(self):
        store = "  store i64 %a0, ptr %r1p, align 8\n  br label %joined\n"
        self.refused(sum_of, BY_BRANCH.replace("  store i64 %word, ptr %r1p, align 8\n", ""), ("  br label %joined\n", store))

    def test_the_last_carry_by_flags_is_proven(self):
        self.assertEqual(sum_of(BY_FLAGS), 1)
        self.refused(
            sum_of, BY_FLAGS, ("select i1 %low.1, i1 %more.1, i1 false", "select i1 %low.1, i1 %low.1, i1 false"),
            ("select i1 %low.1, i1 %more.1, i1 false", "select i1 %low.1, i1 true, i1 %more.1"),
            ("select i1 %low.1, i64 %more.0, i64 %high.0", "select i1 %high.1, i64 %more.0, i64 %high.0"),
            ("or i1 %carried, %high.1", "or i1 %carried, %low.1"))


class WideProductTests(WrongPrograms):
    def test_each_line_of_the_products_in_halves_matters(self):
        for row, text, changes in zip(wide_product.ROWS, (PRODUCT, SIGNED_PRODUCT), (WRONG_PRODUCTS, WRONG_SIGNED_PRODUCTS)):
            self.assertEqual(row.prove(Module(text)), "1 path")
            self.refused(lambda changed: row.prove(Module(changed)), text, *changes)
