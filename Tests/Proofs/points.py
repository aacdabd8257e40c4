"""Proves the point formulas of Sources/PureECDSA/Curve, read from the source, as identities of rational functions.

What they are compared with is the group law of y² = x³ + ax + b in affine coordinates (SEC 1 §2.2.1), a = −3.
"""

import pathlib
import re
import sys
import time

import sympy
from sympy import symbols

from formulas import Expression, Unreadable, body, run
from statements import N256, N384, P256, P384

SOURCES = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources" / "PureECDSA"
JACOBIAN = (SOURCES / "Curve/JacobianPoint.swift").read_text()
AFFINE = (SOURCES / "Curve/AffinePoint.swift").read_text()
VERIFICATION = (SOURCES / "ECDSA/ECDSAVerification.swift").read_text()
PRIME_CURVE = (SOURCES / "Curve/PrimeCurve.swift").read_text()

X, Y, Z, x1, y1, x2, y2, b = symbols("X Y Z x1 y1 x2 y2 b")


class Wrong(Exception):
    pass


def equal(found, expected, modulo=()):
    """That two rational functions agree, modulo polynomials that are zero. Denominators are the caller's to know nonzero."""
    numerator, _ = sympy.fraction(sympy.together(found - expected))
    numerator = sympy.expand(numerator)
    if modulo and numerator != 0:
        _, numerator = sympy.reduced(numerator, list(modulo), X, Y, x1, y1, x2, y2, Z, b)
    if numerator != 0:
        raise Wrong(f"{found} is not {expected}")


def require(condition, what):
    if not condition:
        raise Wrong(what)


def affine_sum(xa, ya, xb, yb):
    slope = (yb - ya) / (xb - xa)
    x3 = slope**2 - xa - xb
    return x3, slope * (xa - x3) - ya


def affine_double(xa, ya, a):
    slope = (3 * xa**2 + a) / (2 * ya)
    x3 = slope**2 - 2 * xa
    return x3, slope * (xa - x3) - ya


def doubled():
    return run(body(JACOBIAN, "mutating func double()"), {"X": X, "Y": Y, "Z": Z})


def doubling():
    n = doubled()
    x3, y3 = affine_double(X / Z**2, Y / Z**3, -3)
    equal(n["X"] / n["Z"] ** 2, x3)
    equal(n["Y"] / n["Z"] ** 3, y3)


def doubling_at_infinity():
    equal(doubled()["Z"].subs(Z, 0), 0)


def doubling_finite():
    # Z₃ = Y·Z: for Y ≠ 0 (no point of order 2: the group's order is odd) and Z ≠ 0 the double is finite.
    equal(doubled()["Z"], Y * Z)


def differences(signature):
    """H and R as the two additions compute them."""
    names = {"X": X, "Y": Y, "Z": Z, "Q.x": x2, "Q.y": y2}
    if signature == "mutating func addVarTime":
        special = {
            "if _slowPath(isInfinity) {": None, "self = Self(Q)": None, "return": None, "}": None,
            "if _slowPath(H.isZero) {": None, "addSameX(R)": None, "} else {": None, "addDistinct(H: H, R: R)": None,
        }
    else:
        special = {"addDistinct(H: H, R: R)": None, "return H": None}
    n = run(body(JACOBIAN, signature), names, special)
    return n["H"], n["R"]


def addition():
    expected = affine_sum(X / Z**2, Y / Z**3, x2, y2)
    for signature in ("mutating func addVarTime", "mutating func addDistinctVarTime"):
        H, R = differences(signature)
        n = run(body(JACOBIAN, "private mutating func addDistinct("), {"X": X, "Y": Y, "Z": Z, "H": H, "R": R})
        equal(n["X"] / n["Z"] ** 2, expected[0])
        equal(n["Y"] / n["Z"] ** 3, expected[1])


def addition_ratio():
    H, R = symbols("H R")
    n = run(body(JACOBIAN, "private mutating func addDistinct("), {"X": X, "Y": Y, "Z": Z, "H": H, "R": R})
    equal(n["Z"], Z * H)
    require(body(JACOBIAN, "mutating func addDistinctVarTime")[-1] == "return H", "what addDistinctVarTime returns")


def addition_branches():
    """H = 0 exactly for equal x, R = 0 exactly for equal y; equal x and different y are opposite points."""
    for signature in ("mutating func addVarTime", "mutating func addDistinctVarTime"):
        H, R = differences(signature)
        equal(H, Z**2 * (x2 - X / Z**2))
        equal(R, Z**3 * (y2 - Y / Z**3))
    curve = lambda x, y: y**2 - x**3 + 3 * x - b
    # (y₂ − y₁)(y₂ + y₁) = 0 when both are on the curve and x₁ = x₂.
    equal((y2 - y1) * (y2 + y1) - curve(x1, y2) + curve(x1, y1), 0)
    require(
        body(JACOBIAN, "private mutating func addSameX") == ["if R.isZero { double() } else { self = .infinity }"],
        "addSameX")
    require(
        body(JACOBIAN, "mutating func addVarTime")[:4]
        == ["if _slowPath(isInfinity) {", "self = Self(Q)", "return", "}"], "the addition to infinity")
    require("var isInfinity: Bool { Z.isZero }" in JACOBIAN, "isInfinity")
    require("static var infinity: Self { Self(X: .one, Y: .one, Z: .zero) }" in JACOBIAN, "infinity")
    require("self.init(X: point.x, Y: point.y, Z: .one)" in JACOBIAN, "an affine point has Z = 1")


