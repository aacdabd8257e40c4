"""What rational functions are compared by. Trusted: SymPy's arithmetic of polynomials."""

import sympy


def expand(value):
    return sympy.expand(value) if isinstance(value, sympy.Basic) else value


# For `swift_run.Program`: elements are rational functions.
NUMBERS = {"one": sympy.Integer(1), "zero": sympy.Integer(0)}


class Wrong(Exception):
    """What was to be shown does not hold."""


def equal(found, expected):
    """That two rational functions agree. Denominators are the caller's to know nonzero."""
    numerator, _ = sympy.fraction(sympy.together(found - expected))
    if sympy.expand(numerator) != 0:
        raise Wrong(f"{found} is not {expected}")


def require(condition, what):
    if not condition:
        raise Wrong(what)
