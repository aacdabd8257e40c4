"""Tests the proofs of formulas: each of these changes to a source must make a proof fail."""

import importlib
import unittest

from proofs.source import point_program, swift_syntax
from proofs.statements.formulas import odd_multiples, point_formulas, verification_end
from proofs.statements.formulas.group_law import BySymPy, Wrong
from proofs.statements.formulas.second_checker import ByCvc5

JACOBIAN, MULTIPLES = "Curve/JacobianPoint.swift", "Curve/OddMultiples.swift"
TABLE, VERIFICATION = "Curve/WindowTable.swift", "ECDSA/ECDSAVerification.swift"

# (file, text, replacement of the text's first occurrence, module of the proof, proof that must fail)
CHANGES = [
    (JACOBIAN, "m + m.halved()", "m - m.halved()", point_formulas, "doubling"),
    (JACOBIAN, "Z = Y.inlineProduct(Z)", "Z = X.inlineProduct(Z)", point_formulas, "doubling_finite"),
    (JACOBIAN, "X = RR - HHH - V - V", "X = RR - HHH - V + V", point_formulas, "addition"),
    (JACOBIAN, "if R.isZero { double() } else { self = .infinity }", "if R.isZero { self = .infinity } else { double() }", point_formulas, "addition_branches"),
    (JACOBIAN, "else { self = .infinity }", "else { double() }", point_formulas, "addition_branches"),
    (JACOBIAN, "self = Self(Q)", "self = .infinity", point_formulas, "addition_branches"),
    (JACOBIAN, "Self(X: .one, Y: .one, Z: .zero)", "Self(X: .one, Y: .one, Z: .one)", point_formulas, "addition_branches"),
    (JACOBIAN, "self.init(X: point.x, Y: point.y, Z: .one)", "self.init(X: point.y, Y: point.x, Z: .one)", point_formulas, "addition_branches"),
    (JACOBIAN, "_slowPath(H.isZero) || _slowPath(G.isZero)", "_slowPath(H.isZero)", point_formulas, "double_and_add_branches"),
    (JACOBIAN, "            double()\n            addVarTime(Q)", "            addVarTime(Q)\n            double()", point_formulas, "double_and_add_branches"),
    (JACOBIAN, "            double()\n            addVarTime(Q)", "            X = X + X\n            double()\n            addVarTime(Q)", point_formulas, "double_and_add_branches"),
    (JACOBIAN, "V + V + V + HHH - RR", "V + V + HHH - RR", point_formulas, "double_and_add_branches"),
    (JACOBIAN, "if isInfinity { return nil }", "if Y.isZero { return nil }", point_formulas, "to_affine"),
    (JACOBIAN, "y: Y * (square * inverse)", "y: Y * square", point_formulas, "to_affine"),
    (MULTIPLES, "let β = x * γ", "let β = x * δ", point_formulas, "odd_multiples_start"),
    (MULTIPLES, "P = Self(x: V, y: W)", "P = Self(x: V, y: V)", point_formulas, "odd_multiples_step"),
    (MULTIPLES, "let RR = R.inlineSquare()", "let RR = R\n        if 0 < 1 { let RR = R.inlineSquare() }", point_formulas, "odd_multiples_step"),
    (MULTIPLES, "return H", "return R", point_formulas, "odd_multiples_step"),
    (MULTIPLES, "points[start] = Z == nil ? Q : point", "points[start] = Z == nil ? point : Q", odd_multiples, "climbing"),
    (MULTIPLES, "ratios[start + i] = ratio", "ratios[start + i] = last", odd_multiples, "climbing"),
    (MULTIPLES, "for i in 1..<m {", "for i in 2..<m {", odd_multiples, "climbing"),
    (MULTIPLES, "?? Q.y", "?? Q.x", odd_multiples, "climbing"),
    (MULTIPLES, "while i >= first {", "while i > first {", odd_multiples, "descending"),
    (MULTIPLES, "isFirstAffine ? start + 1 : start", "isFirstAffine ? start : start", odd_multiples, "descending"),
    (MULTIPLES, "inverse = inverse * ratios[i]", "inverse = inverse * ratios[i - 1]", odd_multiples, "descending"),
    (MULTIPLES, "i -= 1", "i -= 2", odd_multiples, "descending"),
    (MULTIPLES, "products[j] = product", "products[j] = ratios[0]", odd_multiples, "one_inversion"),
    (MULTIPLES, "isFirstAffine: j < affineCount", "isFirstAffine: j <= affineCount", odd_multiples, "one_inversion"),
    (MULTIPLES, "InlineArray<12, Field>", "InlineArray<11, Field>", odd_multiples, "one_inversion"),
    (TABLE, "for _ in 1..<shape.partBits", "for _ in 0..<shape.partBits", odd_multiples, "table"),
    (TABLE, "ratioSpan[start] = double.Z", "ratioSpan[start] = double.X", odd_multiples, "table"),
    (TABLE, "count: parts, affineCount: 1", "count: parts, affineCount: 2", odd_multiples, "table"),
    (VERIFICATION, "if R.isInfinity { return false }", "if R.isInfinity { return true }", verification_end, "final_comparison"),
    (VERIFICATION, "let u1 = e * w, u2 = r * w", "let u1 = r * w, u2 = e * w", verification_end, "final_comparison"),
    (VERIFICATION, "let zz = R.Z.squared()", "let zz = R.Z", verification_end, "final_comparison"),
    (VERIFICATION, "let zz = R.Z.squared()", "let zz = R.Z\n        if 0 < 1 { let zz = R.Z.squared() }", verification_end, "final_comparison"),
    (VERIFICATION, "xCoordinatePlusOrder(r), x * zz == R.X", "xCoordinatePlusOrder(r), x * zz == R.Y", verification_end, "final_comparison"),
    (VERIFICATION, "        return false\n    }", "        return true\n    }", verification_end, "final_comparison"),
    ("Curve/PrimeCurve.swift", "(x.doubled() + x)", "x.doubled()", verification_end, "curve_equation"),
    ("Curve/AffinePoint.swift", "y.squared() == Curve", "x.squared() == Curve", verification_end, "curve_equation"),
]


