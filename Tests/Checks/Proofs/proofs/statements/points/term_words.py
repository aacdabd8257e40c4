"""Guesses which IR values of a point routine are the words of its terms, by running the routine on numbers.

The routine runs on random operands. The driver of each field operation (`Driver.swift`) runs on the same words. If the routine inlines an operation, some value
of the routine equals the driver's result word in every run. The proofs do not rely on the guess, because `term_slices.py` and `point_control.py` prove every
value that the guess names. If no value is found, nothing is proven.
"""

import random

from proofs.domains.polynomial import constant, is_constant, value
from proofs.execution import sample
from proofs.execution.execute import Run
from proofs.execution.routines import words_of
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven
from proofs.statements.points.field_terms import P, Q, operations

RUNS = 16


class TracingRun(Run):
    """Records the number that each instruction of a function computes. No instruction runs more than once."""

    STEP_LIMIT = 100_000

    def __init__(self, module, function):
        super().__init__(module)
        self.own = {id(i) for i in function.instructions}
        self.numbers = {}

    def keep(self, instruction, found):
        if id(instruction) in self.own and isinstance(found, dict) and is_constant(found):
            self.numbers[instruction.dest] = value(found)

    def step(self, instruction, environment):
        super().step(instruction, environment)
        if instruction.dest is not None:
            self.keep(instruction, environment[instruction.dest])

    def incoming(self, phi, previous, environment):
        found = super().incoming(phi, previous, environment)
        self.keep(phi, found)
        return found


def traced(module, function, terms, limbs, rng):
    """Runs the function on (X : Y : Z) and, if the terms contain it, (x, y). Returns (number of each value, number of each operand)."""
    points = [point for point in (Q, P) if point is P or any(term in point.values() for term in terms)]
    operands = {term: rng.randrange(1 << 64 * limbs) for point in points for term in point.values()}
    run, arguments = TracingRun(module, function), []
    for point in points:
        words = [constant(word) for term in point.values() for word in words_of(operands[term], limbs)]
        arguments.append(Pointer(Memory(8 * len(words), words=words)))
    run.call(function.name, arguments)
    return run.numbers, operands


def numbers_of(module, statements, terms, operands):
    """Returns the number of each term. The driver of the term's operation computes the number."""
    found = dict(operands)
    for term in terms:
        if term.operation in statements:
            found[term] = sample.run(module, statements[term.operation], [found[operand] for operand in term.operands])[1]
    return found


def candidates(module, routine, statements, terms):
    """Returns {term: for each of its words, the values that may equal the word}, for the routine's operations and operands."""
    limbs, rng, function = statements["add"].limbs, random.Random(1), routine.function
    of_values, of_words = {}, {}
    for _ in range(RUNS):
        numbers, operands = traced(module, function, terms, limbs, rng)
        for name, number in numbers.items():
            of_values.setdefault(name, []).append(number)
        for term, number in numbers_of(module, statements, operations(terms), operands).items():
            for limb, word in enumerate(words_of(number, limbs)):
                of_words.setdefault((term, limb), []).append(word)
    names = {}
    for name, numbers in of_values.items():
        if routine.made[name].op not in ("zext", "trunc"):  # the same number in another width
            names.setdefault(tuple(numbers), []).append(name)
    found = {}
    for (term, limb), numbers in of_words.items():
        found.setdefault(term, []).append(names.get(tuple(numbers), []))
        if not found[term][limb]:
            raise Unproven(f"no value is word {limb} of {term.operation}")
    return found
