"""Where the ways from a branch meet again: the blocks between, in which nothing is stored and no function called.

`join` answers from the graph of a function alone. Trusted: nothing, for a wrong answer would be a block that some way does not come to, and the run
of that way (`choices.py`) would end there with an error.
"""

PURE_CALLS = ("@llvm.uadd.with.overflow.", "@llvm.usub.with.overflow.")
PURE = {"phi", "br", "extractvalue", "insertvalue", "zext", "sext", "add", "sub", "or", "and", "xor", "icmp", "select", "getelementptr", "load"}


def is_pure(block):
    return all(i.op in PURE or i.op == "call" and i.args[0].startswith(PURE_CALLS) for i in block)


class NoRegion(Exception):
    """A loop."""


def join(function, targets):
    """The first block that every way from the targets comes to, or None."""
    met = {}  # label -> the blocks that every way from there comes to

    def reached(label):
        if label not in met:
            met[label] = None
            block = function.blocks[label]
            following = [reached(target) for target in block[-1].args[1]] if is_pure(block) else []
            met[label] = {label}.union(set.intersection(*following) if following else ())
        if met[label] is None:
            raise NoRegion()
        return met[label]

    try:
        common = set.intersection(*(reached(target) for target in targets))
        return max(common, key=lambda label: len(met[label]), default=None)
    except NoRegion:
        return None
