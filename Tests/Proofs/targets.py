"""The same proofs for targets that this machine only compiles for: targets.py DIRECTORY [target …]

Embedded Swift is the only form for which the compiler here has these targets' standard library: each module as a
whole, with the drivers of the proofs. A statement that is neither proven nor in LEFT_OUT fails, and so does one in LEFT_OUT that is proven.
Of some proven statements, instructions are changed (`mutate.py`), of which a proof has to notice one in three at least: not all of them matter.
That these are the objects that ship is not compared here.
"""

import pathlib
import random
import re
import subprocess
import sys
import time

import embedded_inversion
import interleaving
import point_calls
import recoding
import sha2
import unsaturated
import wide_product
from changes import mutants
from corrections import is_mark
from ir import Unsupported
from outcomes import Infeasible, Trap, Undecided, Unproven
from prove import prove
from proven import STATEMENTS, instructions, modules, reached
from statements import Statement

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "Sources"

# target -> (the optimisation, for wasm32 that of Sources/Embedded; bits of an address)
TARGETS = {"aarch64-none-none-elf": ("-O", 64), "wasm32-unknown-none-wasm": ("-Osize", 32)}

# (target, statement, why it is not proven): regular expressions
LEFT_OUT = [
    (".*", r"safegcd .*<5> p|safegcd (steps|inverse)<5>", "there is no such function: all moduli have seven limbs in Embedded Swift"),
    (".*", r"interleave .* (point|table|bases)<", "there is no such function: one for each curve has the loop in Embedded Swift, `interleave … whole<5>`"),
    (".*", r"P\d+ (double|addVarTime|doubleAndAddVarTime)$", "the field's operations are not inlined there, but called: `… by calls`"),
    ("wasm32", r"P\d+ addSameX$", "the words of wasm32's fields are other ones: `… by calls`"),
]

# What only a target has: what each has in place of functions that the statements above are of, the product of two words where it has no instruction for it,
# and the fields of wasm32's curves, of signed limbs.
EMBEDDED = embedded_inversion.ROWS + interleaving.embedded_rows()
FURTHER = {
    "aarch64-none-none-elf": {"PureECDSA": EMBEDDED + point_calls.rows(of_signed_limbs=False)},
    "wasm32-unknown-none-wasm": {"PureECDSA": EMBEDDED + wide_product.ROWS + unsaturated.rows() + point_calls.rows(of_signed_limbs=True)},
}

# A stored constant of this package that is no literal: the compiler makes it when it is first asked for, and asks in each place whether it is made.
MADE_LATE = re.compile(r'load atomic [^@\n]*@"(\$e\d+Pure[^"]*)"')

FAILURES = (Unproven, Unsupported, Trap, Undecided, Infeasible, ArithmeticError, LookupError, TypeError, ValueError, AttributeError)


def flags(target):
    """The settings of Package.swift, from which the features are read, and of Sources/Embedded/wasm32-toolset.json."""
    features = re.findall(r'\.enableUpcomingFeature\("(.*)"\)', (HERE.parent.parent / "Package.swift").read_text())
    found = ["-target", target, "-enable-experimental-feature", "Embedded", "-wmo", TARGETS[target][0], "-parse-as-library", "-swift-version", "6"]
    found += ["-strict-memory-safety", "-package-name", "pureattest", "-enforce-exclusivity=unchecked", "-Xfrontend", "-disable-stack-protector"]
    return found + [x for f in features for x in ("-enable-upcoming-feature", f)] + ["-suppress-warnings"]


def compile_module(target, directory, module, *outputs, sources=None):
    sources = sources or sorted((SOURCES / module).rglob("*.swift"))
    subprocess.run(["swiftc", *flags(target), "-module-name", module, "-I", directory, *outputs, *sources], check=True)


