"""Defines the base class of statements: a name, a text, the IR function where the statement begins, and its proof.

A statement holds for a module if `prove` returns. `prove` raises one of `outcomes.REFUSALS` if a step is not proven, or
if no rule covers the IR.
"""

from proofs.outcomes import Unproven


class Claim:
    name: str
    text: str
    of = ()  # the routines of the source, for example `P384Field.squared`
    trusts = ()  # assumptions in addition to the list in README.md
    uses = None  # the name of another statement, which replaces calls of its routine
    remembered = None  # set by `remember`

    def first(self, module):
        """Returns the function where the statement begins."""
        raise NotImplementedError

    def prove(self, module):
        """Proves the statement; returns a short summary to print."""
        raise NotImplementedError

    def prove_fully(self, module):
        """Proves every case. `prove`, which the mutation tests call, may select only some of the cases."""
        return self.prove(module)

    def check_numbers(self, module, count):
        """Executes the same IR on some numbers; raises if the statement is false for one of these numbers."""

    def assumes(self, name):
        """Returns whether the proof relies on a separate statement about the function `name`, instead of reading the code of that function."""
        return False

    def reads(self, module):
        """Returns a predicate that tells whether the proof reads an instruction, given (block label, instruction)."""
        return lambda label, instruction: True

    # For the mutation tests

    def remember(self, module):
        """Stores results of the proof of the unchanged code. `prove_changed` may use these results."""

    def prove_changed(self, module, label, original):
        """Proves the statement after a change of one instruction in the block `label`. `original` is the instruction before the change."""
        self.prove(module)


def counted(count):
    """Describes the number of paths; raises if there is none, because then nothing is proven."""
    if not count:
        raise Unproven("no path is possible")
    return f"{count} path{'s' if count > 1 else ''}"
