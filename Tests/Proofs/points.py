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
MULTIPLES = (SOURCES / "Curve/OddMultiples.swift").read_text()
TABLE = (SOURCES / "Curve/WindowTable.swift").read_text()
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


def sum_lines(signature, branch):
    """What addVarTime or doubleAndAddVarTime computes for a finite point and H (and G) ≠ 0; `branch`: the lines of the exceptional cases."""
    special = dict.fromkeys(["if _slowPath(isInfinity) {", "self = Self(Q)", "return", "}", *branch])
    return run(body(JACOBIAN, signature), {"X": X, "Y": Y, "Z": Z, "Q.x": x2, "Q.y": y2}, special)


def added():
    return sum_lines("mutating func addVarTime", ["if _slowPath(H.isZero) {", "addSameX(R)"])


def doubled_and_added():
    return sum_lines(
        "mutating func doubleAndAddVarTime",
        ["if _slowPath(H.isZero) || _slowPath(G.isZero) {", "double()", "addVarTime(Q)"])


def addition():
    expected = affine_sum(X / Z**2, Y / Z**3, x2, y2)
    n = added()
    equal(n["X"] / n["Z"] ** 2, expected[0])
    equal(n["Y"] / n["Z"] ** 3, expected[1])
    equal(n["Z"], Z * n["H"])


def addition_branches():
    """H = 0 exactly for equal x, R = 0 exactly for equal y; equal x and different y are opposite points."""
    n = added()
    equal(n["H"], Z**2 * (x2 - X / Z**2))
    equal(n["R"], Z**3 * (y2 - Y / Z**3))
    curve = lambda x, y: y**2 - x**3 + 3 * x - b
    # (y₂ − y₁)(y₂ + y₁) = 0 when both are on the curve and x₁ = x₂.
    equal((y2 - y1) * (y2 + y1) - curve(x1, y2) + curve(x1, y1), 0)
    require(
        body(JACOBIAN, "private mutating func addSameX") == ["if R.isZero { double() } else { self = .infinity }"],
        "addSameX")
    for signature in ("mutating func addVarTime", "mutating func doubleAndAddVarTime"):
        require(
            body(JACOBIAN, signature)[:4] == ["if _slowPath(isInfinity) {", "self = Self(Q)", "return", "}"],
            "the addition to infinity")
    require("var isInfinity: Bool { Z.isZero }" in JACOBIAN, "isInfinity")
    require("static var infinity: Self { Self(X: .one, Y: .one, Z: .zero) }" in JACOBIAN, "infinity")
    require("self.init(X: point.x, Y: point.y, Z: .one)" in JACOBIAN, "an affine point has Z = 1")


def double_and_add():
    """(P + Q) + P by the affine group law, which is 2P + Q as the group is associative and abelian."""
    xp, yp = X / Z**2, Y / Z**3
    x3, y3 = affine_sum(xp, yp, x2, y2)
    expected = affine_sum(x3, y3, xp, yp)
    n = doubled_and_added()
    equal(n["X"] / n["Z"] ** 2, expected[0])
    equal(n["Y"] / n["Z"] ** 3, expected[1])
    equal(n["Z"], Z * n["H"] * n["G"])


def double_and_add_branches():
    """H = 0 exactly for P = ±Q, G = 0 exactly for P + Q = ±P; what happens then is read from the source: P unchanged, double(), addVarTime(Q)."""
    n = doubled_and_added()
    xp, yp = X / Z**2, Y / Z**3
    equal(n["H"], Z**2 * (x2 - xp))
    equal(n["G"], (Z * n["H"]) ** 2 * (xp - affine_sum(xp, yp, x2, y2)[0]))
    lines = body(JACOBIAN, "mutating func doubleAndAddVarTime")
    at = lines.index("if _slowPath(H.isZero) || _slowPath(G.isZero) {")
    require(lines[at + 1 : at + 5] == ["double()", "addVarTime(Q)", "return", "}"], "the exceptional cases")
    require(all(l.startswith("let ") for l in lines[4:at]), "P is unchanged before them")


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


