"""Tests that a proof that runs only some cases rejects a program that is wrong in another case. The proofs once accepted these programs.

Each program is a changed version of the release build's IR. `run.sh` also proves the unchanged statements.
"""

import re

from proofs.places import IR
from proofs.soundness.wrong_programs.wrong import WrongPrograms, read
from proofs.statements import arithmetic
from proofs.statements.inversion import inverse, matrices
from proofs.statements.multiplication import interleaving
from proofs.statements.recoding import turn

ROWS = {row.name: row for found in (arithmetic, inverse, matrices, interleaving, turn) for row in found.rows()}
RECODING, INTERLEAVING, INVERSION = "windows4_recode", "doubleMultiplyVarTime", "ModularInversionV7inverse"
AT = "%is.at = icmp ult i64 %48, 40\n"  # a condition on the new digit's position
WORD = r"\n  (%\d+) = trunc i64 (%\d+) to i16"  # the digit becomes a value of 16 bits
PRODUCT = r"montgomeryProduct.*P384D0V"

# (fault, statement, [(line, replacement)], message of the rejection)
RECODINGS = [
    (
        "the third digit is wrong below position 40",
        [(
            WORD,
            f"\n  {AT}  %is.third = icmp eq i64 %104, 2\n  %both = and i1 %is.at, %is.third\n  %z = zext i1 %both to i64\n  %d = add i64 \\2, %z\n"
            "  \\1 = trunc i64 %d to i16",
        )],
        "a use of the number of digits",
    ),
    (
        "part of the number of digits changes a digit",
        [(
            WORD,
            "\n  %part = load i8, ptr %.count, align 8\n  %z = zext i8 %part to i64\n  %d = mul i64 %z, 0\n  %e = add i64 \\2, %d\n"
            "  \\1 = trunc i64 %e to i16",
        )],
        "a part of",
    ),
    (
        "the distance of two addresses is the number of digits",
        [(r"(  store i16 (%\d+), ptr (%\d+), align 2)", r"  %p = ptrtoint ptr \3 to i64\n  %q = ptrtoint ptr %.digits to i64\n  %d = sub i64 %p, %q\n\1")],
        "a use of the number of digits",
    ),
    ("the first digit is overwritten", [(WORD, r"\n  store i16 0, ptr %.digits, align 2\g<0>")], "a digit whose number is fixed"),
    (
        "the highest position stays the same after a digit at position 5",
        [(
            r"(  %\.26 = .*\n)(  store i64 %\.26, ptr %\.highest, align 8)",
            "\\1  %is.at = icmp eq i64 %48, 5\n  %kept = select i1 %is.at, i64 %116, i64 %.26\n  store i64 %kept, ptr %.highest, align 8",
        )], "a use of the number of digits",
    ),
    (
        "a link of another position changes",
        [(r"  store i16", r"  %other = getelementptr i8, ptr %111, i64 1\n  store i8 0, ptr %other, align 1\n\g<0>")], "another link|another digit",
    ),
]
RARE = """pre:
  %q0 = load i64, ptr %1, align 8
  %q1 = icmp eq i64 %q0, 1311768467463790320
  br i1 %q1, label %rare, label %entry

rare:
  store i64 0, ptr %0, align 8
  br label %entry

entry:
"""


class SampleTests(WrongPrograms):
    @classmethod
    def setUpClass(cls):
        cls.module = read(IR / "PureECDSA")

    def test_a_digit_depends_on_the_number_of_digits(self):
        row = ROWS["recode<4>"]
        for what, lines, reason in RECODINGS:
            with self.subTest(what):
                self.refused_in(self.module, [row], {row.first(self.module).name: lines}, reason)

    def test_a_multiple_depends_on_the_position(self):
        row = ROWS["interleave P256 point<5>"]
        function = row.first(self.module)
        proof = interleaving.Proof(self.module, function, row.shape)
        position, value = proof.position_name(), row.shape.digits()[100][1]
        for what, asked in (
            ("by the position", f"%at = icmp eq i64 {position}, 3\n"),
            (
                "by the distance of two addresses",
                f"%place = getelementptr i8, ptr %15, i64 {position}\n  %m = ptrtoint ptr %place to i64\n  %n = ptrtoint ptr %15 to i64\n"
                "  %d = sub i64 %m, %n\n  %at = icmp eq i64 %d, 3\n",
            ),
        ):
            with self.subTest(what):
                self.refused_in(
                    self.module, [row], {function.name: [(
                        r"\n  (%\d+) = (load i16, .*)",
                        f"\n  %read = \\2\n  %is = icmp eq i16 %read, {value}\n  {asked}  %both = and i1 %is, %at\n"
                        "  %negated = sub i16 0, %read\n  \\1 = select i1 %both, i16 %negated, i16 %read")]}, "another use of the position")

    def test_a_round_depends_on_the_number_of_rounds(self):
        row = ROWS["safegcd inverse<5>"]
        function = row.first(self.module)
        loop = inverse.Inverse(self.module, function, 5).loop
        bits = next(i.args[0] for i in function.phis(loop.rounds) if i.dest == loop.counter)
        end = rf"(\n{re.escape(loop.end)}:(?:.*\n)*?.*ModularInversionV6update(?:.*\n)*?)  store i64 (%\S+), (ptr .*)"
        wrong = rf"\1  %is = icmp eq {bits} {loop.counter}, 5\n  %z = zext i1 %is to i64\n  %w = add i64 \2, %z\n  store i64 %w, \3"
        self.refused_in(self.module, [row, ROWS["safegcd steps<5>"]], {function.name: [(end, wrong)]}, "another use of the number of rounds")

    def test_a_product_overwrites_its_factor(self):
        """For a rare factor, `montgomeryProduct` stores to its result first. In `n384_product`, the second call has its result in the memory of a factor."""
        (function,) = (name for name in self.module.sources if re.search(PRODUCT, name))
        (driver,) = (name for name in self.module.sources if "12n384_product" in name)
        text = self.module.sources[driver]
        start = text.index("%.sroa.11.0..sroa_idx = ")
        own, factor = "captures(none) %6, ptr", "captures(none) %7, ptr"
        self.assertEqual(text.count(own), 1)
        after = text[start:].replace("ptr %6, i64", "ptr %7, i64").replace("load <2 x i64>, ptr %6", "load <2 x i64>, ptr %7").replace("align 16", "align 8")
        text = text[:start].replace(own, factor) + after.replace(own, factor)
        changes = {function: [(r"entry:\n", RARE)], driver: text}
        self.refused_in(self.module, [ROWS["n384_product"]], changes, "a result where an operand is")
