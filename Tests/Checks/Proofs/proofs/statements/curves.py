"""Defines the curves' constants (FIPS 186-4, SEC 2) and the group law (SEC 1 §2.2.1), for comparison with the sources.

p is the field's prime, n the order of the group, y² = x³ − 3x + b the equation, G the generator. Trusted: these
constants and formulas.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass, field

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
P384 = 2**384 - 2**128 - 2**96 + 2**32 - 1
N256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
N384 = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973
B256 = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
B384 = 0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF
G256 = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
G384 = (
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
)


class Element:
    """A number mod p."""

    def __init__(self, number, p):
        self.number, self.p = number % p, p

    def lift(self, other):
        return other.number if isinstance(other, Element) else int(other)

    def __add__(self, other):
        return Element(self.number + self.lift(other), self.p)

    def __sub__(self, other):
        return Element(self.number - self.lift(other), self.p)

    def __mul__(self, other):
        return Element(self.number * self.lift(other), self.p)

    __rmul__, __radd__ = __mul__, __add__

    def __neg__(self):
        return Element(-self.number, self.p)

    def __truediv__(self, other):
        return Element(self.number * pow(self.lift(other), -1, self.p), self.p)

    def __pow__(self, exponent):
        return Element(pow(self.number, exponent, self.p), self.p)

    def __eq__(self, other):
        return self.number == self.lift(other) % self.p

    def __bool__(self):
        return self.number != 0


# The group law on field elements or rational functions

def affine_sum(x1, y1, x2, y2):
    """Returns the sum of two points with different x."""
    slope = (y2 - y1) / (x2 - x1)
    x3 = slope**2 - x1 - x2
    return x3, slope * (x1 - x3) - y1


def affine_double(x, y, a):
    """Returns the double of a point with y ≠ 0."""
    slope = (3 * x**2 + a) / (2 * y)
    x3 = slope**2 - 2 * x
    return x3, slope * (x - x3) - y


@dataclass
class Curve:
    name: str
    bits: int
    p: int
    n: int
    b: int
    G: tuple
    multiples: dict = field(default_factory=dict)  # odd multiples of 2^k·G, by k

    @property
    def limbs(self):
        return self.bits // 64

    def sum(self, A, B):
        """Returns the sum of two points as numbers. The points are equal, or have different x."""
        A, B = ([Element(coordinate, self.p) for coordinate in point] for point in (A, B))
        return tuple(coordinate.number for coordinate in (affine_double(*A, -3) if A == B else affine_sum(*A, *B)))

    def odd_multiples(self, k, count):
        """Returns (2i + 1)·2ᵏ·G for i < count."""
        found = self.multiples.get(k)
        if found is None or len(found) < count:
            base = self.G
            for _ in range(k):
                base = self.sum(base, base)
            double, found = self.sum(base, base), [base]
            while len(found) < count:
                found.append(self.sum(found[-1], double))
            self.multiples[k] = found
        return found[:count]


CURVES = {"P256": Curve("P256", 256, P256, N256, B256, G256), "P384": Curve("P384", 384, P384, N384, B384, G384)}
