"""Represents the computations of the source's point routines as terms: operations of the field and their operands.

`swift_run.py` runs the source. A coordinate is a `Term` here, not a number, and the caller decides which terms are 0. The run also records calls, and each
coordinate that a call sets is a new term. This module proves nothing. Trusted: that `swift_run.py` reads the source correctly, and that the table below names
the right operation for each method of the source.
"""

from proofs.source.point_program import jacobian_program
from proofs.source.swift_run import SwiftRun
from proofs.source.swift_values import Struct

COORDINATES = "XYZ"


class Term:
    """A term: an operation with its operands, an operand of the routine, a constant, or a coordinate that a call sets. Equal terms are the same object."""

    known = {}

    def __new__(cls, operation, *operands):
        key = (operation, *operands)
        if key not in cls.known:
            made = super().__new__(cls)
            made.operation, made.operands = key[0], key[1:]
            cls.known[key] = made
        return cls.known[key]

    def __add__(self, other):
        return Term("add", self, other)

    def __sub__(self, other):
        return Term("subtract", self, other)

    def __repr__(self):
        return f"{self.operation}({', '.join(map(str, self.operands))})" if self.operands else self.operation


# method of the source -> proven field operation of Driver.swift. A full product and the following reduction together are a field operation.
METHODS = {"inlineProduct": "product", "inlineSquare": "square", "fullProduct": "fullProduct", "fullSquare": "fullSquare", "halved": "halve"}
REDUCED = {"fullProduct": "product", "fullSquare": "square"}
DIFFERENCES = {("fullProduct", "fullProduct"): "productDifference", ("fullProduct", "fullSquare"): "squareDifference"}

ONE, ZERO = Term("one"), Term("zero")
P = {name: Term(name) for name in COORDINATES}
Q = {name: Term(name) for name in "xy"}


class TermRun(SwiftRun):
    """Runs the source on terms. `is_zero_of` returns whether a term is 0. `reduced`: full products are already reduced (signed limbs)."""

    def __init__(self, program, is_zero_of, reduced):
        super().__init__(program)
        self.is_zero_of, self.calls, self.reduced = is_zero_of, [], reduced

    def is_zero(self, element):
        return self.is_zero_of(element)

    def field_method(self, name, element, *others):
        operation = METHODS[name]
        return Term(REDUCED.get(operation, operation) if self.reduced else operation, element, *others)

    def reduced_difference(self, left, right):
        if self.reduced:
            return left - right
        return Term(DIFFERENCES[left.operation, right.operation], *left.operands, *right.operands)


def called(routine):
    """Returns the contract of a routine, which records the point and the arguments of a call, and sets new coordinates."""

    def contract(run, point, arguments):
        before = tuple(point[name] for name in COORDINATES)
        operands = tuple(term for a in arguments for term in ((a["x"], a["y"]) if isinstance(a, Struct) else (a,)))
        run.calls.append((routine, before, operands))
        for name in COORDINATES:
            point.members[name] = after(len(run.calls), name)

    return contract


def after(call, coordinate):
    return Term(f"{coordinate} after call {call}")


CALLED = {"double": ("addSameX", "doubleAndAddVarTime"), "addVarTime": ("doubleAndAddVarTime",), "addSameX": ("addVarTime",)}


def followed(routine, is_zero_of, reduced=False):
    """Runs a routine on (X : Y : Z) and, if it has an operand, on (x, y) or the term R. Returns (calls, resulting coordinates)."""
    contracts = {name: called(name) for name, callers in CALLED.items() if routine in callers}
    program = jacobian_program(one=ONE, zero=ZERO).with_contracts(**contracts)
    run = TermRun(program, is_zero_of, reduced)
    left = Struct("JacobianPoint", **P)
    arguments = {"double": [], "addSameX": [Term("R")]}.get(routine, [Struct("AffinePoint", **Q)])
    run.call(program.functions[routine, ("_",) * len(arguments)], arguments, left)
    return run.calls, tuple(left[name] for name in COORDINATES)


def operations(terms):
    """Returns the operations in terms. Each operation occurs once, after its operands."""
    found = {}

    def visit(term):
        if term.operands and term not in found:
            for operand in term.operands:
                visit(operand)
            found[term] = None

    for term in terms:
        visit(term)
    return list(found)
