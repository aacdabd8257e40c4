"""Computes the values of symbols from given values: a lower or upper part from the cut value, a sum from its polynomial."""


class Values:
    """The values of symbols; None for a symbol that the given values do not determine."""

    def __init__(self, algebra, given):
        self.algebra, self.known = algebra, dict(given)

    def of(self, polynomial):
        total = 0
        for monomial, coefficient in polynomial.items():
            for symbol in monomial:
                factor = self.symbol(symbol)
                if factor is None:
                    return None
                coefficient *= factor
            total += coefficient
        return total

    def symbol(self, symbol):
        if symbol not in self.known:
            self.known[symbol] = self._computed(symbol)
        return self.known[symbol]

    def _computed(self, symbol):
        cut = self.algebra.cut[symbol]
        if cut is None:
            return None
        if self.algebra.kind[symbol] == "sum":
            return self.of(cut)
        whole, bits = self.of(cut[0]), cut[1]
        return None if whole is None else whole % (1 << bits) if self.algebra.kind[symbol] == "lo" else whole >> bits

    def outcome(self, predicate, *operands):
        """Returns the outcome of a condition in the form that `conditions.py` records."""
        numbers = [self.of(operand) for operand in operands]
        if None in numbers:
            return None
        return numbers[0] if predicate == "flag" else int(numbers[0] == numbers[1] if predicate == "eq" else numbers[0] < numbers[1])
