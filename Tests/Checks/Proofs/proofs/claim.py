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
    uses = None  # the name of another statement that replaces a call
    remembered = None  # set by `remember`

    def first(self, module):
        """Returns the function where the statement begins."""
        raise NotImplementedError

    def prove(self, module):
        """Proves the statement; returns a short summary to print."""
        raise NotImplementedError

    def prove_fully(self, module):
        """Proves every case; `prove`, which the mutants run, may select some of them."""
        return self.prove(module)

    def check_numbers(self, module, count):
        """Runs the same IR on some numbers; raises if the statement is false for one of them."""

    def assumes(self, name):
        """Whether the proof relies on a separate statement about the function `name` instead of reading its code."""
        return False

    def reads(self, module):
        """Returns a predicate of (block label, instruction): whether the proof reads the instruction."""
        return lambda label, instruction: True

    # For the mutants

    def remember(self, module):
        """Stores proof results for the unchanged code, which `prove_changed` may use."""

    def prove_changed(self, module, label, original):
        """Proves the statement after a change of one instruction in the block `label`; `original` is the unchanged instruction."""
        self.prove(module)


def counted(count):
    """Describes the number of paths; raises if there is none, because then nothing is proven."""
    if not count:
        raise Unproven("no path is possible")
    return f"{count} path{'s' if count > 1 else ''}"
