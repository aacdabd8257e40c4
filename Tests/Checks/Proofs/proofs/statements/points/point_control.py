"""Runs the IR of a point routine around the operations that `term_slices.py` has proven: branches, stores and calls.

Arbitrary words, identified by the term of the operation, represent the result of a proven operation. The operands in memory are represented in the same way. On
every path, the run executes the instructions whose values reach memory, and the instructions on which a branch, an address or a call depends. The run skips a
branch around a correction, because the branch is proven with the corrected operation. The phis after such a branch are words of the operation's result, or have
the same value on both arms. All other instructions have no value, and the proof fails if it needs such a value.

At a join block, the run forgets the facts about words that follow from the branches. It keeps only the decisions about which terms are 0. All paths that arrive
with the same decisions, memory, values and calls continue as a single run, which assumes no other facts. This run covers all states that can occur, and
possibly more. Trusted: that instructions that are not run have no effect; their kind is checked (`WITHOUT_EFFECT`).
"""

from types import SimpleNamespace

from proofs.domains.algebra import Algebra
from proofs.domains.polynomial import constant, is_constant, symbols_of, value
from proofs.execution.conditions import Comparison
from proofs.execution.execute import Run
from proofs.execution.routines import read, words_of, write
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Infeasible, Unproven
from proofs.statements.points.field_terms import COORDINATES, P, Q, Term, after
from proofs.statements.zero_test import contradicted

WITHOUT_EFFECT = {
    "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "zext", "sext", "trunc", "icmp", "select", "extractvalue", "insertvalue", "freeze", "nop",
    "getelementptr",
}
PURE_CALLS = ("@llvm.uadd.with.overflow.", "@llvm.usub.with.overflow.", "@llvm.fshl.")

FAR = 1 << 4096  # the bound of a symbol without a known bound


NO_VALUE = object()  # the value of an instruction that was not run


def has_no_effect(instruction):
    return instruction.op in WITHOUT_EFFECT or instruction.op == "call" and instruction.args[0].startswith(PURE_CALLS)


def forgetting(before):
    """Returns an algebra without the facts of `before`. Old symbol numbers stay reserved, so old values are not words of the new algebra."""
    made = Algebra()
    for _ in before.names:
        made.symbol("forgotten", -FAR, FAR)
    return made


