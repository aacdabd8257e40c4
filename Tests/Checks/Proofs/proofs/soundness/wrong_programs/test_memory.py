"""Tests the prover's memory on hand-written IR: a copy of four words is proven, and each wrong address is rejected."""

import unittest

from proofs.ir.module import Module
from proofs.outcomes import Unproven, Unsupported
from proofs.statements.arithmetic import Statement
from proofs.statements.curves import P256

COPY = Statement("p256_copy", 4, P256, "congruence", 1, "result = a", right=((1, (0,)),))
MEMCPY = "  call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)"


def copy(stores=None, loads=None, before="", after=""):
    """Returns a function that copies four words. `stores` and `loads` map an index to a replacement line."""
    lines = ["entry:", before]
    for i in range(4):
        lines.append(f"  %from{i} = getelementptr inbounds nuw i8, ptr %1, i64 {8 * i}")
        lines.append((loads or {}).get(i, f"  %word{i} = load i64, ptr %from{i}, align 8"))
    for i in range(4):
        lines.append(f"  %to{i} = getelementptr inbounds nuw i8, ptr %0, i64 {8 * i}")
        lines.append((stores or {}).get(i, f"  store i64 %word{i}, ptr %to{i}, align 8"))
    lines += [after, "  ret void"]
    text = "define void @9p256_copy(ptr %0, ptr %1) {\n" + "\n".join(line for line in lines if line) + "\n}\n"
    return Module("%pair = type <{ i64, i64 }>\n%wide = type { i8, i64 }\n" + text)


def calling(function, call):
    """Returns a module whose copy adds %number to word 0. `call` is the code that calls `function` and defines %number."""
    changed = copy(before=call, stores={0: "  %sum = add i64 %word0, %number\n  store i64 %sum, ptr %to0, align 8"})
    return Module(changed.texts[0] + function)


def store_at(offset, kind="i64", v="%word0", pointer="%0"):
    return f"  %place = getelementptr i8, ptr {pointer}, i64 {offset}\n  store {kind} {v}, ptr %place, align 1"


# (fault, function, message of the rejection)
REFUSED = [
    *((f"a store of {kind} into the middle of a result, at {offset}", copy(after=store_at(offset, kind, v)), "over a part of")
      for kind, v, offset in (("i8", "0", 3), ("i8", "0", 8), ("i16", "0", 10), ("i32", "0", 12), ("i32", "0", 16), ("i1", "true", 31))),
    ("a store that later words cover in part", copy(before=store_at(4, "i32", "0")), "over a part of"),
    ("a word at offset 4", copy(after=store_at(4)), "not aligned"),
    ("a word at offset 12", copy(stores={1: store_at(12, v="%word1")}), "not aligned"),
    *((f"a word outside of the result, at {offset}", copy(after=store_at(offset)), "outside of an object") for offset in (32, 40, 1 << 40, -8)),
    ("a vector past the end of the result", copy(after=store_at(24, "<2 x i64>", "zeroinitializer")), "outside of an object"),
    ("an address that only claims to be inbounds", copy(after="  %place = getelementptr inbounds i8, ptr %0, i64 33"), "outside of an object"),
    ("a claimed alignment", copy(stores={1: "  store i64 %word1, ptr %to1, align 16"}), "not aligned"),
    ("a result of half words", copy(stores={2: "  store i32 0, ptr %to2, align 4"}), "load of i64 at 16"),
    ("a word that is missing", copy(stores={3: ""}), "load of i64 at 24"),
    ("a store to an argument", copy(after=store_at(8, pointer="%1")), "store to an argument"),
    ("half a word of an argument", copy(loads={2: "  %word2 = load i32, ptr %from2, align 4"}), "load of i32"),
    *((f"a load of an argument at {offset}", copy(loads={2: f"  %q = getelementptr i8, ptr %1, i64 {offset}\n  %word2 = load i64, ptr %q, align 4"}), reason)
      for offset, reason in ((20, "not aligned"), (32, "outside of an object"))),
    *((f"memcpy to {target} from {source}, {length} octets", copy(after=MEMCPY.format(target, source, length)), reason) for target, source, length, reason in (
        ("%0", "%1", 40, "outside of an object"), ("%0", "%1", 12, "memcpy"), ("%to1", "%0", 16, "memcpy"), ("%1", "%0", 32, "store to an argument"))),
    ("memset past the end", copy(after="  call void @llvm.memset.p0.i64(ptr %to2, i8 0, i64 24, i1 false)"), "outside of an object"),
]


