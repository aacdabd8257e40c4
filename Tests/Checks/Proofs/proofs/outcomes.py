"""Defines the exceptions that end a run or a proof early."""


class Trap(Exception):
    """The path ends in a trap."""


class Unproven(Exception):
    """The proof does not show that a promise of the IR (nuw, disjoint …) or a claim of a statement holds."""


class Infeasible(Exception):
    """The facts of this path contradict each other, so it needs no proof."""


class Undecided(Exception):
    """A condition needs an outcome, but the list of choices contains no further outcome."""


class CannotMerge(Exception):
    """A region between a branch and the join block has an effect, so its arms need separate paths."""


class Unsupported(Exception):
    """The prover does not model an instruction, or a particular use of an instruction."""


class BadAccess(Unsupported):
    """A memory access that is not to a whole, aligned word within an object."""


# Exceptions that are raised if a step is not proven or has no rule.
REFUSALS = (Unproven, Unsupported, Trap, Undecided, Infeasible, ArithmeticError)

# The exceptions above, and errors that malformed input causes, for example changed IR or IR of an unsuitable target.
FAILURES = (*REFUSALS, LookupError, TypeError, ValueError, AttributeError)


def only(found, what):
    """Returns the only element of a collection. Rejects a collection with no or several elements."""
    if len(found) != 1:
        raise Unsupported(f"{len(found)} {what}")
    return next(iter(found))
