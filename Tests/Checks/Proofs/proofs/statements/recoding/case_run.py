"""Runs an iteration of `SignedWindows.recode` so that its result holds for every number of digits and every highest position so far.

The number of digits and the highest position are each a `Sampled`, which has a single value. It also has a meaning: a formula such as count + 1. The code may
use a `Sampled` only as follows:

* add 1, change the width, or take the maximum with a number,
* store it,
* compare it with a number, if the result is the same for all values,
* use `count` as the index of the new digit.

The run rejects all other uses. The checks at the end compare meanings, not only values.
"""

import functools

from proofs.execution.byte_rules import accessed
from proofs.execution.execute_bits import BitRun
from proofs.ir.byte_memory import Address
from proofs.ir.loops import names_in
from proofs.outcomes import Unproven
from proofs.statements.recoding.signed_windows import POSITIONS, SLOTS, Layout

DIGIT_SIZE = 4


class Sampled(int):
    """One of the values 0 to `most` of a number whose formula is `meaning`."""

    def __new__(cls, number, meaning, most):
        made = super().__new__(cls, number)
        made.meaning, made.most = meaning, most
        return made


class DigitAddress(Address):
    """An address with a constant distance from the digit number `count`."""


SAMPLED = (Sampled, DigitAddress)


def is_sampled(v):
    return any(map(is_sampled, v)) if type(v) is tuple else type(v) in SAMPLED


@functools.cache  # the cases run the same instructions
def names_of(args):
    return tuple(names_in(args))


