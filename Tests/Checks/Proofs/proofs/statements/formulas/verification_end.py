"""Proves from the source the last part of a verification and the test of the curve equation. Recomputes the constants in the source.

The proof runs every path of `verify` on symbols. It shows that `verify` multiplies by e/s and r/s. It also shows that `verify` accepts if and only if r or r +
n is an x-coordinate and equals the sum's x-coordinate. Other proofs cover the sum u₁·G + u₂·Q (`interleaving.py`), and the operations of fields and scalars
(`arithmetic.py`). Two programs check the identities, as in `point_formulas.py`.
"""

import re

import sympy

from proofs.source.point_program import source
from proofs.source.swift_run import Program, paths
from proofs.source.swift_syntax import function
from proofs.source.swift_values import Struct
from proofs.statements.curves import CURVES
from proofs.statements.formulas.group_law import require


def proofs(checker):
    """Returns {name: proof} for one of the programs that check identities."""
    symbols, equal = checker.symbols, checker.require_equal
    X, Y, Z, b = symbols("X Y Z b")
    candidates = symbols("r_as_x r_plus_n_as_x")  # a candidate exists only if it is below p
    r, s, e = symbols("r s e")

    def final_comparison():
        """For x_R ∈ [0, p), x_R mod n = r if and only if x_R = r or x_R = r + n. x_R = v if and only if v·Z² = X."""
        for curve in CURVES.values():
            require(curve.p < 2 * curve.n, "p < 2n")
        v = symbols("v")
        equal(v * Z**2 - X, Z**2 * (v - X / Z**2))
        for decisions, accepted in paths(verification(), verified):
            def answer(asked):
                """Returns the path's decision about a coordinate, or about whether a function is 0. Returns None if there is no such decision."""
                return next((found for question, found in decisions if question is asked or checker.are_equal(question, asked)), None)

            same = [v for v in candidates if answer(v) and answer(v * Z**2 - X)]
            require(not (answer(Z) and accepted), "infinity is refused")
            require(answer(Z) or accepted == bool(same), "true exactly for one of the two coordinates")
            if not answer(Z) and not accepted:  # a path that rejects a finite sum must have asked for both coordinates
                require(all(answer(v) is not None for v in candidates), "a coordinate that is not compared")

    def verification():
        """Returns a program with verify() and isInfinity. Contracts supply the two candidate coordinates. Each candidate may be absent."""
        program = Program(
            [
                function(source("ECDSA/ECDSAVerification.swift"), "verify", "_", "_", "multiply"),
                function(source("Curve/JacobianPoint.swift"), "isInfinity"),
            ], **checker.numbers, expand=checker.expand)

        def candidate(coordinate):
            def contract(swift, receiver, arguments):
                require(len(arguments) == 1 and arguments[0] is r, "the scalar whose coordinate is asked for")
                return coordinate if swift.choose(coordinate) else None

            return contract

        return program.with_contracts(xCoordinate=candidate(candidates[0]), xCoordinatePlusOrder=candidate(candidates[1]))

    def verified(swift):
        def multiply(u1, u2):
            equal(u1, e / s)
            equal(u2, r / s)
            return Struct("JacobianPoint", X=X, Y=Y, Z=Z)

        signature = Struct("SignatureScalars", r=r, s=s)
        return swift.call(swift.program.functions["verify", ("_", "_", "multiply")], (signature, e, multiply))

    def curve_equation():
        x, y = symbols("x y")
        right = function(source("Curve/PrimeCurve.swift"), "rightHandSide", "_")
        program = Program([right, function(source("Curve/AffinePoint.swift"), "isOnCurve")], **checker.numbers)
        ((_, found),) = paths(program, lambda swift: swift.call(right, (x,), Struct("PrimeCurve", b=b)))
        equal(found, x**3 - 3 * x + b)
        # isOnCurve tests whether y² equals the right side.
        asked = program.with_contracts(rightHandSide=lambda swift, receiver, arguments: arguments[0] ** 3 - 3 * arguments[0] + b)
        for decisions, on_curve in paths(asked, lambda swift: swift.property(Struct("AffinePoint", x=x, y=y), "isOnCurve")):
            ((question, answer),) = decisions
            equal(question, y**2 - (x**3 - 3 * x + b))
            require(on_curve is answer, "isOnCurve")

    return {proof.__name__: proof for proof in (final_comparison, curve_equation)}


def limbs(text, declaration):
    """Returns the number whose limbs a declaration lists, lowest first."""
    text = text[text.index(declaration) :]
    text = text[text.index("{" if "{" in text[: text.index("\n")] else "=") :]
    text = text[: text.index("}")]
    return sum(int(word.replace("_", ""), 16) << 64 * i for i, word in enumerate(re.findall(r"0x[0-9a-f_]+", text)))


def constants():
    for of_curve in CURVES.values():
        bits, p, n = of_curve.bits, of_curve.p, of_curve.n
        field, scalar = source(f"Field/P{bits}Field.swift"), source(f"Field/P{bits}Scalar.swift")
        curve = source(f"Curve/P{bits}Curve.swift")
        require(limbs(field, "static var rSquared: Self") == 2 ** (2 * bits) % p, "rSquared")
        require(limbs(field, "static var rCubed: Self") == 2 ** (3 * bits) % p, "rCubed")
        require(limbs(scalar, "static var order") == n, "order")
        require(limbs(scalar, "static var rSquared") == 2 ** (2 * bits) % n, "rSquared of n")
        require(limbs(scalar, "static var negatedOrderInverse") == -pow(n, -1, 2**64) % 2**64, "−n⁻¹")
        require(limbs(curve, "static var b: Field") == of_curve.b * 2**bits % p, "b")
        require(sympy.isprime(p) and sympy.isprime(n) and p % 4 == 3 and n < p, "p, n")
