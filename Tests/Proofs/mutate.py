"""Tests the prover: every mutant of every routine must be rejected.

    mutate.py DIRECTORY                      every mutant (hours)
    mutate.py DIRECTORY --sample N --seed S  N of them
    mutate.py DIRECTORY --only p256_add
    mutate.py DIRECTORY --change 'index|half a word'   those whose change matches: here, of addresses

A mutant changes one instruction. It is rejected if its statement is no longer proven, for one of four reasons that are counted apart:

    unproven    a step of the proof fails: the result, a bound, a promise of the IR, a trap
    address     an access is misaligned, overlapping or out of its object
    gave up     the changed IR has no rule, or is no longer well-formed: nothing is found, only nothing proven
    too long    the proof takes more than LIMIT seconds of CPU time

A mutant that is still proven is a survivor. It is accepted only as equivalent: a reason of `EQUIVALENT` must apply to it, and numbers
must not contradict its statement (`sample.py`).
"""

import argparse
import collections
import random
import re
import signal
import sys
import time

from changes import mutants
from equivalent import reason
from ir import Unsupported
from outcomes import Infeasible, Trap, Undecided, Unproven
from prove import prove
from proven import STATEMENTS, instructions, modules, reached
from reading import BadAccess
from sample import sample
from statements import Statement

LIMIT = 30

REJECTED = ("unproven", "address", "gave up", "too long")


def places(read):
    """[(module, statement, function name, block label, index)]: every instruction once, under the first statement that reads it."""
    found, seen = [], set()
    for key, module in read.items():
        for s in STATEMENTS[key]:
            for name, (function, _) in reached(module, [s]).items():
                for label, index, i in instructions(module, s, function):
                    if id(i) not in seen:
                        seen.add(id(i))
                        found.append((module, s, name, label, index))
    return found


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong()


def outcome(module, s, label, original):
    """"proven", or why not: a label of `REJECTED`."""
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        if hasattr(s, "prove_changed"):
            s.prove_changed(module, label, original)
        else:
            prove(module, s) if isinstance(s, Statement) else s.prove(module)
        return "proven"
    except TooLong:
        return "too long"
    except BadAccess:
        return "address"
    except (Unproven, Trap, Infeasible):
        return "unproven"
    except (Unsupported, Undecided):
        return "gave up"
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):  # what is no longer well-formed
        return "gave up"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def report(counts, every, seconds):
    """A line a routine, then the sums."""
    labels = [*REJECTED, "equivalent", "SURVIVED"]
    print(f"{'':32}" + "".join(f"{label:>12}" for label in labels))
    total = sum(counts.values(), collections.Counter())
    for name, c in [*counts.items(), ("in all", total)]:
        print(f"{name:32}" + "".join(f"{c[label]:12}" for label in labels))
    print(f"{every} mutants, {sum(total.values())} run, {sum(total[label] for label in REJECTED)} rejected, ", end="")
    print(f"{total['equivalent']} equivalent, {total['SURVIVED']} survived; {seconds:.0f} s")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("ir")
    arguments.add_argument("--sample", type=int)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only")
    arguments.add_argument("--change", default="", help="a regular expression for what is changed")
    arguments.add_argument("--part", help="i/n: every n-th mutant, from the i-th")
    options = arguments.parse_args()

    every = []
    for module, s, function, label, index in places(modules(options.ir)):
        if options.only in (None, s.name):
            block = module.function(function).blocks[label]
            every += [(module, s, block, index, what, mutant, function, label) for what, mutant in mutants(block[index]) if re.search(options.change, what)]
    chosen = every
    if options.sample is not None and options.sample < len(every):
        chosen = random.Random(options.seed).sample(every, options.sample)
    if options.part:
        part, parts = map(int, options.part.split("/"))
        chosen = chosen[part::parts]
    if not chosen:
        arguments.error("no mutant is chosen")

    start = time.time()
    counts = {}  # routine -> outcome -> number
    for count, (module, s, block, index, what, mutant, function, place) in enumerate(chosen):
        if count % 500 == 499:
            print(f"{count + 1} of {len(chosen)}, {time.time() - start:.0f} s", flush=True)
        original = block[index]
        if hasattr(s, "remember"):
            s.remember(module)
        block[index] = mutant
        try:
            label = outcome(module, s, place, original)
            if label == "proven":
                contradiction = None
                try:
                    if isinstance(s, Statement):
                        sample(module, s, 100)
                except Exception as e:
                    contradiction = f"{type(e).__name__}: {e}"
                why = None if contradiction else reason(s, function, place, original, what)
                label = "equivalent" if why else "SURVIVED"
                print(label, s.name, "|", original.text, "|", what, "|", contradiction or why or "no reason", flush=True)
            counts.setdefault(s.name, collections.Counter())[label] += 1
        finally:
            block[index] = original
    report(counts, len(every), time.time() - start)
    sys.exit(1 if any(c["SURVIVED"] for c in counts.values()) else 0)


if __name__ == "__main__":
    main()
