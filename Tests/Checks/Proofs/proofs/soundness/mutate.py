"""Tests the proofs by mutation: if any instruction of a routine changes, the proof of the routine's statement must fail.

A mutant changes one instruction. A mutant is rejected if its statement is no longer proven. The report counts four reasons for a rejection separately:

    unproven    a step of the proof fails: the result, a bound, a promise of the IR, a trap
    address     an access is misaligned, overlapping or out of its object
    gave up     the changed IR has no rule or is malformed, so that nothing is proven, but no fault is found either
    too long    the proof takes more than LIMIT seconds of CPU time

A mutant whose statement is still proven is a survivor. A survivor is accepted only as equivalent: a reason in `EQUIVALENT` must apply, and no test value may
contradict the statement (`sample.py`).
"""

import collections
import random
import re
import signal

from proofs.execution import wide_product
from proofs.ir.corrections import is_mark
from proofs.outcomes import FAILURES, BadAccess, Infeasible, Trap, Unproven
from proofs.soundness.changes import mutants
from proofs.soundness.equivalent import reason
from proofs.statements.reached import instructions, reached
from proofs.statements.register import RELEASE

LIMIT = 30

REJECTED = ("unproven", "address", "gave up", "too long")


def places(read):
    """Returns [(module, statement, function name, block label, index)]. Each instruction occurs once, with the first statement that reads the instruction."""
    found, seen = [], set()
    for key, module in read.items():
        for claim in RELEASE[key]:
            for name, (function, _) in reached(module, [claim]).items():
                for label, index, i in instructions(module, claim, function):
                    if id(i) not in seen:
                        seen.add(id(i))
                        found.append((module, claim, name, label, index))
    return found


def every_mutant(read, only=None, change=""):
    """Returns [(place, what is changed, the changed instruction)]. `only`: a statement's name; `change`: a regular expression."""
    found = []
    for place in places(read):
        module, claim, function, label, index = place
        if only in (None, claim.name):
            changed = mutants(module.function(function).blocks[label][index])
            found += [(place, what, mutant) for what, mutant in changed if re.search(change, what)]
    return found


def sampled(every, count, seed):
    return random.Random(seed).sample(every, count) if count < len(every) else every


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong()


def outcome(module, claim, label, original):
    """Returns "proven", or the label in `REJECTED` for the reason why the proof failed."""
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        claim.prove_changed(module, label, original)
        return "proven"
    except TooLong:
        return "too long"
    except BadAccess:
        return "address"
    except (Unproven, Trap, Infeasible):
        return "unproven"
    except FAILURES:  # no rule, or malformed
        return "gave up"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def judged(place, what, mutant):
    """Tests a mutant; returns (the label for the report, the text to print or None)."""
    module, claim, function, label, index = place
    block = module.function(function).blocks[label]
    original = block[index]
    claim.remember(module)
    block[index] = mutant
    try:
        found = outcome(module, claim, label, original)
        if found != "proven":
            return found, None
        contradiction = None
        try:
            claim.check_numbers(module, 100)
        except Exception as e:
            contradiction = f"{type(e).__name__}: {e}"
        why = None if contradiction else reason(claim, function, label, original, what)
        found = "equivalent" if why else "SURVIVED"
        return found, " | ".join((f"{found} {claim.name}", original.text, what, contradiction or why or "no reason"))
    finally:
        block[index] = original


def report(counts, every, seconds):
    labels = [*REJECTED, "equivalent", "SURVIVED"]
    print(f"{'':32}" + "".join(f"{label:>12}" for label in labels))
    total = sum(counts.values(), collections.Counter())
    for name, c in [*counts.items(), ("in all", total)]:
        print(f"{name:32}" + "".join(f"{c[label]:12}" for label in labels))
    print(f"{every} mutants, {sum(total.values())} run, {sum(total[label] for label in REJECTED)} rejected, ", end="")
    print(f"{total['equivalent']} equivalent, {total['SURVIVED']} survived; {seconds:.0f} s")


def notices(module, claim, outcome):
    """Returns whether at least one of up to three changes makes the proof fail. A single change may leave the statement true."""
    found = [
        (function.blocks[label], index, changed) for function, _ in reached(module, [claim]).values()
        if function.name not in wide_product.SYMBOLS or claim in wide_product.ROWS
        for label, index, i in instructions(module, claim, function) if i.op in ("add", "sub", "xor", "and", "or", "icmp", "call", "vector") and not is_mark(i)
        for _, changed in mutants(i)[:1]
    ]
    for block, index, changed in random.Random(1).sample(found, min(3, len(found))):
        original, block[index] = block[index], changed
        try:
            if outcome(module, claim):
                return True
        finally:
            block[index] = original
    return False
