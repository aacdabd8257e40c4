"""Records the conditions of a path as facts about its words: equations between polynomials, ranges and substitutions.

A fact is a polynomial whose value is 0. `bounds.py` uses facts as equations. A fact that fixes the value of a symbol narrows the symbol's range. If a fact can
be solved for a symbol, the solution replaces the symbol from then on.

Trusted: each narrowed range and each substitution follows from the fact.
"""

from proofs.domains.polynomial import add, constant, is_constant, only_symbol, scale, symbols_of, value, with_term
from proofs.outcomes import Infeasible


class Facts:
    """The part of `algebra.Algebra` that stores facts."""

    def check_feasible(self):
        for fact in self.facts:
            low, high = self.tight(fact)
            if low > 0 or high < 0:
                raise Infeasible()

    def check_known(self):
        """Checks each symbol with a known value against its defining polynomial. This check is slower than `check_feasible`."""
        known = [(symbol, value(form)) for symbol, form in self.substitutions.items() if is_constant(form) and self.cut[symbol]]
        for deep in (False, True):  # first with simple bounds, which refute most infeasible values
            for symbol, number in reversed(known):
                self._check_known(symbol, number, deep)

    def _check_known(self, symbol, known, deep):
        """Raises if the symbol cannot have its known value for any possible value of its defining polynomial."""
        if self.kind[symbol] == "sum":
            polynomial, last = add(self.cut[symbol], constant(-known)), 0
        elif self.kind[symbol] == "hi":
            cut_value, bits, _ = self.cut[symbol]
            polynomial, last = add(cut_value, constant(-(known << bits))), (1 << bits) - 1
        else:
            return
        low, high = self.tight(polynomial, deep)
        if low > last or high < 0:
            raise Infeasible()

    def assume(self, polynomial):
        """Records that a polynomial is 0."""
        polynomial = self.substitute(polynomial)
        if self._holds_as_constant(polynomial):
            return
        low, high = self.range(polynomial)
        if low > 0 or high < 0:
            raise Infeasible()
        self.facts.append(polynomial)
        found = only_symbol(polynomial)
        if found is not None and abs(found[1]) == 1:
            symbol, coefficient = found
            known = -value(polynomial) * coefficient
            self._narrow_cut(symbol, known)
            if self.kind[symbol] == "sum":
                self.substitutions[symbol] = constant(known)
            elif self.kind[symbol] != "hi":
                # The symbol is not substituted, so that it keeps its normal form.
                self.ranges[symbol] = (known, known)
                return
        expanded = self.without_sums(polynomial)
        if not self._holds_as_constant(expanded):
            any(self._solve(form) for form in (expanded, polynomial))

    def _narrow_cut(self, symbol, known):
        """Narrows the range of a cut value, from the known value of its lower or upper part. The cut value is ±word + constant."""
        if self.kind[symbol] == "hi":
            cut_value, bits, _ = self.cut[symbol]
            self._narrow_word(cut_value, known << bits, (known + 1 << bits) - 1)
        elif self.kind[symbol] == "lo":
            self._narrow_whole(symbol, known, known)

    def _narrow_whole(self, symbol, low, high):
        """Narrows the range of a cut value from the ranges of its lower and upper parts."""
        if self.cut[symbol] is None:
            return
        whole, bits = self.cut[symbol]
        _, upper = self.splits.get((frozenset(whole.items()), bits), (None, None))
        if upper is not None:
            least, greatest = self.range(self.substitute(upper))
            self._narrow_word(whole, low + (least << bits), high + (greatest << bits))

    def _narrow_word(self, polynomial, low, high):
        """Narrows the range of a word from the range of a polynomial ±word + constant. Skips all other polynomials."""
        word = only_symbol(polynomial)
        if word is None or abs(word[1]) != 1:
            return
        ends = [(number - value(polynomial)) * word[1] for number in (low, high)]
        low, high = self.ranges[word[0]]
        low, high = max(low, min(ends)), min(high, max(ends))
        if low > high:
            raise Infeasible()
        if (low, high) != self.ranges[word[0]]:
            self.ranges[word[0]] = (low, high)
            if self.kind[word[0]] == "lo":
                self._narrow_whole(word[0], low, high)

    @staticmethod
    def _holds_as_constant(polynomial):
        if is_constant(polynomial) and value(polynomial):
            raise Infeasible()
        return is_constant(polynomial)

    def without_sums(self, polynomial):
        """Replaces the "sum" symbols by their polynomials."""
        while True:
            symbol = max((s for s in symbols_of(polynomial) if self.kind[s] == "sum"), default=None)
            if symbol is None:
                return polynomial
            if (symbol,) not in polynomial:
                raise ArithmeticError("a product of a sum")
            polynomial = self.substitute(with_term(polynomial, (symbol,), self.cut[symbol]))

    def _solve(self, polynomial):
        """Solves polynomial = 0 for the newest suitable symbol, and substitutes the solution. Returns whether a suitable symbol exists."""
        for monomial in sorted((m for m in polynomial if len(m) == 1), reverse=True):
            symbol, coefficient = monomial[0], polynomial[monomial]
            if abs(coefficient) == 1 and self.kind[symbol] != "sum":
                solved = scale(add(polynomial, {monomial: coefficient}, -1), -coefficient)
                if symbol not in symbols_of(solved):
                    self.substitutions[symbol] = solved
                    return True
        return False
