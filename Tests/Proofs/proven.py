"""Which functions of the IR the proofs rest on."""

from inversion import rows
from prove import entry, montgomery_product
from statements import Statement, statements


def routines(module):
    """(statement, the function that it begins with)"""
    for s in statements() + rows():
        if not isinstance(s, Statement):
            yield s, entry(module, s.function)
        else:
            yield s, montgomery_product(module, s) if s.name.endswith("montgomeryProduct") else entry(module, s.name)


def reached(module):
    """{name: (function, the first statement that reaches it)}"""
    found = {}
    for s, first in routines(module):
        stack = [first]
        while stack:
            function = stack.pop()
            if function.name in found:
                continue
            found[function.name] = (function, s)
            for block in function.blocks.values():
                for i in block:
                    if i.op == "call":
                        names = [i.args[0]] + [v for _, v in i.args[1]]
                        stack += [module.function(n) for n in names if n in module.sources]
    return found


def point_routines(module):
    """{name: (curve, routine)}: doubling and both additions, of each curve, as they ship, and what they do for points of one x."""
    found = {}
    for routine in ("6double", "10addVarTime", "19doubleAndAddVarTime", "8addSameX"):
        for curve in ("P256", "P384"):
            names = [n for n in module.sources if f"JacobianPointV{routine}" in n and f"{curve}CurveO" in n]
            if len(names) != 1:
                raise SystemExit(f"{len(names)} functions are {routine} of {curve}: {names}")
            found[names[0]] = (curve, routine.lstrip("0123456789"))
    return found
