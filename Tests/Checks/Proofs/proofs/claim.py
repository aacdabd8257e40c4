"""Defines the base class of statements: a name, a text, the IR function where the statement begins, and its proof.

A statement holds for a module if `prove` returns. `prove` raises one of `outcomes.REFUSALS` if a step is not proven, or if no rule covers the IR.
"""

from proofs.outcomes import Unproven


class Claim:
    name: str
    text: str
    of = ()  # the routines of the source, for example `P384Field.squared`
    trusts = ()  # assumptions that README.md does not list
    uses = None  # the name of another statement; in this proof, it replaces the calls of its routine
    remembered = None  # set by `remember`

    def first(self, module):
        """Returns the function where the statement begins."""
        raise NotImplementedError

    def prove(self, module):
        """Proves the statement; returns a short summary to print."""
        raise NotImplementedError

    def prove_fully(self, module):
        """Proves every case. The mutation tests call `prove`, which may omit some of the cases."""
        return self.prove(module)

    def check_numbers(self, module, count):
        """Executes the same IR on numbers; raises if the statement is false for one of them."""

    def assumes(self, name):
        """Returns whether the proof relies on another statement about the function `name`, instead of reading the function's code."""
        return False

    def reads(self, module):
        """Returns a predicate on (block label, instruction). It is true if the proof reads the instruction."""
        return lambda label, instruction: True

    # For the mutation tests

    def remember(self, module):
        """Stores results of the proof of the unchanged code, for `prove_changed`."""

    def prove_changed(self, module, label, original):
        """Proves the statement after one instruction in the block `label` changed. `original` is the instruction before the change."""
        self.prove(module)


def counted(count):
    """Describes the number of paths; raises if there is no path, because then nothing is proven."""
    if not count:
        raise Unproven("no path is possible")
    return f"{count} path{'s' if count > 1 else ''}"
