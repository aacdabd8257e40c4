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


def reduced(polynomial):
    return {monomial: c % M64 for monomial, c in polynomial.items() if c % M64}


class Data:
    """A polynomial mod 2⁶⁴, and its value for given f and h = g/2ᶻ (mod 2⁶ suffices)."""

    def __init__(self, polynomial, evaluate=None):
        self.polynomial = reduced(polynomial)
        self.evaluate = evaluate

    def combine(self, other, operation, numbers):
        evaluate = None
        if self.evaluate and other.evaluate:
            evaluate = lambda f, h: numbers(self.evaluate(f, h), other.evaluate(f, h))
        return Data(operation(self.polynomial, other.polynomial), evaluate)


def data(operand):
    return operand if isinstance(operand, Data) else Data(constant(operand % M64), lambda f, h: operand)


class Range:
    """A control value beyond the numbers that are tried one by one."""

    def __init__(self, low, high):
        self.low, self.high = low, high


def bounds(number, signed=True):
    if isinstance(number, Range):
        if not signed and number.low < 0:
            raise Unsupported("an unsigned comparison of a negative range")
        return number.low, number.high
    return (number, number) if signed else (number % M64, number % M64)


def signed(word, bits=64):
    return (word + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


class Turn:
    """One run from the loop's head to its head or to the return."""

    def __init__(self, loop, remaining, eta):
        self.loop, self.remaining, self.eta = loop, remaining, eta
        self.multipliers, self.visited = [], set()

    def run(self):
        symbols = {name: Data({(name,): 1}) for name in "uvqr"}
        f = Data({("f",): 1}, lambda f, h: f)
        self.h = Data({("h",): 1}, lambda f, h: h)
        g = Data({("P", "h"): 1})  # g = 2ᶻ·h
        phis, blocks = self.loop.variables, self.loop.function.blocks
        environment = {phis[name]: symbols[name] for name in "uvqr"}
        environment |= {phis["f"]: f, phis["g"]: g, phis["left"]: "left", phis["eta"]: "eta"}
        label, previous, steps = self.loop.head, None, 0
        while True:
            incoming = {}
            self.visited.add(label)
            for instruction in blocks[label]:
                steps += 1
                if steps > 500:
                    raise Unsupported("a turn without end")
                if instruction.op == "phi":
                    if previous is not None:
                        incoming[instruction.dest] = self.incoming(instruction, previous, environment)
                    continue
                environment.update(incoming)
                incoming = {}
                if instruction.op == "br":
                    condition, targets = instruction.args
                    taken = targets[0] if condition is None or self.value(condition, environment, 1) else targets[1]
                    previous, label = label, taken
                    break
                rule = getattr(self, "op_" + instruction.op, None)
                if rule is None:
                    raise Unsupported(instruction.text)
                environment[instruction.dest] = rule(environment, *instruction.args)
            if label == self.loop.end:
                return "end", [self.value(name, environment) for name in (*self.loop.matrix, self.loop.last_eta)]
            if label == self.loop.head:
                back = {phi.dest: self.incoming(phi, previous, environment) for phi in blocks[label] if phi.op == "phi"}
                return "again", {name: back[dest] for name, dest in phis.items()}

    def incoming(self, phi, previous, environment):
        return self.value(next(name for name, label in phi.args[1] if label == previous), environment)

    def value(self, name, environment, bits=64):
        if name[0] == "%":
            return environment[name]
        if name in ("true", "false"):
            return int(name == "true")
        return signed(int(name), 64) if bits == 64 else int(name)

    def pair(self, environment, left, right):
        return self.value(left, environment), self.value(right, environment)

    def op_icmp(self, environment, predicate, bits, left, right, flags):
        x, y = self.pair(environment, left, right)
        if (x, predicate, y) in (("left", "ult", 64), ("z", "ult", 64)):
            return 1  # 1 ≤ left ≤ 62, 0 ≤ z ≤ left
        (x_low, x_high), (y_low, y_high) = (bounds(number, predicate[0] != "u") for number in (x, y))
        if predicate == "eq" and x_low == x_high and y_low == y_high:
            return int(x_low == y_low)
        if predicate in ("sgt", "ugt"):
            (x_low, x_high), (y_low, y_high), predicate = (y_low, y_high), (x_low, x_high), "slt"
        if predicate in ("slt", "ult"):
            if x_high < y_low:
                return 1
            if x_low >= y_high:
                return 0
        raise Unsupported(f"icmp {predicate}")

    def op_and(self, environment, bits, left, right, flags):
        x, y = self.pair(environment, left, right)
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

    def op_shl(self, environment, bits, left, right, flags):
        x, y = self.pair(environment, left, right)
        if x == -1 and y == "left":
            return "high bits"
        if isinstance(x, Data) and y == "z":
            return Data(multiply(x.polynomial, {("P",): 1}))
        if isinstance(x, Data) and isinstance(y, int) and 0 <= y < 64:
            return x.combine(data(1 << y), multiply, lambda x, y: x * y)
        raise Unsupported("shl")

    def op_lshr(self, environment, bits, left, right, flags):
        x, y = self.pair(environment, left, right)
        if isinstance(x, Data) and x.polynomial == {("P", "h"): 1} and y == "z":
            return self.h
        if x == -1 and isinstance(y, int) and 0 <= y < 64:
            return (M64 - 1) >> y
        if x == -1 and isinstance(y, int):
            return None  # poison; a `select` must not choose it
        raise Unsupported("lshr")

    def op_or(self, environment, bits, left, right, flags):
        x, y = self.pair(environment, left, right)
        if x == "high bits" and isinstance(y, Data) and y.polynomial == {("P", "h"): 1}:
            return "g and a stop at left"
        raise Unsupported("or")

    def op_select(self, environment, kind, condition, if_true, if_false):
        return self.value(if_true if self.value(condition, environment, 1) else if_false, environment)

    def op_call(self, environment, callee, arguments):
        values = [self.value(name, environment) for kind, name in arguments if kind != "i1"]
        if callee.startswith("@llvm.cttz.i64") and values[0] == "g and a stop at left":
            return "z"
        if callee.startswith("@llvm.ssub.with.overflow.i64") and values == ["eta", "z"]:
            return self.eta, 0  # |η| ≤ LARGEST_ETA
        if callee.startswith("@llvm.ssub.with.overflow.i64") and values == ["left", "z"]:
            return self.remaining, 0
        raise Unsupported("call of " + callee)

    def op_extractvalue(self, environment, structure, index):
        return self.value(structure, environment)[index]

    def arithmetic(self, environment, left, right, operation, numbers, flags=()):
        x, y = self.pair(environment, left, right)
        if isinstance(x, Data) or isinstance(y, Data):
            return data(x).combine(data(y), operation, numbers)
        if isinstance(x, Range) or isinstance(y, Range):
            corners = [numbers(x_end, y_end) for x_end in bounds(x) for y_end in bounds(y)]
            return Range(min(corners), max(corners))
        return signed(numbers(x, y))

    def op_add(self, environment, bits, left, right, flags):
        return self.arithmetic(environment, left, right, add, lambda x, y: x + y)

    def op_sub(self, environment, bits, left, right, flags):
        return self.arithmetic(environment, left, right, lambda x, y: add(x, y, -1), lambda x, y: x - y)

    def op_mul(self, environment, bits, left, right, flags):
        return self.arithmetic(environment, left, right, multiply, lambda x, y: x * y)


def with_invariant(polynomial):
    """u·F = f·K − v·G, q·F = 2ᶻ·h·K − r·G."""
    for left, right in (
        (("F", "u"), add({("K", "f"): 1}, {("G", "v"): -1})),
        (("F", "q"), add({("K", "P", "h"): 1}, {("G", "r"): -1})),
    ):
        result = {}
        for monomial, coefficient in polynomial.items():
            if all(symbol in monomial for symbol in left):
                rest = list(monomial)
                for symbol in left:
                    rest.remove(symbol)
                result = add(result, multiply({tuple(rest): coefficient}, right))
            else:
                result = add(result, {monomial: coefficient})
        polynomial = result
    return reduced(polynomial)


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
        ((monomial, coefficient),) = entry.items()
        if monomial not in (("P", names[0]), (names[1],)):
            raise Unproven("the entries of a row")
        total = max(total, abs(signed(coefficient)))
    if {len(monomial) for entry in row for monomial in entry} not in ({1}, {2}):
        raise Unproven("a row of two kinds")
    return total


def require_row_bounds(first, other, limit, remaining):
    """|u'| + |v'| ≤ K' and |q'| + |r'| ≤ 2^limit·K', with K' = 2^(62 − left'): the second is at most 2⁶²."""
    kept = row_bound([entry.polynomial for entry in first])
    changed = row_bound(other) + ((1 << limit) - 1) * kept
    if kept > 1 or changed > 1 << limit or changed << 62 - remaining > 1 << 62:
        raise Unproven("the bound of a row")


def prove_turn(loop, remaining, eta, cleared):
    """Returns the blocks that the turn ran through."""
    turn = Turn(loop, remaining, eta)
    kind, state = turn.run()
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
        if state[4] is not eta:
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
    # η' or −η', and as many steps at once as η and `left` allow, at most 4 or (after a swap) 6.
    low, high = bounds(eta)
    expected = (-high, -low) if swapped else (low, high)
    if bounds(state["eta"]) != expected or limit != min(expected[0] + 1, remaining, 6 if swapped else 4):
        raise Unproven("η or the number of steps")
    if (swapped, limit) not in cleared:
        for odd_f in range(1, 64, 2):
            for odd_g in range(1, 64, 2):
                if g.evaluate(odd_f, odd_g) % (1 << limit):
                    raise Unproven(f"bits of g that are not cleared: f = {odd_f}, g = {odd_g}")
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