def to_affine():
    n = run(
        [l for l in body(JACOBIAN, "func affineVarTime()") if l.startswith("let ")], {"X": X, "Y": Y, "Z": Z})
    text = body(JACOBIAN, "func affineVarTime()")
    require(text[0] == "if isInfinity { return nil }", "affineVarTime of infinity")
    m = re.fullmatch(r"return AffinePoint\(x: (.*), y: (.*)\)", text[-1])
    equal(Expression(m[1], n).value(), X / Z**2)
    equal(Expression(m[2], n).value(), Y / Z**3)


def isomorphism():
    """(x, y) ↦ (x·c², y·c³) commutes with the affine addition, in whose formula a and b do not occur."""
    c = symbols("c")
    x3, y3 = affine_sum(x1, y1, x2, y2)
    u3, v3 = affine_sum(x1 * c**2, y1 * c**3, x2 * c**2, y2 * c**3)
    equal(u3, x3 * c**2)
    equal(v3, y3 * c**3)
    # and it leads to y² = x³ + a·c⁴·x + b·c⁶
    a = symbols("a")
    equal((y1 * c**3) ** 2 - (x1 * c**2) ** 3 - a * c**4 * x1 * c**2 - b * c**6, c**6 * (y1**2 - x1**3 - a * x1 - b))


def odd_multiples():
    """Every line of oddMultiples(), with the i-th sum's coordinates (Xᵢ : Yᵢ : Zᵢ₋₁·Hᵢ) as symbols (`addition_ratio`)."""
    x, y = symbols("x y")
    D = symbols("DX DY DZ")
    H = symbols("H0:8")
    S = [(symbols(f"X{i}"), symbols(f"Y{i}")) for i in range(8)]
    lines = body(AFFINE, "func oddMultiples()")
    expected_control = [
        "let double = JacobianPoint(self).doubled()",
        "let step = AffinePoint(x: double.X, y: double.Y)",
        "var points = OddMultiples<Curve>(repeating: self)",
        "var ratios = InlineArray<8, Curve.Field>(repeating: .one)",
        "for i in 1..<8 {",
        "ratios[i] = point.addDistinctVarTime(step)",
        "points[i] = AffinePoint(x: point.X, y: point.Y)",
        "for i in stride(from: 7, to: 0, by: -1) {",
        "return points",
    ]
    for line in expected_control:
        require(lines.count(line) == 1, "oddMultiples: " + line)
    n = {"x": x, "y": y, "double.X": D[0], "double.Y": D[1], "double.Z": D[2]}
    start = next(l for l in lines if l.startswith("let zz"))
    run([start], n)
    m = re.fullmatch(r"var point = JacobianPoint<Curve>\(AffinePoint\(x: (.*), y: (.*)\)\)", lines[lines.index(start) + 1])
    require(m is not None, "oddMultiples: the image of Q")
    equal(Expression(m[1], n).value(), x * D[2] ** 2)
    equal(Expression(m[2], n).value(), y * D[2] ** 3)

    # The images' Z-coordinates: 1, H₁, H₁H₂ …
    zs = [sympy.Integer(1)]
    for i in range(1, 8):
        zs.append(zs[-1] * H[i])
    n["point.Z"] = zs[7]
    first = next(i for i, l in enumerate(lines) if l.startswith("var inverse"))
    m = re.fullmatch(r"var inverse = (.*)", lines[first])
    n["inverse"] = Expression(m[1], n).value()
    loop = lines[first + 2 : lines.index("return points") - 1]
    require(lines[first + 1] == expected_control[7] and lines[lines.index("return points") - 1] == "}", "the loop back")
    require(
        [l.split(" = ")[0] for l in loop] == ["let square", "points[i].x", "points[i].y", "inverse"], "the loop's lines")
    results = {}
    for i in range(7, 0, -1):
        local = {**n, "point_x": S[i][0], "point_y": S[i][1], "ratio": H[i]}
        for line in loop:
            name, text = line.replace("let ", "").split(" = ")
            text = text.replace("points[i].x", "point_x").replace("points[i].y", "point_y").replace("ratios[i]", "ratio")
            value = Expression(text, local).value()
            if name == "square":
                local["square"] = value
            elif name == "inverse":
                n["inverse"] = value
            else:
                results[i, name[-1]] = value
        equal(results[i, "x"], S[i][0] / (zs[i] * D[2]) ** 2)
        equal(results[i, "y"], S[i][1] / (zs[i] * D[2]) ** 3)


