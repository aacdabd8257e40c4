"""Proves one iteration of safegcd's inner loop (TransitionMatrix.init in ModularInversion.swift) from its IR.

In the IR, the loop is inlined in `inverse`. The state at the loop header consists of f, g, the rows (u, v) and (q, r), η and `left`. F and G are the initial
words of f and g, and K = 2^(62 − left). The proof covers every 1 ≤ left ≤ 62 and every possible |η| (`division_loop.py`). At the header, it assumes:

    f odd,   u·F + v·G ≡ f·K,   q·F + r·G ≡ g·K   mod 2⁶⁴,
    |u| + |v| ≤ K,   2ᵐ | g and |q| + |r| ≤ 2ᵐ·K for some m ≤ left,

and shows the same for the next iteration with left' = left − z and m' = `limit`, where z = min(trailing zeros of g, left). When the loop ends (left' = 0), the
proof shows

    u·F + v·G ≡ f·2⁶²,   q·F + r·G ≡ (g/2ᶻ)·2⁶²   mod 2⁶⁴,   |u| + |v| ≤ 2⁶²,   |q| + |r| ≤ 2⁶²,

as `apply` requires. A swap happens if and only if η' = η − z is negative. The swap changes the sign of η'. `limit` is the minimum of |η'| + 1, left' and 4 (6
after a swap). No row overflows, and no trap is reached. An iteration multiplies the determinant u·r − v·q by 2ᶻ, so the matrix of a whole loop has determinant
2⁶². Because f also stays odd, gcd(f, g) does not change.

The proof represents data words as polynomials mod 2⁶⁴, with 2ᶻ as a symbol, and the control values left' and η' as numbers. It covers every left' from 0 to 62
and every η' from −66 to 66. The other values of η' form two ranges, and every comparison must have a single outcome for the whole range. The added multiple of
f clears `limit` bits of g, which depend only on f mod 2⁶ and g/2ᶻ mod 2⁶. For each of the code's formulas for the multiplier, the proof tries all odd values of
these two residues.

If the code counts the zeros before the header (`division_loop.py`), the zeros are already counted in the states where the run begins and ends.
"""

import functools

from proofs.domains.bits import signed
from proofs.domains.polynomial import add, multiply, without
from proofs.execution.division_run import DivisionRun, signed_bounds
from proofs.execution.division_values import Data, M64, Range, Stopped, Zeros, reduced
from proofs.outcomes import Unproven
from proofs.statements.inversion.division_loop import LARGEST_ETA, DivisionLoop


class Turn(DivisionRun):
    """A run from the loop header to the next arrival at the header or the call of `update`. η' and left' (after the shift by z) are given."""

    def __init__(self, loop, remaining, eta):
        self.h = Data({("h",): 1}, lambda f, h: h)
        g, left, before = Data({("P", "h"): 1}), Range(1, 62), Range(-LARGEST_ETA, LARGEST_ETA)  # g = 2ᶻ·h
        self.loop, self.eta = loop, eta if isinstance(eta, Range) else eta % M64
        super().__init__(loop.module, Zeros(Stopped(g, left), "P", self.h), [(left, remaining), (before, self.eta)])
        self.state = {name: Data({(name,): 1}) for name in "uvqr"} | {"f": Data({("f",): 1}, lambda f, h: f), "g": g, "left": left, "eta": before}

    def take(self):
        loop = self.loop
        environment = loop.environment(self.state, self.zeros, self.eta)
        label, previous = self.run(loop.function, environment, loop.head, None, (loop.head, loop.end))
        if label == loop.end:
            return "end", [self.operand(name, environment) for name in (*loop.matrix, loop.last_eta)]
        return "again", loop.state(self.arriving(loop.function, label, previous, environment))


def with_invariant(polynomial):
    """Replaces u·F = f·K − v·G and q·F = 2ᶻ·h·K − r·G."""
    for left, right in (
        (("F", "u"), add({("K", "f"): 1}, {("G", "v"): -1})),
        (("F", "q"), add({("K", "P", "h"): 1}, {("G", "r"): -1})),
    ):
        result = {}
        for monomial, coefficient in polynomial.items():
            if set(left) <= set(monomial):
                result = add(result, multiply({functools.reduce(without, left, monomial): coefficient}, right))
            else:
                result = add(result, {monomial: coefficient})
        polynomial = result
    return reduced(polynomial)


def require_row(u, v, f, k):
    """Requires u·F + v·G ≡ f·k."""
    total = add(multiply(u.polynomial, {("F",): 1}), multiply(v.polynomial, {("G",): 1}))
    if with_invariant(add(total, multiply(f.polynomial, k), -1)):
        raise Unproven("the congruence of a row")


