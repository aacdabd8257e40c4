"""Tests the ranges of a word's parts, and the proof of a test for zero, on hand-written IR.

The proofs must accept the correct programs, and reject each changed program.
"""

from functools import partial

from proofs.domains.algebra import Algebra
from proofs.domains.polynomial import add, constant
from proofs.ir.module import Module
from proofs.outcomes import Infeasible, Unproven
from proofs.soundness.wrong_programs.wrong import WrongPrograms
from proofs.statements.arithmetic import Statement

MODULUS = 2**64 - 59
OVERFLOW = "call { i64, i1 } @llvm.uadd.with.overflow.i64"
BORROW = "call { i64, i1 } @llvm.usub.with.overflow.i64"

BELOW = Statement("p1_enter", 1, 2**64 - 2, "range", 1, "true ⇔ a < 2⁶⁴ − 2", right=((1, (0,)),))
# Computes a + 2 in two steps. The code tests the carry of the second step first.
IN_STEPS = f"""define i1 @8p1_enter(ptr %0, ptr %1) {{
entry:
  %a = load i64, ptr %1, align 8
  %one = {OVERFLOW}(i64 %a, i64 1)
  %one.0 = extractvalue {{ i64, i1 }} %one, 0
  %one.1 = extractvalue {{ i64, i1 }} %one, 1
  %two = {OVERFLOW}(i64 %one.0, i64 1)
  %two.1 = extractvalue {{ i64, i1 }} %two, 1
  store i64 %a, ptr %0, align 8
  br i1 %two.1, label %refused, label %further
further:
  br i1 %one.1, label %refused, label %accepted
accepted:
  ret i1 true
refused:
  ret i1 false
}}
"""

EQUALS = Statement("p1_equals", 1, MODULUS, "equals", 2, "true ⇔ a ≡ b mod p")
# Computes a − b, subtracts 2⁶⁴ − p after a borrow, and once more after a second borrow. Tests the result for 0 and for p.
LESS_TWICE = f"""
  %d = {BORROW}(i64 %a, i64 %b)
  %d.0 = extractvalue {{ i64, i1 }} %d, 0
  %d.1 = extractvalue {{ i64, i1 }} %d, 1
  br i1 %d.1, label %borrowed, label %tested
borrowed:
  %e = {BORROW}(i64 %d.0, i64 59)
  %e.0 = extractvalue {{ i64, i1 }} %e, 0
  %e.1 = extractvalue {{ i64, i1 }} %e, 1
  br i1 %e.1, label %again, label %tested
again:
  %f = sub i64 %e.0, 59
  br label %tested
tested:
  %word = phi i64 [ %d.0, %entry ], [ %e.0, %borrowed ], [ %f, %again ]
"""
DIFFERENCE = f"""define i1 @9p1_equals(ptr %0, ptr %1) {{
entry:
  %a = load i64, ptr %0, align 8
  %b = load i64, ptr %1, align 8
{LESS_TWICE}
  %zero = icmp eq i64 %word, 0
  br i1 %zero, label %true, label %other
other:
  %modulus = icmp eq i64 %word, -59
  br i1 %modulus, label %true, label %false
true:
  ret i1 true
false:
  ret i1 false
}}
"""


def prove(statement, text):
    statement.prove(Module(text))


class RangeTests(WrongPrograms):
    refusals = Unproven, ArithmeticError  # a step is not proven, or the prover cannot continue

    def test_a_lower_part_that_is_known_bounds_the_word(self):
        prove(BELOW, IN_STEPS)
        self.refused(
            partial(prove, BELOW), IN_STEPS,
            ("i64 %a, i64 1)", "i64 %a, i64 2)"), ("i64 %one.0, i64 1)", "i64 %one.0, i64 2)"), ("i64 %one.0, i64 1)", "i64 %one.0, i64 0)"),
            ("br i1 %one.1, label %refused, label %accepted", "br label %accepted"), ("br i1 %two.1, label %refused, label %further", "br label %further"))

    def test_a_test_for_zero_is_proven(self):
        prove(EQUALS, DIFFERENCE)
        self.refused(
            partial(prove, EQUALS), DIFFERENCE,
            ("i64 %d.0, i64 59)", "i64 %d.0, i64 58)"), ("sub i64 %e.0, 59", "sub i64 %e.0, 58"), ("%word, -59", "%word, -58"), ("%word, 0", "%word, 1"),
            ("label %borrowed, label %tested", "label %tested, label %borrowed"), ("br i1 %e.1, label %again, label %tested", "br label %tested"),
            ("br i1 %modulus, label %true, label %false", "br label %false"), ("br i1 %zero, label %true, label %other", "br label %other"),
            ("br i1 %modulus, label %true, label %false", "br label %true"))

    def test_a_lower_part_says_nothing_where_the_upper_one_is_open(self):
        algebra = Algebra()
        word = algebra.input_word("a")
        lo, _ = algebra.split(add(word, constant(1)), 32)
        algebra.assume(add(lo, constant(-7)))
        self.assertEqual(algebra.range(word), (6, 2**64 - 1))

    def test_a_lower_part_of_a_word_and_its_upper_one(self):
        algebra = Algebra()
        word = algebra.input_word("a")
        lo, hi = algebra.split(add(word, constant(1)), 64)
        algebra.assume(hi)
        with self.assertRaises(Infeasible):  # lo would be −1
            algebra.assume(lo)

    def test_a_lower_part_of_two_words_bounds_neither(self):
        algebra = Algebra()
        a, b = algebra.input_word("a"), algebra.input_word("b")
        lo, _ = algebra.split(add(a, b), 64)
        algebra.assume(add(lo, constant(-7)))
        self.assertEqual((algebra.range(a), algebra.range(b)), ((0, 2**64 - 1),) * 2)
