"""Tests the proof of the negation in a loop (`negation.py`) on hand-written IR: each form is proven, and each change is rejected.

The field has one word, with p = 2⁶⁴ − 59, or one signed limb of 31 bits, with p = 2³¹ − 1.
"""

import types
from functools import partial

from proofs.execution.execute_bits import BitRun
from proofs.ir.loops import Flow
from proofs.ir.module import Module
from proofs.soundness.wrong_programs.test_ranges import LESS_TWICE
from proofs.soundness.wrong_programs.wrong import WrongPrograms
from proofs.statements.coordinates import Coordinates
from proofs.statements.multiplication.negation import prove_negations

# Computes a − b, and subtracts 59 after each borrow, at most twice.
DIFFERENCE = f"""define void @xFieldPAAE1soi(ptr %0, ptr %1, ptr %2) {{
entry:
  %a = load i64, ptr %1, align 8
  %b = load i64, ptr %2, align 8
{LESS_TWICE}
  store i64 %word, ptr %0, align 8
  ret void
}}
"""
# The words of y pass through a phi. The code stores 0 before the loop, and y in the block before the negation.
BY_WORDS = DIFFERENCE + """define void @loop(ptr %m, i64 %n) {
entry:
  %zero = alloca i64, align 8
  %y = alloca i64, align 8
  %d = alloca i64, align 8
  store i64 0, ptr %zero, align 8
  br label %head
head:
  %i = phi i64 [ %n, %entry ], [ %next, %met ]
  %word = load i64, ptr %m, align 8
  store i64 %word, ptr %y, align 8
  %is.negative = icmp slt i64 %i, 5
  br i1 %is.negative, label %negated, label %met
negated:
  call void @xFieldPAAE1soi(ptr %d, ptr %zero, ptr %y)
  %r = load i64, ptr %d, align 8
  br label %met
met:
  %negative = phi i64 [ %word, %head ], [ %r, %negated ]
  store i64 %negative, ptr %m, align 8
  %next = add i64 %i, -1
  %end = icmp eq i64 %i, 0
  br i1 %end, label %out, label %head
out:
  ret void
}
"""
# y is in memory, after x.
IN_MEMORY = DIFFERENCE + """define void @loop(ptr %m, i64 %n) {
entry:
  %point = alloca [2 x i64], align 8
  %py = getelementptr inbounds i8, ptr %point, i64 8
  %zero = alloca i64, align 8
  %d = alloca i64, align 8
  br label %head
head:
  %i = phi i64 [ %n, %entry ], [ %next, %met ]
  call void @llvm.memcpy.p0.p0.i64(ptr %point, ptr %m, i64 16, i1 false)
  %is.negative = icmp slt i64 %i, 5
  br i1 %is.negative, label %negated, label %met
negated:
  call void @llvm.memset.p0.i64(ptr %zero, i8 0, i64 8, i1 false)
  call void @xFieldPAAE1soi(ptr %d, ptr %zero, ptr %py)
  call void @llvm.memcpy.p0.p0.i64(ptr %py, ptr %d, i64 8, i1 false)
  br label %met
met:
  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %point, i64 16, i1 false)
  %next = add i64 %i, -1
  %end = icmp eq i64 %i, 0
  br i1 %end, label %out, label %head
out:
  ret void
}
"""
# −y = −(y mod 2³¹) − 2³¹·(y >> 31), and 2³¹ ≡ 1 mod p = 2³¹ − 1.
SIGNED = """define void @xUnsaturatedFieldV1soi(ptr %0, ptr %1, ptr %2) {
entry:
  %a = load i64, ptr %1, align 8
  %b = load i64, ptr %2, align 8
  %d = sub i64 %a, %b
  %low = and i64 %d, 2147483647
  %high = ashr i64 %d, 31
  %r = add i64 %low, %high
  store i64 %r, ptr %0, align 8
  ret void
}
"""
SIGNED_LOOP = SIGNED + IN_MEMORY[len(DIFFERENCE) :].replace("xFieldPAAE1soi", "xUnsaturatedFieldV1soi")


