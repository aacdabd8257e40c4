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
