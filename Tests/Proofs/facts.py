"""What the conditions of a path say of its words: equations between polynomials, ranges and substitutions.

A fact is a polynomial that is 0. It is kept as an equation for the bounds (`bounds.py`); where it fixes a symbol it narrows its range, and
where it is solved for one that symbol is substituted from then on. Trusted: that what is narrowed or substituted follows from the fact.
"""

from outcomes import Infeasible
from polynomial import add, constant, is_constant, only_symbol, scale, symbols_of, value


class Facts:
    """The part of `algebra.Algebra` that keeps facts."""

    def check_feasible(self):
        for fact in self.facts:
            low, high = self.tight(fact)
            if low > 0 or high < 0:
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
            if self.kind[symbol] == "sum":
                self.substitutions[symbol] = constant(known)
            elif self.kind[symbol] != "hi":
                # Not substituted: its normal form must not be forgotten.
                self.ranges[symbol] = (known, known)
                return
        expanded = self._without_sums(polynomial)
        if not self._holds_as_constant(expanded):
            any(self._solve(form) for form in (expanded, polynomial))

    @staticmethod
    def _holds_as_constant(polynomial):
        if is_constant(polynomial) and value(polynomial):
            raise Infeasible()
        return is_constant(polynomial)

    def _without_sums(self, polynomial):
        """With the polynomials for which the "sum" symbols stand."""
        while True:
            symbol = max((s for s in symbols_of(polynomial) if self.kind[s] == "sum"), default=None)
            if symbol is None:
                return polynomial
            coefficient = polynomial.get((symbol,))
            if coefficient is None:
                raise ArithmeticError("a product of a sum")
            polynomial = self.substitute(add(add(polynomial, {(symbol,): coefficient}, -1), self.cut[symbol], coefficient))

    def _solve(self, polynomial):
        """Substitutes the newest symbol for which the equation polynomial = 0 is solved; whether there is one."""
        for monomial in sorted((m for m in polynomial if len(m) == 1), reverse=True):
            symbol, coefficient = monomial[0], polynomial[monomial]
            if abs(coefficient) == 1 and self.kind[symbol] != "sum":
                solved = scale(add(polynomial, {monomial: coefficient}, -1), -coefficient)
                if symbol not in symbols_of(solved):
                    self.substitutions[symbol] = solved
                    return True
        return False
