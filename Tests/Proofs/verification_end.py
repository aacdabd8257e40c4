"""Proves the end of a verification and the curve's equation from the source, and computes the constants that the source has.

`verify` is run on symbols on every path: which quotients it multiplies by, and that it accepts exactly if r or r + n, where it is an x-coordinate,
is that of the sum. What is taken from elsewhere: that the sum is u₁·G + u₂·Q (`interleaving.py`), and the field's and scalars' operations (`prove.py`).
"""

import re

import sympy
from sympy import symbols

from group_law import NUMBERS, equal, expand, require
from point_program import source
from statements import N256, N384, P256, P384
from swift_run import Program, Struct, paths
from swift_syntax import function

X, Y, Z, b = symbols("X Y Z b")
B256 = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
B384 = 0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF


def final_comparison():
    """x_R ∈ [0, p) has x_R mod n = r exactly if x_R = r or x_R = r + n; and x_R = v exactly if v·Z² = X."""
    for p, n in ((P256, N256), (P384, N384)):
        require(p < 2 * n, "p < 2n")
    v = symbols("v")
    equal(v * Z**2 - X, Z**2 * (v - X / Z**2))
    for decisions, accepted in paths(verification(), verified):
        answers = dict(decisions)
        same = [v for v in CANDIDATES if answers.get(v) and answers.get(sympy.expand(v * Z**2 - X))]
        require(not (answers[Z] and accepted), "infinity is refused")
        require(answers[Z] or accepted == bool(same), "true exactly for one of the two coordinates")
        if not answers[Z] and not accepted:  # then both were asked
            require(all(v in answers for v in CANDIDATES), "a coordinate that is not compared")


CANDIDATES = symbols("r_as_x r_plus_n_as_x")  # where r and r + n are below p
R_SCALAR, S_SCALAR, E_SCALAR = symbols("r s e")


def verification():
    """verify(), with its parts: the coordinates, each there or not, and whether a point is infinite."""
    program = Program(
        [
            function(source("ECDSA/ECDSAVerification.swift"), "verify", "_", "_", "multiply"),
            function(source("Curve/JacobianPoint.swift"), "isInfinity"),
        ], **NUMBERS, expand=expand)

    def candidate(coordinate):
        def contract(swift, receiver, arguments):
            require(arguments == [R_SCALAR], "the scalar whose coordinate is asked for")
            return coordinate if swift.choose(coordinate) else None

        return contract

    return program.with_contracts(xCoordinate=candidate(CANDIDATES[0]), xCoordinatePlusOrder=candidate(CANDIDATES[1]))


def verified(swift):
    def multiply(u1, u2):
        equal(u1, E_SCALAR / S_SCALAR)
        equal(u2, R_SCALAR / S_SCALAR)
        return Struct("JacobianPoint", X=X, Y=Y, Z=Z)

    signature = Struct("SignatureScalars", r=R_SCALAR, s=S_SCALAR)
    return swift.call(swift.program.functions["verify", ("_", "_", "multiply")], (signature, E_SCALAR, multiply))


def curve_equation():
    x, y = symbols("x y")
    right = function(source("Curve/PrimeCurve.swift"), "rightHandSide", "_")
    program = Program([right, function(source("Curve/AffinePoint.swift"), "isOnCurve")], **NUMBERS)
    ((_, found),) = paths(program, lambda swift: swift.call(right, (x,), Struct("PrimeCurve", b=b)))
    equal(found, x**3 - 3 * x + b)
    # isOnCurve asks whether y² is that.
    asked = program.with_contracts(rightHandSide=lambda swift, receiver, arguments: arguments[0] ** 3 - 3 * arguments[0] + b)
    for decisions, on_curve in paths(asked, lambda swift: swift.property(Struct("AffinePoint", x=x, y=y), "isOnCurve")):
        ((question, answer),) = decisions
        equal(question, y**2 - (x**3 - 3 * x + b))
        require(on_curve is answer, "isOnCurve")


def limbs(text, declaration):
    """The number of which a declaration has the limbs, the lowest first."""
    text = text[text.index(declaration) :]
    text = text[text.index("{" if "{" in text[: text.index("\n")] else "=") :]
    text = text[: text.index("}")]
    return sum(int(word.replace("_", ""), 16) << 64 * i for i, word in enumerate(re.findall(r"0x[0-9a-f_]+", text)))


def constants():
    for bits, p, n, curve_b in ((256, P256, N256, B256), (384, P384, N384, B384)):
        field, scalar = source(f"Field/P{bits}Field.swift"), source(f"Field/P{bits}Scalar.swift")
        curve = source(f"Curve/P{bits}Curve.swift")
        require(limbs(field, "static var rSquared: Self") == 2 ** (2 * bits) % p, "rSquared")
        require(limbs(field, "static var rCubed: Self") == 2 ** (3 * bits) % p, "rCubed")
        require(limbs(scalar, "static var order") == n, "order")
        require(limbs(scalar, "static var rSquared") == 2 ** (2 * bits) % n, "rSquared of n")
        require(limbs(scalar, "static var negatedOrderInverse") == -pow(n, -1, 2**64) % 2**64, "−n⁻¹")
        require(limbs(curve, "static var b: Field") == curve_b * 2**bits % p, "b")
        require(sympy.isprime(p) and sympy.isprime(n) and p % 4 == 3 and n < p, "p, n")
