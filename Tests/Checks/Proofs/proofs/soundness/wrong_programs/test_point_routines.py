"""Tests that the proofs of point routines reject changes to the code around the field operations.

`mutate.py` changes single instructions. Here each test changes or adds several instructions at once, as a wrong program would. The tests cover doubling, and
the addition of P-256 with its branches. `release.py` wrote the IR. The proofs must accept the unchanged routines.
"""

import re

from proofs.places import IR
from proofs.soundness.wrong_programs.wrong import WrongPrograms, read
from proofs.statements.points.point_routines import PointRoutine, rows
from proofs.statements.reached import reached

# (fault, line, replacement, message of the rejection)
ADDITION = [
    ("the test for infinity compares one word of Z with a wrong word of p", r"(icmp eq i64 %\d+, )-1\n", r"\g<1>-2\n", "a decision"),
    ("the test for infinity ignores a word of Z", r"(%\d+ = or i64 %\d+, )%\d+(\n  %\d+ = icmp eq)", r"\g<1>0\2", "a decision"),
    ("the branches for infinity are swapped", r"br i1 (%or\.cond), label (%\d+), label (%\d+)\n", r"br i1 \1, label \3, label \2\n", ""),
    ("y is copied from x", r"(@llvm\.memcpy.*?%\.Y\d*, ptr .*?)%\.y\d*, i64 32", r"\g<1>%0, i64 32", "coordinates"),
    ("only part of x is copied", r"(@llvm\.memcpy.*?%1, ptr .*?%0, i64 )32", r"\g<1>24", "coordinates"),
    ("Z₃ of infinity is not 1", r"store i64 1, ptr %\.Z,", r"store i64 2, ptr %.Z,", "coordinates"),
    ("the correction is skipped", r"br i1 (%\d+), label %(\d+), label %(\d+)\n\n\2:\n(.* call swiftcc \{ i64)", r"br i1 \1, label %\3, label %\3\n\n\2:\n\4", "phi"),
    ("a sum's correction replaces the difference's", r"V15subtractingOnce33_D564", "V10addingOnce33_D564", ""),
    ("the corrected words are not used", r"= phi i64 \[ (%\d+), (%\d+) \], \[ (%\d+), ", r"= phi i64 [ \3, \2 ], [ \3, ", ""),
    ("the correction stores to the point", r"(V15subtractingOnce33_D564.*\n)", r"\1  store i64 0, ptr %.Z.l1, align 8\n", "depends on"),
    ("another function is called instead of addSameX", r"V8addSameX33_\w+?FALLyy5FieldQzFAA9P256CurveO_Tg5\"\(.*, ptr", r'V6doubleyyFAA9P256CurveO_Tg5"(ptr', "call"),
    ("two words of R are swapped", r"(V8addSameX.*\()i64 (%\d+), i64 (%\d+)", r"\1i64 \3, i64 \2", "call"),
    ("Y is stored in place of X", r"(store i64 %\d+, ptr )%\.Y,", r"\1%1,", "coordinates"),
    ("one word is stored twice and another never", r"(store i64 %\d+, ptr )%\.Y\.l2,", r"\1%.Y.l1,", "coordinates"),
    ("X is changed before it is read", r"(\n  %\d+ = load i64, ptr %1, )", r"\n  store i64 0, ptr %1, align 8\1", "word 0 of X"),
    ("Q is changed", r"(\n  ret void)", r"\n  store i64 0, ptr %0, align 8\1", "store to an argument"),
    ("the routine returns before it stores Y", r"\n  store i64 %\d+, ptr %\.Y, (?s:.*?)\n  br", r"\n  br", "coordinates"),
    ("a result is stored before it is complete", r"(store i64 )(%\d+)(, ptr %\.Y\.l3,)", r"\g<1>0\3", "coordinates"),
]