def odd_multiples_distinct():
    """No addition of 2Q to i·Q, i = 1, 3 … 13, is exceptional: (i ± 2)·Q is not the point at infinity."""
    for n in (N256, N384):
        require(sympy.isprime(n) and n > 16, "a prime order above 16")
    for n in sympy.primerange(17, 200):
        for i in range(1, 14, 2):
            require((i - 2) % n and (i + 2) % n, f"i = {i}, n = {n}")
    require(all(abs(i - 2) < 17 and i + 2 < 17 and i % 2 for i in range(1, 14, 2)), "0 < |i ± 2| < 17")


def final_comparison():
    """x_R ∈ [0, p) has x_R mod n = r exactly if x_R = r or x_R = r + n; and x_R = v exactly if v·Z² = X."""
    for p, n in ((P256, N256), (P384, N384)):
        require(p < 2 * n, "p < 2n")
    v = symbols("v")
    equal(v * Z**2 - X, Z**2 * (v - X / Z**2))
    lines = body(VERIFICATION, "private static func verify(")
    expected = [
        "if R.isInfinity { return false }", "let zz = R.Z.squared()",
        "if let x = xCoordinate(r), x * zz == R.X { return true }",
        "if let x = xCoordinatePlusOrder(r), x * zz == R.X { return true }", "return false",
    ]
    require(lines[-5:] == expected, "the end of verify")


def curve_equation():
    x = symbols("x")
    (line,) = body(PRIME_CURVE, "static func rightHandSide")
    equal(Expression(line, {"x": x, "b": b}).value(), x**3 - 3 * x + b)
    require(body(AFFINE, "var isOnCurve: Bool") == ["y.squared() == Curve.rightHandSide(x)"], "isOnCurve")


def limbs(source, declaration):
    text = source[source.index(declaration) :]
    text = text[text.index("{" if "{" in text[: text.index("\n")] else "=") :]
    text = text[: text.index("}")]
    return sum(int(w.replace("_", ""), 16) << 64 * i for i, w in enumerate(re.findall(r"0x[0-9a-f_]+", text)))


def constants():
    b256 = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
    b384 = 0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF
    for bits, p, n, curve_b in ((256, P256, N256, b256), (384, P384, N384, b384)):
        field = (SOURCES / f"Field/P{bits}Field.swift").read_text()
        scalar = (SOURCES / f"Field/P{bits}Scalar.swift").read_text()
        curve = (SOURCES / f"Curve/P{bits}Curve.swift").read_text()
        require(limbs(field, "static var rSquared: Self") == 2 ** (2 * bits) % p, "rSquared")
        require(limbs(field, "static var rCubed: Self") == 2 ** (3 * bits) % p, "rCubed")
        require(limbs(scalar, "static var order") == n, "order")
        require(limbs(scalar, "static var rSquared") == 2 ** (2 * bits) % n, "rSquared of n")
        require(limbs(scalar, "static var negatedOrderInverse") == -pow(n, -1, 2**64) % 2**64, "−n⁻¹")
        require(limbs(curve, f"static var b: P{bits}Field") == curve_b * 2**bits % p, "b")
        require(sympy.isprime(p) and sympy.isprime(n) and p % 4 == 3 and n < p, "p, n")


PROOFS = [
    (doubling, "double(): the affine double, for Y, Z ≠ 0"),
    (doubling_at_infinity, "double(): infinity doubles to infinity"),
    (doubling_finite, "double(): Z₃ = Y·Z"),
    (addition, "addVarTime, addDistinctVarTime: the affine sum, for H, Z ≠ 0"),
    (addition_ratio, "addDistinct: Z₃ = Z₁·H, and H is returned"),
    (addition_branches, "addVarTime: infinity, equal and opposite points"),
    (to_affine, "affineVarTime: (X/Z², Y/Z³)"),
    (isomorphism, "oddMultiples: the isomorphic curve has the same addition"),
    (odd_multiples, "oddMultiples: Z-ratios walked back give the affine points"),
    (odd_multiples_distinct, "oddMultiples: no addition is exceptional"),
    (final_comparison, "verify: r·Z² = X or (r + n)·Z² = X"),
    (curve_equation, "rightHandSide: x³ − 3x + b"),
    (constants, "p, n, b, R², R³, −n⁻¹ in the sources"),
]


def main():
    passed = failed = 0
    for proof, text in PROOFS:
        start = time.time()
        try:
            proof()
            outcome, passed = "", passed + 1
        except (Wrong, Unreadable, StopIteration, ValueError) as e:
            outcome, failed = f"FAILED: {type(e).__name__}: {e}", failed + 1
        print(f"{proof.__name__:24} {text:66} sympy {time.time() - start:6.2f} s {outcome}", flush=True)
    print(f"{passed} formula proofs passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
