"""The group law of y² = x³ + ax + b in affine coordinates (SEC 1 §2.2.1), as rational functions, and what two of them are compared by.

Trusted: these four formulas, which are the textbook's, and SymPy's arithmetic of polynomials.
"""

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


def affine_sum(x1, y1, x2, y2):
    """The sum of two points of different x."""
    slope = (y2 - y1) / (x2 - x1)
    x3 = slope**2 - x1 - x2
    return x3, slope * (x1 - x3) - y1


def affine_double(x, y, a):
    """The double of a point with y ≠ 0."""
    slope = (3 * x**2 + a) / (2 * y)
    x3 = slope**2 - 2 * x
    return x3, slope * (x - x3) - y