class ControlRun(Run):
    STEP_LIMIT = 1_000_000

    def __init__(self, module, choices, contracts, slices, arrivals):
        super().__init__(module, choices, contracts)
        self.routine, self.arrivals = slices.routine, arrivals
        self.limbs, self.modulus = slices.statements["add"].limbs, slices.statements["add"].modulus
        self.place_of = {name: (term, i) for term, words in slices.words.items() for i, names in enumerate(words) for name in names}
        self.corrections = {correction for part in slices.parts.values() for correction in part.corrections}
        self.symbols = {}  # term -> its words
        self.calls, self.trace = [], ()  # the trace: labels of blocks that store, call, or begin or end a lifetime
        self.objects, self.arguments = [], []
        self.side = False  # whether the run is in the block of a correction
        self.decided, self.since = {}, 0  # term -> whether the term is 0; the conditions before index `since` are forgotten

    def words_of(self, term):
        if term not in self.symbols:
            if term.operation in ("one", "zero"):
                number = (1 << 64 * self.limbs) % self.modulus if term.operation == "one" else 0
                self.symbols[term] = [constant(word) for word in words_of(number, self.limbs)]
            else:
                self.symbols[term] = self.made_words(term)
        return self.symbols[term]

    def made_words(self, term):
        return [self.algebra.input_word(f"{term.operation}{i}") for i in range(self.limbs)]

    def argument(self, terms, read_only=False):
        words = [word for term in terms for word in self.words_of(term)]
        made = Memory(8 * len(words), words=words, read_only=read_only)
        self.arguments.append(made)
        self.objects.append(made)
        return made

    # Values, which are computed only when they are needed

    def operand(self, name, environment, bits=64):
        if name[0] == "%" and name not in environment:
            return self.asked(name, environment)
        return super().operand(name, environment, bits)

    def asked(self, name, environment):
        if name in self.place_of and self.place_of[name][0].operands:
            term, limb = self.place_of[name]
            return self.words_of(term)[limb]
        instruction = self.routine.made.get(name)
        if instruction is None or not has_no_effect(instruction):
            return NO_VALUE
        self.block = self.routine.function.blocks[self.routine.place[name]]
        super().step(instruction, environment)
        return environment[name]

    def decide(self, condition):
        if not isinstance(condition, (dict, Comparison)):
            raise Unproven("a decision by what was not run")
        return super().decide(condition)

    def step(self, instruction, environment):
        if has_no_effect(instruction):
            return
        super().step(instruction, environment)
        name = instruction.dest
        if name in self.place_of:
            if self.place_of[name][0].operands:
                raise Unproven("a result that is read from memory")
            self.require_word(name, environment[name])

    def require_word(self, name, found):
        """Requires that a value is the word of an operand that `term_slices.py` assumed."""
        term, limb = self.place_of[name]
        if found is NO_VALUE or found != self.words_of(term)[limb]:
            raise Unproven(f"what is read as word {limb} of {term.operation}")

    def op_alloca(self, environment, *arguments):
        made = super().op_alloca(environment, *arguments)
        self.objects.append(made.memory)
        return made

    def op_store(self, environment, kind, source, pointer, alignment):
        is_known = source[0] != "%" or source in environment or source in self.place_of
        stored = self.operand(source, environment) if is_known and not self.side else NO_VALUE
        self.store(self.operand(pointer, environment), kind, stored, alignment)

    def store(self, pointer, kind, stored, alignment=1):
        if not isinstance(pointer, Pointer) or self.side and pointer.memory in self.arguments:
            raise Unproven("a store whose object is not known, or to an argument in a correction")
        super().store(pointer, kind, stored, alignment)

    # Branches around corrections, and join blocks

    def next_block(self, function, label, environment, branch):
        if any(i.op == "store" or i.op == "call" and not has_no_effect(i) for i in function.blocks[label]):
            self.trace += (label,)
        correction = self.routine.by_branch.get(label)
        if correction is None:
            following = super().next_block(function, label, environment, branch)
            if len(self.routine.before[following[0]]) > 1:
                self.meet(following[0], environment)
            return following
        if correction not in self.corrections:
            raise Unproven("a correction of nothing that is proven")
        self.trace += (correction.side,)
        self.side = True
        for i in function.blocks[correction.side][:-1]:
            self.step(i, environment)
        self.side = False
        return correction.meeting, {i.dest: self.met_value(i, environment) for i in function.phis(correction.meeting)}

    def merged(self, *_):
        """Never merges the arms of a branch. Merged arms would reach a join block and forget facts inside the branch. So every branch is decided."""
        return None

    def met_value(self, phi, environment):
        if phi.dest in self.place_of and self.place_of[phi.dest][0].operands:
            return self.asked(phi.dest, environment)
        ways = [environment.get(name, NO_VALUE) for name, _ in phi.args[1]]
        same = ways[0] if isinstance(ways[0], dict) and ways[0] == ways[1] else NO_VALUE
        if phi.dest in self.place_of:
            self.require_word(phi.dest, same)
        return same

    def meet(self, label, environment):
        """Forgets the path to a join block, except for its decisions. Ends the run if another path already arrived with the same state."""
        if self.routine.function.phis(label):
            raise Unproven("values that are chosen where ways meet")
        self.settle()
        self.since, self.excluded, self.unreduced, before, self.symbols = len(self.made), {}, {}, self.symbols, {}
        self.algebra = forgetting(self.algebra)
        renewed = {next(iter(old)): new for term, words in before.items() for old, new in zip(words, self.words_of(term)) if old and () not in old}
        for memory in self.objects:
            memory.cells = {offset: (kind, self.kept(found, renewed)) for offset, (kind, found) in memory.cells.items()}
        self.calls = [(routine, *([self.kept(word, renewed) for word in part] for part in parts)) for routine, *parts in self.calls]
        for name, found in list(environment.items()):
            made = self.routine.made.get(name)
            if made and (has_no_effect(made) or self.routine.place[name] not in self.routine.dominators[label]):
                del environment[name]  # can be computed again, or is not defined on every path to this block
            else:
                environment[name] = self.kept(found, renewed)
        way = tuple(outcome for _, outcome in self.made)
        if self.arrivals.setdefault((label, frozenset(self.decided.items()), self.trace, self.state(environment)), way) != way:
            raise Infeasible()

    def state(self, environment):
        """Returns everything on which the rest of the run depends, with terms for words. Decisions are not enough: a path may select a value without a
        branch.
        """
        names = {monomial: (term, i) for term, words in self.symbols.items() for i, word in enumerate(words) for monomial in word if monomial}

        def named(found):
            if isinstance(found, Pointer):
                return [memory is found.memory for memory in self.objects].index(True), found.offset
            if isinstance(found, tuple):
                return tuple(map(named, found))
            if isinstance(found, dict):
                return value(found) if is_constant(found) else names[next(iter(found))]
            return found

        cells = tuple((m.alive, frozenset((offset, kind, named(found)) for offset, (kind, found) in m.cells.items())) for m in self.objects)
        calls = tuple((routine, *(tuple(map(named, part)) for part in parts)) for routine, *parts in self.calls)
        return cells, calls, frozenset((name, named(found)) for name, found in environment.items())

    @staticmethod
    def kept(found, renewed):
        if found is NO_VALUE or found is None or isinstance(found, Pointer):
            return found
        if isinstance(found, tuple):
            return tuple(ControlRun.kept(element, renewed) for element in found)
        if not isinstance(found, dict):
            raise Unproven("a value that is no word, where ways meet")
        if is_constant(found):
            return found
        ((monomial, coefficient),) = found.items()
        if coefficient != 1 or monomial not in renewed:
            raise Unproven("a value in memory that is no word of a term")
        return renewed[monomial]

    def settle(self):
        """Decides whether each term in the conditions since the last join block is 0."""
        asked = {s for (_, *operands), _ in self.made[self.since :] for polynomial in operands for s in self.origins(polynomial)}
        for term, words in list(self.symbols.items()):
            if asked & {s for word in words for s in symbols_of(word)}:
                self.decided[self.asked_term(term)] = self.is_zero(self.asked_term(term))

    def asked_term(self, term):
        """Returns the term that the code tests for 0 when a condition uses the words of `term`."""
        return term

    def origins(self, polynomial):
        """Returns the symbols in a polynomial, and in the values from which its parts were cut."""
        found, waiting = set(), list(symbols_of(polynomial))
        while waiting:
            symbol = waiting.pop()
            if symbol not in found:
                found.add(symbol)
                cut = self.algebra.cut[symbol]
                waiting += symbols_of(cut if self.algebra.kind[symbol] == "sum" else cut[0]) if cut else ()
        return found

    def op_call(self, environment, callee, arguments):
        if callee.startswith("@llvm."):
            if self.side:  # the call would change memory on only one of the two arms
                raise Unproven("a call in a correction: " + callee)
            return super().op_call(environment, callee, arguments)
        if self.side:
            return self.corrected([self.operand(name, environment) for kind, name in arguments if kind == "ptr"])
        if callee[0] == "%":
            callee = self.operand(callee, environment).name
        if callee not in self.contracts:
            return self.uncontracted(environment, callee, arguments)
        return self.contracts[callee](self, [self.operand(name, environment) for _, name in arguments])

    def uncontracted(self, environment, callee, arguments):
        raise Unproven("a call of " + callee)

    def corrected(self, pointers):
        """Forgets the content of the objects whose addresses a correction receives, because the correction may write there. The operation's proof runs it."""
        if len({id(pointer.memory) for pointer in pointers}) < len(pointers):
            raise Unproven("a correction that is given one object twice")
        for pointer in pointers:
            if pointer.memory in self.arguments:
                raise Unproven("a correction that is given an argument's address")
            for offset in range(0, pointer.memory.size, 8):
                pointer.memory.store(offset, "i64", NO_VALUE)
        return NO_VALUE

    def is_zero(self, term):
        """Returns whether a term ≡ 0 mod p. An earlier decision, or the conditions since the last join block, must decide this."""
        if term not in self.decided:
            found = self.decided_zero(term, SimpleNamespace(algebra=self.algebra, made=self.made[self.since :]))
            if found is None:
                raise Unproven(f"a decision by other than whether {term.operation} is 0")
            return found
        return self.decided[term]

    def decided_zero(self, term, conditions):
        """Returns True if the words are shown to be 0 or p, False if they are shown to be neither, otherwise None."""
        zeros = [words_of(number, self.limbs) for number in (0, self.modulus)]
        symbols = [next(iter(word))[0] for word in self.words_of(term)]
        ranges = [self.algebra.ranges[symbol] for symbol in symbols]
        if any(all(words == (word, word) for words, word in zip(ranges, zero)) for zero in zeros):
            return True
        return False if all(contradicted(conditions, dict(zip(symbols, zero))) for zero in zeros) else None


