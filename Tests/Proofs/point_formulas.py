"""Proves the formulas of JacobianPoint.swift as identities of rational functions, on every path of the source.

(X : Y : Z) stands for (X/Z², Y/Z³), with Z = 0 for infinity. Each proof runs a function on symbols and compares what it leaves with the group law of
`group_law.py`; a decision of the source is whether an expression is 0, and the proofs say which expression and what follows either way. What
they take from the field is that its operations are those of numbers mod p, which `prove.py` proves. Trusted: SymPy, and the reading of the source.
"""

from sympy import Integer, symbols

from group_law import NUMBERS, affine_double, affine_sum, equal, expand, require
from point_program import jacobian_program
from swift_run import Struct, paths

X, Y, Z, x2, y2, b = symbols("X Y Z x2 y2 b")
x1, y1 = X / Z**2, Y / Z**3
PROGRAM = jacobian_program(**NUMBERS, expand=expand)


def point():
    return Struct("JacobianPoint", X=X, Y=Y, Z=Z)


def second_point():
    return Struct("AffinePoint", x=x2, y=y2)


def left_by(*calls):
    """[(decisions, the point that is left)] of functions called one after the other, on (X : Y : Z), with (x₂, y₂) where one takes a point."""

    def run(swift):
        left = point()
        for name in calls:
            labels = ("_",) if name != "double" else ()
            swift.call(PROGRAM.functions[name, labels], [second_point()] * len(labels), left)
        return left

    return paths(PROGRAM, run)


def on_path(found, *answers):
    """(what was asked to be 0, the point that is left) of the path with these answers first."""
    chosen = [(decisions, left) for decisions, left in found if tuple(answer for _, answer in decisions)[: len(answers)] == answers]
    require(len(chosen) == 1, f"{len(chosen)} paths with the decisions {answers}")
    return [question for question, _ in chosen[0][0]], chosen[0][1]


def require_affine(left, expected):
    equal(left["X"] / left["Z"] ** 2, expected[0])
    equal(left["Y"] / left["Z"] ** 3, expected[1])


def require_same(left, other):
    for coordinate in "XYZ":
        equal(left[coordinate], other[coordinate])


def doubled():
    ((decisions, left),) = left_by("double")
    require(not decisions, "double() decides something")
    return left


def doubling():
    require_affine(doubled(), affine_double(x1, y1, -3))


def doubling_at_infinity():
    equal(doubled()["Z"].subs(Z, 0), 0)


def doubling_finite():
    # Z₃ = Y·Z: for Y ≠ 0 (no point of order 2: the group's order is odd) and Z ≠ 0 the double is finite.
    equal(doubled()["Z"], Y * Z)


def addition():
    (_, H), left = on_path(left_by("addVarTime"), False, False)
    require_affine(left, affine_sum(x1, y1, x2, y2))
    equal(left["Z"], Z * H)


def require_infinity_to_second(found):
    """Z = 0: (x₂ : y₂ : 1)"""
    (asked,), left = on_path(found, True)
    equal(asked, Z)
    require_same(left, Struct("JacobianPoint", X=x2, Y=y2, Z=Integer(1)))


def addition_branches():
    """H = 0 exactly for equal x, R = 0 exactly for equal y; equal x and different y are opposite points."""
    found = left_by("addVarTime")
    require(len(found) == 4, "four paths")
    require_infinity_to_second(found)
    (_, H, R), left = on_path(found, False, True, True)
    equal(H, Z**2 * (x2 - x1))
    equal(R, Z**3 * (y2 - y1))
    require_same(left, doubled())
    _, left = on_path(found, False, True, False)
    equal(left["Z"], 0)
    # (y₂ − y₁)(y₂ + y₁) = 0 when both are on the curve and x₁ = x₂.
    y, x = symbols("y x")

    def curve(x, y):
        return y**2 - x**3 + 3 * x - b

    equal((y2 - y) * (y2 + y) - curve(x, y2) + curve(x, y), 0)
    swift = paths(PROGRAM, lambda swift: swift.initialised(None, "JacobianPoint", ("_",), [second_point()]))
    require_same(swift[0][1], Struct("JacobianPoint", X=x2, Y=y2, Z=Integer(1)))


def double_and_add():
    """(P + Q) + P by the affine group law, which is 2P + Q as the group is associative and abelian."""
    x3, y3 = affine_sum(x1, y1, x2, y2)
    (_, H, G), left = on_path(left_by("doubleAndAddVarTime"), False, False, False)
    require_affine(left, affine_sum(x3, y3, x1, y1))
    equal(left["Z"], Z * H * G)


def double_and_add_branches():
    """H = 0 exactly for P = ±Q, G = 0 exactly for P + Q = ±P; what happens then is double() and addVarTime(Q), of P as it was."""
    found = left_by("doubleAndAddVarTime")
    require_infinity_to_second(found)
    (_, H, G), _ = on_path(found, False, False, False)
    equal(H, Z**2 * (x2 - x1))
    equal(G, (Z * H) ** 2 * (x1 - affine_sum(x1, y1, x2, y2)[0]))
    one_by_one = left_by("double", "addVarTime")
    exceptional = [(False, True), (False, False, True)]
    require(len(found) == 2 + len(exceptional) * len(one_by_one), "the paths of the exceptional cases")
    for before in exceptional:
        for decisions, left in one_by_one:
            answers = tuple(answer for _, answer in decisions)
            asked, same = on_path(found, *before, *answers)
            require_same(same, left)
            for question, (expected, _) in zip(asked[len(before) :], decisions):
                equal(question, expected)


def to_affine():
    found = paths(PROGRAM, lambda swift: swift.call(PROGRAM.functions["affineVarTime", ()], (), point()))
    (asked,), infinite = on_path(found, True)
    equal(asked, Z)
    require(infinite is None, "affineVarTime of infinity")
    _, finite = on_path(found, False)
    equal(finite["x"], x1)
    equal(finite["y"], y1)
