"""Runs a block of instructions, and contains the rules that do not depend on the domain of the values; shared by all executors."""

import contextlib

from proofs.ir.layout import bits_of
from proofs.outcomes import Unproven, Unsupported

ENDS = ("br", "ret", "switch")


@contextlib.contextmanager
def apart(function, objects):
    """Requires that a call keeps the promise of its `noalias` parameters. `objects` contains the object of each argument, or None. If a `noalias` argument
    and another argument are addresses of one object, the call must not store to that object.
    """
    shared = [o for n, o in enumerate(objects) if o is not None and n in function.apart and any(o is other for k, other in enumerate(objects) if k != n)]
    before = [o.stores for o in shared]
    yield
    if [o.stores for o in shared] != before:
        raise Unproven("a store to memory that `noalias` arguments share")


class Control:
    """The base class of runs.

    Subclasses define `module`, `steps`, `STEP_LIMIT`, a rule `op_…` for each further instruction, `operand` for the value of a name, `incoming` for phis, and
    `run_function` for the instructions of a callee. `require_pointers` requires that the address arguments satisfy what the callee's parameters promise.
    `objects_of` returns the object of each argument that is an address, and None for each other one.
    """

    block = ()  # the block of the current instruction

    def run_block(self, block, previous, environment, given=None):
        """Runs a block except its last instruction; returns the last instruction. The values of the phis come from `given` if present, else from the block
        `previous` if present, else from the environment.
        """
        incoming = {}  # the values of the block's phis, assigned together
        self.block = block
        for instruction in block:
            self.steps += 1
            if self.steps > self.STEP_LIMIT:
                raise Unsupported("a loop without end")
            if instruction.op == "phi":
                if given is not None:
                    incoming[instruction.dest] = given[instruction.dest]
                elif previous is not None:
                    incoming[instruction.dest] = self.incoming(instruction, previous, environment)
                continue
            if incoming:
                environment.update(incoming)
                incoming = {}
            if instruction.op in ENDS:
                return instruction
            if instruction.op == "unreachable":
                raise Unsupported("unreachable without a trap")
            self.step(instruction, environment)
            self.block = block
        raise Unsupported("a block without an end")

    def arriving(self, function, label, previous, environment):
        """Returns {phi: value} for a block that is reached from the block `previous`."""
        return {i.dest: self.incoming(i, previous, environment) for i in function.phis(label)}

    def call(self, name, arguments):
        function = self.module.function(name)
        self.require_pointers(function.pointers, arguments)
        with apart(function, self.objects_of(arguments)):
            return self.run_function(function, dict(zip(function.parameters, arguments)))

    def step(self, instruction, environment):
        if instruction.pointers:
            self.require_pointers(instruction.pointers, [self.operand(name, environment) for _, name in instruction.args[1]])
        rule = getattr(self, "op_" + instruction.op, None)
        if rule is None:
            raise Unsupported(instruction.text)
        result = rule(environment, *instruction.args)
        if instruction.dest is not None:
            environment[instruction.dest] = result

    def op_nop(self, environment):
        return None

    def op_shufflevector(self, environment, count, vector):
        return (self.operand(vector, environment)[0],) * count

    def op_extractvalue(self, environment, structure, index):
        return self.operand(structure, environment)[index]

    def op_insertvalue(self, environment, count, structure, kind, inserted, index):
        # The checks of `noalias`, `readonly` and tail calls do not follow an address through a structure.
        if kind == "ptr":
            raise Unsupported("an address in a structure")
        whole = self.operand(structure, environment)
        parts = list(whole) if whole is not None else [None] * count
        parts[index] = self.operand(inserted, environment, bits_of(kind))
        return tuple(parts)
