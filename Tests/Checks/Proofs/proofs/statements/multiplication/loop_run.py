"""Executes the loop of a double-scalar multiplication. Points are elements of a group, and the run records calls of point routines as events.

A given table of Q's multiples replaces the code that computes the table. `folded` computes the sum from the events of a run.
"""

from proofs.domains.bits import signed
from proofs.execution.execute_bits import BitRun
from proofs.outcomes import Unproven

ROUTINES = {"JacobianPointV6double": "2S", "JacobianPointV10addVarTime": "S + T", "JacobianPointV19doubleAndAddVarTime": "2S + T"}


class LoopRun(BitRun):
    """Records each call of a point routine with its operands, instead of running the routine."""

    STEP_LIMIT = 4_000_000

    def __init__(self, module, table):
        super().__init__(module)
        self.table, self.coordinates, self.events = table, table.coordinates, []
        self.sum = self.memory.allocate(3 * self.coordinates.size)

    def number_at(self, address):
        return self.coordinates.number([self.number(self.memory.load(address + 8 * i, 8)) for i in range(self.coordinates.limbs)])

    def store_words(self, address, words, initial=False):
        for i, word in enumerate(words):
            self.memory.store(address + 8 * i, 8, word, initial=initial)

    def store_points(self, address, points, initial=False):
        for i, coordinate in enumerate(coordinate for point in points for coordinate in point):
            self.store_words(address + self.coordinates.size * i, self.coordinates.limbs_of(coordinate), initial)

    def store_multiples(self, address, initial=False):
        self.store_points(address, self.table.entries, initial)

    def op_call(self, environment, callee, arguments):
        routine = next((meaning for name, meaning in ROUTINES.items() if name in callee), None)
        if routine is not None:
            *operand, place = [self.operand(name, environment) for _, name in arguments]
            if place != self.sum or len(operand) != ("T" in routine):
                raise Unproven("what a point routine is called with")
            point = [self.table.digit(self.number_at(address), self.number_at(address + self.coordinates.size)) for address in operand]
            self.events.append((routine, *point))
            return None
        if "oddMultiples" in callee:
            return self.store_multiples(self.operand(arguments[0][1], environment))
        if "7descend" in callee:  # the arguments are m, count, affineCount, and the span of the points
            values = [self.operand(name, environment) for _, name in arguments]
            if values[:3] != [self.table.shape.count, self.table.shape.parts, self.table.shape.parts]:
                raise Unproven("what descend is called with")
            return self.store_multiples(self.memory.load(values[3], 8))
        return super().op_call(environment, callee, arguments)

    def llvm_smul(self, name, width, left, right):
        exact = signed(self.number(left), width) * signed(self.number(right), width)
        return exact % (1 << width), int(exact != signed(exact % (1 << width), width))

    def op_sdiv(self, environment, width, left, right, flags):
        dividend, divisor = (signed(self.number(self.operand(name, environment, width)), width) for name in (left, right))
        if divisor == 0 or flags:
            raise Unproven("sdiv")
        return (abs(dividend) // abs(divisor) * (1 if (dividend < 0) == (divisor < 0) else -1)) % (1 << width)


def folded(events, weight):
    """Returns the sum that the routines compute, starting from S = 0, as {row: sum of value·2^weight}."""
    total = {}
    for routine, *digit in events:
        if routine.startswith("2S"):
            total = {row: 2 * value for row, value in total.items()}
        for row, value in digit:
            total[row] = total.get(row, 0) + value
    return {row: value << weight(row) for row, value in total.items()}
