"""Defines the values in a run of the division steps (`division_run.py`): data, control numbers, counts of zeros.

A known number is an `int`, which is the unsigned value of the word. An unknown number is a `Range`, which bounds the
signed value of the word.
"""

from proofs.domains.polynomial import constant
from proofs.outcomes import Unsupported

M64 = 1 << 64


def reduced(polynomial):
    return {monomial: coefficient % M64 for monomial, coefficient in polynomial.items() if coefficient % M64}


class Data:
    """A polynomial mod 2⁶⁴. `evaluate` computes its value from f and h = g/2ᶻ. The result need only be correct mod 2⁶."""

    def __init__(self, polynomial, evaluate=None):
        self.polynomial = reduced(polynomial)
        self.evaluate = evaluate

    def combine(self, other, operation, numbers):
        evaluate = None
        if self.evaluate and other.evaluate:
            evaluate = lambda f, h: numbers(self.evaluate(f, h), other.evaluate(f, h))
        return Data(operation(self.polynomial, other.polynomial), evaluate)

    def below(self, stop):
        return frozenset(self.polynomial.items())


def data(operand):
    if isinstance(operand, Data):
        return operand
    if not isinstance(operand, int):
        raise Unsupported("what is not data, in a sum or product of data")
    return Data(constant(operand), lambda f, h: operand)


class Word:
    """The `or` of words, each shifted to the left: {(name, shift)}. Only the names of the words are known."""

    def __init__(self, parts):
        self.parts = frozenset(parts)

    def shifted(self, by):
        return Word((name, shift + by) for name, shift in self.parts)

    def below(self, stop):
        """Returns the parts on which the bits below `stop` depend."""
        return frozenset((name, shift) for name, shift in self.parts if shift < stop)


class Range:
    def __init__(self, low, high):
        self.low, self.high = low, high


class HighBits:
    """−1 << left, for an unknown `left`."""

    def __init__(self, left):
        self.left = left


class Stopped:
    """A word in which bit `stop` and all higher bits are set."""

    def __init__(self, word, stop):
        self.word, self.stop = word, stop


class Zeros(Range):
    """The number z of trailing zeros of a `Stopped` word. `power`: the symbol 2ᶻ; `quotient`: word/2ᶻ."""

    def __init__(self, stopped, power, quotient):
        stop = stopped.stop
        super().__init__(0, stop.high if isinstance(stop, Range) else stop)
        self.word, self.stop, self.power, self.quotient = stopped.word, stop, power, quotient

    def are_of(self, stopped):
        return stopped.stop == self.stop and stopped.word.below(self.high) == self.word.below(self.high)


class Halved:
    """word >> z, for a word without a named quotient."""

    def __init__(self, word, zeros):
        self.word, self.zeros = word, zeros


class Difference(Range):
    """A number minus a count of zeros."""

    def __init__(self, number, zeros, low, high):
        super().__init__(low, high)
        self.number, self.zeros = number, zeros
