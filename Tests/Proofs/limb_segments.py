"""The executor for fields of signed limbs: that for signed code, with small shifted words, masks within a word, and constants that are made once.

Such a constant (Swift's `static let`) is a variable that begins as 0, or as an earlier run has left it. As there is one number at most that the module's text
stores to it, it is no matter who made it. Seen by one thread.
"""

import re

from execute import Run
from execute_signed import SignedRun
from ir import Unsupported
from memory import Memory, Pointer
from polynomial import add, constant, is_constant, scale, value
from segments import Following


class LimbSegment(Following, SignedRun):
    incoming = Run.incoming

    def __init__(self, variables, *arguments):
        super().__init__(*arguments)
        self.earlier, self.variables = variables, {}

    def operand(self, name, environment, bits=64):
        if name[0] != "@" or self.module.variable(name) is None:
            return super().operand(name, environment, bits)
        if name not in self.variables:
            stores = rf"^ *store (?:atomic )?i\d+ (\S+), ptr {re.escape(name)}(?=[ ,])"
            stored = {number for text in self.module.texts for number in re.findall(stores, text, re.M)}
            if len(stored) > 1 or any(number[0] == "%" for number in stored):
                raise Unsupported("a variable with several values: " + name)
            size = self.module.variable(name)
            self.variables[name] = Memory(size)
            cells = self.earlier[name].cells if name in self.earlier else {0: (f"i{8 * size}", constant(0))}
            self.variables[name].cells = dict(cells)
        return Pointer(self.variables[name])

    def op_shl(self, environment, bits, left, right, flags):
        """A number that is congruent to the word, and small where the word shifted is."""
        x, y = self.words(environment, left, right, bits)
        shifted = scale(x, 1 << self.shift(y, bits))
        low, high = self.algebra.range(shifted)
        fits = -(1 << bits - 1) <= low and high < 1 << bits - 1
        return shifted if fits and not flags else super().op_shl(environment, bits, left, right, flags)

    def op_and(self, environment, bits, left, right, flags):
        """With a run of ones: the bits below its end less those below its beginning."""
        words = [self.operand(name, environment, bits) for name in (left, right)]
        for word, mask in (words, words[::-1]):
            mask = value(mask) % (1 << bits) if is_constant(mask) and not is_constant(word) else 0
            first = (mask & -mask).bit_length() - 1
            if mask and not mask >> first & (mask >> first) + 1:
                below = [self.algebra.split_product(word, end)[0] if end else {} for end in (mask.bit_length(), first)]
                return add(below[0], below[1], -1)
        return super().op_and(environment, bits, left, right, flags)

    def op_cmpxchg(self, environment, kind, pointer, expected, new, alignment):
        """(what was there, whether it was what is expected)"""
        found, wanted = self.op_load(environment, kind, pointer, alignment), self.operand(expected, environment, int(kind[1:]))
        if not (is_constant(found) and is_constant(wanted)):
            raise Unsupported("cmpxchg of data")
        if found == wanted:
            self.op_store(environment, kind, new, pointer, alignment)
        return found, constant(int(found == wanted))
