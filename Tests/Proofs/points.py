"""Proves the point formulas of Sources/PureECDSA/Curve, followed in the source, as identities of rational functions: points.py

What they are compared with is the group law of y² = x³ + ax + b in affine coordinates (SEC 1 §2.2.1), a = −3. The proofs are in
`point_formulas.py`, `odd_multiples.py` and `verification_end.py`; this prints them, and fails if one does. Trusted: SymPy, and the reading of Swift in
`swift_syntax.py` and `swift_run.py`, which `test_points.py` tests with changed sources.
"""

import sys
import time

import odd_multiples
import point_formulas
import verification_end
from group_law import Wrong
from swift_syntax import Unreadable

PROOFS = [
    (point_formulas.doubling, "double(): the affine double, for Y, Z ≠ 0"),
    (point_formulas.doubling_at_infinity, "double(): infinity doubles to infinity"),
    (point_formulas.doubling_finite, "double(): Z₃ = Y·Z"),
    (point_formulas.addition, "addVarTime: the affine sum, Z₃ = Z₁·H, for H, Z ≠ 0"),
    (point_formulas.addition_branches, "addVarTime: infinity, equal and opposite points"),
    (point_formulas.double_and_add, "doubleAndAddVarTime: (P + Q) + P, for H, G, Z ≠ 0"),
    (point_formulas.double_and_add_branches, "doubleAndAddVarTime: infinity, P = ±Q, P + Q = ±P"),
    (point_formulas.to_affine, "affineVarTime: (X/Z², Y/Z³)"),
    (odd_multiples.isomorphism, "odd multiples: the isomorphic curve has the same addition"),
    (odd_multiples.odd_multiples_start, "doubledOnOneZ: 2·Q and Q on y·Z"),
    (odd_multiples.odd_multiples_step, "addOnOneZ: the sum and 2·Q on the next Z"),
    (odd_multiples.climbing, "climb: each multiple on its Z, the ratios of the Zs"),
    (odd_multiples.descending, "descend: Z-ratios walked back give the affine points"),
    (odd_multiples.one_inversion, "descend: one inversion gives that of each point's last Z"),
    (odd_multiples.table, "WindowTable: each base from the double before"),
    (odd_multiples.odd_multiples_distinct, "odd multiples: no addition is exceptional for n > 2^(w−1)"),
    (verification_end.final_comparison, "verify: r·Z² = X or (r + n)·Z² = X"),
    (verification_end.curve_equation, "rightHandSide: x³ − 3x + b"),
    (verification_end.constants, "p, n, b, R², R³, −n⁻¹ in the sources"),
]


def main():
    passed = failed = 0
    for proof, text in PROOFS:
        start = time.time()
        try:
            proof()
            outcome, passed = "", passed + 1
        except (Wrong, Unreadable, LookupError, TypeError, ValueError) as e:
            outcome, failed = f"FAILED: {type(e).__name__}: {e}", failed + 1
        print(f"{proof.__name__:24} {text:66} sympy {time.time() - start:6.2f} s {outcome}", flush=True)
    print(f"{passed} formula proofs passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