def odd_multiples_start():
    """doubledOnOneZ(): for Q = (x : y : Z) and δ = Z², 2·Q and Q as (x·Z'², y·Z'³), Z' = y·Z."""
    x, y = symbols("x y")
    lines = body(MULTIPLES, "fileprivate func doubledOnOneZ(")
    require(
        lines[-1] == "return (double: Self(x: X, y: Y), point: Self(x: β, y: γγ))", "what doubledOnOneZ returns")
    n = run(lines[:-1], {"x": x, "y": y, "δ": Z**2})
    x3, y3 = affine_double(x / Z**2, y / Z**3, -3)
    equal(n["X"] / (y * Z) ** 2, x3)
    equal(n["Y"] / (y * Z) ** 3, y3)
    equal(n["β"] / (y * Z) ** 2, x / Z**2)
    equal(n["γγ"] / (y * Z) ** 3, y / Z**3)


def odd_multiples_step():
    """addOnOneZ: with both points on Z, the sum and P on Z·H, for H ≠ 0, which is exactly for different x."""
    lines = body(MULTIPLES, "fileprivate mutating func addOnOneZ(")
    require(lines[-1] == "return H", "what addOnOneZ returns")
    n = run(lines[:-1], {"x": x1 * Z**2, "y": y1 * Z**3, "P.x": x2 * Z**2, "P.y": y2 * Z**3}, {"P = Self(x: V, y: W)": None})
    H = n["H"]
    equal(H, Z**2 * (x1 - x2))
    x3, y3 = affine_sum(x1, y1, x2, y2)
    equal(n["x"], x3 * (Z * H) ** 2)
    equal(n["y"], y3 * (Z * H) ** 3)
    equal(n["V"], x2 * (Z * H) ** 2)
    equal(n["W"], y2 * (Z * H) ** 3)


def climbing():
    """climb(): the i-th multiple stands on Zᵢ = Z₀·H₁ … Hᵢ, Z₀ = y·Z, with Hᵢ among the ratios; 2·Q comes back on the last."""
    require(
        body(MULTIPLES, "static func climb(") == [
            "var (double, point) = Q.doubledOnOneZ(δ: Z.map { $0.squared() } ?? .one)",
            "points[start] = Z == nil ? Q : point",
            "var last = Z.map { Q.y * $0 } ?? Q.y",
            "for i in 1..<m {",
            "let ratio = point.addOnOneZ(&double)",
            "points[start + i] = point",
            "ratios[start + i] = ratio",
            "last = last * ratio",
            "}",
            "return JacobianPoint(X: double.x, Y: double.y, Z: last)",
        ], "climb")


def descending():
    """The lines of descend(): from 1/Z of the last multiple down, the i-th is divided by Zᵢ² and Zᵢ³."""
    Z0 = symbols("Z0")
    lines = body(MULTIPLES, "_ inverse: Field, _ m: Int, to start: Int")
    require(
        lines[:4] == [
            "var inverse = inverse", "var i = start + m - 1", "let first = isFirstAffine ? start + 1 : start",
            "while i >= first {",
        ] and lines[8:] == ["i -= 1", "}"], "descend: the loop")
    # The last of the inverses is not needed, and not computed.
    require(lines[7] == "if i > first { inverse = inverse * ratios[i] }", "descend: the next Z")
    lines[7] = "inverse = inverse * ratios[i]"
    loop = lines[4:8]
    require(
        [l.split(" = ")[0] for l in loop] == ["let square", "points[i].x", "points[i].y", "inverse"], "the loop's lines")
    for m in (1, 2, 8, 32):
        H = symbols(f"H0:{m}")
        S = [(symbols(f"X{i}"), symbols(f"Y{i}")) for i in range(m)]
        zs = [Z0]
        for i in range(1, m):
            zs.append(zs[-1] * H[i])
        inverse = 1 / zs[-1]
        for i in range(m - 1, -1, -1):
            local = {"inverse": inverse, "point_x": S[i][0], "point_y": S[i][1], "ratio": H[i]}
            for line in loop:
                name, text = line.replace("let ", "").split(" = ")
                text = text.replace("points[i].x", "point_x").replace("points[i].y", "point_y").replace("ratios[i]", "ratio")
                value = Expression(text, local).value()
                if name == "square":
                    local["square"] = value
                elif name == "inverse":
                    inverse = value
                else:
                    equal(value, S[i]["xy".index(name[-1])] / zs[i] ** (2 if name[-1] == "x" else 3))


