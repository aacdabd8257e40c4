"""Checks the statements about another target. Each statement must be proven, or be in `LEFT_OUT` with a reason."""

import re

from proofs.execution import wide_product
from proofs.outcomes import FAILURES
from proofs.places import TARGETS
from proofs.statements import sha2
from proofs.statements.register import OF_TARGETS, left_out, modules

# Matches uses of this package's stored constants that are not literals. The first use initialises such a constant, so each use tests whether it is initialised.
MADE_LATE = re.compile(r'load atomic [^@\n]*@"(\$e\d+Pure[^"]*)"')


def outcome(module, claim):
    """Returns None if a statement is proven, else the reason why it is not."""
    try:
        claim.prove_fully(module)
    except FAILURES as e:
        return f"{type(e).__name__}: {e}"


def check(target, notices):
    """Returns (faults, text to print). `notices` changes instructions, and returns whether the statement's proof detects a change."""
    read, wrong, counts = modules(TARGETS / target), [], dict.fromkeys(("proven", "left out", "tried"), 0)
    proven = set()
    for number, (name, claim) in enumerate((name, claim) for name, found in OF_TARGETS[target].items() for claim in found):
        why, reason = outcome(read[name], claim), left_out(target, claim)
        if not why and claim.uses and f"{claim.name.split('_')[0]}_{claim.uses}" not in proven:
            why = "what it uses is not proven"
        if bool(why) != bool(reason):
            wrong.append(f"{claim.name}: {why or 'left out, and proven'}")
        elif why:
            counts["left out"] += 1
        else:
            counts["proven"] += 1
            proven.add(claim.name)
            if not claim.uses and number % 4 == 0 or isinstance(claim, (sha2.Row, wide_product.WideProduct)):
                counts["tried"] += 1
                if not notices(read[name], claim, outcome):
                    wrong.append(f"{claim.name}: three changes are not noticed")
    for name, module in read.items():
        for constant in sorted({c for text in module.texts for c in MADE_LATE.findall(text)}):
            wrong.append(f"{name} makes a constant at run time, and asks for it with a lock: {constant}")
    return wrong, f"{counts['proven']} statements proven, {counts['left out']} left out with a reason; changes of {counts['tried']} of them tried"
