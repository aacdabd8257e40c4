"""Finds the memory objects that a negation in a loop accesses (`negation.py`), and the content of each object.

An object is identified by the `alloca` of its addresses. The uses of the object in the loop determine its content at the start of the negation:

* If only the negation accesses the object, and stores before it loads, the content does not matter.
* If only the negation accesses the object, and loads but never stores, no instruction of the loop changes the content. The content must be constants that every
  path to the loop stores.
* If the block before the negation stores the words to be negated, the object contains those words.
* If other code also accesses the object, the object is the operand, and `negation.py` supplies the content. At most one such object may exist.

`Objects` rejects an object whose address is stored, selected, or converted to an integer. Trusted: that the loop reaches an object only by names computed from
its `alloca`, if `Objects` accepts it.
"""

from proofs.domains.polynomial import constant
from proofs.ir.corrections import is_mark
from proofs.ir.loops import names_in
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven


class Noted(Memory):
    """A memory object. It records whether code stores to it, and whether code loads a value that the code did not store before."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.own, self.loads_first = set(), False

    def load(self, offset, kind, alignment=1):
        self.loads_first |= offset not in self.own
        return super().load(offset, kind, alignment)

    def store(self, offset, kind, value, alignment=1):
        super().store(offset, kind, value, alignment)
        self.own.add(offset)


class Objects:
    def __init__(self, flow, body, label, region, given, state):
        self.flow, self.state = flow, state
        blocks = flow.function.blocks
        self.made = {i.dest: i for block in blocks.values() for i in block if i.dest}
        inside = {i.dest for l in region for i in blocks[l]}
        self.names = {n for l in region for i in blocks[l] for n in names_in(i.args) & flow.defined} - inside - given
        self.bases = {self.base(name) for name in self.names}
        self.shared, self.before, self.constant = set(), [], set()
        for base in self.bases:
            uses = self.uses(base)
            for place, i in uses:
                if place in region or place not in body:
                    continue
                if place == label and i.op == "store" and i.args[1] in given:
                    self.before.append(i)
                else:
                    self.shared.add(base)
            if all(place in region or place not in body and place in flow.dominators[label] and self.stores_constants(i) for place, i in uses):
                self.constant.add(base)
        if len(self.shared) != (0 if given else 1):
            raise Unproven("what else the negation reads or changes")
        self.stored, self.loaded = set(), set()  # the `alloca`s of the objects, collected over all paths

    def base(self, name):
        """Returns the `alloca` of an address."""
        maker = self.made.get(name)
        if maker is not None and maker.op == "alloca":
            return name
        if maker is not None and maker.op == "getelementptr":
            return self.base(maker.args[1])
        raise Unproven("what else the negation reads: " + name)

    @staticmethod
    def stores_constants(i):
        if i.op == "store":
            return not names_in(i.args[1])
        return i.op == "call" and i.args[0].startswith("@llvm.memset.") and not any(names_in(name) for _, name in i.args[1][1:])

    def uses(self, base):
        """Returns [(block, instruction)] that reach an object."""
        names, found = {base}, []
        for _ in self.made:  # until no further names are found
            further = {d for d, i in self.made.items() if i.op == "getelementptr" and i.args[1] in names} - names
            if not further:
                break
            names |= further
        for label, block in self.flow.function.blocks.items():
            for i in block:
                if not names_in(i.args) & names or i.op == "getelementptr" or is_mark(i):
                    continue
                if i.op not in ("load", "store", "call") or i.op == "store" and i.args[1] in names:
                    raise Unproven("an address that is more than an address: " + i.text)
                found.append((label, i))
        return found

    def prepare(self, run, environment, operand):
        self.memories = {}
        for base in self.bases:
            maker = self.made[base]
            size = run.module.types.size(maker.args[0])
            if base in self.shared:
                if size != operand.size:
                    raise Unproven("the size of the operand")
                self.memories[base] = operand
            else:
                self.memories[base] = Noted(size, max(maker.args[1], 8))
                self.memories[base].cells = {offset: ("i64", constant(word)) for offset, word in self.state(base).items()}
        for store in self.before:
            kind, source, pointer, alignment = store.args
            run.store(self.pointer(run, environment, pointer), kind, environment[source], alignment)
        for name in self.names:
            environment[name] = self.pointer(run, environment, name)

    def pointer(self, run, environment, name):
        maker = self.made[name]
        if maker.op == "alloca":
            return Pointer(self.memories[name])
        environment[maker.args[1]] = self.pointer(run, environment, maker.args[1])
        return run.op_getelementptr(environment, *maker.args)

    def require_own(self):
        """Requires that a negation never loads a value that the negation of a different iteration may have stored."""
        for base, memory in self.memories.items():
            if isinstance(memory, Noted):
                self.stored |= {base} if memory.own else set()
                self.loaded |= {base} if memory.loads_first else set()
        if self.loaded - self.constant or self.stored & self.loaded:
            raise Unproven("what a negation reads of an earlier one")
