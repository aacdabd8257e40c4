"""Executes the shipped IR of point doubling and of both point additions on numbers.

`point_routines.py` proves these routines. Here the same executor runs the same IR on numbers. Each resulting coordinate is compared with the affine group law.
It is also compared with the Swift source, which `swift_run.py` executes on numbers mod p. These runs test two trusted parts of the proofs: the instruction
rules and the Swift parser. The operands are numbers below R:

* each special value (around 0, p, R − p and R, and words with all bits set) in each operand, with random other operands;
* random special values in all operands, and the same special value in all operands;
* points of the curve with random Z, whose results are also compared with the affine sum; coordinates x < R − p occur in both stored forms (x and x + p);
* every exceptional case of an addition: P infinite, P = Q, P = −Q, P + Q = −P.

The report counts the instructions that no run reaches. These instructions are second corrections (`addingOnce`, `subtractingOnce`). A run reaches each of them
with a probability of about 2⁻³² or less. For P-384, no run reaches the instructions that compare a difference with p, the second form of zero.
"""

import random
import re

from proofs.domains.polynomial import constant, number, value
from proofs.execution.execute import Run
from proofs.execution.routines import words_of
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven
from proofs.source.point_program import jacobian_program
from proofs.source.swift_run import SwiftRun
from proofs.source.swift_values import Struct
from proofs.statements.curves import CURVES, Element, affine_double, affine_sum
from proofs.statements.points.point_routines import rows

RANDOM_SPECIALS = 40
ONCE = re.compile("addingOnce|subtractingOnce")


