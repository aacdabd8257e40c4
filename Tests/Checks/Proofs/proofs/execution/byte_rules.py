"""Executes the instructions of `BitRun` that compute or use addresses; `byte_memory.py` checks the accesses.

An `Address` is a number that identifies an object of the model. The rules of this file are the only ones that accept an address. The code may move an address
within its object, subtract two addresses of one object, and compare an address with 0. Every other result would depend on the places of the objects in memory,
which the model chooses. Such code is rejected.
"""

import functools
import re

from proofs.domains.bits import ones, signed
from proofs.ir.byte_memory import Address
from proofs.outcomes import Unproven, Unsupported

NUMBER = re.compile(r"-?\d+")
OF_MEMORY = ("memcpy", "memmove", "memset", "lifetime")  # the operations of LLVM that receive addresses


@functools.cache
def width_of(kind):
    """Returns (number of elements or None, bits of an element)."""
    m = re.fullmatch(r"<(\d+) x i(\d+)>", kind)
    if m:
        return int(m[1]), int(m[2])
    return None, int(kind[1:]) if NUMBER.fullmatch(kind[1:]) else 64


def accessed(kind):
    """Returns `width_of(kind)`. Rejects a type whose elements are not whole octets."""
    count, width = width_of(kind)
    if width % 8:
        raise Unsupported("an access of " + kind)
    return count, width


def chunks(count):
    """Returns [(offset, size)]: chunks of eight bytes, then single bytes."""
    return [(i, 8) for i in range(0, count & ~7, 8)] + [(i, 1) for i in range(count & ~7, count)]


class ByteRules:
    """The part of `BitRun` for addresses and memory."""

    def require_data(self, v):
        """Requires that a value is not an address and has no address as an element."""
        if isinstance(v, Address) or type(v) is tuple and any(isinstance(part, Address) for part in v):
            raise Unsupported("a number that depends on where an object is")
        return v

    def address(self, v):
        if not isinstance(v, Address):
            raise Unsupported("an address that is no address of an object")
        return v

    def require_pointers(self, promised, arguments):
        for position, size, alignment, written in promised:
            self.memory.access(arguments[position], size, alignment)
            for start, end in written:
                self.memory.forget(arguments[position] + start, end - start)

    def objects_of(self, arguments):
        return [self.memory.place(v)[0] if isinstance(v, Address) else None for v in arguments]

    def combine_addresses(self, op, left, right, flags):
        """Moves an address by a number, or returns the distance between two addresses of one object."""
        if op == "add" and isinstance(right, Address):
            left, right = right, left
        if op == "sub" and isinstance(right, Address) and not flags and self.memory.place(self.address(left))[0] is self.memory.place(right)[0]:
            return left - right & ones(self.address_bits)
        by = signed(self.number(right), self.address_bits)
        if op != "add" or not set(flags) <= {"nuw"}:
            raise Unsupported("a number that depends on where an object is")
        if flags and by < 0:
            raise Unproven("add nuw of an address")
        return self.memory.moved(left, by, bool(flags))

    def op_alloca(self, environment, kind, alignment, _=False):
        return self.memory.allocate(self.module.types.size(kind), max(alignment, 1))

    def op_getelementptr(self, environment, element, pointer, index, flags):
        """Moves an address by an index.

        If the instruction has a flag, no matter which, requires what `inbounds` promises: both addresses are within the object or just after it. This implies
        `nusw`, and `nuw` for an index ≥ 0.
        """
        p, i = self.operand(pointer, environment), self.number(self.operand(index, environment, self.address_bits))
        by = self.module.types.size(element) * signed(i, self.address_bits)
        if "nuw" in flags and by < 0:
            raise Unproven("an index below 0 without a sign")
        return self.memory.moved(self.address(p), by, bool(flags))

    def op_load(self, environment, kind, pointer, alignment):
        p = self.address(self.operand(pointer, environment))
        count, width = accessed(kind)
        if count is None:
            return self.memory.load(p, width // 8, alignment)
        return tuple(self.memory.load(p + width // 8 * i, width // 8, alignment if i == 0 else 1) for i in range(count))

    def op_store(self, environment, kind, source, pointer, alignment):
        p = self.address(self.operand(pointer, environment))
        count, width = accessed(kind)
        words = self.elements(source, environment, count, width) if count else (self.operand(source, environment, width),)
        for i, word in enumerate(words):
            if word is None:
                raise Unproven("what is not defined is stored")
            self.memory.store(p + width // 8 * i, width // 8, word, alignment if i == 0 else 1)

    def op_inttoptr(self, environment, kind, word, to):
        if {kind, to} != {"ptr", f"i{self.address_bits}"}:
            raise Unsupported(f"an address as {kind} and {to}")
        return self.operand(word, environment)

    op_ptrtoint = op_inttoptr

    def require_apart(self, target, source, count):
        """Requires that memcpy copies between places that do not overlap. LLVM also permits equal places."""
        if 0 < abs(target - source) < count:
            raise Unproven("a memcpy of overlapping octets")

    def llvm_memcpy(self, name, width, target, source, count, volatile):
        self.require_apart(target, source, self.number(count))
        self.llvm_memmove(name, width, target, source, count, volatile)

    def llvm_memmove(self, name, width, target, source, count, volatile):
        """Copies memory. Octets without a value, such as padding between members, leave octets without a value."""
        copied = []
        for start, size in chunks(self.number(count)):
            memory, offset = self.memory.access(source + start, size, 1)
            stored = [memory.start_of_cell(offset + i) is not None for i in range(size)]
            for i, length in [(start, size)] if all(stored) else [(start + i, 1) for i in range(size) if stored[i]]:
                copied.append((i, length, self.memory.load(source + i, length)))
        if sum(length for _, length, _ in copied) < count:
            self.memory.forget(target, count)
        for i, length, word in copied:
            self.memory.store(target + i, length, word)

    def llvm_memset(self, name, width, target, filler, count, volatile):
        for i, size in chunks(self.number(count)):
            self.memory.store(target + i, size, int.from_bytes(bytes([self.number(filler)]) * size, "little"))

    def llvm_lifetime(self, name, width, *values):
        if name[1] == "start":
            self.memory.start_lifetime(values[-1])
        else:
            self.memory.end_lifetime(values[-1])