def table(p, coordinates):
    return types.SimpleNamespace(coordinates=coordinates, shape=types.SimpleNamespace(curve=types.SimpleNamespace(p=p)))


def prove(of, text):
    module = Module(text)
    function = module.function("@loop")
    flow, run, environment = Flow(function), BitRun(module), {"%m": 0, "%n": 0}
    for i in function.blocks["entry"][:-1]:
        result = getattr(run, "op_" + i.op)(environment, *i.args)
        environment.update({i.dest: result} if i.dest else {})
    prove_negations(module, flow, flow.body("head"), of, lambda base: run.memory.whole_words(environment[base]))


prove_words = partial(prove, table(2**64 - 59, Coordinates(1, 64, 64)))
prove_limbs = partial(prove, table(2**31 - 1, Coordinates(1, 31, 31, (5 << 29,))))


class NegationTests(WrongPrograms):
    def test_each_form_is_proven(self):
        prove_words(BY_WORDS)
        prove_words(IN_MEMORY)
        prove_limbs(SIGNED_LOOP)

    def test_another_difference_is_refused(self):
        self.refused(
            prove_words, BY_WORDS, ("i64 %d.0, i64 59)", "i64 %d.0, i64 58)"), ("sub i64 %e.0, 59", "sub i64 %e.0, 58"),
            ("(i64 %a, i64 %b)", "(i64 %b, i64 %a)"), ("br i1 %e.1, label %again, label %tested", "br label %tested"))

    def test_other_words_are_refused(self):
        self.refused(
            prove_words, BY_WORDS, ("store i64 0, ptr %zero", "store i64 1, ptr %zero"), ("store i64 0, ptr %zero", "store i64 %n, ptr %zero"),
            ("store i64 %word, ptr %y", "store i64 %i, ptr %y"), ("store i64 %word, ptr %y", "store i64 0, ptr %y"),
            ("ptr %d, ptr %zero, ptr %y)", "ptr %d, ptr %y, ptr %zero)"), ("ptr %d, ptr %zero, ptr %y)", "ptr %zero, ptr %zero, ptr %y)"),
            ("[ %r, %negated ]", "[ %word, %negated ]"), ("  %next =", "  store i64 0, ptr %zero, align 8\n  %next ="),
            ("  %next =", "  store i64 %next, ptr %y, align 8\n  %next ="), ("  %next =", "  store ptr %zero, ptr %m, align 8\n  %next ="))

    def test_a_difference_that_is_no_negation_is_refused(self):
        self.refused(prove_words, BY_WORDS, ("  %next =", "  call void @xFieldPAAE1soi(ptr %m, ptr %m, ptr %m)\n  %next ="))

    def test_other_memory_is_refused(self):
        self.refused(
            prove_words, IN_MEMORY, ("ptr %d, ptr %zero, ptr %py)", "ptr %d, ptr %zero, ptr %point)"), ("ptr %zero, i8 0", "ptr %zero, i8 1"),
            ("(ptr %py, ptr %d, i64 8", "(ptr %point, ptr %d, i64 8"), ("(ptr %py, ptr %d, i64 8", "(ptr %d, ptr %py, i64 8"),
            ("  call void @llvm.memset.p0.i64(ptr %zero, i8 0, i64 8, i1 false)\n", ""), ("ptr %point, i64 8\n", "ptr %point, i64 0\n"),
            ("[2 x i64]", "[3 x i64]"), ("  br label %met\n", "  store i64 0, ptr %point, align 8\n  br label %met\n"))

    def test_other_limbs_are_refused(self):
        self.refused(
            prove_limbs, SIGNED_LOOP, ("and i64 %d, 2147483647", "and i64 %d, 1073741823"), ("ashr i64 %d, 31", "ashr i64 %d, 30"),
            ("ashr i64 %d, 31", "lshr i64 %d, 31"), ("sub i64 %a, %b", "add i64 %a, %b"), ("add i64 %low, %high", "add i64 %low, 0"))
