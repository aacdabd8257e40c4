"""Runs part of an IR function, for example one iteration of a loop. Polynomials that are congruent to the words represent the words.

A run ends at a stop block, at the return, or at a branch that tests whether words are all 0. The proof decides such a branch (`Question`).
"""

from proofs.domains.polynomial import add, constant, is_constant, value
from proofs.execution.conditions import AnyBit
from proofs.execution.execute import Run
from proofs.execution.execute_signed import LimbRun
from proofs.outcomes import Unproven, Unsupported


class Question:
    """The condition of a branch: whether all of the words are 0."""

    def __init__(self, parts):
        self.parts = parts


class Following:
    STEP_LIMIT = 100_000

    def follow(self, function, environment, label, previous, stops=()):
        """Returns (next block, preceding block). After the return, the next block is None. At a `Question`, returns ((Question, target if true, target if
        false), the block of the branch).
        """
        first = True
        while first or label not in stops:
            first, last = False, self.run_block(function.blocks[label], previous, environment)
            previous = label
            if last.op == "ret":
                return None, label
            if last.op == "switch":
                label = self.case(environment, *last.args)
                continue
            condition, targets = last.args
            answer = self.operand(condition, environment, 1) if condition else 1
            if isinstance(answer, Question):
                return (answer, *targets), label
            label = targets[0 if condition is None or self.decide(answer) else 1]
        return label, previous


class UnsignedSegment(Following, Run):
    """Runs unsigned code, such as field arithmetic."""


class Segment(Following, LimbRun):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.called = {}  # a part of a callee's name -> the replacement of its calls
        self.given = {}  # name of an instruction that another proof covers -> the proven value, or None if the code must not use it
        self.cases = []  # for each switch: (signed word, case or None, result of `before_case`)
        self.before_case = lambda: None

    def step(self, instruction, environment):
        if instruction.dest not in self.given:
            super().step(instruction, environment)
            return
        number = self.given[instruction.dest]
        environment[instruction.dest] = None if number is None else constant(number)

    def case(self, environment, bits, name, default, cases):
        found = self.before_case()
        x = self.signed(self.unsigned_value(self.operand(name, environment, bits), bits), bits)
        for number, label in cases:
            if self._choose(("case", x, number)):
                environment[name] = constant(int(number))
                self.cases.append((x, int(number), found))
                return label
        self.cases.append((x, None, found))
        return default

    def op_icmp(self, environment, predicate, bits, a, b, flags):
        x, y = self.operand(a, environment, bits), self.operand(b, environment, bits)
        if isinstance(x, AnyBit) or predicate == "eq" and bits == 64 and b == "0" and not is_constant(x):
            if predicate != "eq" or not is_constant(y) or value(y):
                raise Unsupported("a use of an `or`")
            return Question(x.parts if isinstance(x, AnyBit) else [x])
        return super().op_icmp(environment, predicate, bits, a, b, flags)

    def op_call(self, environment, callee, arguments):
        stand_in = next((stand_in for part, stand_in in self.called.items() if part in callee), None)
        if stand_in is not None:
            return stand_in([self.operand(v, environment) for _, v in arguments])
        if callee.startswith("@llvm.vector.reduce.or"):
            parts = [part for part in self.operand(arguments[0][1], environment) if not is_constant(part) or value(part)]
            return AnyBit(parts) if len(parts) > 1 else parts[0] if parts else constant(0)
        return super().op_call(environment, callee, arguments)

    def llvm_sadd_with_overflow(self, bits, left, right):
        if not (is_constant(left) and is_constant(right)):
            raise Unsupported("a sum of data")
        exact = add(self.signed(left, bits), self.signed(right, bits))
        self.require_signed(exact, bits, "sadd")
        return constant(value(exact) % (1 << bits)), constant(0)