class PointTests(unittest.TestCase):
    def test_a_change_of_a_source_makes_a_proof_fail(self):
        read = point_program.source
        for path, text, changed, module, proof in CHANGES:
            with self.subTest(change=changed):
                self.assertIn(text, read(path))

                def source(asked):
                    return read(asked).replace(text, changed, 1) if asked == path else read(asked)

                point_program.source = source
                try:
                    for checker in (BySymPy(), ByCvc5()):
                        with self.assertRaises((Wrong, swift_syntax.Unreadable, ValueError, TypeError, LookupError)):
                            changed_module = importlib.reload(module)
                            (changed_module.proofs(checker)[proof] if hasattr(module, "proofs") else getattr(changed_module, proof))()
                finally:
                    point_program.source = read
                    importlib.reload(module)

    def test_both_programs_refute_what_is_no_identity(self):
        for checker in (BySymPy(), ByCvc5()):
            x, y = checker.symbols("x y")
            checker.require_equal((x + y) ** 3 / (x + y), x**2 + 2 * x * y + y**2)
            checker.require_equal(1 / x + 1 / y, (x + y) / (x * y))
            for wrong in (x**2 + y**2, x**2 + 2 * x * y - y**2, x / y):
                with self.assertRaises(Wrong):
                    checker.require_equal((x + y) ** 2, wrong)

    def test_what_is_not_known_of_swift_is_refused(self):
        for text in ("guard x else { return }", "let a = b % c", "let a = \"text\"", "switch a { }", "a = try b()"):
            with self.subTest(text=text), self.assertRaises(swift_syntax.Unreadable):
                swift_syntax.Parser(text).statements()
