"""Proves that a single field operation inlined in a point routine is correct, for all operand words.

The slice contains the operation's instructions: every instruction on which the result depends, back to the operand words. If the result depends on anything
else, the prover rejects it. The slice runs in the order of the routine, without the instructions of other operations in between. The other instructions neither
read nor change anything in the slice. The slice uses no memory, except the `alloca`s of a correction that it calls. The slice must satisfy the statement about
the operation's driver in `arithmetic.py`. Trusted: that a value depends only on the operands of its instruction, and a phi also on the branch before it.
"""

import dataclasses
import itertools

from proofs.domains.congruence import prove_paths
from proofs.execution.execute import Run, paths
from proofs.outcomes import Trap, Unproven, Unsupported

MOST_CHOICES_OF_WORDS = 64


class SliceRun(Run):
    STEP_LIMIT = 100_000

    def run_slice(self, routine, part, environment):
        for label in routine.order:
            if label in routine.sides:
                continue
            if routine.corrections.get(label) in part.corrections:
                self.correct(routine, routine.corrections[label], part, environment)
            self.run_part(routine.function.blocks[label], part, environment)

    def run_part(self, block, part, environment):
        self.block = block
        for i in block:
            if i in part:
                self.step(i, environment)

    def correct(self, routine, correction, part, environment):
        """Decides the branch of a correction, runs the correction if the branch leads there, and sets the phis after the branch."""
        previous = correction.before
        if self.decide(self.operand(correction.condition, environment, 1)) == correction.taken:
            previous = correction.side
            self.run_part(routine.function.blocks[previous], part, environment)
        phis = [i for i in routine.function.phis(correction.meeting) if i.dest in part.values]
        environment.update({i.dest: self.incoming(i, previous, environment) for i in phis})


def over_its_operands(term, statement):
    """Returns (the distinct operands of a term, the term's statement over these operands)."""
    operands = list(dict.fromkeys(term.operands))
    right = tuple((c, tuple(operands.index(term.operands[i]) for i in indices)) for c, indices in statement.right)
    return operands, dataclasses.replace(statement, right=right)


class Slices:
    """The proven operations of a routine, in order. `words`: {term: its words}. A word is a list of names, because several values may equal the word."""

    def __init__(self, module, routine, statements):
        self.module, self.routine, self.statements = module, routine, statements
        self.words = {}
        self.parts = {}  # term -> its slice
        self.paths = 0

    def operand(self, term, names):
        """Records the loads of an operand's words. `point_control.py` shows that the loads return these words."""
        self.words[term] = [[n for n in of_word if self.is_read(n)] for of_word in names]

    def is_read(self, name):
        """Returns whether `point_control.py` checks a value. It checks loads, and phis after a correction."""
        routine = self.routine
        return routine.made[name].op == "load" or routine.made[name].op == "phi" and routine.place[name] in routine.corrections

    def operation(self, term, names):
        """Proves a term: tries names for its words until one choice can be proven. After a correction, the candidates are the correction's phis."""
        phis = [[n for n in of_word if self.routine.made[n].op == "phi"] for of_word in names]
        ordered = [behind[-1:] or of_word[::-1] for behind, of_word in zip(phis, names)]
        why = None
        for chosen in itertools.islice(itertools.product(*ordered), MOST_CHOICES_OF_WORDS):
            try:
                self.prove(term, chosen)
                self.words[term] = [[name] for name in chosen]
                return
            except (Unproven, Unsupported, Trap, ArithmeticError) as e:
                why = why or e
        raise Unproven(f"{term.operation}: {type(why).__name__}: {why}")

    def prove(self, term, result):
        operands, statement = over_its_operands(term, self.statements[term.operation])
        places = {name: (k, i) for k, operand in enumerate(operands) for i, names in enumerate(self.words[operand]) for name in names}
        part = self.routine.slice(result, places)

        def prepare(run):
            inputs = [[run.algebra.input_word(f"{letter}{i}") for i in range(statement.limbs)] for letter, _ in zip("abcd", operands)]
            environment = {name: inputs[k][i] for name, (k, i) in places.items()}
            run.run_slice(self.routine, part, environment)
            return inputs, [run.number(environment[name]) for name in result]

        found = paths(self.module, prepare, run_class=SliceRun)
        self.paths += prove_paths(found, statement.require_result)
        self.parts[term] = part
