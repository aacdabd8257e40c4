"""Defines the exceptions that end a run or a proof early."""


class Trap(Exception):
    """The path ends in a trap."""


class Unproven(Exception):
    """A promise of the IR (nuw, disjoint …) or a claim of a statement is not shown to hold."""


class Infeasible(Exception):
    """The facts of this path contradict each other, so it needs no proof."""


class Undecided(Exception):
    """A condition needs an outcome, but the list of choices has ended."""


class CannotMerge(Exception):
    """A region between a branch and its join has an effect that needs a separate path."""


class Unsupported(Exception):
    """The prover does not model an instruction, or a particular use of an instruction."""


class BadAccess(Unsupported):
    """A memory access that is not a whole, aligned word within an object."""


# The exceptions for a step that is not proven or has no rule.
REFUSALS = (Unproven, Unsupported, Trap, Undecided, Infeasible, ArithmeticError)

# Also includes the errors that malformed input causes, for example changed IR or the IR of an unsuitable target.
FAILURES = (*REFUSALS, LookupError, TypeError, ValueError, AttributeError)


def only(found, what):
    """Returns the only element of a collection; rejects any other number of elements."""
    if len(found) != 1:
        raise Unsupported(f"{len(found)} {what}")
    return next(iter(found))
