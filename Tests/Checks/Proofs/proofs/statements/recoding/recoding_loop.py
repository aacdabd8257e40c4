"""Finds the loop of `SignedWindows.recode` in the IR, and its variables.

The loop is in the driver or, in Embedded Swift, in a function that the driver calls. In Embedded Swift, the driver runs up to the call, to compute the
arguments of the call. Trusted: nothing, because `turn.py` proves what the loop does to these variables.
"""

from proofs.execution.byte_rules import width_of
from proofs.outcomes import Unsupported, only
from proofs.statements.recoding import factored

BIT_COUNT, PART_BITS, FIRST_WIDTH, WIDTH, ROW = range(2, 7)  # positions of the driver's parameters after windows and scalar


class Loop:
    """The loop: its header, the variables that carry over from digit to digit, and the inner loop that skips bits."""

    def __init__(self, module, driver):
        self.module, self.driver = module, driver
        self.call, self.function = None, driver
        if len(driver.blocks) == 1:
            calls = [i for i in driver.blocks[driver.entry] if i.op == "call" and i.args[0] in module.sources]
            self.call = only(calls, "calls in the driver")
            self.function = module.function(self.call.args[0])
        self.head = self.function.blocks[self.function.entry][-1].args[1][0]
        block = self.function.blocks[self.head]
        initial = {i.dest: i.value_from(self.function.entry) for i in self.function.phis(self.head)}
        self.inner = block[-1].args[1][0]
        (position,) = self.function.phis(self.inner)
        self.position, fed = position.dest, {v for v, l in position.args[1] if l == self.head}
        negated = {i.args[2] for i in block if i.op == "sub" and i.args[1] == "0"}
        zeros = [d for d, v in initial.items() if v == "0"]
        row, first_width = self.parameter(ROW), self.parameter(FIRST_WIDTH)
        names = {
            "i": [d for d in zeros if d in fed], "carry": [d for d in zeros if d in negated],
            "start": [d for d in zeros if d not in fed and d not in negated],
            "row": [d for d, v in initial.items() if v == row], "width": [d for d, v in initial.items() if v == first_width],
        }
        # The IR may contain a variable twice. Both copies must then have the same value.
        if not all(names.values()) or len(names["carry"]) != 1 or sum(map(len, names.values())) != len(initial):
            raise Unsupported("the variables of the loop")
        self.variables = {variable: name for name, found in names.items() for variable in found}
        (self.carry,) = names["carry"]
        factored.name_words(self)

    def parameter(self, place):
        """Returns the parameter of the loop's function that receives the driver's parameter number `place`."""
        if self.call is None:
            return self.driver.parameters[place]
        found = [p for p, (_, given) in zip(self.function.parameters, self.call.args[1]) if given == self.driver.parameters[place]]
        return only(found, "parameters of what the driver calls")

    def entered(self, run, windows, source, *numbers):
        """Returns the values of the loop function's parameters. Parameters of the driver that are not given have no value."""
        given = (windows, source, *numbers)
        environment = {**dict.fromkeys(self.driver.parameters), **dict(zip(self.driver.parameters, given))}
        if self.call is None:
            return environment
        for i in self.driver.blocks[self.driver.entry]:
            if i is self.call:
                values = [run.operand(name, environment, width_of(kind)[1]) for kind, name in i.args[1]]
                return dict(zip(self.function.parameters, values))
            result = getattr(run, "op_" + i.op)(environment, *i.args)
            if i.dest is not None:
                environment[i.dest] = result

    def state(self, values):
        """Returns {variable: value}. `values` contains the values by name."""
        return {variable: values[name] for variable, name in self.variables.items()}