def row_bound(row):
    """Returns the bound of |x| + |y| for a row of the new matrix. The unit is the new K, that is, 2ᶻ times the old K. The bound follows from |u| + |v| ≤ K and
    |q| + |r| ≤ 2ᵐ·K ≤ 2ᶻ·K. The last inequality holds because 2ᵐ divides g and m ≤ left, so m ≤ z = min(trailing zeros of g, left).
    """
    total = 0
    for names in (("u", "q"), ("v", "r")):
        entry = row[0] if names[0] == "u" else row[1]
        ((monomial, coefficient),) = entry.items()
        if monomial not in (("P", names[0]), (names[1],)):
            raise Unproven("the entries of a row")
        total = max(total, abs(signed(coefficient, 64)))
    if {len(monomial) for entry in row for monomial in entry} not in ({1}, {2}):
        raise Unproven("a row of two kinds")
    return total


def require_row_bounds(first, other, limit, remaining):
    """Requires |u'| + |v'| ≤ K' = 2^(62 − left') and |q'| + |r'| ≤ 2^limit·K', which is at most 2⁶²."""
    kept = row_bound([entry.polynomial for entry in first])
    changed = row_bound(other) + ((1 << limit) - 1) * kept
    if kept > 1 or changed > 1 << limit or changed << 62 - remaining > 1 << 62:
        raise Unproven("the bound of a row")


def prove_turn(loop, remaining, eta, cleared):
    """Proves one case of an iteration, and returns the blocks of the run. `cleared`: the multipliers that were already shown to clear bits of g."""
    turn = Turn(loop, remaining, eta)
    kind, state = turn.take()
    K = ("K", "P")  # the new K is K·2ᶻ
    symbol = lambda name: {(name,): 1}
    if kind == "end":
        if remaining:
            raise Unproven("an end before 62 steps")
        u, v, q, r = state[:4]
        require_row(u, v, Data(symbol("f")), {K: 1})
        require_row(q, r, turn.h, {K: 1})
        if [entry.polynomial for entry in (u, v, q, r)] != [{("P", "u"): 1}, {("P", "v"): 1}, symbol("q"), symbol("r")]:
            raise Unproven("the bound of the matrix")
        if state[4] != turn.eta:
            raise Unproven("η")
        return turn.visited
    if not remaining:
        raise Unproven("more than 62 steps")
    u, v, q, r, f, g = (state[name] for name in "uvqrfg")
    require_row(u, v, f, {K: 1})
    require_row(q, r, g, {K: 1})
    if state["left"] != remaining:
        raise Unproven("left")
    # The multiplier w < 2^limit, limit ≤ left'.
    multiplier, mask, _ = turn.multipliers[-1]
    limit = mask.bit_length()
    if mask != (1 << limit) - 1 or not 1 <= limit <= remaining:
        raise Unproven(f"the multiplier's mask {mask:#x}")
    swapped = f.polynomial == symbol("h")
    kept = [symbol("q"), symbol("r")] if swapped else [{("P", "u"): 1}, {("P", "v"): 1}]
    other = [{("P", "u"): M64 - 1}, {("P", "v"): M64 - 1}] if swapped else [symbol("q"), symbol("r")]
    if not swapped and f.polynomial != symbol("f") or [u.polynomial, v.polynomial] != kept:
        raise Unproven("f or its row")
    if [q.polynomial, r.polynomial] != [add(entry, multiply(factor, symbol(multiplier))) for entry, factor in zip(other, kept)]:
        raise Unproven("g's row")
    require_row_bounds((u, v), other, limit, remaining)
    negative = eta.high < 0 if isinstance(eta, Range) else eta < 0
    if swapped != negative:
        raise Unproven("a swap without need")
    # The new η is η' or −η'. The iteration makes as many steps as η and `left` allow, at most 4 (6 after a swap).
    low, high = (eta.low, eta.high) if isinstance(eta, Range) else (eta, eta)
    expected = (-high, -low) if swapped else (low, high)
    if signed_bounds(state["eta"], 64) != expected or limit != min(expected[0] + 1, remaining, 6 if swapped else 4):
        raise Unproven("η or the number of steps")
    masked = tuple((mask, frozenset(polynomial.items())) for _, mask, polynomial in turn.multipliers)
    if (swapped, limit, masked) not in cleared:  # checks the multiplier as a function of f and h
        for odd_f in range(1, 64, 2):
            for odd_g in range(1, 64, 2):
                if g.evaluate(odd_f, odd_g) % (1 << limit):
                    raise Unproven(f"bits of g that are not cleared: f = {odd_f}, g = {odd_g}")
        cleared.add((swapped, limit, masked))
    return turn.visited


def prove_division_steps(module, function):
    """Returns (the number of cases, the loop, the blocks that the proof's runs reached)."""
    loop, cleared, count = DivisionLoop(module, function), set(), 0
    blocks = set(loop.visited)
    etas = list(range(-66, 67)) + [Range(67, LARGEST_ETA), Range(-LARGEST_ETA, -67)]
    for remaining in range(63):
        for eta in etas:
            blocks |= prove_turn(loop, remaining, eta, cleared)
            count += 1
    if len({(swapped, limit) for swapped, limit, _ in cleared}) != 4 + 6:
        raise Unproven("not every limit occurs")
    return count, loop, blocks
