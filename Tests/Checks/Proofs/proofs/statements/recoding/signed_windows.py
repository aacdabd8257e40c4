"""Defines the arguments of `SignedWindows.recode`, and the memory layout of its result, a `SignedWindows`."""

from dataclasses import dataclass

POSITIONS, SLOTS = 385, 255


@dataclass(frozen=True)
class Layout:
    """The offsets of the members of a `SignedWindows`. The last two members are Ints."""

    int_size: int
    first = 0
    digits = 386
    count = 1408

    @property
    def highest(self):
        return self.count + self.int_size

    @property
    def size(self):
        return self.count + 2 * self.int_size


@dataclass(frozen=True)
class Shape:
    """The arguments with which `interleaveVarTime` calls `recode`."""

    limbs: int
    part_bits: int
    first_width: int
    width: int
    row: int

    @property
    def bit_count(self):
        return 64 * self.limbs

    @property
    def parts(self):
        return -(-self.bit_count // self.part_bits)

    def part(self, position):
        return min(position // self.part_bits, self.parts - 1)

    def width_of(self, part):
        return self.width if part else self.first_width


# In Embedded Swift, the generator has the shapes with one part and window width 5 in row 0.
SHAPES = [
    Shape(limbs, part_bits, *widths, row)
    for limbs, part_bits, widths, row in (
        (4, 256, (10, 8), 0), (4, 256, (5, 5), 0), (4, 256, (5, 5), 1), (4, 32, (10, 8), 0), (4, 32, (5, 5), 8), (4, 64, (10, 8), 0), (4, 64, (4, 4), 4),
        (6, 384, (10, 8), 0), (6, 384, (5, 5), 0), (6, 384, (5, 5), 1), (6, 32, (10, 8), 0), (6, 32, (5, 5), 12), (6, 32, (8, 8), 12),
    )
]
