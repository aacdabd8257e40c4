"""Tests the rules for byte memory (`byte_rules.py`) on hand-written IR: each wrong program must be rejected.

The function receives the address of an object of 32 octets, which contains four words.
"""

import unittest

from proofs.execution.execute_bits import BitRun
from proofs.ir.module import Module
from proofs.outcomes import REFUSALS

ALLOCA = "  %o = alloca [3 x i64], align 8\n"
CLEAR = "  call void @llvm.memset.p0.i64(ptr %o, i8 0, i64 24, i1 false)\n"
NUMBER = "  %n = ptrtoint ptr %0 to i64\n"
NEXT = "  %next = getelementptr i8, ptr %0, i64 8\n"
COPY = "  %from = getelementptr i8, ptr %o, i64 {}\n  call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)\n"
BOTH = """define void @g(ptr noalias %0, ptr %1) {
entry:
  store i64 5, ptr %0, align 8
  store i64 0, ptr %1, align 8
  ret void
}
"""
READS = BOTH.replace("store i64 5, ptr %0, align 8", "%a = load i64, ptr %0, align 8").replace("store i64 0, ptr %1, align 8", "%b = load i64, ptr %1, align 8")
FAR = "  %is = icmp ugt i64 %n, 4294967295\n  %z = zext i1 %is to i64\n"

# (parameter, code, further functions)
RIGHT = [
    ("ptr dereferenceable(32) align 8 %0", "", ""), ("ptr %0", ALLOCA + CLEAR + COPY.format(8, "%o", "%from", 8), ""),
    ("ptr %0", NUMBER + "  %is = icmp eq i64 %n, 0\n  br i1 %is, label %none, label %some\nnone:\n  ret i64 0\nsome:\n", ""),
    ("ptr %0", NUMBER + NEXT + "  %m = ptrtoint ptr %next to i64\n  %d = sub i64 %m, %n\n  %is = icmp eq i64 %d, 8\n  call void @llvm.assume(i1 %is)\n", ""),
    ("ptr %0", NUMBER + "  %m = add nuw i64 %n, 8\n  %q = inttoptr i64 %m to ptr\n  %w = load i64, ptr %q, align 8\n", ""),
    ("ptr %0", "  call void @g(ptr noalias %0, ptr %0)\n", READS), ("ptr %0", ALLOCA + CLEAR + "  call void @g(ptr noalias %0, ptr %o)\n", BOTH),
    ("ptr initializes((8, 16)) %0", "", ""),
]

# (fault, parameter, code, further functions, message of the rejection)
WRONG = [
    ("the result depends on the place of an object", "ptr %0", NUMBER + FAR, "", "where an object is"),
    ("half an address is compared", "ptr %0", NUMBER + "  %h = trunc i64 %n to i32\n  %is = icmp ugt i32 %h, 5\n", "", "where an object is"),
    ("the alignment of an address is tested", "ptr %0", NUMBER + "  %m = and i64 %n, 7\n", "", "where an object is"),
    ("the zeros of an address are counted", "ptr %0", NUMBER + "  %m = call i64 @llvm.cttz.i64(i64 %n, i1 false)\n", "", "where an object is"),
    ("half a stored address is loaded", "ptr %0", ALLOCA + "  store ptr %0, ptr %o, align 8\n  %h = load i32, ptr %o, align 8\n", "", "part of an address"),
    ("an address is an index", "ptr %0", NUMBER + "  %q = getelementptr i8, ptr %0, i64 %n\n", "", "where an object is"),
    ("an address is cut to 32 bits", "ptr %0", "  %n = ptrtoint ptr %0 to i32\n  %q = inttoptr i32 %n to ptr\n", "", "an address as"),
    (
        "an address leads to another object", "ptr %0",
        ALLOCA + CLEAR + "  %q = getelementptr i8, ptr %0, i64 1048576\n  %w = load i64, ptr %q, align 8\n", "", "far outside",
    ),
    ("a number is an address", "ptr %0", "  %q = inttoptr i64 1048576 to ptr\n  %w = load i64, ptr %q, align 8\n", "", "no address of an object"),
    ("the distance of two objects", "ptr %0", ALLOCA + NUMBER + "  %m = ptrtoint ptr %o to i64\n  %d = sub i64 %m, %n\n", "", "where an object is"),
    ("a bit is loaded", "ptr %0", "  %w = load i1, ptr %0, align 1\n", "", "an access of i1"),
    ("12 bits are loaded", "ptr %0", "  %w = load i12, ptr %0, align 1\n", "", "an access of i12"),
    ("a bit is stored", "ptr %0", "  store i1 true, ptr %0, align 1\n", "", "an access of i1"),
    ("memcpy copies to overlapping memory", "ptr %0", ALLOCA + CLEAR + COPY.format(8, "%from", "%o", 16), "", "overlapping"),
    ("an octet is read that was copied without a value", "ptr %0", ALLOCA + COPY.format(8, "%0", "%from", 8) + "  %w = load i64, ptr %0, align 8\n", "", "nothing was stored"),
    ("an index below 0 without a sign", "ptr %0", NEXT + "  %q = getelementptr nuw i8, ptr %next, i64 -8\n", "", "without a sign"),
    ("an address before its object", "ptr %0", "  %q = getelementptr inbounds i8, ptr %0, i64 -8\n", "", "outside of an object"),
    ("an address after its object", "ptr %0", "  %q = getelementptr nuw i8, ptr %0, i64 40\n", "", "outside of an object"),
    ("too many octets are promised", "ptr dereferenceable(40) %0", "", "", "outside of an object"),
    ("a too large alignment is promised", "ptr align 4096 %0", "", "", "is not aligned"),
    (
        "a call promises too many octets", "ptr %0", "  call void @g(ptr dereferenceable(40) %0, ptr %0)\n", READS.replace("noalias ", ""),
        "outside of an object",
    ),
    ("what the function does not read is read", "ptr initializes((0, 8)) %0", "  %w = load i64, ptr %0, align 8\n", "", "nothing was stored"),
    ("`noalias` arguments are addresses of one object", "ptr %0", "  call void @g(ptr noalias %0, ptr %0)\n", BOTH, "noalias"),
    ("only a call promises `noalias`", "ptr %0", "  call void @g(ptr noalias %0, ptr %0)\n", BOTH.replace("noalias ", ""), "a promise"),
]


def result(parameter, code, more):
    run = BitRun(Module(f"define i64 @f({parameter}) {{\nentry:\n{code}  ret i64 7\n}}\n{more}"))
    return run.call("@f", [run.memory.allocate_words([run.terms.atom(64) for _ in range(4)], 8, read_only=False)])


class ByteTests(unittest.TestCase):
    def test_what_is_right_runs(self):
        for program in RIGHT:
            with self.subTest(program):
                self.assertEqual(result(*program), 7)

    def test_what_is_wrong_is_refused(self):
        for what, parameter, code, more, reason in WRONG:
            with self.subTest(what), self.assertRaisesRegex(REFUSALS, reason):
                result(parameter, code, more)