class MemoryTests(unittest.TestCase):
    def refused(self, module, reason):
        with self.assertRaisesRegex(Unsupported, reason):
            COPY.prove(module)

    def test_a_copy_is_proven(self):
        self.assertEqual(COPY.prove(copy()), "1 path")
        COPY.prove(copy(after=MEMCPY.format("%0", "%1", 32)))

    def test_a_result_in_the_wrong_order_is_not_proven(self):
        with self.assertRaises(Unproven):
            COPY.prove(copy(stores={0: "  store i64 %word1, ptr %to0, align 8"}))

    def test_a_wrong_access_is_refused(self):
        for what, module, reason in REFUSED:
            with self.subTest(what):
                self.refused(module, reason)

    def test_an_alloca_has_the_size_of_its_type(self):
        for kind, size in (("%pair", 16), ("[3 x %pair]", 48), ("%wide", 16), ("{ i64, <{ i8, i64 }> }", 24), ("i64", 8)):
            made = f"  %object = alloca {kind}, align 16\n"
            COPY.prove(copy(before=made + store_at(size - 8, v="0", pointer="%object")))
            self.refused(copy(before=made + store_at(size, v="0", pointer="%object")), "outside of an object")

    def test_nothing_outlives_its_object(self):
        marker = "  call void @llvm.lifetime.{}.p0(i64 16, ptr nonnull %object)\n"
        made = "  %object = alloca %pair, align 16\n" + marker.format("start") + store_at(0, v="7", pointer="%object") + "\n"
        load = "  %found = load i64, ptr %object, align 8\n"
        COPY.prove(copy(before=made + load))
        self.refused(copy(before=made + marker.format("end") + load), "after its lifetime")
        self.refused(copy(before=made + marker.format("start") + load), "load of i64 at 0")

    def test_a_returned_number_has_the_width_of_its_type(self):
        for bits in (8, 16, 32):
            function = f"define i{bits} @f() {{\nentry:\n  ret i{bits} -1\n}}\n"
            call = f"  %r = call i{bits} @f()\n  %z = zext i{bits} %r to i64\n  %number = add i64 %z, {{}}"
            COPY.prove(calling(function, call.format(-(2**bits - 1))))
            with self.assertRaises(Unproven):
                COPY.prove(calling(function, call.format(1)))

    def test_an_address_in_a_structure_is_refused(self):
        # Otherwise no check would notice that the argument is stored to, or that %p and %q are the same address.
        tuples = "  %s0 = insertvalue { ptr, i64 } undef, ptr %1, 0\n  %s = insertvalue { ptr, i64 } %s0, i64 1, 1\n"
        laundered = "  %q = extractvalue { ptr, i64 } %s, 0\n  store i64 1, ptr %q, align 8"
        self.refused(copy(after=tuples + laundered), "an address in a structure")
        other = "define hidden i64 @other(ptr noalias %p, { ptr, i64 } %s) {\nentry:\n" + laundered + "\n  ret i64 0\n}\n"
        call = tuples + "  %number = call i64 @other(ptr noalias %1, { ptr, i64 } %s)"
        self.refused(calling(other, call), "an address in a structure")

    def test_noalias_arguments_must_not_share_memory_that_is_stored_to(self):
        function = "define void @g(ptr noalias %0, ptr noalias %1) {\nentry:\n  store i64 5, ptr %0, align 8\n  store i64 0, ptr %1, align 8\n  ret void\n}\n"
        call = "  %o = alloca i64, align 8\n  %p = alloca i64, align 8\n  call void @g(ptr noalias %p, ptr noalias {})\n  %number = load i64, ptr {}, align 8"
        COPY.prove(calling(function, call.format("%o", "%o")))
        with self.assertRaisesRegex(Unproven, "noalias"):
            COPY.prove(calling(function, call.format("%p", "%p")))
