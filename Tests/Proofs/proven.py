"""What is proven, of which module, and which functions of the IR the proofs rest on."""

import pathlib

import digest
import interleaving
import inverse
import inversion
import point_routines
import recoding
import sha2
from ir import Module
from routines import entry, montgomery_product
from statements import Statement, statements

STATEMENTS = {
    "PureECDSA": statements() + digest.rows() + recoding.rows() + interleaving.rows() + inversion.rows() + inverse.rows()
    + point_routines.rows(),
    "PureSHA2": sha2.rows(),
}


def modules(directory):
    """{name: the module} of what `release.py` wrote."""
    return {name: Module.read(pathlib.Path(directory) / name) for name in STATEMENTS}


def first(module, s):
    """The function that a statement begins with."""
    if not isinstance(s, Statement):
        return s.first(module)
    return montgomery_product(module, s) if s.name.endswith("montgomeryProduct") else entry(module, s.name)


def instructions(module, s, function):
    """(label, index, instruction) of what the proof of a statement reads of a function that it reaches: all of it, but for the division steps."""
    reads = s.reads(module) if hasattr(s, "reads") else lambda label, i: True
    return [(label, n, i) for label, block in function.blocks.items() for n, i in enumerate(block) if reads(label, i)]


def reached(module, chosen):
    """{name: (function, the first of the chosen statements that reaches it)}"""
    found = {}
    for s in chosen:
        assumes = getattr(s, "assumes", lambda name: False)  # what a proof takes from other statements
        stack = [first(module, s)]
        while stack:
            function = stack.pop()
            if function.name in found:
                continue
            found[function.name] = (function, s)
            for _, _, i in instructions(module, s, function):
                if i.op == "call":
                    names = [i.args[0]] + [v for _, v in i.args[1]]
                    stack += [module.function(n) for n in names if n in module.sources and not assumes(n)]
    return found
