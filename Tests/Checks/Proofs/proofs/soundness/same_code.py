"""Checks that the proven IR compiles to the machine code that ships.

This check compiles the IR that `release.py` wrote. Each routine that the proofs read or run must have exactly the same instructions and operands as in the
object files of SwiftPM's release build. If the compiler inlines every call of a routine, the object files contain no separate code of the routine. The check
counts these routines, which are proven only in the drivers.
"""

import functools
import pathlib
import tempfile

from proofs import places
from proofs.build import machine_code, release
from proofs.statements.reached import reached
from proofs.statements.register import RELEASE, modules

# The check fails unless it compares these routines. They cover both curves (`update` for 5 and 7 limbs), SHA-256 and SHA-512.
REQUIRED = {
    "PureECDSA": [
        "FieldV1moi", "FieldV7squared", "FieldV10addingOnce", "FieldV15subtractingOnce", "MontgomeryFieldPAAE2eeoi",
        "MontgomeryFieldPAAE5plain5Plain", "MontgomeryFieldPAAE5plainxSg", "montgomeryProduct", "isLess4than", "ModularInversionV6update", "ModularInversionV7inverse",
        "JacobianPointV6double", "10addVarTime", "19doubleAndAddVarTime",
    ],
    "PureSHA2": ["StateV8compress", "compressGroups", "compressBlock"],
}


class Differs(Exception):
    """The code of the release build differs from the code compiled from the IR."""


def compiled(directory, paths, output):
    """Compiles IR; returns {symbol: instructions}. If a symbol has several definitions, all are included."""
    found = {}
    for path in paths:
        made = machine_code.compile_ir(directory, path, pathlib.Path(output) / (path.name + ".o"))
        gather(found, machine_code.functions(directory, made))
    return found


def gather(found, functions):
    for name, instructions in functions.items():
        found.setdefault(name, []).append(instructions)


@functools.cache
def shipped(module="PureECDSA"):
    """Returns {symbol: instructions} of the release build, and the directory of the compiler's tools."""
    arguments, sources, objects = release.compilation(module)
    directory, found = machine_code.tools(arguments), {}
    for source in sources:
        gather(found, machine_code.functions(directory, objects / (pathlib.Path(source).name + ".o")))
    return found, directory


def compare(symbols, ours, theirs, required):
    """Returns ({symbol with equal code: number of instructions}, symbols that are inlined everywhere); raises if the code of a symbol differs."""
    equal, absent = {}, []
    for symbol in symbols:
        if symbol not in theirs:
            absent.append(symbol)
        elif len(ours.get(symbol, ())) != 1 or len(theirs[symbol]) != 1:
            raise Differs(f"{symbol} is not defined once")
        elif ours[symbol] != theirs[symbol]:
            place = next(i for i, (a, b) in enumerate(zip(ours[symbol][0] + [""], theirs[symbol][0] + [""])) if a != b)
            raise Differs(f"{symbol}, instruction {place}: {(ours[symbol][0] + [''])[place]} | {(theirs[symbol][0] + [''])[place]}")
        elif any("local data" in i for i in ours[symbol][0]):
            raise Differs(f"{symbol} refers to data that is not compared")
        else:
            equal[symbol] = len(ours[symbol][0])
    for part in required:
        if sum(part in symbol for symbol in equal) < 2:
            raise Differs(f"{part} is not among the compared, once for each curve or hash function")
    return equal, absent


def compared(key, module):
    """Returns (the symbols to compare, the IR files that define them)."""
    names = reached(module, RELEASE[key])
    return sorted(name[1:].strip('"') for name in names), sorted({module.paths[module.files[name]] for name in names})


def check(key, module):
    symbols, files = compared(key, module)
    theirs, directory = shipped(key)
    with tempfile.TemporaryDirectory() as output:
        return compare(symbols, compiled(directory, files, output), theirs, REQUIRED[key])


def report():
    """Returns the text to print; raises if a routine differs."""
    lines = []
    for key, module in modules(places.IR).items():
        equal, absent = check(key, module)
        lines += [f"{count:5} instructions equal  {symbol}" for symbol, count in equal.items()]
        lines.append(f"{len(equal)} routines of {key} are instruction by instruction those of the release build; {len(absent)} have no code of their own there")
    return "\n".join(lines)
