"""Compares rational functions, using SymPy. Trusted: SymPy's polynomial arithmetic, which `second_checker.py` avoids."""

import sympy


class Wrong(Exception):
    """A property that a proof requires does not hold."""


def require(condition, what):
    if not condition:
        raise Wrong(what)


def expand(value):
    return sympy.expand(value) if isinstance(value, sympy.Basic) else value


# The constants for `swift_run.Program`. Field elements are rational functions here.
NUMBERS = {"one": sympy.Integer(1), "zero": sympy.Integer(0)}


class BySymPy:
    numbers = NUMBERS
    symbols, expand = staticmethod(sympy.symbols), staticmethod(expand)

    @staticmethod
    def with_number(value, symbol, number):
        return value.subs(symbol, number)

    @staticmethod
    def are_equal(found, expected):
        """Returns whether two rational functions are equal. The caller must ensure that denominators are nonzero."""
        numerator, _ = sympy.fraction(sympy.together(found - expected))
        return sympy.expand(numerator) == 0

    def require_equal(self, found, expected):
        if not self.are_equal(found, expected):
            raise Wrong(f"{found} is not {expected}")
