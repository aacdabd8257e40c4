"""Finds the rare corrections in a point routine, and computes slices. A slice contains the instructions on which given values depend.

A sum or difference mod p rarely needs a second correction, so the compiler puts the second correction into a separate block. A conditional branch runs or skips
that block. Both arms then meet in a join block, whose phis select the value. A `Correction` is such a branch. For the surrounding code, a correction is a
choice between two values.

Trusted: a slice contains everything on which its values depend. The executor of the proofs runs the slice.
"""

from dataclasses import dataclass

from proofs.ir.loops import Flow, names_in
from proofs.outcomes import Unproven, Unsupported


@dataclass(frozen=True)
class Correction:
    before: str  # the block with the branch
    side: str  # the block of the correction
    meeting: str  # the join block of both arms
    condition: str
    taken: int  # the value of the condition for which the side block runs


class Routine:
    """A loop-free function. Finds an instruction by the value that it defines, and a correction by its join block."""

    def __init__(self, function):
        self.function = function
        if function.has_scopes:
            raise Unsupported("accesses that are promised to be of different memory")
        self.made, self.place = {}, {}  # value -> instruction, value -> label of its block
        for label, block in function.blocks.items():
            for i in block:
                if holds_address(i):
                    raise Unsupported("an address that is chosen, stored or read: " + i.text)
                if i.dest is not None:
                    self.made[i.dest], self.place[i.dest] = i, label
        self.users = {}  # value -> (label, instruction) of its users, except phis
        for label, block in function.blocks.items():
            for i in block:
                for name in operands_of(i) if i.op != "phi" else ():
                    self.users.setdefault(name, []).append((label, i))
        self.order = self._order()
        flow = Flow(function)
        self.before, self.dominators = flow.before, flow.dominators  # label -> its predecessors; label -> the blocks on every path to that block
        self.corrections = {found.meeting: found for found in self._corrections()}
        self.sides = {found.side: found for found in self.corrections.values()}
        self.by_branch = {found.before: found for found in self.corrections.values()}

    def _order(self):
        """Sorts the blocks so that every block follows its predecessors."""
        found, open_ = [], set()

        def visit(label):
            if label in open_:
                raise Unsupported("a loop")
            open_.add(label)
            last = self.function.blocks[label][-1]
            for target in last.args[1] if last.op == "br" else ():
                if target not in found:
                    visit(target)
            open_.remove(label)
            found.append(label)

        visit(self.function.entry)
        return found[::-1]

    def _corrections(self):
        blocks, before = self.function.blocks, self.before
        for label, block in blocks.items():
            targets = block[-1].args[1] if block[-1].op == "br" else ()
            for taken, (side, meeting) in ((1, targets), (0, targets[::-1])) if len(targets) == 2 else ():
                last = blocks[side][-1]
                if last.op == "br" and last.args == (None, (meeting,)) and before[side] == [label] and before[meeting] in ([label, side], [side, label]):
                    yield Correction(label, side, meeting, block[-1].args[0], taken)

    def effects(self, label):
        """Returns a block's stores and calls."""
        return [i for i in self.function.blocks[label] if i.op == "store" or i.op == "call" and not is_mark(i)]

    def uses(self, name):
        """Returns (label, instruction) of every use of an address of the function's own memory."""
        found, waiting = [], [name]
        while waiting:
            address = waiting.pop()
            for label, i in self.users.get(address, ()):
                if i.op == "getelementptr" and i.args[1] == address:
                    waiting.append(i.dest)
                else:
                    found.append((label, i))
        return found

    def slice(self, roots, leaves):
        """Returns all instructions on which the roots depend, up to the leaves."""
        found, waiting = Slice(), list(roots)
        while waiting:
            name = waiting.pop()
            if name in leaves or name in found.values:
                continue
            if name not in self.made:
                raise Unproven(f"what depends on {name}")
            found.values.add(name)
            i = self.made[name]
            if i.op == "phi":
                if self.place[name] not in self.corrections:
                    raise Unproven("a phi of no correction: " + i.text)
                waiting += [value for value, _ in i.args[1] if value[0] == "%"]
                waiting += self.corrected(found, self.corrections[self.place[name]])
            elif i.op == "alloca":
                waiting += self.stored(found, name)
            else:
                waiting += operands_of(i)
        return found

    def corrected(self, found, correction):
        """Adds a new correction to the slice; returns the names on which the correction depends."""
        if correction in found.corrections:
            return ()
        found.corrections.add(correction)
        return [correction.condition, *self.added(found, self.effects(correction.side))]

    def stored(self, found, name):
        """Adds the stores to an `alloca`; returns the names on which its content depends. Only one block and the correction after this block may use the
        memory. Otherwise the result would depend on which blocks run, and in what order.
        """
        waiting, uses = [], self.uses(name)
        blocks = {self.sides[label].before if label in self.sides else label for label, i in uses if not is_mark(i)}
        if len(blocks) > 1:
            raise Unproven(f"memory of the function's own that several blocks use: {name}")
        for label, i in uses:
            if label in self.sides:
                waiting += self.corrected(found, self.sides[label])
            elif i.op == "store" or is_mark(i):
                waiting += self.added(found, [i])
            elif i.op != "load":
                raise Unproven("a use of the function's own memory: " + i.text)
        return waiting

    @staticmethod
    def added(found, effects):
        found.effects |= {id(i) for i in effects}
        return [name for i in effects for name in operands_of(i)]


class Slice:
    """A part of a function: values, the corrections whose phis are among these values, stores and calls. Stores and calls are compared by identity."""

    def __init__(self):
        self.values, self.corrections, self.effects = set(), set(), set()

    def __contains__(self, instruction):
        return instruction.op != "phi" and (instruction.dest in self.values or id(instruction) in self.effects)

    def reads(self, label, instruction):
        """Returns whether the slice uses an instruction of a block. A branch is used if it leads into or out of a side block of the slice's corrections."""
        if instruction.op == "br":
            return any(label in (c.before, c.side) for c in self.corrections)
        return instruction in self or instruction.dest in self.values


def is_mark(instruction):
    """Returns whether an instruction only marks an object's lifetime."""
    return instruction.op == "call" and instruction.args[0].startswith("@llvm.lifetime.")


def holds_address(instruction):
    """Returns whether an instruction other than `getelementptr` propagates an address. `Routine.uses` would not find the uses of the propagated address."""
    kind = instruction.args[0] if instruction.args else None
    return instruction.op in ("inttoptr", "ptrtoint") or instruction.op in ("phi", "load", "store", "select") and kind == "ptr"


def operands_of(instruction):
    """Returns the values, not the types, that occur in an instruction other than a phi."""
    return names_in(instruction.args[1:] if instruction.op in ("alloca", "getelementptr") else instruction.args)