# Programs that were once accepted: (fault, routine, [(line, replacement)], message of the rejection)
ONCE_ACCEPTED = [
    (
        "memory that is added to a product has different values on different paths", ("P256", "addVarTime"),
        [
            (r"entry:\n", r"entry:\n  %m = alloca i64, align 8\n"),
            (
                r"(%6 = icmp )eq( i64 %4, 0\n  br i1 %6, label )%7, label %17\n",
                r"\1ne\2%E1, label %7\n\nE1:\n  store i64 0, ptr %m, align 8\n  br label %17\n\nE2:\n  store i64 5, ptr %m, align 8\n  br label %17\n",
            ),
            (r"br i1 %12, label %13, label %17", r"br i1 %12, label %13, label %E2"),
            (r"br i1 %or.cond, label %16, label %17", r"br i1 %or.cond, label %16, label %E2"),
            (r"\n17:\n", r"\n17:\n  %of.m = load i64, ptr %m, align 8\n"), (r"(\n  %46 = .*)i64 %26,", r"\n  %more = add i64 %26, %of.m\1i64 %more,"),
        ], "several blocks",
    ),
    (
        "a word of Z changes if the next one is 0, through a phi with one predecessor", ("P256", "double"),
        [
            (
                r"(  %4 = load i64.*\n)  %5 = zext i64 %1 to",
                r"\1  %is = icmp eq i64 %2, 0\n  %more = zext i1 %is to i64\n  %other = add i64 %1, %more\n  br label %e2\n\ne2:\n"
                r"  %phi = phi i64 [ %other, %before ]\n  %5 = zext i64 %phi to",
            ),
            (r"%entry \]", r"%e2 ]"), (r"%before \]", r"%entry ]"),
        ], "a phi of no correction",
    ),
    (
        "a correction changes another number, through an address in a phi", ("P384", "double"),
        [
            (r"(  call void @llvm.lifetime.start.*%14\)\n)", r"\1  br label %e2\n\ne2:\n  %phi = phi ptr [ %1, %before ]\n"),
            (r"(  store i64 %1555, ptr %.l5.*\n)", r"\1  store i64 0, ptr %phi, align 8\n"), (r"%entry \]", r"%e2 ]"), (r"%before \]", r"%entry ]"),
        ], "an address that is chosen",
    ),
    (
        "a correction changes another number, through an address in memory", ("P384", "double"),
        [
            (r"entry:\n", r"entry:\n  %m = alloca ptr, align 8\n"),
            (
                r"(  store i64 %1534, ptr %.l1.*\n)",
                r"\1  store ptr %.l1, ptr %m, align 8\n  %address = load ptr, ptr %m, align 8\n  store i64 0, ptr %address, align 8\n",
            ),
        ], "an address that is chosen",
    ),
    (
        "a word of X is copied only in a correction", ("P256", "addVarTime"),
        [
            (r"entry:\n", r"entry:\n  %a = alloca i64, align 8\n  %b = alloca i64, align 8\n"),
            (r"  store i64 %4076, ptr %1, align 8\n", r"  store i64 %4076, ptr %a, align 8\n  store i64 0, ptr %b, align 8\n"),
            (r"\n4137:\n", r"\n4137:\n  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)\n"),
            (r"(  %4147 = phi.*\n)", r"\1  %copied = load i64, ptr %b, align 8\n  store i64 %copied, ptr %1, align 8\n"),
        ], "several blocks|a call in a correction",
    ),
    (
        "a correction's operand is undefined", ("P384", "double"),
        [(r"\n1557:\n", r"\n1557:\n  call void @llvm.lifetime.start.p0(i64 48, ptr nonnull %1)\n")], "a call in a correction",
    ),
    (
        "a lifetime ends on one of two paths", ("P256", "addSameX"),
        [
            (r"entry:\n", r"entry:\n  %m = alloca i64, align 8\n  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %m)\n"),
            (
                r"label %14, label %15\n\n14:\n",
                r"label %10b, label %15\n\n10b:\n  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %m)\n  br label %14\n\n14:\n  store i64 0, ptr %m, align 8\n",
            ),
        ], "after its lifetime",
    ),
    (
        "parts of H are stored as words of Z, through a vector with renumbered symbols", ("P256", "addVarTime"),
        [
            (
                r"(  %1726 = phi.*\n)",
                r"\1  %a = lshr i64 %837, 3\n  %b = and i64 %837, 7\n  %v = insertelement <2 x i64> poison, i64 %a, i64 0\n"
                r"  %w = insertelement <2 x i64> %v, i64 %b, i64 1\n",
            ),
            (r"  store i64 %3610, ptr %.Z, align 8\n  store i64 %3618, .*\n(.*\n.*\n)", r"\1  store <2 x i64> %w, ptr %.Z, align 8\n"),
        ], "no word of a term",
    ),
    (
        "a call gets another point, with renumbered symbols", ("P256", "doubleAndAddVarTime"),
        [
            (
                r"(  tail call swiftcc void \S+V6doubleyy.*\n)",
                r"  %n0 = lshr i64 %837, 3\n  %n1 = and i64 %837, 7\n  %c0 = icmp uge i64 %n0, 0\n  %c1 = icmp uge i64 %n1, 0\n"
                r"  call void @llvm.assume(i1 %c0)\n  call void @llvm.assume(i1 %c1)\n\1"
                + "".join(rf"  %k{i} = getelementptr inbounds nuw i8, ptr %1, i64 {8 * i}\n  %n{i + 2} = load i64, ptr %k{i}, align 8\n" for i in range(12))
                + "".join(rf"  store i64 %n{i}, ptr %k{i}, align 8\n" for i in range(12)),
            ),
        ], "no word of a term",
    ),
    (
        "R has only two right words, after a branch whose paths were merged", ("P256", "addVarTime"),
        [
            (r"entry:\n", r"entry:\n  %a = alloca i64, align 8\n  %b = alloca i64, align 8\n"),
            (
                r"(  %840 = phi.*\n)",
                r"\1  %u = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %2, i64 5)\n  %u0 = extractvalue { i64, i1 } %u, 0\n"
                r"  %uc = icmp uge i64 %u0, 0\n  call void @llvm.assume(i1 %uc)\n",
            ),
            (
                r"(  %1726 = phi.*\n)",
                r"\1  store i64 %1723, ptr %a, align 8\n  store i64 %1724, ptr %b, align 8\n  %zc = icmp uge i64 %339, 0\n  call void @llvm.assume(i1 %zc)\n"
                r"  %f = extractvalue { i64, i1 } %u, 1\n  br i1 %f, label %T1, label %T2\n\nT1:\n  br label %J\n\nT2:\n  br label %J\n\nJ:\n"
                r"  %r0 = load i64, ptr %a, align 8\n  %r1 = load i64, ptr %b, align 8\n",
            ),
            (r"i64 %1723, i64 %1724, i64 %1725, i64 %1726, ptr", r"i64 %r0, i64 %r1, i64 %1723, i64 %1724, ptr"),
        ], "a call of addSameX",
    ),
    (
        "a word of the copied X is a sum with the symbol of an earlier sum", ("P256", "addVarTime"),
        [
            (
                r"entry:\n",
                r"entry:\n  %x0 = load i64, ptr %0, align 8\n  %ax = getelementptr inbounds nuw i8, ptr %0, i64 8\n  %x1 = load i64, ptr %ax, align 8\n"
                r"  %ay = getelementptr inbounds nuw i8, ptr %0, i64 32\n  %y0 = load i64, ptr %ay, align 8\n  %s = sub i64 %x0, %x1\n"
                r"  %sc = icmp uge i64 %s, 0\n  call void @llvm.assume(i1 %sc)\n",
            ),
            (
                r"(  store i64 1, ptr %.Z, align 8\n)",
                r"\1  %t = and i64 %y0, 255\n  %q = add i64 %t, %x1\n  %qc = icmp uge i64 %q, 0\n  call void @llvm.assume(i1 %qc)\n"
                r"  store i64 %q, ptr %1, align 8\n",
            ),
        ], "no word of a term",
    ),
    (
        "a correction writes its result over its operand", ("P384", "double"),
        [
            (r"captures\(none\) %14, (ptr noalias nonnull swiftself captures\(none\) dereferenceable\(48\) %1\))", r"captures(none) %1, \1"),
            (r"%1558 = load i64, ptr %14,", r"%1558 = load i64, ptr %1,"), *((rf"nuw i8, ptr %14, i64 {8 * i}\n", rf"nuw i8, ptr %1, i64 {8 * i}\n") for i in range(1, 6)),
        ], "one object twice|`noalias` arguments share",
    ),
    (
        "a word of R changes if H is p, without a branch", ("P256", "addVarTime"),
        [(r"(  tail call swiftcc void \S+V8addSameX\S*\()i64 %1723,", r"  %is = icmp eq i64 %837, 0\n  %word = select i1 %is, i64 %1723, i64 7\n\1i64 %word,")],
        "a call of addSameX",
    ),
    ("a tail call gets memory of its caller", ("P384", "double"), [(r"\n1557:\n  call", r"\n1557:\n  tail call")], "a tail call"),
    ("a tail call gets R in memory of its caller", ("P384", "addVarTime"), [(r"\n  call (swiftcc void \S+V8addSameX)", r"\n  tail call \1")], "a tail call"),
    ("the point is passed in a wrong register", ("P256", "addVarTime"), [(r"(V8addSameX.*ptr nonnull )swiftself ", r"\1")], "as its function is defined"),
    ("a call uses another calling convention", ("P256", "addVarTime"), [(r"(tail call )swiftcc (void \S+V8addSameX)", r"\1\2")], "as its function is defined"),
    ("R is promised to be small", ("P256", "addVarTime"), [(r"(V8addSameX.*\(i64 )%", r"\1range(i64 0, 5) %")], "a promise"),
    ("Z is promised to be small", ("P256", "addVarTime"), [(r"(%2 = load i64, ptr %.Z, align 8)\n", r"\1, !range !5\n")], "a promise"),
    ("the routine contains assembly", ("P256", "addVarTime"), [(r"\n17:\n", r'\n17:\n  call void asm sideeffect "incq ($0)", "r"(ptr %1)\n')], "asm"),
]

