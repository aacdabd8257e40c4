"""Runs a block of instructions; shared by all executors."""

import contextlib

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
    """The base class of runs. Subclasses define `steps`, `STEP_LIMIT`, a rule `op_…` for each instruction, and `incoming` for phis."""

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

    def step(self, instruction, environment):
        rule = getattr(self, "op_" + instruction.op, None)
        if rule is None:
            raise Unsupported(instruction.text)
        result = rule(environment, *instruction.args)
        if instruction.dest is not None:
            environment[instruction.dest] = result
