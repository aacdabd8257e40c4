"""Tests the proofs of point routines and signed-limb fields for other targets. The tests use wrong programs that the proofs once accepted.

Each program is a changed version of a target's IR. The proofs must reject the changed program, and must accept the unchanged program.
"""

from proofs.build.embedded import AARCH64 as ARM, WASM32 as WASM
from proofs.places import TARGETS
from proofs.soundness.wrong_programs.wrong import WrongPrograms, read
from proofs.statements import unsaturated
from proofs.statements.curves import CURVES
from proofs.statements.points import point_calls

ROWS = {
    WASM: {row.name: row for row in unsaturated.rows() + point_calls.rows(of_signed_limbs=True)},
    ARM: {row.name: row for row in point_calls.rows(of_signed_limbs=False)},
}
ADDITION, DOUBLING, HALF, EQUAL, PLAIN = (
    "P256 addVarTime by calls", "P256 double by calls", "P256 unsaturated halved", "P256 unsaturated ==", "P256 unsaturated plain")
ADD, DOUBLE = "JacobianPointV10addVarTimeyyAA06AffineD0VyxGFAA9P256CurveO_Tg5", "JacobianPointV6doubleyyFAA9P256CurveO_Tg5"
FIELD = "20P256UnsaturatedFieldV"
RETURN = r"(\n  ret void\n\})"
COPY = "\n  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %0, ptr align 4 %{}, i32 {}, i1 false)\\1"
UNSTORED = (r"entry:\n", "entry:\n  %own = alloca %T9PureECDSA20P256UnsaturatedFieldV, align 8\n")
OF_ZERO = r"(  br i1 %29, label %30, label %34)"  # the branch after the call of `plain` on Z and after the test for 0
FAKE_ONE = "".join(
    f"  %one{i} = getelementptr inbounds nuw i8, ptr %.Z, i32 {8 * i}\n  store i64 {word}, ptr %one{i}, align 8\n"
    for i, word in enumerate((2**576 % CURVES["P256"].p) >> 64 * i & 2**64 - 1 for i in range(9)))
HELPER = """define hidden swiftcc {} @"helperTm"({}) {{
entry:
{}
}}"""
STORES_BY_A_LIMB = HELPER.format(
    "void", "ptr %0, ptr %1",
    "  %w = load i64, ptr %0, align 8\n  %is = icmp ne i64 %w, 5\n  br i1 %is, label %no, label %yes\n\nno:\n  ret void\n\n"
    "yes:\n  store i64 7, ptr %1, align 8\n  ret void")
OWN_MEMORY = HELPER.format("ptr", "ptr %0", "  %own = alloca i64, align 8\n  %w = load i64, ptr %0, align 8\n  store i64 %w, ptr %own, align 8\n  ret ptr %own")

