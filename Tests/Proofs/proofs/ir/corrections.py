"""The branches around second corrections in a point routine, and what of a function a value depends on.

The correction of a sum or difference that almost never comes is a block of its own: one way of a branch goes through it and meets the other at
once, where phis choose. Such a branch is a `Correction`; seen from outside it is a choice between two values. Trusted: that a slice has all on
which its values depend; what it has is run by the executor of the proofs.
"""

from dataclasses import dataclass

from proofs.ir.loops import names_in
from proofs.outcomes import Unproven, Unsupported


@dataclass(frozen=True)
class Correction:
    before: str  # the block with the branch
    side: str  # the block of the correction
    meeting: str  # where both ways meet
    condition: str
    taken: int  # the condition's value where the side block is run


class Routine:
    """A function without loops: its instructions by the value they make, its corrections by the block where their ways meet."""

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
        self.users = {}  # value -> (label, instruction) of what names it, phis left out
        for label, block in function.blocks.items():
            for i in block:
                for name in operands_of(i) if i.op != "phi" else ():
                    self.users.setdefault(name, []).append((label, i))
        for name, made in self.made.items():
            for _, i in self.uses(name) if made.op == "alloca" else ():
                if i.op == "call" and "tail call " in i.text:  # a promise that no memory of the caller is looked at
                    raise Unproven("a tail call with memory of its caller: " + i.text)
        self.order = self._order()
        self.before = {label: [l for l, block in function.blocks.items() if block[-1].op == "br" and label in block[-1].args[1]] for label in function.blocks}
        self.dominators = {}  # label -> the blocks that every way there has been in
        for label in self.order:
            ways = [self.dominators[b] for b in self.before[label] if b in self.dominators]
            self.dominators[label] = {label}.union(set.intersection(*ways) if ways else ())
        self.corrections = {found.meeting: found for found in self._corrections()}
        self.sides = {found.side: found for found in self.corrections.values()}
        self.by_branch = {found.before: found for found in self.corrections.values()}

    def _order(self):
        """The blocks, each behind all from which it is reached."""
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
        """What a block does besides making values: stores, and calls."""
        return [i for i in self.function.blocks[label] if i.op == "store" or i.op == "call" and not is_mark(i)]

    def uses(self, name):
        """(label, instruction) of all that is done with an address of the function's own memory."""
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
        """What roots depend on, up to leaves."""
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
        """What a correction depends on, if it was not yet met."""
        if correction in found.corrections:
            return ()
        found.corrections.add(correction)
        return [correction.condition, *self.added(found, self.effects(correction.side))]

    def stored(self, found, name):
        """What the memory of an `alloca` depends on: all that is stored there. It is used in one block, and in the correction behind that block: in
        others it would matter which of them are run, and in what order."""
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
    """A part of a function: values, the corrections among whose phis some of them are, the stores and calls that matter to them, by identity."""

    def __init__(self):
        self.values, self.corrections, self.effects = set(), set(), set()

    def __contains__(self, instruction):
        return instruction.op != "phi" and (instruction.dest in self.values or id(instruction) in self.effects)

    def reads(self, label, instruction):
        """Whether an instruction, of the block of that label, has a part in it: of branches, those around corrections."""
        if instruction.op == "br":
            return any(label in (c.before, c.side) for c in self.corrections)
        return instruction in self or instruction.dest in self.values


MARKS = ("@llvm.lifetime.",)  # calls that only say how long an object lives


def is_mark(instruction):
    return instruction.op == "call" and instruction.args[0].startswith(MARKS)


def holds_address(instruction):
    """Whether an address is handed on by other than `getelementptr`, so that `Routine.uses` would not find what is done with it."""
    kind = instruction.args[0] if instruction.args else None
    return instruction.op in ("inttoptr", "ptrtoint") or instruction.op in ("phi", "load", "store", "select") and kind == "ptr"


def operands_of(instruction):
    """The values that an instruction other than a phi names, its types left out."""
    return names_in(instruction.args[1:] if instruction.op in ("alloca", "getelementptr") else instruction.args)