class CaseRun(BitRun):
    """Creates a list of digits, and runs an iteration. `links`: {position: number of its first digit}, for the positions whose links the code may read."""

    def __init__(self, module, count, highest, links):
        super().__init__(module)
        self.layout = layout = Layout(self.address_bits // 8)
        self.windows, self.links, self.number_of_digits = self.memory.allocate(layout.size), links, count
        for n, link in links.items():  # a load of any other octet is rejected
            self.memory.store(self.windows + layout.first + n, 1, link)
        self.memory.store(self.windows + layout.count, layout.int_size, Sampled(count, "count", SLOTS - 1))
        self.memory.store(self.windows + layout.highest, layout.int_size, Sampled(highest, "highest", POSITIONS - 1))
        self.octets_before = self.octets()

    def octets(self):
        """Returns the offsets of the octets of the list that have a value."""
        return {start + i for start, (length, _) in self.memory.place(self.windows)[0].cells.items() for i in range(length)}

    def require(self, admitted, what="a use of the number of digits or of the highest position"):
        if not admitted:
            raise Unproven(what)

    # The checks at the end

    def loaded(self, offset, size=1):
        found = self.memory.load(self.windows + offset, size)
        self.require(not is_sampled(found))
        return found

    def require_sampled(self, offset, size, meaning, what):
        found = self.memory.load(self.windows + offset, size)
        self.require(isinstance(found, Sampled) and found.meaning == meaning, what)

    def require_octets(self, changed, more=frozenset()):
        """Requires that exactly the octets in `more` gained a value, and that every link except the link at the position `changed` has its old value."""
        self.require(self.octets() == self.octets_before | more, "a store to another digit")
        for n, link in self.links.items():
            self.require(n == changed or self.loaded(self.layout.first + n) == link, "another link")

    def require_unchanged(self):
        layout = self.layout
        self.require_octets(None)
        self.require_sampled(layout.count, layout.int_size, "count", "a digit of skipped bits")
        self.require_sampled(layout.highest, layout.int_size, "highest", "the highest position of skipped bits")

    def require_appended(self, value, row, at):
        """Requires that the iteration added one digit at the position `at` of a row, and nothing else."""
        layout = self.layout
        place = layout.digits + DIGIT_SIZE * self.number_of_digits
        self.require(self.loaded(place, 2) == value, "the digit's value")
        self.require([self.loaded(place + 2), self.loaded(place + 3)] == [row, self.links[at]], "the digit's row or link")
        self.require_octets(at, set(range(place, place + DIGIT_SIZE)))
        self.require_sampled(layout.first + at, 1, "count + 1", "the list of digits")
        self.require_sampled(layout.count, layout.int_size, "count + 1", "the number of digits")
        self.require_sampled(layout.highest, layout.int_size, f"max(highest, {at})", "the highest position")

    # The uses of a `Sampled`

    def step(self, instruction, environment):
        for name in names_of(instruction.args):
            if is_sampled(environment.get(name)):
                break
        else:
            super().step(instruction, environment)
            return
        rule = getattr(self, "sampled_" + instruction.op, None)
        self.require(rule is not None)
        result = rule(environment, *instruction.args)
        super().step(instruction, environment)
        if result is not None:  # (meaning, most)
            environment[instruction.dest] = Sampled(environment[instruction.dest], *result)

    def sampled(self, environment, name, bits):
        """Returns the `Sampled` of a register; requires that all its possible values fit in `bits` bits."""
        found = environment.get(name)
        self.require(isinstance(found, Sampled) and found.most < 1 << bits)
        return found

    def sampled_add(self, environment, width, left, right, flags):
        v = self.sampled(environment, left, width - 2)
        self.require(right == "1")
        return v.meaning + " + 1", v.most + 1

    def sampled_trunc(self, environment, width, word, to, flags):
        v = self.sampled(environment, word, to - ("nsw" in flags))
        return v.meaning, v.most

    def sampled_call(self, environment, callee, arguments):
        self.require(callee.startswith("@llvm.smax.i"))
        width = int(callee[len("@llvm.smax.i") :])
        (name, other), is_swapped = [name for _, name in arguments], not is_sampled(environment.get(arguments[0][1]))
        v, limit = self.sampled(environment, other if is_swapped else name, width - 1), self.operand(name if is_swapped else other, environment, width)
        self.require(type(limit) is int and limit < 1 << width - 1)
        return f"max({v.meaning}, {limit})", max(v.most, limit)

    def sampled_icmp(self, environment, predicate, width, left, right, flags):
        """Compares the values 0 and `most` with the number. If an unsigned order has the same result for both, it has this result for all values."""
        v = self.sampled(environment, left, width)
        self.require(predicate[0] == "u" and not flags and not names_in(right))
        self.require(len({self.op_icmp({left: end}, predicate, width, left, right, flags) for end in (0, v.most)}) == 1)

    # The places of stores

    def op_getelementptr(self, environment, element, pointer, index, flags):
        p, i = self.operand(pointer, environment), self.operand(index, environment)
        found = super().op_getelementptr(environment, element, pointer, index, flags)
        if not is_sampled(i):
            return DigitAddress(found) if is_sampled(p) else found
        self.require(not is_sampled(p) and i.meaning == "count" and self.module.types.size(element) == DIGIT_SIZE)
        return DigitAddress(found)

    def sampled_getelementptr(self, environment, *_):
        return None

    def op_store(self, environment, kind, source, pointer, alignment):
        p, (count, width) = self.operand(pointer, environment), accessed(kind)
        if not isinstance(p, DigitAddress):
            self.require_no_digit(p, (count or 1) * width // 8)
        super().op_store(environment, kind, source, pointer, alignment)

    def sampled_store(self, environment, kind, source, pointer, alignment):
        self.require(not isinstance(environment.get(source), DigitAddress))

    def require_no_digit(self, address, size):
        start = self.windows + self.layout.digits
        self.require(address + size <= start or start + DIGIT_SIZE * SLOTS <= address, "a store to a digit whose number is fixed")

    def llvm_memmove(self, name, width, target, source, count, volatile):
        self.require_no_digit(target, self.number(count))
        super().llvm_memmove(name, width, target, source, count, volatile)

    def llvm_memset(self, name, width, target, filler, count, volatile):
        self.require_no_digit(target, self.number(count))
        super().llvm_memset(name, width, target, filler, count, volatile)
