"""Checks the identities with a second program: the SMT solver cvc5.

The solver decides whether a polynomial over the reals can be nonzero. A rational function is a cvc5 term times a product of powers of terms. The caller must
ensure that a term with a negative power is nonzero. To compare two functions, the checker divides both by their common factors. The functions are equal if the
solver shows that no numbers give different quotients. If polynomials with integer coefficients are identical over the reals, they are also identical for
integers, and so mod p. The checker does not use SymPy: it executes the source again on these rational functions.
"""

from fractions import Fraction

import cvc5
from cvc5 import Kind

from proofs.statements.formulas.group_law import Wrong

TERMS = cvc5.TermManager()
REAL = TERMS.getRealSort()
ONE = TERMS.mkReal(1)


def constant(number):
    return Quotient(TERMS.mkReal(number.numerator, number.denominator), {}, number)


def lifted(other):
    return other if isinstance(other, Quotient) else constant(Fraction(other))


def common(left, right):
    """Returns {factor: the lesser of its exponents in left and right}, without exponents of 0. A missing factor has exponent 0."""
    found = {factor: min(left.factors.get(factor, 0), right.factors.get(factor, 0)) for factor in [*left.factors, *right.factors]}
    return {factor: exponent for factor, exponent in found.items() if exponent}


def over(value, factors):
    """Divides a rational function by factors, and returns the quotient as a single term."""
    exponents = {factor: value.factors.get(factor, 0) - factors.get(factor, 0) for factor in [*value.factors, *factors]}
    found = [value.term] + [factor for factor, exponent in exponents.items() for _ in range(exponent)]
    return TERMS.mkTerm(Kind.MULT, *found) if len(found) > 1 else value.term


class Quotient:
    """A rational function: a cvc5 term times `factors`, {term: integer exponent}. `number`: the value of a constant, else None."""

    def __init__(self, term, factors, number=None):
        self.term, self.factors, self.number = term, factors, number

    @property
    def free_symbols(self):
        """Returns whether the function is not a constant; `swift_run.py` requires this name."""
        return self.number is None

    def __bool__(self):
        if self.number is None:
            raise TypeError("whether a rational function is 0")
        return self.number != 0

    def __add__(self, other):
        other = lifted(other)
        if self.number is not None and other.number is not None:
            return constant(self.number + other.number)
        factors = common(self, other)
        return Quotient(TERMS.mkTerm(Kind.ADD, over(self, factors), over(other, factors)), factors)

    def times(self, other, sign):
        """Returns the factors of self·other (`sign` 1) or self/other (`sign` −1)."""
        exponents = {f: self.factors.get(f, 0) + sign * other.factors.get(f, 0) for f in [*self.factors, *other.factors]}
        return {f: exponent for f, exponent in exponents.items() if exponent}

    def __mul__(self, other):
        other = lifted(other)
        if self.number is not None and other.number is not None:
            return constant(self.number * other.number)
        return Quotient(TERMS.mkTerm(Kind.MULT, self.term, other.term), self.times(other, 1))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -lifted(other)

    def __truediv__(self, other):
        other = lifted(other)
        if other.number is not None:
            return self * constant(1 / other.number)
        if other.term == ONE:
            return Quotient(self.term, self.times(other, -1))
        divided = Quotient(self.term, self.times(other, -1))
        return Quotient(self.term, divided.times(Quotient(ONE, {other.term: 1}), -1))

    def __rtruediv__(self, other):
        return lifted(other) / self

    def __pow__(self, exponent):
        found = self
        for _ in range(exponent - 1):
            found = found * self
        return found


class ByCvc5:
    numbers = {"one": constant(Fraction(1)), "zero": constant(Fraction(0))}

    @staticmethod
    def symbols(names):
        found = [Quotient(ONE, {TERMS.mkConst(REAL, name): 1}) for name in names.split()]
        return found if len(found) > 1 else found[0]

    @staticmethod
    def expand(value):
        return value

    @staticmethod
    def with_number(value, symbol, number):
        """Substitutes a number for a symbol that occurs in no denominator."""
        ((variable, _),) = symbol.factors.items()

        def replaced(term):
            return term.substitute(variable, TERMS.mkReal(number))

        return Quotient(replaced(value.term), {replaced(factor): exponent for factor, exponent in value.factors.items()})

    @staticmethod
    def are_equal(found, expected):
        found, expected = lifted(found), lifted(expected)
        factors = common(found, expected)
        solver = cvc5.Solver(TERMS)
        solver.setLogic("QF_NRA")
        solver.assertFormula(TERMS.mkTerm(Kind.DISTINCT, over(found, factors), over(expected, factors)))
        answer = solver.checkSat()
        if not (answer.isSat() or answer.isUnsat()):
            raise Wrong("cvc5 gives no answer")
        return answer.isUnsat()

    def require_equal(self, found, expected):
        if not self.are_equal(found, expected):
            raise Wrong("an identity that cvc5 refutes")
