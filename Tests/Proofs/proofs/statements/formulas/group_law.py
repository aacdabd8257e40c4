"""What rational functions are compared by: SymPy. Trusted: its arithmetic of polynomials; `second_checker.py` has another program's."""

import sympy


class Wrong(Exception):
    """What was to be shown does not hold."""


def require(condition, what):
    if not condition:
        raise Wrong(what)


def expand(value):
    return sympy.expand(value) if isinstance(value, sympy.Basic) else value


# For `swift_run.Program`: elements are rational functions.
NUMBERS = {"one": sympy.Integer(1), "zero": sympy.Integer(0)}


class BySymPy:
    numbers = NUMBERS
    symbols, expand = staticmethod(sympy.symbols), staticmethod(expand)

    @staticmethod
    def with_number(value, symbol, number):
        return value.subs(symbol, number)

    @staticmethod
    def are_equal(found, expected):
        """Whether two rational functions agree. Denominators are the caller's to know nonzero."""
        numerator, _ = sympy.fraction(sympy.together(found - expected))
        return sympy.expand(numerator) == 0

    def require_equal(self, found, expected):
        if not self.are_equal(found, expected):
            raise Wrong(f"{found} is not {expected}")


def equal(found, expected):
    BySymPy().require_equal(found, expected)
