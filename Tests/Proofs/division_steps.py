"""Proves one turn of safegcd's inner loop (TransitionMatrix.init in ModularInversion.swift) from its IR, where `inverse` has inlined it.

State at the loop's head: f, g, the rows (u, v) and (q, r), η and `left`; F, G are the words that f and g began as, K = 2^(62 − left).
For every 1 ≤ left ≤ 62 and every |η| that can be (`division_loop.py`), from

    f odd,   u·F + v·G ≡ f·K,   q·F + r·G ≡ g·K   mod 2⁶⁴,
    |u| + |v| ≤ K,   2ᵐ | g and |q| + |r| ≤ 2ᵐ·K for some m ≤ left,

follows the same for the next turn with left' = left − z and m' = `limit`, where z = min(trailing zeros of g, left); and when the
loop ends (left' = 0),

    u·F + v·G ≡ f·2⁶²,   q·F + r·G ≡ (g/2ᶻ)·2⁶²   mod 2⁶⁴,   |u| + |v| ≤ 2⁶²,   |q| + |r| ≤ 2⁶²,

which is what `apply` needs. η' = η − z changes its sign with a swap, which happens exactly if it is negative, and `limit` is the least of
|η'| + 1, left' and 4 (6 after a swap). No row overflows, and no trap is reached. A turn multiplies the determinant u·r − v·q by 2ᶻ, so that the matrix of a
whole loop has determinant 2⁶² and f stays odd: gcd(f, g) stays what it was.

The data is run as polynomials mod 2⁶⁴ with 2ᶻ as a symbol, the control (left', η') as numbers: every left' from 0 to 62, every η'
from −66 to 66, and the two ranges beyond, in which every comparison must have one outcome. That the added multiple of f clears `limit`
bits of g is tried for all odd f and g/2ᶻ mod 2⁶, on which alone those bits depend.
"""

from division_loop import LARGEST_ETA, DivisionLoop
from ir import Unsupported
from outcomes import Unproven
from polynomial import add, constant, multiply, scale

M64 = 1 << 64


class Data:
    """A polynomial mod 2⁶⁴, and its value for given f and h = g/2ᶻ (mod 2⁶ suffices)."""

    def __init__(self, polynomial, evaluate=None):
        self.polynomial = {m: c % M64 for m, c in polynomial.items() if c % M64}
        self.evaluate = evaluate

    def combine(self, other, operation, numbers):
        evaluate = None
        if self.evaluate and other.evaluate:
            evaluate = lambda f, h: numbers(self.evaluate(f, h), other.evaluate(f, h))
        return Data(operation(self.polynomial, other.polynomial), evaluate)


def data(v):
    return v if isinstance(v, Data) else Data(constant(v % M64), lambda f, h: v)


class Range:
    """A control value beyond the numbers that are tried one by one."""

    def __init__(self, low, high):
        self.low, self.high = low, high


def bounds(v, signed=True):
    if isinstance(v, Range):
        if not signed and v.low < 0:
            raise Unsupported("an unsigned comparison of a negative range")
        return v.low, v.high
    return (v, v) if signed else (v % M64, v % M64)