def contract(routine):
    """Returns the contract of a point routine, which records the point and the operand, and sets new coordinates."""

    def call(run, values):
        *operand, point = values
        if not isinstance(point, Pointer) or point.memory is not run.point or point.offset:
            raise Unproven("the point that is called with")
        run.calls.append((routine, run.point.words(3 * run.limbs), operand_of(run, routine, operand)))
        terms = [after(len(run.calls), name) for name in COORDINATES]
        write(run, point, [word for term in terms for word in run.words_of(term)])

    return call


def operand_of(run, routine, values):
    if routine == "double":
        return []
    if routine == "addVarTime":  # the words of (x, y)
        (second,) = values
        return read(run, second, 2 * run.limbs)
    if isinstance(values[0], Pointer):
        return read(run, values[0], run.limbs)
    return list(values)


def arguments_of(run, routine):
    """Returns the routine's arguments: the operand (R, or the address of (x, y)) if the routine has an operand, and the address of (X : Y : Z)."""
    run.point = run.argument(P.values())
    if routine == "double":
        return [Pointer(run.point)]
    if routine == "addSameX" and len(run.routine.function.parameters) > 2:
        return [*run.words_of(Term("R")), Pointer(run.point)]
    return [Pointer(run.argument([Term("R")] if routine == "addSameX" else Q.values(), read_only=True)), Pointer(run.point)]
