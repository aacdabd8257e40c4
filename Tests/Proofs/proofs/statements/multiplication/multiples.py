"""The multiples that a double multiplication adds: of the generator those of its table, computed here, and of Q made-up numbers; which one a point is.

A shape says whose tables they are, and how a scalar is cut into parts and windows there (`WindowShape`).
"""

import random
from dataclasses import dataclass

from proofs.outcomes import Unproven
from proofs.statements.curves import CURVES


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
