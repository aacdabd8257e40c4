"""Defines the multiples that a double-scalar multiplication adds, and recognises which multiple a point is.

The multiples of the generator are the entries of the generator's table, and are computed here. The coordinates of Q's multiples are random numbers below p. A
shape describes the tables, and the parts and windows of a scalar (`WindowShape`).
"""

import random
from dataclasses import dataclass

from proofs.outcomes import Unproven
from proofs.statements.curves import CURVES


WIDTH = 8  # window width of the generator, except in part 0


@dataclass(frozen=True)
class Shape:
    """The tables and windows of one caller. `kind` states what the caller has: `point` (a new point), `table` (a table) or `bases` (four multiples). In
    Embedded Swift, each curve has a single function, whose table has one part. Its `kind` is `whole`.
    """

    curve_name: str
    kind: str
    window: int
    part_bits: int
    first_width: int = 10  # window width of the generator in part 0

    @property
    def curve(self):
        return CURVES[self.curve_name]

    @property
    def parts(self):
        return self.curve.bits // self.part_bits

    @property
    def count(self):
        """Returns the number of multiples in a part of Q."""
        return 1 << self.window - 2

    def widths(self):
        """Returns the window widths of the rows, first for the generator's parts, then for Q's parts."""
        return [self.first_width] + [WIDTH] * (self.parts - 1) + [self.window] * self.parts

    def weight(self, row):
        return self.part_bits * (row if row < self.parts else row - self.parts)

    def digits(self):
        return [(row, value) for row, width in enumerate(self.widths()) for value in range(-(1 << width - 1) + 1, 1 << width - 1, 2)]


class Table:
    """Maps a point to its multiple, as {x: (row, multiplier, y)}. The row of a generator multiple is the number of its part of the scalar."""

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
        """Returns (row, value) of the digit whose multiple is the point (x, y)."""
        row, multiplier, known = self.known.get(x % self.shape.curve.p, (None, 0, 0))
        if row is None or (y - known) % self.shape.curve.p and (y + known) % self.shape.curve.p:
            raise Unproven("an operand that is no multiple")
        return row, multiplier if (y - known) % self.shape.curve.p == 0 else -multiplier
