"""Executes the instructions that access memory; `memory.py` checks the accesses.

A vector is accessed element by element. An address is an object and an offset. An address that depends on data is rejected.
"""

import re

from proofs.domains.bits import signed
from proofs.domains.polynomial import constant, is_constant, value
from proofs.ir.layout import bits_of, width_of
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unsupported

REPEATED_OCTET = 0x0101_0101_0101_0101


def elements(pointer, kind):
    """Returns (offset, kind) of each element of a vector."""
    count, element = re.fullmatch(r"<(\d+) x (i\d+)>", kind).groups()
    return [(pointer.offset + width_of(element) * i, element) for i in range(int(count))]


def elements_of(vector, count):
    """Returns the elements of a vector. A number or an undefined value represents `count` equal elements."""
    if not isinstance(vector, tuple):
        return (vector,) * count
    if len(vector) != count:
        raise Unsupported(f"a vector of {len(vector)} elements as one of {count}")
    return vector


class MemoryRules:
    """The part of `execute.Run` for memory."""

    def load(self, pointer, kind, alignment=1):
        if kind.startswith("<"):
            return tuple(pointer.memory.load(*place, alignment if i == 0 else 1) for i, place in enumerate(elements(pointer, kind)))
        return pointer.memory.load(pointer.offset, kind, alignment)

    def store(self, pointer, kind, stored, alignment=1):
        if not kind.startswith("<"):
            pointer.memory.store(pointer.offset, kind, stored, alignment)
            return
        places = elements(pointer, kind)
        parts = elements_of(stored, len(places))
        for i, (place, part) in enumerate(zip(places, parts)):
            pointer.memory.store(*place, part, alignment if i == 0 else 1)

    def op_alloca(self, environment, kind, alignment, is_dead=False):
        made = Memory(self.module.types.size(kind), alignment)
        made.alive = not is_dead
        return Pointer(made)

    def op_load(self, environment, kind, pointer, alignment):
        return self.load(self.operand(pointer, environment), kind, alignment)

    def op_store(self, environment, kind, source, pointer, alignment):
        self.store(self.operand(pointer, environment), kind, self.operand(source, environment, bits_of(kind)), alignment)

    def op_getelementptr(self, environment, element, pointer, index, flags):
        base, steps = self.operand(pointer, environment), self.operand(index, environment)
        if not is_constant(steps):
            raise Unsupported("an address that depends on data")
        distance = signed(value(steps), 64)
        if "nuw" in flags and distance < 0:
            raise Unsupported("an index below 0 without a sign")
        # `nuw`: no sum exceeds 2⁶⁴
        return base.moved(self.module.types.size(element) * distance, bool(flags))

    def llvm_memcpy(self, bits, target, source, length, *_):
        if not is_constant(length):
            raise Unsupported("memcpy")
        length = value(length)
        if length % 8 or target.memory is source.memory and abs(target.offset - source.offset) < length:
            raise Unsupported("memcpy")
        for offset in range(0, length, 8):
            self.store(target.moved(offset), "i64", self.load(source.moved(offset), "i64"))

    def llvm_memset(self, bits, target, octet, length, *_):
        if not (is_constant(length) and is_constant(octet)) or value(length) % 8:
            raise Unsupported("memset")
        for offset in range(0, value(length), 8):
            self.store(target.moved(offset), "i64", constant(value(octet) % 256 * REPEATED_OCTET))

    def lifetime_of(self, arguments):
        """Returns the object of a lifetime marker. In older IR, the marker also contains the object's size."""
        place = arguments[-1]
        if place.offset or len(arguments) == 2 and value(arguments[0]) != place.memory.size:
            raise Unsupported("the lifetime of a part of an object")
        return place.memory

    def llvm_lifetime_start(self, bits, *arguments):
        self.lifetime_of(arguments).start_lifetime()

    def llvm_lifetime_end(self, bits, *arguments):
        self.lifetime_of(arguments).end_lifetime()