def one_inversion():
    """The lines of descend() for several points: each part's descent begins with the inverse of its own last Z."""
    require(
        body(MULTIPLES, "_ m: Int, count: Int, affineCount: Int") == [
            "var products = InlineArray<12, Field>(repeating: ratios[0])",
            "var product = ratios[0]",
            "for j in 1..<count {",
            "products[j] = product",
            "product = product * ratios[m * j]",
            "}",
            "var rest = product.invertedVarTime()",
            "var j = count - 1",
            "while j >= 0 {",
            "let inverse = j > 0 ? rest * products[j] : rest",
            "descend(inverse, m, to: m * j, isFirstAffine: j < affineCount, &points, ratios)",
            "if j > 0 { rest = rest * ratios[m * j] }",
            "j -= 1",
            "}",
        ], "descend for several points")
    for count in range(1, 13):
        zs = symbols(f"Z0:{count}")
        products, product = [sympy.Integer(1)] * 12, zs[0]
        for j in range(1, count):
            products[j] = product
            product = product * zs[j]
        rest = 1 / product
        for j in range(count - 1, -1, -1):
            equal(rest * products[j], 1 / zs[j])
            rest = rest * zs[j]


def table():
    """WindowTable: from 2·Qⱼ on its last Z, partBits − 1 doublings lead to the next base; each last Z is where descend() looks for it."""
    # Not that of Embedded Swift, whose tables have one part: AffinePoint.oddMultiples().
    lines = body(TABLE[TABLE.index("#else") :], "init(_ Q: AffinePoint<Curve>, _ shape: WindowShape)")
    require(
        lines[4:13] == [
            "var double = Curve.climb(Q, Z: nil, m, from: 0, &pointSpan, &ratioSpan)",
            "ratioSpan[0] = double.Z",
            "for start in stride(from: m, to: m * parts, by: m) {",
            "for _ in 1..<shape.partBits { double.double() }",
            "let base = AffinePoint<Curve>(x: double.X, y: double.Y)",
            "double = Curve.climb(base, Z: double.Z, m, from: start, &pointSpan, &ratioSpan)",
            "ratioSpan[start] = double.Z",
            "}",
            "Curve.descend(m, count: parts, affineCount: 1, &pointSpan, ratioSpan)",
        ], "the table")


def odd_multiples_distinct():
    """No addition of 2Q to i·Q is exceptional where n > 2^(w−1): (i ± 2)·Q is not the point at infinity."""
    for n in (N256, N384):
        require(sympy.isprime(n) and n > 2**14, "a prime order above every window's bound")
    for w in range(2, 9):
        odd = range(1, 2 ** (w - 1) - 2, 2)  # every i to which 2Q is added
        for n in sympy.primerange(2 ** (w - 1) + 1, 2 ** (w + 2)):
            for i in odd:
                require((i - 2) % n and (i + 2) % n, f"i = {i}, n = {n}")
        require(all(0 < abs(i - 2) < 2 ** (w - 1) and i + 2 < 2 ** (w - 1) for i in odd), "0 < |i ± 2| < 2^(w−1)")


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
        require(limbs(curve, "static var b: Field") == curve_b * 2**bits % p, "b")
        require(sympy.isprime(p) and sympy.isprime(n) and p % 4 == 3 and n < p, "p, n")


PROOFS = [
    (doubling, "double(): the affine double, for Y, Z ≠ 0"),
    (doubling_at_infinity, "double(): infinity doubles to infinity"),
    (doubling_finite, "double(): Z₃ = Y·Z"),
    (addition, "addVarTime: the affine sum, Z₃ = Z₁·H, for H, Z ≠ 0"),
    (addition_branches, "addVarTime: infinity, equal and opposite points"),
    (double_and_add, "doubleAndAddVarTime: (P + Q) + P, for H, G, Z ≠ 0"),
    (double_and_add_branches, "doubleAndAddVarTime: infinity, P = ±Q, P + Q = ±P"),
    (to_affine, "affineVarTime: (X/Z², Y/Z³)"),
    (isomorphism, "odd multiples: the isomorphic curve has the same addition"),
    (odd_multiples_start, "doubledOnOneZ: 2·Q and Q on y·Z"),
    (odd_multiples_step, "addOnOneZ: the sum and 2·Q on the next Z"),
    (climbing, "climb: each multiple on its Z, the ratios of the Zs"),
    (descending, "descend: Z-ratios walked back give the affine points"),
    (one_inversion, "descend: one inversion gives that of each point's last Z"),
    (table, "WindowTable: each base from the double before"),
    (odd_multiples_distinct, "odd multiples: no addition is exceptional for n > 2^(w−1)"),
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
