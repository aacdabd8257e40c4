"""Proves point routines that call the field operations instead of inlining them, as in Embedded Swift on wasm32 and aarch64.

If an operation has a statement, a term replaces each call of the operation (`field_terms.py`). The operands of the call must be the words of known terms.
Arbitrary words, identified by the new term, represent the result. `point_control.py` compares the decisions, stores and calls on every path with the source.
This proof also shows that the statements are about the called functions. On wasm32, the statements find these functions by their symbols (`unsaturated.py`).
For the other fields, this proof runs the drivers with the same contracts, and the result of each driver must be exactly the driver's term.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass

from proofs.domains.polynomial import constant
from proofs.execution.execute import Run
from proofs.execution.routines import entry, replaced_call, words_of
from proofs.ir.corrections import Routine
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven, only
from proofs.statements.points.field_terms import DIFFERENCES, ONE, Term
from proofs.statements.points.point_control import ControlRun
from proofs.statements.points.point_routines import ROUTINES, PointRoutine, source_paths
from proofs.statements.reached import reached
from proofs.statements.unsaturated import SHAPES, WORDS, refuses_each_multiple
from proofs.statements.zero_test import contradicted

# operation -> (a part of its symbol, the widths of its operands in elements, the width of its result)
SYMBOLS = {
    "add": ("1poi", (1, 1), 1), "subtract": ("1soi", (1, 1), 1), "product": ("1moi", (1, 1), 1), "square": ("7squared", (1,), 1), "halve": ("6halved", (1,), 1),
    "fullProduct": ("11fullProduct", (1, 1), 2), "fullSquare": ("10fullSquare", (1,), 2), "reducedDifference": ("17reducedDifference", (2, 2), 1),
}
OF_SIGNED_LIMBS = ("add", "subtract", "product", "square", "halve")
# Helper functions, and function bodies that the compiler merged for two drivers.
HELPERS = ("Tm\"", "JacobianPointV8infinity", "JacobianPointVyACyxGAA06AffineD0V", "UnsaturatedFieldV3one", "UnsaturatedFieldV5words", "LimbArrayPAAE6isZero")


class CallRun(ControlRun):
    inner = 0  # nesting depth of calls of helper functions

    def __init__(self, module, choices, contracts, operations, arrivals):
        super().__init__(module, choices, contracts, operations, arrivals)
        self.shape, self.limbs = operations.shape, operations.limbs

    def words_of(self, term):
        if self.shape and term is ONE and term not in self.symbols:  # the field converts the words of 1 to limbs
            self.symbols[term] = self.made_words(term)
        return super().words_of(term)

    def made_words(self, term):
        if self.shape:  # arbitrary words, also for signed limbs, because the rules of `execute.Run` treat words as unsigned
            width = self.shape.words if term.operation == "plain" else self.limbs
        else:
            width = self.limbs * SYMBOLS.get(term.operation, (0, 0, 1))[2]
        return [self.algebra.input_word(f"{term.operation}{i}") for i in range(width)]

    def term_of(self, words):
        """Returns the term with these words."""
        found = [term for term, its in self.symbols.items() if its == words]
        if len(found) != 1:
            raise Unproven("an operand that is no known number")
        return found[0]

    # Helper functions run with all their instructions

    def call(self, name, arguments):
        if name == self.routine.function.name:
            return super().call(name, arguments)
        if not any(part in name for part in HELPERS):
            raise Unproven("a call of " + name)
        self.inner += 1
        before = len(self.objects)
        try:
            return super().call(name, arguments)
        finally:
            self.inner -= 1
            for made in self.objects[before:]:
                made.end_lifetime()
            del self.objects[before:]

    @property
    def rules(self):
        return Run if self.inner else ControlRun

    def step(self, instruction, environment):
        self.rules.step(self, instruction, environment)

    def operand(self, name, environment, bits=64):
        return self.rules.operand(self, name, environment, bits)

    def next_block(self, function, label, environment, branch):
        return self.rules.next_block(self, function, label, environment, branch)

    def op_call(self, environment, callee, arguments):
        return self.rules.op_call(self, environment, callee, arguments)

    op_store = Run.op_store  # unlike `ControlRun`, computes every stored value, because no long arithmetic is inlined here

    def uncontracted(self, environment, callee, arguments):
        return self.call(callee, [self.operand(name, environment) for _, name in arguments])

    # Decisions in signed-limb fields: the code tests the lowest limb or the plain number

    def asked_term(self, term):
        return term.operands[0] if term.operation == "plain" else term

    def decided_zero(self, term, conditions):
        if not self.shape:
            return super().decided_zero(term, conditions)
        plain = self.symbols.get(Term("plain", term))
        if plain is None:
            ((lowest,),) = self.words_of(term)[0]
            return False if refuses_each_multiple(conditions, self.shape, lowest, 1 << 64) else None
        symbols = [next(iter(word))[0] for word in plain]
        if all(self.algebra.ranges[symbol] == (0, 0) for symbol in symbols):
            return True
        return False if contradicted(conditions, dict.fromkeys(symbols, 0)) else None


class CalledOperations:
    """The field operations of a routine that calls them, for `point_routines.py`."""

    def __init__(self, module, curve, function, statements, shape):
        self.module, self.curve, self.statements, self.shape = module, curve, statements, shape
        self.routine, self.words, self.parts = Routine(function), {}, {}
        self.limbs = shape.limbs if shape else statements["add"].limbs
        self.called = {} if shape else reached(module, list(statements.values()))  # called by the drivers
        self.functions = {self.function(operation).name: operation for operation in (OF_SIGNED_LIMBS if shape else SYMBOLS)}

    def function(self, operation):
        """Finds an operation's function by a part of the symbol. For fields without signed limbs, searches only the functions that the drivers call."""
        part = SYMBOLS[operation][0]
        if self.shape:
            return self.shape.function(self.module, part)
        names = [n for n in self.called if f"FieldV{part}" in n or f"FieldPAAE{part}" in n]
        return self.module.function(only(names, f"functions are {operation} of {self.curve}"))

    def contracts(self):
        found = {name: self.contract(operation) for name, operation in self.functions.items()}
        if self.shape:
            plain = replaced_call([self.limbs], lambda run, element: run.words_of(Term("plain", run.term_of(element))))
            found |= {self.shape.function(self.module, "5plains").name: plain, self.shape.function(self.module, WORDS).name: replaced_call([self.shape.words], self.one)}
        return found

    def contract(self, operation):
        _, widths, _ = SYMBOLS[operation]

        def result_of(run, *operands):
            terms = [run.term_of(words) for words in operands]
            if operation == "fullProduct":  # fullProduct is a method, so self is passed last
                terms.reverse()
            return run.words_of(difference(*terms) if operation == "reducedDifference" else Term(operation, *terms))

        return replaced_call([width * self.limbs for width in widths], result_of)

    def one(self, run, words):
        """The contract of the conversion of 1 from its words in P256Field or P384Field (`unsaturated.py`, *words*)."""
        expected = words_of((1 << 64 * self.shape.words) % self.shape.modulus, self.shape.words)
        if words != [constant(word) for word in expected]:
            raise Unproven("another constant than 1")
        return run.words_of(ONE)

    def require_drivers(self):
        """Requires that the driver of each statement computes the operation's term with the called functions."""
        for operation, statement in self.statements.items() if not self.shape else ():
            function = entry(self.module, statement.name)
            operations = CalledOperations(self.module, self.curve, function, self.statements, None)
            run = CallRun(self.module, (), self.contracts(), operations, {})
            operands = [Term(letter) for letter in "abcd"[: statement.arguments]]
            result = Memory(8 * self.limbs)
            run.call(function.name, [Pointer(result), *(Pointer(run.argument([operand], read_only=True)) for operand in operands)])
            if result.words(self.limbs) != run.words_of(Term(operation, *operands)):
                raise Unproven(f"the driver of {operation}")


def difference(left, right):
    return Term(DIFFERENCES[left.operation, right.operation], *left.operands, *right.operands)


@dataclass
class CalledPointRoutine(PointRoutine):
    """A point routine that calls the field's operations. `shape`: the shape of a signed-limb field, or None."""

    shape: object = None

    @property
    def name(self):
        return f"{self.curve} {self.routine} by calls"

    def assumes(self, name):
        return super().assumes(name) or "FieldV" in name or "MontgomeryFieldPAAE" in name

    def prove(self, module):
        expected, _ = source_paths(self.routine, reduced=bool(self.shape))
        operations = CalledOperations(module, self.curve, self.first(module), self.statements(), self.shape)
        operations.require_drivers()
        self.prove_control(module, operations, expected, CallRun, operations.contracts(), reduced=bool(self.shape))
        return f"{len(expected)} outcomes"


def rows(of_signed_limbs):
    shapes = {shape.name: shape for shape in SHAPES if of_signed_limbs}
    return [CalledPointRoutine(curve, routine, shape=shapes.get(curve)) for curve in ("P256", "P384") for routine in ROUTINES]