def emit(target, directory):
    for module in ("PureBytes", "PureSHA2", "PureDER"):
        compile_module(target, directory, module, "-emit-module", "-o", directory / f"{module}.swiftmodule")
    for module in STATEMENTS:
        (directory / module).mkdir(exist_ok=True)
    compile_module(target, directory, "PureSHA2", "-emit-ir", "-o", directory / "PureSHA2/module.ll")
    joined = directory / "ModularInversion.swift"
    joined.write_text((SOURCES / "PureECDSA/Field/ModularInversion.swift").read_text() + (HERE / "InversionDriver.swift").read_text())
    sources = [s for s in sorted((SOURCES / "PureECDSA").rglob("*.swift")) if s.name != joined.name] + [joined, HERE / "Driver.swift"]
    compile_module(target, directory, "PureECDSA", "-emit-ir", "-o", directory / "PureECDSA/module.ll", sources=sources)


def outcome(module, s, address_bits):
    """None if proven, else why not."""
    try:
        if isinstance(s, Statement):
            prove(module, s)
        elif isinstance(s, sha2.Row):  # whose blocks are taken one by one here
            for blocks in range(4):
                sha2.prove_compression(module, s.sha, blocks, address_bits)
        elif isinstance(s, recoding.Row):
            s.prove(module, 1)  # every case
        else:
            s.prove(module)
    except FAILURES as e:
        return f"{type(e).__name__}: {e}"


def unnoticed(module, s, address_bits):
    """Whether three changes of operations of a proven statement all leave it proven."""
    places = [
        (function.blocks[label], index, what, changed) for function, _ in reached(module, [s]).values() if function.name not in wide_product.SYMBOLS or s in wide_product.ROWS
        for label, index, i in instructions(module, s, function) if i.op in ("add", "sub", "xor", "and", "or", "icmp", "call", "vector") and not is_mark(i)
        for what, changed in mutants(i)[:1]
    ]
    for block, index, _, changed in random.Random(1).sample(places, min(3, len(places))):
        original, block[index] = block[index], changed
        try:
            if outcome(module, s, address_bits):
                return False
        finally:
            block[index] = original
    return True


def check(target, directory):
    """{kind of outcome: number}; prints what is left out, or wrong."""
    directory.mkdir(parents=True, exist_ok=True)
    emit(target, directory)
    read, counts = modules(directory), dict.fromkeys(("proven", "left out", "wrong", "noticed"), 0)
    address_bits, proven = TARGETS[target][1], set()
    every = [(name, s) for name, found in STATEMENTS.items() for s in found + FURTHER.get(target, {}).get(name, [])]
    for number, (name, s) in enumerate(every):
        why = outcome(read[name], s, address_bits)
        if not why and getattr(s, "uses", None) and f"{s.name.split('_')[0]}_{s.uses}" not in proven:
            why = "what it uses is not proven"
        reason = next((r for t, n, r in LEFT_OUT if re.match(t, target) and re.match(n, s.name)), None)
        if bool(why) != bool(reason):
            print(f"{target} {s.name:24} FAILED: {why or 'left out, and proven'}")
            counts["wrong"] += 1
        elif why:
            counts["left out"] += 1
        else:
            counts["proven"] += 1
            proven.add(s.name)
            if not getattr(s, "uses", None) and number % 4 == 0 or isinstance(s, (sha2.Row, wide_product.WideProduct)):
                counts["noticed"] += 1
                if unnoticed(read[name], s, address_bits):
                    print(f"{target} {s.name:24} FAILED: three changes are not noticed")
                    counts["wrong"] += 1
    for name, read_module in read.items():
        for constant in sorted({c for text in read_module.texts for c in MADE_LATE.findall(text)}):
            print(f"{target} FAILED: {name} makes a constant at run time, and asks for it with a lock: {constant}")
            counts["wrong"] += 1
    return counts


def main():
    wrong = 0
    for target in sys.argv[2:] or TARGETS:
        start = time.time()
        counts = check(target, pathlib.Path(sys.argv[1]).resolve() / target)
        wrong += counts["wrong"]
        print(f"{target}: {counts['proven']} statements proven, {counts['left out']} left out with a reason; changes of "
              f"{counts['noticed']} of them tried; {time.time() - start:.0f} s", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