MEMORY = r"local_unnamed_addr #2"
OF_ONE = r"(  store i64 )1(, ptr %\.Z, align 8\n)"
OWN = (r"entry:\n", r"entry:\n  %m = alloca i64, align 8\n")
TO_THE_END = r"(  store i64 4294967294, ptr %\.Z\.l3, align 8\n)  br label (%\d+)\n"

# Further programs that were once accepted. Their faults lie outside single instructions: in ignored text, promises, memory accesses and functions.
PROMISES = [
    ("the first block has another block's name by default", ("P256", "double"), [(r"entry:\n", r"  store i64 0, ptr %0, align 8\n  br label %entry\n\nentry:\n")], "a label"),
    ("an instruction follows a label on its line", ("P256", "addVarTime"), [(r"\n17:\n", r"\n17: store i64 0, ptr %1, align 8\n")], "a label"),
    ("an instruction follows the definition on its line", ("P256", "double"), [(r"\{\nentry:\n", r"{ entry: store i64 0, ptr %0, align 8\n")], "a definition"),
    (
        "an instruction follows a debug record on its line", ("P256", "addVarTime"),
        [(r"\n17:\n", r"\n17:\n  #dbg_value(i64 0, !1, !DIExpression(), !2) store i64 0, ptr %1, align 8\n")], "dbg_value",
    ),
    ("an instruction follows the end of its block", ("P256", "addSameX"), [(r"(\n  ret void)", r"\1\n  store i64 0, ptr %4, align 8\1")], "without a label"),
    (
        "P is assumed to have more bytes", ("P256", "double"),
        [(r"entry:\n", r'entry:\n  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %0, i64 1000001) ]\n')], "a promise",
    ),
    (
        "P is assumed not to be aligned", ("P256", "double"),
        [(r"entry:\n", r'entry:\n  call void @llvm.assume(i1 true) [ "align"(ptr %0, i64 64, i64 1) ]\n')], "a promise",
    ),
    ("the routine is promised not to return", ("P256", "double"), [(MEMORY, r"local_unnamed_addr noreturn")], "a definition"),
    ("the routine is promised to access no memory", ("P256", "double"), [(MEMORY, r"local_unnamed_addr memory(none)")], "a definition"),
    ("the routine is promised to access no memory, by an attribute group", ("P256", "double"), [(MEMORY, "local_unnamed_addr {none}")], "a promise"),
    ("other code precedes the routine", ("P256", "double"), [(MEMORY, MEMORY + " prologue i8 5")], "a definition"),
    ("P is promised not to be written", ("P256", "double"), [(r"ptr swiftself ", r"ptr swiftself readonly ")], "a promise of memory: store"),
    ("P is promised not to be read", ("P256", "double"), [(r"ptr swiftself ", r"ptr swiftself writeonly ")], "a promise of memory: %1 = load"),
    ("P is promised to be written before it is read", ("P256", "double"), [(r"ptr swiftself ", r"ptr swiftself initializes((0, 96)) ")], "load of i64"),
    ("P is passed as a copy", ("P256", "double"), [(r"ptr swiftself ", r"ptr swiftself byval([96 x i8]) ")], "a promise"),
    ("P is promised to be aligned to pages", ("P256", "double"), [(r"ptr swiftself ", r"ptr swiftself align 4096 ")], "aligned to 4096"),
    ("P is promised to be dead on return", ("P256", "double"), [(r"ptr swiftself ", r"ptr swiftself dead_on_return ")], "a promise"),
    ("Q is promised to be writable", ("P256", "addVarTime"), [(r"ptr noalias ", r"ptr noalias writable ")], "a promise"),
    ("P is promised to be longer, or null", ("P256", "double"), [(r"dereferenceable\(96\)", r"dereferenceable_or_null(97)")], "a promise"),
    ("another definition may replace the routine", ("P256", "double"), [(r"define weak_odr", r"define available_externally")], "a definition"),
    ("P is promised to be longer", ("P256", "double"), [(r"dereferenceable\(96\)", r"dereferenceable(97)")], "97 bytes"),
    ("the called function is promised not to return", ("P256", "addVarTime"), [(r"(V8addSameX[^\n]*\))", r"\1 noreturn")], "a promise"),
    ("the called function is promised to access no memory", ("P256", "addVarTime"), [(r"(V8addSameX[^\n]*\))", r"\1 {none}")], "a promise"),
    ("P is promised to be aligned to pages in a call", ("P256", "addVarTime"), [(r"(V8addSameX.*swiftself )", r"\1align 4096 ")], "aligned to 4096"),
    ("P is promised to be aligned to pages in a copy", ("P256", "addVarTime"), [(r"align 8 (dereferenceable\(32\) %1)", r"align 4096 \1")], "aligned to 4096"),
    ("a copy's destination is promised not to be accessed", ("P256", "addVarTime"), [(r"(memcpy\S+\(ptr )", r"\1readnone ")], "a promise"),
    (
        "a word of R has the width of two words", ("P256", "addVarTime"),
        [(r"(  tail call swiftcc void \S+V8addSameX\S*\()i64 (%\d+)", r"  %wide = zext i64 \2 to i128\n\1i128 %wide")], "as its function is defined",
    ),
    ("a call without a result gives one", ("P256", "addVarTime"), [(r"  tail call swiftcc void (\S+V8addSameX)", r"  %no = tail call swiftcc i64 \1")], "as its function is defined"),
    (
        "an address inside the object is computed from one outside", ("P256", "addVarTime"),
        [(OF_ONE, r"  %b = getelementptr i8, ptr %1, i64 -8\n  %c = getelementptr inbounds i8, ptr %b, i64 72\n  store i64 1, ptr %c, align 8\n")], "outside of an object",
    ),
    (
        "an address computation carries, although it is promised not to", ("P256", "addVarTime"),
        [(
            OF_ONE,
            r"  %b = getelementptr i8, ptr %1, i64 -9223372036854775808\n  %c = getelementptr nuw i8, ptr %b, i64 4611686018427387904\n"
            r"  %d = getelementptr nuw i8, ptr %c, i64 4611686018427387968\n  store i64 1, ptr %d, align 8\n",
        )], "outside of an object",
    ),
    (
        "a 32-bit index is negative", ("P256", "addVarTime"),
        [(
            OF_ONE,
            r"  %i = add i32 0, -1\n  %b = getelementptr i8, ptr %1, i32 %i\n  %c = getelementptr i8, ptr %b, i64 -4294967231\n  store i64 1, ptr %c, align 8\n",
        )], "an index",
    ),
    (
        "a vector is stored without a stated alignment", ("P256", "addVarTime"),
        [(OF_ONE + r".*\n", r"  store <2 x i64> <i64 1, i64 -4294967296>, ptr %.Z\n")], "no alignment",
    ),
    (
        "a word is stored without a stated alignment, to unaligned memory", ("P256", "addVarTime"),
        [(r"entry:\n", r"entry:\n  %m = alloca i64, align 1\n"), (OF_ONE, r"  store i64 1, ptr %m\n  %o = load i64, ptr %m\n\1%o\2")], "no alignment",
    ),
    (
        "memory is used before its lifetime", ("P256", "addVarTime"),
        [
            OWN,
            (
                OF_ONE,
                r"  store i64 1, ptr %m, align 8\n  %o = load i64, ptr %m, align 8\n  call void @llvm.lifetime.start.p0(i64 8, ptr %m)\n"
                r"  call void @llvm.lifetime.end.p0(i64 8, ptr %m)\n\1%o\2",
            ),
        ], "after its lifetime",
    ),
    (
        "a branch depends on the conjunction of false and poison", ("P256", "addVarTime"),
        [(TO_THE_END, r"\1  %p = and i1 false, poison\n  br i1 %p, label %bad, label \2\n\nbad:\n  store i64 0, ptr %1, align 8\n  br label \2\n")], "a condition",
    ),
    (
        "a branch depends on the disjunction of true and poison", ("P256", "addVarTime"),
        [(TO_THE_END, r"\1  %p = or i1 true, poison\n  br i1 %p, label \2, label %bad\n\nbad:\n  store i64 0, ptr %1, align 8\n  br label \2\n")], "a condition",
    ),
    ("Z is promised never to change", ("P256", "addVarTime"), [(r"(%2 = load i64, ptr %.Z, align 8)\n", r"\1, !invariant.group !5\n")], "a promise"),
    ("Z is promised to have another type", ("P256", "addVarTime"), [(r"(%2 = load i64, ptr %.Z, align 8)\n", r"\1, !tbaa !5\n")], "a promise"),
    ("Z is promised to be different memory", ("P256", "addVarTime"), [(r"(%2 = load i64, ptr %.Z, align 8)\n", r"\1, !noalias !5\n")], "different memory"),
]


