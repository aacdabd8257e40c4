"""Proves from the shipped IR that point doubling and both point additions store the results of the source's formulas.

The proofs hold for all operands. For every path of the source, `field_terms.py` finds the operations that compute each coordinate, the tests for 0, and the
calls. `term_words.py` guesses which values of the IR are words of the terms. `term_slices.py` proves each operation from the words of its operands.
`point_control.py` runs the IR around the operations. By induction over the operations, the stored words are congruent to the results of the formulas, for any
operands below R. `formulas/` proves that the formulas compute the group law. A word is a single value of the IR, so it represents the same term in every use.

A path of the IR is compared with the path of the source that has the same decisions. The proof shows that each decision tests whether its term is 0 mod p.
Every path of the source must occur.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass

from proofs.claim import Claim
from proofs.domains.congruence import prove_paths
from proofs.execution.execute import paths
from proofs.execution.routines import one_function
from proofs.ir.corrections import Routine
from proofs.outcomes import Unproven
from proofs.statements import arithmetic
from proofs.statements.points.field_terms import COORDINATES, P, Q, followed, operations
from proofs.statements.points.point_control import ControlRun, arguments_of, contract
from proofs.statements.points.term_slices import Slices
from proofs.statements.points.term_words import candidates

OPERATIONS = ("add", "subtract", "halve", "product", "square", "productDifference", "squareDifference")
ROUTINES = {"double": "V6double", "addVarTime": "V10addVarTime", "doubleAndAddVarTime": "V19doubleAndAddVarTime", "addSameX": "V8addSameX"}


def point_function(module, curve, routine):
    """Returns the function of JacobianPoint, specialised for a curve."""
    return one_function(module, f"{routine} of {curve}", "JacobianPoint" + ROUTINES[routine], curve + "CurveO")


def source_paths(routine, reduced=False):
    """Returns (the decisions of each path of the source, all terms that are tested, passed to a call or stored)."""
    found, terms, pending = set(), [], [()]
    while pending:
        answers, asked = pending.pop(), []

        def is_zero(term):
            asked.append(term)
            return answers[len(asked) - 1] if len(asked) <= len(answers) else False

        calls, left = followed(routine, is_zero, reduced)
        pending += [answers + (False,) * (i - len(answers)) + (True,) for i in range(len(answers), len(asked))]
        found.add(answers + (False,) * (len(asked) - len(answers)))
        terms += [*asked, *left, *(term for _, before, operands in calls for term in (*before, *operands))]
    return found, list(dict.fromkeys(terms))


@dataclass
class PointRoutine(Claim):
    curve: str
    routine: str
    @property
    def name(self):
        return f"{self.curve} {self.routine}"

    @property
    def of(self):
        return (f"JacobianPoint.{self.routine}",)

    text = "the coordinates that the source's formulas say, of any X, Y, Z, x, y < R"

    def first(self, module):
        return point_function(module, self.curve, self.routine)

    def assumes(self, name):
        """Returns whether a function is a different point routine, which has its own statement."""
        return any(f"JacobianPoint{symbol}" in name for symbol in ROUTINES.values())

    def statements(self):
        prefix = self.curve.lower() + "_"
        return {s.name[len(prefix) :]: s for s in arithmetic.rows() if s.name.startswith(prefix) and s.name[len(prefix) :] in OPERATIONS}

    def slices(self, module, terms):
        found = Slices(module, Routine(self.first(module)), self.statements())
        every = operations(terms)
        if every:
            named = candidates(module, found.routine, found.statements, terms)
            for term in (*P.values(), *Q.values()):
                if term in named:
                    found.operand(term, named[term])
            for term in every:
                if term.operation in found.statements:
                    found.operation(term, named[term])
        return found

    def prove(self, module):
        expected, terms = source_paths(self.routine)
        slices = self.slices(module, terms)
        self.prove_control(module, slices, expected, ControlRun)
        return f"{len(slices.parts)} operations on {slices.paths} paths, {len(expected)} outcomes"

    def prove_control(self, module, slices, expected, run_class, further_contracts=None, reduced=False):
        """Proves that each path of the IR has the same results as the path of the source with the same decisions. Every path of the source must occur."""
        contracts = {point_function(module, self.curve, routine).name: contract(routine) for routine in ROUTINES} | (further_contracts or {})
        met, arrivals = set(), {}

        def prepare(run):
            run.call(slices.routine.function.name, arguments_of(run, self.routine))
            run.settle()
            return ()

        def made(*arguments):
            return run_class(*arguments, slices, arrivals)

        def proof(run):
            decisions = []

            def is_zero(term):
                decisions.append(run.is_zero(term))
                return decisions[-1]

            require_same(run, *followed(self.routine, is_zero, reduced))
            met.add(tuple(decisions))

        prove_paths(paths(module, prepare, contracts, made), proof)
        if met != expected:
            raise Unproven("a path of the source that the IR does not have")

    # For the mutation tests, which repeat the proof of only those parts that contain the changed instruction

    def remember(self, module):
        if self.remembered is None:
            expected, terms = source_paths(self.routine)
            self.remembered = expected, self.slices(module, terms)

    def prove_changed(self, module, label, original):
        expected, before = self.remembered
        slices = Slices(module, Routine(self.first(module)), before.statements)
        slices.words, slices.parts = before.words, dict(before.parts)
        for term, part in before.parts.items():
            if part.reads(label, original):
                slices.prove(term, [name for (name,) in before.words[term]])
        self.prove_control(module, slices, expected, ControlRun)


def require_same(run, calls, left):
    """Requires that a path of the IR makes the source's calls, and stores the source's coordinates."""
    if len(run.calls) != len(calls):
        raise Unproven("the number of calls")
    for (routine, point, operand), (called, before, operands) in zip(run.calls, calls):
        if routine != called or point != words(run, before) or operand != words(run, operands):
            raise Unproven("a call of " + routine)
    if run.point.words(len(COORDINATES) * run.limbs) != words(run, left):
        raise Unproven("the coordinates that are left")


def words(run, terms):
    return [word for term in terms for word in run.words_of(term)]


def rows():
    return [PointRoutine(curve, routine) for curve in ("P256", "P384") for routine in ROUTINES]
