"""Proves the operations of wasm32's fields of signed limbs, `P256UnsaturatedField` and `P384UnsaturatedField`, from their IR.

For all operands within the bounds that the types state (`coordinates.py`), the result is congruent to what the operation says, and within the bounds. A word that
is read as a number is shown to be it, so that no sum or product has wrapped (`execute_signed.py`). Not proven: `init` from words, `isZero` and `==`, `plain`, the
inverse. Trusted: that a function is what its symbol says.
"""

import functools
from dataclasses import dataclass

from congruence import feasible_only, require_congruence, require_range
from coordinates import UNSATURATED
from execute import paths
from limb_segments import LimbSegment
from memory import Memory, Pointer
from outcomes import Unproven
from polynomial import add, multiply, scale
from routines import one_function
from statements import P256, P384


@dataclass
class Row:
    bits: int
    operation: str
    symbol: str  # what follows the type's name in the function's
    operands: int
    text: str
    left: int  # left·result ≡ …
    right: object  # … of the operands' numbers

    @property
    def name(self):
        return f"limbs{self.bits}_{self.operation}"

    @property
    def coordinates(self):
        return UNSATURATED[self.bits]

    def first(self, module):
        names = [name for name in module.sources if f"P{self.bits}UnsaturatedFieldV{self.symbol}" in name]
        return one_function(module, names, self.name)

    def given(self, run):
        """[(the argument, its number)] of each operand."""
        found = []
        for letter in "ab"[: self.operands]:
            words = [run.algebra.input_word(f"{letter}{i}", *self.coordinates.limb_range(i)) for i in range(self.coordinates.limbs)]
            found.append((Pointer(Memory(self.coordinates.size, words=words, read_only=True)), weighed(words, self.coordinates.bits)))
        return found

    def prove(self, module):
        variables = self.prove_from(module, {})
        if variables:  # constants that have been made now
            self.prove_from(module, variables)

    def prove_from(self, module, variables):
        """Begins with the variables of the module as they are given. Returns what they are after it."""
        function, count = self.first(module), 0

        def prepared(run):
            given, result = self.given(run), Memory(self.coordinates.size)
            run.call(function.name, [Pointer(result), *(argument for argument, _ in given)])
            return [number for _, number in given], result.words(self.coordinates.limbs)

        for run, (numbers, words) in paths(module, prepared, run_class=functools.partial(LimbSegment, variables)):
            def proof():
                for i, word in enumerate(words):
                    require_range(run, word, *self.coordinates.limb_range(i), "a limb")
                total = scale(weighed(words, self.coordinates.bits), self.left)
                require_congruence(run, add(total, self.right(*numbers), -1), {256: P256, 384: P384}[self.bits])

            count += feasible_only(run, proof)
        if not count:
            raise Unproven("no path is possible")
        return run.variables


def weighed(words, bits):
    total = {}
    for i, word in enumerate(words):
        total = add(total, word, 1 << bits * i)
    return total


def rows():
    found = []
    for bits, radix_bits in ((256, 261), (384, 392)):
        r = 1 << radix_bits
        found += [
            Row(bits, "add", "1poi", 2, "result ≡ a + b mod p", 1, add),
            Row(bits, "subtract", "1soi", 2, "result ≡ a − b mod p", 1, lambda a, b: add(a, b, -1)),
            Row(bits, "halve", "6halvedACyF", 1, "2·result ≡ a mod p", 2, lambda a: a),
            Row(bits, "product", "1moi", 2, "R·result ≡ a·b mod p", r, multiply),
            Row(bits, "square", "7squaredACyF", 1, "R·result ≡ a² mod p", r, lambda a: multiply(a, a)),
        ]
    return found
