"""Lists the statements about formulas. The proofs execute the source on symbols, and check identities of rational functions.

The proofs are in `point_formulas.py`, `odd_multiples.py` and `verification_end.py`. They compare the formulas with the group law of y² = x³ + ax + b in affine
coordinates (SEC 1 §2.2.1), with a = −3. If both SymPy and cvc5 check an identity, they must agree. `test_points.py` tests the Swift parser with changed
sources. Trusted: SymPy (if cvc5 checks an identity too, only one of the two programs), and the reading of Swift in `swift_syntax.py` and `swift_run.py`.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass

from proofs.claim import Claim
from proofs.outcomes import Unproven
from proofs.source.swift_syntax import Unreadable
from proofs.statements.formulas import odd_multiples, point_formulas, verification_end
from proofs.statements.formulas.group_law import BySymPy, Wrong
from proofs.statements.formulas.second_checker import ByCvc5


@dataclass
class Formula(Claim):
    module: object
    name: str  # name of the proof, which is a function of the module or an entry of the module's `proofs`
    text: str
    of: tuple

    @property
    def has_two_checkers(self):
        return not hasattr(self.module, self.name)

    @property
    def trusts(self):
        return ("SymPy or cvc5" if self.has_two_checkers else "SymPy", "the reading of the source")

    def prove(self, module):
        try:
            if not self.has_two_checkers:
                getattr(self.module, self.name)()
                return "sympy"
            for checker in (BySymPy(), ByCvc5()):
                self.module.proofs(checker)[self.name]()
            return "sympy, cvc5"
        except (Wrong, Unreadable) as e:
            raise Unproven(str(e))


def rows():
    return [Formula(module, name, text, tuple(of.split(" ")) if of else ()) for module, name, of, text in (
        (point_formulas, "doubling", "JacobianPoint.double", "double(): the affine double, for Y, Z ≠ 0"),
        (point_formulas, "doubling_at_infinity", "JacobianPoint.double", "double(): infinity doubles to infinity"),
        (point_formulas, "doubling_finite", "JacobianPoint.double", "double(): Z₃ = Y·Z"),
        (point_formulas, "addition", "JacobianPoint.addVarTime", "addVarTime: the affine sum, Z₃ = Z₁·H, for H, Z ≠ 0"),
        (point_formulas, "addition_branches", "JacobianPoint.addVarTime JacobianPoint.addSameX", "addVarTime: infinity, equal and opposite points"),
        (point_formulas, "double_and_add", "JacobianPoint.doubleAndAddVarTime", "doubleAndAddVarTime: (P + Q) + P, for H, G, Z ≠ 0"),
        (point_formulas, "double_and_add_branches", "JacobianPoint.doubleAndAddVarTime", "doubleAndAddVarTime: infinity, P = ±Q, P + Q = ±P"),
        (point_formulas, "to_affine", "JacobianPoint.affineVarTime", "affineVarTime: (X/Z², Y/Z³)"),
        (point_formulas, "isomorphism", "", "odd multiples: the isomorphic curve has the same addition"),
        (point_formulas, "odd_multiples_start", "AffinePoint.doubledOnOneZ", "doubledOnOneZ: 2·Q and Q on y·Z"),
        (point_formulas, "odd_multiples_step", "AffinePoint.addOnOneZ", "addOnOneZ: the sum and 2·Q on the next Z"),
        (odd_multiples, "climbing", "PrimeCurve.climb", "climb: each multiple on its Z, the ratios of the Zs"),
        (odd_multiples, "descending", "PrimeCurve.descend", "descend: Z-ratios walked back give the affine points"),
        (odd_multiples, "one_inversion", "PrimeCurve.descend", "descend: one inversion gives that of each point's last Z"),
        (odd_multiples, "table", "WindowTable.init AffinePoint.oddMultiples", "WindowTable: each base from the double before"),
        (odd_multiples, "odd_multiples_distinct", "", "odd multiples: no addition is exceptional for n > 2^(w−1)"),
        (verification_end, "final_comparison", "PrimeCurve.verify", "verify: r·Z² = X or (r + n)·Z² = X"),
        (verification_end, "curve_equation", "PrimeCurve.rightHandSide AffinePoint.isOnCurve", "rightHandSide: x³ − 3x + b"),
        (verification_end, "constants", "", "p, n, b, R², R³, −n⁻¹ in the sources"),
    )]
