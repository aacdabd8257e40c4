"""How a block of instructions is run: what all executors share."""

from proofs.outcomes import Unsupported

ENDS = ("br", "ret", "switch")


class Control:
    """A run has `steps`, `STEP_LIMIT`, a rule `op_…` for each instruction, and says what a phi's `incoming` value is."""

    block = ()  # of the instruction that is run

    def run_block(self, block, previous, environment, given=None):
        """Runs a block that is entered from the block `previous`, or with given values of its phis, or with those that the environment has; returns the instruction
        that ends it, which has not run."""
        incoming = {}  # the values of the block's phis, which change together
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
