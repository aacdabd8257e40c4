"""Finds regions. A region consists of the blocks between a branch and the join block, where both arms meet.

The blocks of a region store nothing, and call only the operations in `PURE_CALLS`. To find regions, `join` uses the control-flow graph and the kinds of
instructions. Trusted: nothing. If `join` returned a wrong block, some path would not reach this block. The run of this path (`choices.py`) would end with an
error.
"""

PURE_CALLS = ("@llvm.uadd.with.overflow.", "@llvm.usub.with.overflow.")
PURE = {"phi", "br", "extractvalue", "insertvalue", "zext", "sext", "add", "sub", "or", "and", "xor", "icmp", "select", "getelementptr", "load"}


def is_pure(block):
    return all(i.op in PURE or i.op == "call" and i.args[0].startswith(PURE_CALLS) for i in block)


class NoRegion(Exception):
    """A path from the branch enters a loop."""


def join(function, targets):
    """Returns the first block that every path from the targets reaches, or None."""
    met = {}  # label -> the blocks that every path from this block reaches

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