# (fault, target, statement, part of the function's symbol, [(line, replacement)], message of the rejection, further function)
ONCE_ACCEPTED = [
    ("half a word is copied", WASM, HALF, FIELD + "6halved", [(RETURN, "\n  %half = getelementptr inbounds nuw i8, ptr %1, i32 4" + COPY.format("half", 4))], "memcpy", ""),
    (
        "part of a stored word is copied", WASM, HALF, FIELD + "6halved",
        [UNSTORED, (r"  store i64 %43, ptr (%\S+), ",
            r"  store i64 %43, ptr %own, align 8\n  call void @llvm.memcpy.p0.p0.i32(ptr \1, ptr %own, i32 4, i1 false)\n  store i64 %43, ptr %own, ")],
        "memcpy", "",
    ),
    ("memory that was never stored to is copied", WASM, HALF, FIELD + "6halved", [UNSTORED, (RETURN, COPY.format("own", 72))], "load of i64 at 0", ""),
    ("memory beyond an operand is copied", WASM, HALF, FIELD + "6halved", [(RETURN, "\n  %end = getelementptr i8, ptr %1, i32 72" + COPY.format("end", 8))], "outside", ""),
    ("a limb determines the copied length", WASM, HALF, FIELD + "6halved", [(RETURN, "\n  %n = trunc i64 %.sroa.027.0.copyload to i32" + COPY.format(1, "%n"))], "memcpy", ""),
    (
        "no number with a negative lowest limb counts as a multiple of p", WASM, EQUAL, FIELD + "2eeoi",
        [
            (r"  %4 = add", "  %is = icmp slt i64 %.sroa.0.0.copyload, -3\n  br i1 %is, label %no, label %go\n\nno:\n  ret i1 false\n\ngo:\n  %4 = add"),
            (r"false, %entry", "false, %go"),
        ], "false for a multiple of p", "",
    ),
    ("a definition promises small words", WASM, "P256 unsaturated words", FIELD + "yACs6UInt64V_", [(r"i64 %1,", r"i64 range(i64 0, 5) %1,")], "a promise", ""),
    ("a call promises its result", WASM, ADDITION, ADD, [(r"%29 = call swiftcc i1", r"%29 = call swiftcc range(i1 0, 1) i1")], "a promise", ""),
    ("an operand is promised not to be read", WASM, ADDITION, ADD, [(r"(7squaredACyF.*swiftself )", r"\1readnone ")], "a promise", ""),
    ("a tail call gets memory of its caller", WASM, PLAIN, FIELD + "5plains", [(r"  call (swiftcc void \S+1moi)", r"  tail call \1")], "a tail call", ""),
    ("a tail call in an executed function", WASM, ADDITION, FIELD + "5words", [(r"  call (swiftcc void)", r"  tail call \1")], "a tail call", ""),
    (
        "a negative lowest limb is treated as a small word", WASM, DOUBLING, DOUBLE,
        [(
            r"(  call swiftcc void \S+7squared)",
            "  %z = load i64, ptr %.Z, align 8\n  %is = icmp ult i64 %z, 1099511627776\n  br i1 %is, label %go, label %bad\n\n"
            "bad:\n  store i64 5, ptr %0, align 8\n  ret void\n\ngo:\n\\1",
        )], "a decision", "",
    ),
    (
        "a product overwrites its factor", WASM, DOUBLING, DOUBLE,
        [(r"(1moiyA2C_ACtFZ\"\([^%]*%\w+\) captures\(none\) )%8,", r"\1%.Z,"), (r"  call void @llvm.memcpy.*%8, i32 72, i1 false\)\n", "")], "a result where", "",
    ),
    ("Z₃ of infinity has other words than 1", WASM, ADDITION, ADD, [(r"  call void @llvm.memcpy.*%23, i32 72, i1 false\)\n", FAKE_ONE)], "coordinates", ""),
    ("1 is built with two words swapped", WASM, ADDITION, FIELD + "5words", [(r"i64 (%\.\S+), i64 (%\.\S+), ", r"i64 \2, i64 \1, ")], "than 1", ""),
    (
        "a word selects the stored word, without a branch", WASM, ADDITION, ADD,
        [(OF_ZERO, "  %w = load i64, ptr %24, align 8\n  %is = icmp ne i64 %w, 5\n  %x = load i64, ptr %1, align 8\n  %word = select i1 %is, i64 %x, i64 7\n"
                   "  store i64 %word, ptr %1, align 8\n\\1")], "no known number", "",
    ),
    ("a called function stores only for one value of a word", WASM, ADDITION, ADD, [(OF_ZERO, '  call swiftcc void @"helperTm"(ptr %24, ptr %1)\n\\1')], "no known", STORES_BY_A_LIMB),
    (
        "memory is used after its function returned", WASM, DOUBLING, DOUBLE,
        [(
            r"(  call swiftcc void \S+7squared)",
            '  %own = call swiftcc ptr @"helperTm"(ptr %0)\n  %w = load i64, ptr %own, align 8\n  store i64 %w, ptr %0, align 8\n\\1',
        )], "after its lifetime", OWN_MEMORY,
    ),
    (
        "an address is advanced by pointers of 4 bytes", WASM, ADDITION, ADD,
        [(r"getelementptr inbounds nuw i8, ptr %1, i32 72", "getelementptr inbounds nuw ptr, ptr %1, i32 9")], "an address is promised: 72 bytes at 36", "",
    ),
    (
        "a number is passed in unaligned memory", WASM, DOUBLING, DOUBLE,
        [(r"(= alloca %T9PureECDSA20P256UnsaturatedFieldV, align )8", r"\g<1>4")], "is not aligned to 8", "",
    ),
    (
        "a word of R changes if H is p, without a branch", ARM, ADDITION, ADD,
        [(r"(  tail call swiftcc void \S+V8addSameX\S*\()i64 %62", "  %is = icmp eq i64 %43, 0\n  %word = select i1 %is, i64 %62, i64 7\n\\1i64 %word")], "a call of addSameX", "",
    ),
]


class PointCallTests(WrongPrograms):
    @classmethod
    def setUpClass(cls):
        cls.modules = {target: read(TARGETS / target / "PureECDSA") for target in ROWS}

    def test_what_is_as_it_was_is_proven(self):
        for target, row in sorted({(target, row) for _, target, row, *_ in ONCE_ACCEPTED}):
            ROWS[target][row].prove(self.modules[target])

    def test_what_was_once_accepted_is_refused(self):
        for what, target, row, part, lines, reason, more in ONCE_ACCEPTED:
            module = self.modules[target]
            (name,) = (n for n in module.sources if part in n)
            module.files['@"helperTm"'] = 0
            with self.subTest(what):
                self.refused_in(module, [ROWS[target][row]], {name: lines} | ({'@"helperTm"': more} if more else {}), reason)

    def test_the_lowest_limbs_of_multiples_of_p(self):
        for shape in unsaturated.SHAPES:
            found = unsaturated.lowest_limbs(shape)
            radix, bound = 1 << shape.width, shape.bound(0)
            for k in range(-2, 3):  # |number| < 3p
                of_k = {n for n in found if (n - k * shape.modulus) % radix == 0}
                self.assertTrue(of_k and all(-bound <= n <= bound for n in of_k))
                self.assertTrue(min(of_k) - radix < -bound and max(of_k) + radix > bound)
