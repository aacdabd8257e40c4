"""The conditions of a path: decided by the values, or chosen and recorded as facts."""

from algebra import Infeasible, add, constant, is_constant, scale, value
from ir import Unsupported


class Undecided(Exception):
    """A condition beyond the list of choices."""


class Comparison:
    def __init__(self, predicate, a, b, bits):
        self.predicate, self.a, self.b, self.bits = predicate, a, b, bits


class AnyBit:
    """The `or` of words, of use only for a comparison with 0."""

    def __init__(self, parts):
        self.parts = parts


class AllBits:
    """The `and` of words, of use only for a comparison with all ones."""

    def __init__(self, parts):
        self.parts = parts


class Conditions:
    """What `execute.Run` does with conditions. `choices` are the outcomes to take, `made` the conditions that took one."""

    def __init__(self, choices):
        self.choices = list(choices)
        self.made = []  # (condition, outcome) of every choice
        self.excluded = {}  # symbol -> values that it does not have

    def decide(self, c):
        if isinstance(c, Comparison):
            return self._decide_comparison(c)
        c = self.algebra.substitute(c)
        if is_constant(c):
            return value(c)
        outcome = self._choose(("flag", c))
        self.algebra.assume(add(c, constant(-outcome)))
        return outcome

    def _choose(self, condition):
        if len(self.made) == len(self.choices):
            raise Undecided()
        outcome = self.choices[len(self.made)]
        self.made.append((condition, outcome))
        return outcome

    def _decide_comparison(self, c):
        if isinstance(c.a, AnyBit):
            if c.predicate not in ("eq", "ne") or not (is_constant(c.b) and value(c.b) == 0):
                raise Unsupported("use of an `or`")
            zero = all(self._decide_comparison(Comparison("eq", part, c.b, c.bits)) for part in c.a.parts)
            return int(zero == (c.predicate == "eq"))
        if isinstance(c.a, AllBits):
            if c.predicate not in ("eq", "ne") or not (is_constant(c.b) and value(c.b) == (1 << c.bits) - 1):
                raise Unsupported("use of an `and`")
            ones = all(self._decide_comparison(Comparison("eq", part, c.b, c.bits)) for part in c.a.parts)
            return int(ones == (c.predicate == "eq"))
        a, b = self.algebra.substitute(c.a), self.algebra.substitute(c.b)
        p = c.predicate
        if p in ("ne", "uge", "ule", "sge", "sle"):
            opposite = {"ne": "eq", "uge": "ult", "ule": "ugt", "sge": "slt", "sle": "sgt"}[p]
            return 1 - self._decide_comparison(Comparison(opposite, a, b, c.bits))
        if p in ("ugt", "sgt"):
            return self._decide_comparison(Comparison({"ugt": "ult", "sgt": "slt"}[p], b, a, c.bits))
        if p == "slt":
            a, b = self.signed(a, c.bits), self.signed(b, c.bits)
        d = add(a, b, -1)
        low, high = self.algebra.range(d)
        if p == "eq":
            if low == high == 0:
                return 1
            if low > 0 or high < 0:
                return 0
        elif p in ("ult", "slt"):
            if high < 0:
                return 1
            if low >= 0:
                return 0
        else:
            raise Unsupported("icmp " + p)
        outcome = self._choose((p, a, b))
        if p == "eq":
            if outcome:
                self.algebra.assume(d)
            else:
                self._exclude(d)
        else:
            self._assume_nonnegative(add(scale(d, -1), constant(-1)) if outcome else d)
        return outcome

    def _exclude(self, d):
        """d ≠ 0, kept where it shortens a range."""
        symbols = [m for m in d if m]
        if len(symbols) == 1 and len(symbols[0]) == 1 and abs(d[symbols[0]]) == 1:
            s = symbols[0][0]
            excluded = -value(d) // d[symbols[0]]
            self.excluded.setdefault(s, set()).add(excluded)
            self._narrow(s, *self.algebra.ranges[s])
            low, high = self.algebra.ranges[s]
            if low == high and self.algebra.kind[s] in ("hi", "sum"):
                self.algebra.assume({(s,): 1, (): -low} if low else {(s,): 1})
        elif self.algebra.range(d)[0] == 0:
            self._assume_nonnegative(add(d, constant(-1)))
        elif self.algebra.range(d)[1] == 0:
            self._assume_nonnegative(add(scale(d, -1), constant(-1)))

    def _narrow(self, s, low, high):
        while low in self.excluded.get(s, ()):
            low += 1
        while high in self.excluded.get(s, ()):
            high -= 1
        if low > high:
            raise Infeasible()
        self.algebra.ranges[s] = (low, high)

    def _assume_nonnegative(self, d):
        symbols = [m for m in d if m]
        if len(symbols) == 1 and len(symbols[0]) == 1 and abs(d[symbols[0]]) == 1:
            s, c = symbols[0][0], d[symbols[0]]
            low, high = self.algebra.ranges[s]
            limit = -value(d) * c
            self._narrow(s, *((max(low, limit), high) if c > 0 else (low, min(high, limit))))
            return
        low, high = self.algebra.range(d)
        slack = self.algebra.symbol("slack", 0, high, "slack")
        self.algebra.facts.append(add(d, {(slack,): -1}))

    def number(self, v):
        """A word or a flag as a polynomial."""
        if isinstance(v, dict):
            return v
        if isinstance(v, Comparison) and isinstance(v.a, dict):
            a, b, p = v.a, v.b, v.predicate
            if p in ("ugt", "ule"):
                a, b, p = b, a, {"ugt": "ult", "ule": "uge"}[p]
            if p in ("ult", "uge"):
                borrow = scale(self.algebra.split(add(a, b, -1), v.bits)[1], -1)
                return borrow if p == "ult" else add(constant(1), borrow, -1)
            if p in ("eq", "ne") and is_constant(b) and value(b) in (0, (1 << v.bits) - 1):
                # x = 0 borrows 1, x = 2ⁿ − 1 carries 1.
                hi = self.algebra.split(add(a, constant(1 if value(b) else -1)), v.bits)[1]
                equal = hi if value(b) else scale(hi, -1)
                return equal if p == "eq" else add(constant(1), equal, -1)
        return constant(self.decide(v))
