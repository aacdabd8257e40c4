"""Executes LLVM IR symbolically on the polynomials of `algebra.py`, with one run for each path.

A run executes one path through the branches. It has a list of choices, which are outcomes of the conditions that the values do not decide. The run records each
of these outcomes as a fact. `paths` starts one run for every list of choices. Loops run iteration by iteration, because the loop counters are constants. A run
of more than `STEP_LIMIT` instructions is an error. An instruction or operand without a rule is also an error.

The values:
- integer: a polynomial
- condition: a `Comparison`, or an `AnyBit` or `AllBits` that a later comparison uses
- address: a `Pointer`
- vector or structure: a tuple
- undefined: None

The rules for instructions are methods named `op_…`. `control.py` contains the rules that all runs share, `word_rules.py` those for words, `memory_rules.py` for
memory, `call_rules.py` for calls, and `choices.py` for choices.

Trusted: each rule computes what the LLVM language reference specifies for its instruction. `sample.py` runs the same rules on numbers and compares with
Python's integers.
"""

from proofs.domains import algebra
from proofs.domains.polynomial import add, constant
from proofs.execution.call_rules import CallRules
from proofs.execution.choices import Choices
from proofs.execution.conditions import Conditions
from proofs.execution.control import Control
from proofs.execution.memory_rules import MemoryRules
from proofs.execution.word_rules import WordRules
from proofs.ir.layout import bits_of
from proofs.ir.memory import Pointer
from proofs.outcomes import Infeasible, Undecided, Unsupported

MOST_CHOICES = 200  # maximum number of choices on one path
MOST_PENDING = 4000  # maximum number of paths that have not run yet


class FunctionReference:
    def __init__(self, name):
        self.name = name


class Run(WordRules, Choices, MemoryRules, CallRules, Conditions, Control):
    STEP_LIMIT = 20000

    def __init__(self, module, choices=(), contracts=None):
        super().__init__(choices)
        self.module = module
        self.algebra = algebra.Algebra()
        self.equations = []  # from contracts: (number T, polynomial equal to R·T)
        self.unreduced = {}  # symbol of a truncated sum -> (sum, bits of the word)
        self.contracts = contracts or {}  # symbol of a function -> the replacement of its calls
        self.steps = 0

    def signed(self, word, bits):
        return add(word, self.algebra.split(word, bits - 1)[1], -(1 << bits))

    def operand(self, name, environment, bits=64):
        """Returns the value of a register, function or constant. A single number also represents a vector of equal elements."""
        if name[0] == "%":
            found = environment[name]
            return self.algebra.substitute(found) if isinstance(found, dict) else found
        if name[0] == "@":
            return FunctionReference(name)
        if name in ("true", "false"):
            return constant(int(name == "true"))
        if name in ("undef", "poison"):
            return None
        if name == "zeroinitializer":
            return constant(0)
        if name[0] == "<":  # a vector of numbers
            return tuple(self.operand(number, environment, bits_of(kind)) for kind, number in map(str.split, name[1:-1].split(", ")))
        if name.startswith("splat"):  # splat (i64 5)
            kind, number = name[len("splat (") : -1].split()
            return self.operand(number, environment, bits_of(kind))
        return constant(int(name) % (1 << bits))

    def run_function(self, function, environment):
        label, previous, given = function.entry, None, None
        while True:
            last = self.run_block(function.blocks[label], previous, environment, given)
            if last.op == "ret":
                return self.returned(environment, *last.args)
            previous, (label, given) = label, self.next_block(function, label, environment, last)

    def incoming(self, phi, previous, environment):
        return self.operand(phi.value_from(previous), environment, bits_of(phi.args[0]))

    def next_block(self, function, label, environment, branch):
        """Returns (next block, the values of its phis if the arms of the branch were merged)."""
        if branch.op != "br":
            raise Unsupported(branch.text)
        condition, targets = branch.args
        found = self.merged(function, label, environment, condition, targets) if condition is not None else None
        return found or (self.target(environment, condition, targets), None)

    def target(self, environment, condition, targets):
        if condition is None or self.decide(self.operand(condition, environment, 1)):
            return targets[0]
        return targets[1]

    def returned(self, environment, kind, source):
        if source is None:
            return None
        result = self.operand(source, environment, bits_of(kind))
        return constant(self.decide(result)) if kind == "i1" else result

    @staticmethod
    def objects_of(arguments):
        return [v.memory if isinstance(v, Pointer) else None for v in arguments]

    @staticmethod
    def require_pointers(promised, arguments):
        for position, size, alignment, written in promised:
            found = arguments[position]
            if isinstance(found, Pointer):
                found.memory.require(found.offset, size, alignment)
                for start, end in written:
                    found.memory.forget(found.offset + start, found.offset + end)


def paths(module, prepare, contracts=None, run_class=Run):
    """Runs `prepare(run)` for every list of choices; yields (run, result) of the feasible runs."""
    pending = [()]
    while pending:
        choices = pending.pop()
        run = run_class(module, choices, contracts)
        try:
            result = prepare(run)
        except Undecided:
            pending += [choices + (0,), choices + (1,)]
            if len(choices) > MOST_CHOICES or len(pending) > MOST_PENDING:
                raise Unsupported("too many paths")
            continue
        except Infeasible:
            continue
        yield run, result