class Field:
    """Field elements in the program's form: a·R mod p, represented by any congruent number below R."""

    def __init__(self, curve):
        self.p, self.bits, self.b = CURVES[curve].p, CURVES[curve].bits, CURVES[curve].b
        self.r = 1 << self.bits
        self.inverse_of_r = pow(self.r, -1, self.p)

    def element(self, stored):
        return Element(stored * self.inverse_of_r, self.p)

    def stored(self, element, rng):
        """Returns the stored form x < p of an element or, at random, x + p if x + p < R."""
        small = element.number * self.r % self.p
        return small + self.p if small + self.p < self.r and rng.random() < 0.5 else small

    def small_forms(self, rng):
        """Returns a random element that has two forms below R."""
        return self.element(rng.randrange(self.r - self.p))

    def specials(self):
        p, r = self.p, self.r
        words = {(1 << 64) - 1, 1 << 64, r - (1 << 64), (r - 1) // ((1 << 64) - 1) * ((1 << 32) - 1)}
        return sorted({0, 1, p - 1, p, p + 1, r - 1, r - 2, r - p, r - p - 1, p >> 1, r >> 1} | words)


class Reference:
    """The routines of the Swift source, executed on numbers mod p, which also decide every condition."""

    def __init__(self, field):
        self.program = jacobian_program(one=Element(1, field.p), zero=Element(0, field.p))

    def point(self, routine, P, Q=None):
        """Returns (X, Y, Z) that a routine computes from P and, for the additions, Q."""
        left = Struct("JacobianPoint", **dict(zip("XYZ", P)))
        arguments = [Struct("AffinePoint", x=Q[0], y=Q[1])] if Q else []
        SwiftRun(self.program).call(self.program.functions[routine, ("_",) * len(arguments)], arguments, left)
        return [left[coordinate] for coordinate in "XYZ"]


# The group law on points of the curve

def affine(P):
    return None if not P[2] else (P[0] / P[2] ** 2, P[1] / P[2] ** 3)


def group_sum(A, C):
    """Returns the sum of two points of the curve; None is infinity."""
    if A is None or C is None:
        return C if A is None else A
    if A[0] != C[0]:
        return affine_sum(*A, *C)
    return affine_double(*A, -3) if A[1] == C[1] else None


def expected_point(routine, A, C):
    if routine == "double":
        return group_sum(A, A)
    return group_sum(A if routine == "addVarTime" else group_sum(A, A), C)


class CountingRun(Run):
    STEP_LIMIT = 100_000
    visited = set()

    def step(self, instruction, environment):
        self.visited.add(id(instruction))
        super().step(instruction, environment)


def execute(module, name, field, operands):
    """Runs the routine on X, Y, Z and, for the additions, x and y of Q; returns the resulting X, Y, Z."""
    limbs = field.bits // 64
    words = [constant(word) for x in operands for word in words_of(x, limbs)]
    P, Q = Memory(24 * limbs, words=words[: 3 * limbs]), Memory(16 * limbs, words=words[3 * limbs :], read_only=True)
    CountingRun(module).call(name, [Pointer(Q), Pointer(P)] if len(operands) == 5 else [Pointer(P)])
    left = P.words(3 * limbs)
    return [value(number(left[limbs * k : limbs * (k + 1)])) for k in range(3)]


def chosen(field, count, rng):
    """Yields operands that need not be points of the curve."""
    specials = field.specials()
    for position in range(count):
        for special in specials:
            yield [special if i == position else rng.randrange(field.r) for i in range(count)]
    for special in specials:
        yield [special] * count
    for _ in range(RANDOM_SPECIALS):
        yield [rng.choice(specials) for _ in range(count)]


def curve_point(field, rng):
    while True:
        x = Element(rng.randrange(field.p), field.p)
        square = x * x * x - x * 3 + field.b
        y = square ** ((field.p + 1) // 4)
        if y * y == square:
            return (x, y) if rng.random() < 0.5 else (x, -y)


def jacobian(A, field, rng):
    """Returns the stored X, Y, Z of a point. In about half of the calls, Z has two forms below R."""
    Z = field.small_forms(rng) if rng.random() < 0.5 else Element(rng.randrange(1, field.p), field.p)
    if A is None:
        return [field.stored(Z, rng), field.stored(Z, rng), rng.choice((0, field.p))]
    return [field.stored(c, rng) for c in (A[0] * Z**2, A[1] * Z**3, Z)]


def exceptional(field, rng):
    """Yields a regular pair (P, Q) of points, and pairs with P infinite, P = Q, P = −Q, Q = −2P and Q = 2P. For Q = −2P, 2P + Q is infinite and P + Q = −P."""
    A = curve_point(field, rng)
    minus = (A[0], -A[1])
    double = group_sum(A, A)
    yield A, curve_point(field, rng)
    yield None, A
    yield A, A
    yield A, minus
    yield A, (double[0], -double[1])
    yield A, double


def check(module, name, curve, routine):
    """Returns the number of runs; raises if the result of a run is wrong."""
    field, rng, runs = Field(curve), random.Random(f"{curve} {routine}"), 0
    reference = Reference(field)
    count = 3 if routine == "double" else 5

    def compare(operands):
        elements = [field.element(x) for x in operands]
        wanted = reference.point(routine, elements[:3], elements[3:] or None)
        found = [field.element(x) for x in execute(module, name, field, operands)]
        if found != wanted:
            raise Unproven(f"{curve} {routine} is wrong for " + ", ".join(map(hex, operands)))
        return found

    for operands in chosen(field, count, rng):
        compare(operands)
        runs += 1
    for _ in range(4):
        for A, C in exceptional(field, rng):
            operands = jacobian(A, field, rng) + ([field.stored(c, rng) for c in C] if count == 5 else [])
            if affine(compare(operands)) != expected_point(routine, A, C):
                raise Unproven(f"{curve} {routine} is not the group law for " + ", ".join(map(hex, operands)))
            runs += 1
    return runs


def coverage(function):
    """Returns the number of executed instructions, of all instructions, and of unexecuted instructions outside second corrections."""
    ran = executable = other = 0
    for block in function.blocks.values():
        steps = [i for i in block if i.op not in ("phi", "br", "ret", "unreachable")]
        met = [i for i in steps if id(i) in CountingRun.visited]
        ran, executable = ran + len(met), executable + len(steps)
        if steps and not met and not any(i.op == "call" and ONCE.search(i.args[0]) for i in steps):
            other += len(steps)
    return ran, executable, other


def report(module):
    """Returns the text to print; raises if the result of a run is wrong."""
    lines = []
    for row in rows():
        if row.routine == "addSameX":  # the tests of the additions cover this routine, because the additions call it
            continue
        function = row.first(module)
        count = check(module, function.name, row.curve, row.routine)
        ran, executable, other = coverage(function)
        lines.append(f"{row.name:26} on numbers, against the source's formulas: {count} runs, {ran} of {executable} instructions, "
                     f"of the others {executable - ran - other} in second corrections")
    return "\n".join(lines)
