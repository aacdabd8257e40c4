"""What every statement has: a name, a text, the function of the IR that it begins with, and its proof.

A statement holds for a module if `prove` returns. It raises one of `outcomes.REFUSALS` if a step is not proven, or if there is no rule for what the IR has.
"""

from proofs.outcomes import Unproven


class Claim:
    name: str
    text: str
    of = ()  # the routines of the source: `P384Field.squared`
    trusts = ()  # what is assumed besides what every proof assumes (README.md)
    uses = None  # the name of another statement, which stands for a call
    remembered = None  # what `remember` keeps

    def first(self, module):
        """The function that the statement begins with."""
        raise NotImplementedError

    def prove(self, module):
        """What is printed of the proof, in a few words."""
        raise NotImplementedError

    def prove_fully(self, module):
        """The proof with every case, where `prove`, which the mutants run, takes some of them."""
        return self.prove(module)

    def check_numbers(self, module, count):
        """Raises if the statement is false for one of some numbers, on which the same IR is run."""

    def assumes(self, name):
        """Whether a function has a statement of its own, from which the proof takes what it does."""
        return False

    def reads(self, module):
        """Whether the proof reads an instruction: a function of its block's label and of the instruction."""
        return lambda label, instruction: True

    # For the mutants

    def remember(self, module):
        """Keeps what is proven before an instruction is changed."""

    def prove_changed(self, module, label, original):
        """The proof after an instruction, which was `original` and is in the block `label`, has been changed."""
        self.prove(module)


def counted(count):
    """So many paths, in words. A statement of which no path is possible is not proven."""
    if not count:
        raise Unproven("no path is possible")
    return f"{count} path{'s' if count > 1 else ''}"
