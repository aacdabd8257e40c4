"""How the run of a path, or a proof, ends before its end."""


class Trap(Exception):
    """The path ends in a trap."""


class Unproven(Exception):
    """A promise of the IR (nuw, disjoint …) or of a statement does not follow."""


class Infeasible(Exception):
    """The facts of this path exclude each other: nothing is to prove on it."""


class Undecided(Exception):
    """A condition beyond the list of choices."""


class CannotMerge(Exception):
    """Something on a way between a branch and the block where its ways meet again that only a path of its own can have."""


class Unsupported(Exception):
    """An instruction or a use of one outside of what the prover models."""


class BadAccess(Unsupported):
    """An access to memory that is no whole, aligned word within an object."""


# A step that is not proven, or that has no rule.
REFUSALS = (Unproven, Unsupported, Trap, Undecided, Infeasible, ArithmeticError)

# Besides, what is no longer well-formed: of changed IR, and of another target's.
FAILURES = (*REFUSALS, LookupError, TypeError, ValueError, AttributeError)


def only(found, what):
    """The one element of what was found."""
    if len(found) != 1:
        raise Unsupported(f"{len(found)} {what}")
    return next(iter(found))
