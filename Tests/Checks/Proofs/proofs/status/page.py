"""Generates the status page, status.md, from the IR, statements and sources, and compares it with the file."""

import subprocess

from proofs import places
from proofs.build.embedded import ADDRESS_BITS
from proofs.statements import register
from proofs.status import functions, trust

PAGE = places.ROOT / "Tests/Checks/Proofs/status.md"
MOST_STATEMENTS = 3  # maximum number of statements listed for a function
# A statement about the concrete type also applies to these generic types of the source.
GENERAL = {"P256Field": ("MontgomeryField", "PrimeField"), "P384Field": ("MontgomeryField", "PrimeField"), "P256Scalar": ("CurveScalar",), "P384Scalar": ("CurveScalar",)}
STATUS = {
    "proven": "proofs read every instruction of it that a verification runs",
    "in part": "proofs read some of its instructions; others are inlined where no proof reads them",
    "driver": "a statement is about it, and proven where a driver calls it; here it is inlined where no proof reads it",
    "formula": "a statement is about its source: an identity, or a run on symbols",
    "tested": "tests only",
    "–": "a verification does not run it there",
}


def base(name):
    """Returns a function's name without its arguments. Initialisers keep their arguments, because they share one name."""
    return name if ".init(" in name else name.split("(")[0].split("<")[0]


def about(claims):
    """Returns {base name of a function: statements about it}."""
    found = {}
    for claim in claims:
        for routine in claim.of:
            kind, _, member = routine.partition(".")
            for name in (kind, *GENERAL.get(kind, ())):
                found.setdefault(base(f"{name}.{member}"), []).append(claim.name)
    return found


def target_statuses(directory, claims):
    """Returns {function: (status, statements)}."""
    found = functions.statuses(register.modules(directory), claims)
    in_drivers, in_sources = about(claim for of_module in claims.values() for claim in of_module), about(register.OF_SOURCES)
    for name, (status, statements) in found.items():
        named = in_drivers.get(base(name), [])
        if status == "tested" and named:
            found[name] = "driver", named
        elif status == "tested" and base(name) in in_sources:
            found[name] = "formula", in_sources[base(name)]
        else:
            found[name] = status, [s for s in named if s in statements] or statements
    return found


def columns():
    found = {"x86-64": target_statuses(places.IR, register.RELEASE)}
    for target in ADDRESS_BITS:
        claims = {key: [c for c in of_module if not register.left_out(target, c)] for key, of_module in register.OF_TARGETS[target].items()}
        found[target.split("-")[0]] = target_statuses(places.TARGETS / target, claims)
    return found


def statements_in(cells):
    names = list(dict.fromkeys(name for _, statements in cells for name in statements))
    more = f" and {len(names) - MOST_STATEMENTS} more" if len(names) > MOST_STATEMENTS else ""
    return ", ".join(f"`{name}`" for name in names[:MOST_STATEMENTS]) + more


def text():
    by_target = columns()
    lines = [
        "# What is proven, function by function", "",
        "For auditors. `Tests/Checks/Proofs/run.sh status --write` writes this page; `run.sh status` fails if it is not what the code says.", "",
        "A function of PureECDSA or PureSHA2 is listed if a verification runs it: if the IR of the target reaches it from `isValidSignature`, from the initialisers of keys and",
        "signatures, or from the hash functions. x86-64 is SwiftPM's release build; aarch64 and wasm32 are Embedded Swift, compiled for the proofs; `Sources/Bindings` runs images with these flags.", "",
        subprocess.run(["swiftc", "--version"], check=True, capture_output=True, text=True).stdout.split("\n")[0] + ".", "",
        "| status | meaning | " + " | ".join(by_target) + " |", "|---|---|" + "---|" * len(by_target),
    ]
    for status, meaning in STATUS.items():
        if status != "–":
            counts = [str(sum(found == status for found, _ in of_target.values())) for of_target in by_target.values()]
            lines.append(f"| {status} | {meaning} | " + " | ".join(counts) + " |")
    lines += ["", "| function | " + " | ".join(by_target) + " | statements |", "|---|" + "---|" * len(by_target) + "---|"]
    for name in sorted({name for of_target in by_target.values() for name in of_target}):
        cells = [of_target.get(name, ("–", [])) for of_target in by_target.values()]
        lines.append(f"| `{name}` | " + " | ".join(status for status, _ in cells) + f" | {statements_in(cells)} |")
    lines += ["", "## Statements about sources", "", "| statement | what it says |", "|---|---|"]
    lines += [f"| `{claim.name}` | {claim.text} |" for claim in register.OF_SOURCES]
    lines += inventory()
    return "\n".join(lines) + "\n"


def inventory():
    every = [claim for of_module in register.RELEASE.values() for claim in of_module] + register.OF_SOURCES
    every += [claim for of_target in register.OF_TARGETS.values() for of_module in of_target.values() for claim in of_module]
    lines = ["", "## What the proofs rest on", "", "### Parts of the provers", "", "| file | trusted |", "|---|---|"]
    lines += [f"| `{path}` | {what} |" for path, what in trust.trusted()]
    lines += ["", "### Assumptions of single statements", "", "| statement | assumes |", "|---|---|"]
    lines += [f"| `{name}` | {what} |" for name, what in trust.assumptions(every)]
    lines += ["", "### `unsafe` expressions of the two modules", "", "| file | line |", "|---|---|"]
    lines += [f"| `{path}` | `{line.replace('|', chr(92) + '|')}` |" for path, line in trust.unsafe_expressions()]
    lines += ["", "### Functions that an attribute keeps from being inlined", "", "| file | function |", "|---|---|"]
    lines += [f"| `{path}` | `{line}` |" for path, line in trust.never_inlined()]
    lines += ["", "### Flags of the compiler", ""]
    lines += [f"- {what}: `{' '.join(found)}`" for what, found in trust.flags().items()]
    return lines


def difference(written):
    """Describes the first line that differs from the file; returns None if all lines are equal."""
    kept = PAGE.read_text().split("\n") if PAGE.exists() else []
    made = written.split("\n")
    for number, (old, new) in enumerate(zip([*kept, *[""] * len(made)], [*made, *[""] * len(kept)]), 1):
        if old != new:
            return f"line {number} is {old!r} and should be {new!r}"
    return None