class PointRoutineTests(WrongPrograms):
    @classmethod
    def setUpClass(cls):
        cls.module = read(IR / "PureECDSA")
        text = cls.module.texts[cls.module.files[rows()[0].first(cls.module).name]]
        cls.none = re.search(r"^attributes (#\d+) = \{[^{}\n]*memory\(none\)", text, re.M)[1]

    def refused_routine(self, routine, lines, reason):
        row = PointRoutine(*routine)
        lines = [(pattern, other.replace("{none}", self.none)) for pattern, other in lines]
        self.refused_in(self.module, [row], {row.first(self.module).name: lines}, reason)

    def test_the_routines_as_they_are_are_proven(self):
        for name in ("addVarTime", "addSameX"):
            PointRoutine("P256", name).prove(self.module)

    def test_what_is_wrong_around_the_operations_is_refused(self):
        for what, pattern, other, reason in ADDITION:
            with self.subTest(what):
                self.refused_routine(("P256", "addVarTime"), [(pattern, other)], reason)

    def test_what_was_once_accepted_is_refused(self):
        for what, routine, lines, reason in ONCE_ACCEPTED + PROMISES:
            with self.subTest(what):
                self.refused_routine(routine, lines, reason)

    def test_equal_and_opposite_points_are_told_apart(self):
        for pattern, other in ((r"V6doubleyy", "V10addVarTimeyy"), (r"br i1 (%\S+), label (%\d+), label (%\d+)", r"br i1 \1, label \3, label \2")):
            self.refused_routine(("P256", "addSameX"), [(pattern, other)], "")

    def test_each_instruction_is_changed_under_its_own_statement(self):
        for row in rows():
            self.assertIn(row.first(self.module).name, reached(self.module, [row]))
            self.assertFalse([name for name in reached(self.module, [row]) if "JacobianPoint" in name and name != row.first(self.module).name])
