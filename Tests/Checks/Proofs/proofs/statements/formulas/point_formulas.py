"""Proves the formulas of JacobianPoint.swift, and both steps of OddMultiples.swift, on every path of the source.

(X : Y : Z) represents (X/Z², Y/Z³), with Z = 0 for infinity. Each proof runs a function on symbols and compares its result with the group law of `curves.py`,
as an identity of rational functions. The branches in the source test whether certain expressions are 0. The proofs show the expression that each branch tests,
and the result for both outcomes. The proofs assume only that field operations compute on numbers mod p, which `arithmetic.py` proves. Two programs check the
identities: SymPy (`group_law.py`) and cvc5 (`second_checker.py`). Trusted: SymPy or cvc5, and the reading of the source.
"""

from proofs.source.point_program import jacobian_program, multiples_program
from proofs.source.swift_run import paths
from proofs.source.swift_values import Struct
from proofs.statements.curves import affine_double, affine_sum
from proofs.statements.formulas.group_law import require


def proofs(checker):
    """Returns {name: proof} for one of the programs that check identities."""
    symbols, equal = checker.symbols, checker.require_equal
    X, Y, Z, x2, y2, b = symbols("X Y Z x2 y2 b")
    x1, y1 = X / Z**2, Y / Z**3
    program = jacobian_program(**checker.numbers, expand=checker.expand)

    def point():
        return Struct("JacobianPoint", X=X, Y=Y, Z=Z)

    def second_point():
        return Struct("AffinePoint", x=x2, y=y2)

    def left_by(*calls):
        """Calls functions in sequence on (X : Y : Z), with a point argument (x₂, y₂). Returns [(decisions, resulting point)]."""

        def run(swift):
            left = point()
            for name in calls:
                labels = ("_",) if name != "double" else ()
                swift.call(program.functions[name, labels], [second_point()] * len(labels), left)
            return left

        return paths(program, run)

    def on_path(found, *answers):
        """Finds the only path whose decisions begin with these answers. Returns (the expressions tested for 0, the resulting point)."""
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
        equal(checker.with_number(doubled()["Z"], Z, 0), 0)

    def doubling_finite():
        # Z₃ = Y·Z, so the double is finite for Z ≠ 0 and Y ≠ 0. No point has order 2 (Y = 0), because the group order is odd.
        equal(doubled()["Z"], Y * Z)

    def addition():
        (_, H), left = on_path(left_by("addVarTime"), False, False)
        require_affine(left, affine_sum(x1, y1, x2, y2))
        equal(left["Z"], Z * H)

    def require_infinity_to_second(found):
        """Requires the result (x₂ : y₂ : 1) for Z = 0."""
        (asked,), left = on_path(found, True)
        equal(asked, Z)
        require_same(left, Struct("JacobianPoint", X=x2, Y=y2, Z=checker.numbers["one"]))

    def addition_branches():
        """H = 0 if and only if the x are equal, R = 0 if and only if the y are equal. Points with equal x and different y are opposite."""
        found = left_by("addVarTime")
        require(len(found) == 4, "four paths")
        require_infinity_to_second(found)
        (_, H, R), left = on_path(found, False, True, True)
        equal(H, Z**2 * (x2 - x1))
        equal(R, Z**3 * (y2 - y1))
        require_same(left, doubled())
        _, left = on_path(found, False, True, False)
        equal(left["Z"], 0)
        # (y₂ − y₁)(y₂ + y₁) = 0 if both points are on the curve and x₁ = x₂.
        y, x = symbols("y x")

        def curve(x, y):
            return y**2 - x**3 + 3 * x - b

        equal((y2 - y) * (y2 + y) - curve(x, y2) + curve(x, y), 0)
        swift = paths(program, lambda swift: swift.initialised(None, "JacobianPoint", ("_",), [second_point()]))
        require_same(swift[0][1], Struct("JacobianPoint", X=x2, Y=y2, Z=checker.numbers["one"]))

    def double_and_add():
        """The result is the affine (P + Q) + P, which is 2P + Q because the group is associative and abelian."""
        x3, y3 = affine_sum(x1, y1, x2, y2)
        (_, H, G), left = on_path(left_by("doubleAndAddVarTime"), False, False, False)
        require_affine(left, affine_sum(x3, y3, x1, y1))
        equal(left["Z"], Z * H * G)

    def double_and_add_branches():
        """H = 0 if and only if P = ±Q, and G = 0 if and only if P + Q = ±P. In both cases, the code calls double() and addVarTime(Q) on the unchanged P."""
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
        found = paths(program, lambda swift: swift.call(program.functions["affineVarTime", ()], (), point()))
        (asked,), infinite = on_path(found, True)
        equal(asked, Z)
        require(infinite is None, "affineVarTime of infinity")
        _, finite = on_path(found, False)
        equal(finite["x"], x1)
        equal(finite["y"], y1)

    # The two steps that compute odd multiples

    multiples = multiples_program(**checker.numbers, expand=checker.expand)
    x_1, y_1 = symbols("x1 y1")

    def affine(x, y):
        return Struct("AffinePoint", x=x, y=y)

    def single_path(run):
        ((decisions, result),) = paths(multiples, run)
        require(not decisions, "a decision")
        return result

    def isomorphism():
        """(x, y) ↦ (x·c², y·c³) commutes with the affine addition, whose formula contains neither a nor b."""
        a, c = symbols("a c")
        x3, y3 = affine_sum(x_1, y_1, x2, y2)
        u3, v3 = affine_sum(x_1 * c**2, y_1 * c**3, x2 * c**2, y2 * c**3)
        equal(u3, x3 * c**2)
        equal(v3, y3 * c**3)
        # The image is the curve y² = x³ + a·c⁴·x + b·c⁶.
        equal((y_1 * c**3) ** 2 - (x_1 * c**2) ** 3 - a * c**4 * x_1 * c**2 - b * c**6, c**6 * (y_1**2 - x_1**3 - a * x_1 - b))

    def odd_multiples_start():
        """doubledOnOneZ(): for Q = (x : y : Z) and δ = Z², gives 2·Q and Q in the form (x·Z'², y·Z'³) with Z' = y·Z."""
        x, y = symbols("x y")
        double, point = single_path(lambda swift: swift.call(multiples.functions["doubledOnOneZ", ("δ",)], (Z**2,), affine(x, y)))
        x3, y3 = affine_double(x / Z**2, y / Z**3, -3)
        equal(double["x"] / (y * Z) ** 2, x3)
        equal(double["y"] / (y * Z) ** 3, y3)
        equal(point["x"] / (y * Z) ** 2, x / Z**2)
        equal(point["y"] / (y * Z) ** 3, y / Z**3)

    def odd_multiples_step():
        """addOnOneZ(): for two points on Z, gives their sum and P on Z·H if H ≠ 0. H ≠ 0 if and only if the x differ."""
        left, P = affine(x_1 * Z**2, y_1 * Z**3), affine(x2 * Z**2, y2 * Z**3)
        H = single_path(lambda swift: swift.call(multiples.functions["addOnOneZ", ("_",)], (P,), left))
        equal(H, Z**2 * (x_1 - x2))
        x3, y3 = affine_sum(x_1, y_1, x2, y2)
        equal(left["x"], x3 * (Z * H) ** 2)
        equal(left["y"], y3 * (Z * H) ** 3)
        equal(P["x"], x2 * (Z * H) ** 2)
        equal(P["y"], y2 * (Z * H) ** 3)

    return {proof.__name__: proof for proof in (
        doubling, doubling_at_infinity, doubling_finite, addition, addition_branches, double_and_add, double_and_add_branches, to_affine,
        isomorphism, odd_multiples_start, odd_multiples_step,
    )}
