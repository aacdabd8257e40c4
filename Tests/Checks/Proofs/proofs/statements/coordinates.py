"""Describes how a module stores an element of a curve's field: as 64-bit words, or as narrower signed limbs.

Signed limbs are used on processors without carry instructions. An element x is stored as Σ limbᵢ·2^(bits·i), a number congruent to x·R mod p. Trusted: that the
field type's name tells which of the two forms it has.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass

from proofs.domains.bits import signed
from proofs.outcomes import Unproven
from proofs.statements import unsaturated


@dataclass(frozen=True)
class Coordinates:
    limbs: int
    bits: int  # of a limb
    radix_bits: int  # of R
    bounds: tuple | None = None  # bounds of the absolute values of signed limbs; the field's type states the same bounds

    @property
    def size(self):
        return 8 * self.limbs

    def limb_range(self, i):
        return (-self.bounds[i], self.bounds[i]) if self.bounds else (0, (1 << 64) - 1)

    def limbs_of(self, x):
        """Returns the limbs of a number below 2^(bits·limbs)."""
        return [x >> self.bits * i & (1 << self.bits) - 1 for i in range(self.limbs)]

    def number(self, words):
        total = 0
        for i, word in enumerate(words):
            limb = signed(word, 64) if self.bounds else word
            low, high = self.limb_range(i)
            if not low <= limb <= high:
                raise Unproven("a limb out of its bounds")
            total += limb << self.bits * i
        return total


SATURATED = {256: Coordinates(4, 64, 256), 384: Coordinates(6, 64, 384)}
UNSATURATED = {
    64 * shape.words: Coordinates(shape.limbs, shape.width, shape.width * shape.limbs, tuple(shape.bound(i) for i in range(shape.limbs)))
    for shape in unsaturated.SHAPES
}


def coordinates(module, bits):
    """Returns the format of the coordinates of the curve with `bits` bits. The types of the points' members determine the format."""
    definition = module.types.definitions.get(f"%T9PureECDSA11AffinePointVyAA9P{bits}CurveOG", "")
    return (UNSATURATED if f"P{bits}UnsaturatedFieldV" in definition else SATURATED)[bits]
