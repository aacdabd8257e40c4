"""The multiples that a double multiplication adds: of the generator those of its table, computed here, and of Q made-up numbers; which one a point is.

A shape says whose tables they are, and how a scalar is cut into parts and windows there (`WindowShape`).
"""

import random
from dataclasses import dataclass

from outcomes import Unproven
from statements import N256, N384, P256, P384

G256 = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
G384 = (
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
)


class Curve:
    def __init__(self, name):
        self.name = name
        self.p, self.n, self.G, self.limbs = {"P256": (P256, N256, G256, 4), "P384": (P384, N384, G384, 6)}[name]
        self.bits = 64 * self.limbs
        self.multiples = {}  # odd multiples of 2^k·G, by k

    def sum(self, A, B):
        if A == B:
            slope = (3 * A[0] * A[0] - 3) * pow(2 * A[1], -1, self.p)
        else:
            slope = (B[1] - A[1]) * pow(B[0] - A[0], -1, self.p)
        x = (slope * slope - A[0] - B[0]) % self.p
        return x, (slope * (A[0] - x) - A[1]) % self.p

    def odd_multiples(self, k, count):
        """(2i + 1)·2ᵏ·G for i < count."""
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


CURVES = {name: Curve(name) for name in ("P256", "P384")}
WIDTH = 8  # of the generator's windows, but for those of part 0


@dataclass(frozen=True)
class Shape:
    """Who calls the loop: `point` for a point seen for the first time, `table` with a table, `bases` with four multiples.

    In Embedded Swift it is one function for each curve, which is called with a table of one part: `whole`.
    """

    curve_name: str
    kind: str
    window: int
    part_bits: int
    first_width: int = 10  # of the generator's windows of part 0

    @property
    def curve(self):
        return CURVES[self.curve_name]

    @property
    def parts(self):
        return self.curve.bits // self.part_bits

    @property
    def count(self):
        """Multiples of a part of Q."""
        return 1 << self.window - 2

    def widths(self):
        """Of the rows: the generator's parts, then those of Q."""
        return [self.first_width] + [WIDTH] * (self.parts - 1) + [self.window] * self.parts

    def weight(self, row):
        return self.part_bits * (row if row < self.parts else row - self.parts)

    def digits(self):
        """Every (row, value)."""
        return [(row, value) for row, width in enumerate(self.widths()) for value in range(-(1 << width - 1) + 1, 1 << width - 1, 2)]


class Table:
    """Which multiple a point is: {x: (row or its generator's part, multiplier, y)}."""

    def __init__(self, shape, coordinates):
        self.shape, self.coordinates, curve = shape, coordinates, shape.curve
        self.known, self.entries = {}, []
        for row in range(shape.parts):
            for i, (x, y) in enumerate(curve.odd_multiples(shape.weight(row), 1 << shape.widths()[row] - 2)):
                self.known[self.stored(x)] = row, 2 * i + 1, self.stored(y)
        rng = random.Random(f"{shape}")
        for row in range(shape.parts, 2 * shape.parts):
            for i in range(shape.count):
                x, y = rng.randrange(curve.p), rng.randrange(1, curve.p)
                self.entries.append((x, y))
                self.known[x] = row, 2 * i + 1, y

    def stored(self, x):
        return (x << self.coordinates.radix_bits) % self.shape.curve.p

    def digit(self, x, y):
        """(row, value)"""
        row, multiplier, known = self.known.get(x % self.shape.curve.p, (None, 0, 0))
        if row is None or (y - known) % self.shape.curve.p and (y + known) % self.shape.curve.p:
            raise Unproven("an operand that is no multiple")
        return row, multiplier if (y - known) % self.shape.curve.p == 0 else -multiplier