def signed(v, bits=64):
    return (v + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


class Turn:
    """One run from the loop's head to its head or to the return."""

    def __init__(self, loop, remaining, eta):
        self.loop, self.remaining, self.eta = loop, remaining, eta
        self.multipliers, self.visited = [], set()

    def run(self):
        symbols = {n: Data({(n,): 1}) for n in "uvqr"}
        f = Data({("f",): 1}, lambda f, h: f)
        self.h = Data({("h",): 1}, lambda f, h: h)
        g = Data({("P", "h"): 1})  # g = 2ᶻ·h
        phis, blocks = self.loop.variables, self.loop.function.blocks
        environment = {phis[n]: symbols[n] for n in "uvqr"}
        environment |= {phis["f"]: f, phis["g"]: g, phis["left"]: "left", phis["eta"]: "eta"}
        label, previous, steps = self.loop.head, None, 0
        while True:
            incoming = {}
            self.visited.add(label)
            for i in blocks[label]:
                steps += 1
                if steps > 500:
                    raise Unsupported("a turn without end")
                if i.op == "phi":
                    if previous is not None:
                        incoming[i.dest] = self.value(next(v for v, l in i.args[1] if l == previous), environment)
                    continue
                environment.update(incoming)
                incoming = {}
                if i.op == "br":
                    condition, targets = i.args
                    taken = targets[0] if condition is None or self.value(condition, environment, 1) else targets[1]
                    previous, label = label, taken
                    break
                rule = getattr(self, "op_" + i.op, None)
                if rule is None:
                    raise Unsupported(i.text)
                environment[i.dest] = rule(environment, *i.args)
            if label == self.loop.end:
                return "end", [self.value(name, environment) for name in (*self.loop.matrix, self.loop.last_eta)]
            if label == self.loop.head:
                back = {}
                for i in blocks[label]:
                    if i.op == "phi":
                        back[i.dest] = self.value(next(v for v, l in i.args[1] if l == previous), environment)
                return "again", {n: back[d] for n, d in phis.items()}

    def value(self, name, environment, bits=64):
        if name[0] == "%":
            return environment[name]
        if name in ("true", "false"):
            return int(name == "true")
        return signed(int(name), 64) if bits == 64 else int(name)

    def pair(self, environment, a, b):
        return self.value(a, environment), self.value(b, environment)

    def op_icmp(self, environment, predicate, bits, a, b, flags):
        x, y = self.pair(environment, a, b)
        if (x, predicate, y) in (("left", "ult", 64), ("z", "ult", 64)):
            return 1  # 1 ≤ left ≤ 62, 0 ≤ z ≤ left
        (l1, h1), (l2, h2) = (bounds(v, predicate[0] != "u") for v in (x, y))
        if predicate == "eq" and l1 == h1 and l2 == h2:
            return int(l1 == l2)
        if predicate in ("sgt", "ugt"):
            (l1, h1), (l2, h2), predicate = (l2, h2), (l1, h1), "slt"
        if predicate in ("slt", "ult"):
            if h1 < l2:
                return 1
            if l1 >= h2:
                return 0
        raise Unsupported(f"icmp {predicate}")

    def op_and(self, environment, bits, a, b, flags):
        x, y = self.pair(environment, a, b)
        if bits == 1:
            return x & y
        if x in ("left", "z") and y == 63:
            return x
        if isinstance(y, int) and isinstance(x, Data):
            x, y = y, x
        if isinstance(x, int) and isinstance(y, Data):
            name = f"w{len(self.multipliers)}"
            self.multipliers.append((name, x % M64, y))
            return Data({(name,): 1}, y.evaluate and (lambda f, h: y.evaluate(f, h) & x))
        raise Unsupported("and")

    def op_shl(self, environment, bits, a, b, flags):
        x, y = self.pair(environment, a, b)
        if x == -1 and y == "left":
            return "high bits"
        if isinstance(x, Data) and y == "z":
            return Data(multiply(x.polynomial, {("P",): 1}))
        if isinstance(x, Data) and isinstance(y, int) and 0 <= y < 64:
            return x.combine(data(1 << y), multiply, lambda p, q: p * q)
        raise Unsupported("shl")

    def op_lshr(self, environment, bits, a, b, flags):
        x, y = self.pair(environment, a, b)
        if isinstance(x, Data) and x.polynomial == {("P", "h"): 1} and y == "z":
            return self.h
        if x == -1 and isinstance(y, int) and 0 <= y < 64:
            return (M64 - 1) >> y
        if x == -1 and isinstance(y, int):
            return None  # poison; a `select` must not choose it
        raise Unsupported("lshr")

    def op_or(self, environment, bits, a, b, flags):
        x, y = self.pair(environment, a, b)
        if x == "high bits" and isinstance(y, Data) and y.polynomial == {("P", "h"): 1}:
            return "g and a stop at left"
        raise Unsupported("or")

    def op_select(self, environment, kind, condition, a, b):
        return self.value(a if self.value(condition, environment, 1) else b, environment)

    def op_call(self, environment, callee, arguments):
        values = [self.value(name, environment) for kind, name in arguments if kind != "i1"]
        if callee.startswith("@llvm.cttz.i64") and values[0] == "g and a stop at left":
            return "z"
        if callee.startswith("@llvm.ssub.with.overflow.i64") and values == ["eta", "z"]:
            return self.eta, 0  # |η| ≤ LARGEST_ETA
        if callee.startswith("@llvm.ssub.with.overflow.i64") and values == ["left", "z"]:
            return self.remaining, 0
        raise Unsupported("call of " + callee)

    def op_extractvalue(self, environment, a, index):
        return self.value(a, environment)[index]

    def arithmetic(self, environment, a, b, operation, numbers, flags=()):
        x, y = self.pair(environment, a, b)
        if isinstance(x, Data) or isinstance(y, Data):
            return data(x).combine(data(y), operation, numbers)
        if isinstance(x, Range) or isinstance(y, Range):
            (l1, h1), (l2, h2) = bounds(x), bounds(y)
            corners = [numbers(p, q) for p in (l1, h1) for q in (l2, h2)]
            return Range(min(corners), max(corners))
        return signed(numbers(x, y))

    def op_add(self, environment, bits, a, b, flags):
        return self.arithmetic(environment, a, b, add, lambda p, q: p + q)

    def op_sub(self, environment, bits, a, b, flags):
        return self.arithmetic(environment, a, b, lambda p, q: add(p, q, -1), lambda p, q: p - q)

    def op_mul(self, environment, bits, a, b, flags):
        return self.arithmetic(environment, a, b, multiply, lambda p, q: p * q)


def with_invariant(a):
    """u·F = f·K − v·G, q·F = 2ᶻ·h·K − r·G."""
    for left, right in (
        (("F", "u"), add({("K", "f"): 1}, {("G", "v"): -1})),
        (("F", "q"), add({("K", "P", "h"): 1}, {("G", "r"): -1})),
    ):
        result = {}
        for m, c in a.items():
            if all(s in m for s in left):
                rest = list(m)
                for s in left:
                    rest.remove(s)
                result = add(result, multiply({tuple(rest): c}, right))
            else:
                result = add(result, {m: c})
        a = result
    return {m: c % M64 for m, c in a.items() if c % M64}


def require_row(u, v, f, k):
    """u·F + v·G ≡ f·k."""
    total = add(multiply(u.polynomial, {("F",): 1}), multiply(v.polynomial, {("G",): 1}))
    if with_invariant(add(total, multiply(f.polynomial, k), -1)):
        raise Unproven("the congruence of a row")


def row_bound(row):
    """Of |x| + |y| for a row of the new matrix, in units of the new K = 2ᶻ·K: from |u| + |v| ≤ K, and |q| + |r| ≤ 2ᵐ·K ≤ 2ᶻ·K,
    as 2ᵐ divides g and m ≤ left make m ≤ z = min(trailing zeros of g, left)."""
    total = 0
    for names in (("u", "q"), ("v", "r")):
        entry = row[0] if names[0] == "u" else row[1]
        ((monomial, c),) = entry.items()
        if monomial not in (("P", names[0]), (names[1],)):
            raise Unproven("the entries of a row")
        total = max(total, abs(signed(c)))
    if {len(m) for entry in row for m in entry} not in ({1}, {2}):
        raise Unproven("a row of two kinds")
    return total


def require_row_bounds(first, other, limit, remaining):
    """|u'| + |v'| ≤ K' and |q'| + |r'| ≤ 2^limit·K', with K' = 2^(62 − left'): the second is at most 2⁶²."""
    kept = row_bound([x.polynomial for x in first])
    changed = row_bound(other) + ((1 << limit) - 1) * kept
    if kept > 1 or changed > 1 << limit or changed << 62 - remaining > 1 << 62:
        raise Unproven("the bound of a row")


def prove_turn(loop, remaining, eta, cleared):
    """Returns the blocks that the turn ran through."""
    turn = Turn(loop, remaining, eta)
    kind, state = turn.run()
    K = ("K", "P")  # the new K is K·2ᶻ
    p = lambda n: {(n,): 1}
    if kind == "end":
        if remaining:
            raise Unproven("an end before 62 steps")
        u, v, q, r = (state[i] for i in range(4))
        require_row(u, v, Data(p("f")), {K: 1})
        require_row(q, r, turn.h, {K: 1})
        if [x.polynomial for x in (u, v, q, r)] != [{("P", "u"): 1}, {("P", "v"): 1}, p("q"), p("r")]:
            raise Unproven("the bound of the matrix")
        if state[4] is not eta:
            raise Unproven("η")
        return turn.visited
    if not remaining:
        raise Unproven("more than 62 steps")
    u, v, q, r, f, g = (state[n] for n in "uvqrfg")
    require_row(u, v, f, {K: 1})
    require_row(q, r, g, {K: 1})
    if state["left"] != remaining:
        raise Unproven("left")
    # The multiplier w < 2^limit, limit ≤ left'.
    name, mask, source = turn.multipliers[-1]
    limit = mask.bit_length()
    if mask != (1 << limit) - 1 or not 1 <= limit <= remaining:
        raise Unproven(f"the multiplier's mask {mask:#x}")
    swapped = f.polynomial == p("h")
    kept = [p("q"), p("r")] if swapped else [{("P", "u"): 1}, {("P", "v"): 1}]
    other = [{("P", "u"): M64 - 1}, {("P", "v"): M64 - 1}] if swapped else [p("q"), p("r")]
    if not swapped and f.polynomial != p("f") or [u.polynomial, v.polynomial] != kept:
        raise Unproven("f or its row")
    if [q.polynomial, r.polynomial] != [add(o, multiply(k, p(name))) for o, k in zip(other, kept)]:
        raise Unproven("g's row")
    require_row_bounds((u, v), other, limit, remaining)
    negative = eta.high < 0 if isinstance(eta, Range) else eta < 0
    if swapped != negative:
        raise Unproven("a swap without need")
    # η' or −η', and as many steps at once as η and `left` allow, at most 4 or (after a swap) 6.
    l, h = bounds(eta)
    expected = (-h, -l) if swapped else (l, h)
    if bounds(state["eta"]) != expected or limit != min(expected[0] + 1, remaining, 6 if swapped else 4):
        raise Unproven("η or the number of steps")
    if (swapped, limit) not in cleared:
        for a in range(1, 64, 2):
            for b in range(1, 64, 2):
                if g.evaluate(a, b) % (1 << limit):
                    raise Unproven(f"bits of g that are not cleared: f = {a}, g = {b}")
        cleared.add((swapped, limit))
    return turn.visited


def prove_division_steps(function):
    """Returns the number of cases, and the blocks of the loop."""
    loop, cleared, count, blocks = DivisionLoop(function), set(), 0, set()
    etas = list(range(-66, 67)) + [Range(67, LARGEST_ETA), Range(-LARGEST_ETA, -67)]
    for remaining in range(63):
        for eta in etas:
            blocks |= prove_turn(loop, remaining, eta, cleared)
            count += 1
    if len(cleared) != 4 + 6:
        raise Unproven(f"{sorted(cleared)}: not every limit occurs")
    return count, blocks
