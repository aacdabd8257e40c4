"""Decides the conditions of a path. If the values do not decide a condition, chooses an outcome and records it as a fact.

If the ranges of two words allow only one outcome of a comparison, the comparison has that outcome. Otherwise the path's list of choices supplies the outcome,
and the path records a fact. A fact is an equation, an inequality, or a value that a symbol cannot have.

Trusted: each recorded fact follows from the outcome. `execute.paths` runs a path for every outcome.
"""

from proofs.domains.polynomial import add, constant, is_constant, only_symbol, scale, value
from proofs.outcomes import CannotMerge, Infeasible, Undecided, Unsupported

OPPOSITE = {"ne": "eq", "uge": "ult", "ule": "ugt", "sge": "slt", "sle": "sgt"}
MIRRORED = {"ugt": "ult", "sgt": "slt"}


class Comparison:
    """An `icmp` of words with `bits` bits."""

    def __init__(self, predicate, left, right, bits):
        self.predicate, self.left, self.right, self.bits = predicate, left, right, bits


class AnyBit:
    """The `or` of several words. Code may only compare this value with 0."""

    def __init__(self, parts):
        self.parts = parts


class AllBits:
    """The `and` of several words. Code may only compare this value with all ones."""

    def __init__(self, parts):
        self.parts = parts


class Conditions:
    """The part of `execute.Run` for conditions. `choices`: the outcomes to use."""

    def __init__(self, choices):
        self.choices = list(choices)
        self.made = []  # (condition, outcome) of every choice
        self.excluded = {}  # symbol -> values that the symbol cannot have

    def decide(self, condition):
        if isinstance(condition, Comparison):
            return self._decide_comparison(condition)
        flag = self.algebra.substitute(condition)
        if is_constant(flag):
            return value(flag)
        outcome = self._choose(("flag", flag))
        self.algebra.assume(add(flag, constant(-outcome)))
        return outcome

    def _choose(self, condition):
        if self.merging:
            raise CannotMerge()
        if len(self.made) == len(self.choices):
            raise Undecided()
        outcome = self.choices[len(self.made)]
        self.made.append((condition, outcome))
        return outcome

    def _decide_comparison(self, comparison):
        predicate, bits = comparison.predicate, comparison.bits
        if isinstance(comparison.left, AnyBit):
            return self._decide_parts(comparison, 0, "use of an `or`")
        if isinstance(comparison.left, AllBits):
            return self._decide_parts(comparison, (1 << bits) - 1, "use of an `and`")
        left, right = self.algebra.substitute(comparison.left), self.algebra.substitute(comparison.right)
        if predicate in OPPOSITE:
            return 1 - self._decide_comparison(Comparison(OPPOSITE[predicate], left, right, bits))
        if predicate in MIRRORED:
            return self._decide_comparison(Comparison(MIRRORED[predicate], right, left, bits))
        if predicate == "slt":
            left, right = self.signed(left, bits), self.signed(right, bits)
        difference = add(left, right, -1)
        outcome = self._outcome_by_range(predicate, difference)
        if outcome is None:
            outcome = self._choose((predicate, left, right))
            self._record(predicate, difference, outcome)
        return outcome

    def _decide_parts(self, comparison, wanted, use):
        """Decides word by word whether all words of an `or` are 0, or all words of an `and` are all ones."""
        if comparison.predicate not in ("eq", "ne") or not (is_constant(comparison.right) and value(comparison.right) == wanted):
            raise Unsupported(use)
        parts = comparison.left.parts
        holds = all(self._decide_comparison(Comparison("eq", part, comparison.right, comparison.bits)) for part in parts)
        return int(holds == (comparison.predicate == "eq"))

    def _outcome_by_range(self, predicate, difference):
        """Returns 0 or 1 if the range of left − right determines the outcome, else None."""
        low, high = self.algebra.range(difference)
        if predicate == "eq":
            return 1 if low == high == 0 else 0 if low > 0 or high < 0 else None
        if predicate in ("ult", "slt"):
            return 1 if high < 0 else 0 if low >= 0 else None
        raise Unsupported("icmp " + predicate)

    def _record(self, predicate, difference, outcome):
        if predicate == "eq" and outcome:
            self.algebra.assume(difference)
        elif predicate == "eq":
            self._exclude_zero(difference)
        else:
            self._assume_nonnegative(add(scale(difference, -1), constant(-1)) if outcome else difference)

    # Facts from an outcome

    def _exclude_zero(self, difference):
        """Records that the difference is not 0, but only if this excludes a value of a symbol."""
        found = only_symbol(difference)
        if found is not None and abs(found[1]) == 1:
            symbol, coefficient = found
            self.excluded.setdefault(symbol, set()).add(-value(difference) // coefficient)
            self._narrow(symbol, *self.algebra.ranges[symbol])
            low, high = self.algebra.ranges[symbol]
            if low == high and self.algebra.kind[symbol] in ("hi", "sum"):
                self.algebra.assume(add({(symbol,): 1}, constant(-low)))

    def _narrow(self, symbol, low, high):
        excluded = self.excluded.get(symbol, ())
        while low in excluded:
            low += 1
        while high in excluded:
            high -= 1
        if low > high:
            raise Infeasible()
        self.algebra.ranges[symbol] = (low, high)

    def _assume_nonnegative(self, polynomial):
        found = only_symbol(polynomial)
        if found is not None and abs(found[1]) == 1:
            symbol, sign = found
            low, high = self.algebra.ranges[symbol]
            limit = -value(polynomial) * sign
            self._narrow(symbol, *((max(low, limit), high) if sign > 0 else (low, min(high, limit))))
            return
        low, high = self.algebra.range(polynomial)
        slack = self.algebra.symbol("slack", 0, high, "slack")
        self.algebra.facts.append(add(polynomial, {(slack,): -1}))

    # Conditions as numbers

    def number(self, operand):
        """Returns a word or a flag as a polynomial."""
        if isinstance(operand, dict):
            return operand
        if isinstance(operand, Comparison) and isinstance(operand.left, dict):
            flag = self._flag(operand.predicate, operand.left, operand.right, operand.bits)
            if flag is not None:
                return flag
        return constant(self.decide(operand))

    def _flag(self, predicate, left, right, bits):
        """Returns the outcome of a comparison as a polynomial if the outcome is a carry, else None."""
        if predicate in ("ugt", "ule"):
            left, right, predicate = right, left, {"ugt": "ult", "ule": "uge"}[predicate]
        if predicate in ("ult", "uge"):
            borrow = scale(self.algebra.split(add(left, right, -1), bits)[1], -1)
            return borrow if predicate == "ult" else add(constant(1), borrow, -1)
        ones = (1 << bits) - 1
        if predicate in ("eq", "ne") and is_constant(right) and value(right) in (0, ones):
            # x − 1 borrows exactly if x = 0; x + 1 carries exactly if x = 2ⁿ − 1.
            hi = self.algebra.split(add(left, constant(1 if value(right) else -1)), bits)[1]
            equal = hi if value(right) else scale(hi, -1)
            return equal if predicate == "eq" else add(constant(1), equal, -1)
        return None
