"""Runs a block of instructions; shared by all executors."""

from proofs.outcomes import Unsupported

ENDS = ("br", "ret", "switch")


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
