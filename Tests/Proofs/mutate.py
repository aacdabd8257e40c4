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

from ir import Instruction, Unsupported
from outcomes import Infeasible, Trap, Undecided, Unproven
from prove import prove
from proven import STATEMENTS, instructions, modules, reached
from reading import BadAccess
from sample import sample
from statements import Statement

LIMIT = 30

REJECTED = ("unproven", "address", "gave up", "too long")

OPPOSITES = {"add": "sub", "sub": "add", "mul": "add", "and": "or", "or": "and", "xor": "or", "shl": "lshr", "lshr": "shl"}
PREDICATES = {"eq": ["ne", "ult"], "ne": ["eq"], "ult": ["ule", "ugt"], "ugt": ["uge", "ult"], "slt": ["sge"], "sgt": ["sle"]}


def is_number(v):
    return v.lstrip("-").isdigit()


def mutants(i):
    """[(description, Instruction)]"""
    a = i.args
    found = []

    def made(what, *args, op=i.op):
        if (op, args[:3]) != (i.op, i.args[:3]) or args[3:] != i.args[3:] and args[3:] != ((),):  # more than flags
            found.append((what, Instruction(op, i.dest, args, i.text)))

    def constants(position, make):
        v = a[position]
        if is_number(v):
            for change in (1, -1):
                make(f"constant {change:+}", str(int(v) + change))

    if i.op in OPPOSITES:
        bits, x, y, flags = a
        made(OPPOSITES[i.op] + " for " + i.op, bits, x, y, (), op=OPPOSITES[i.op])
        if i.op in ("sub", "shl", "lshr"):
            made("operands swapped", bits, y, x, ())
        made("first operand 0", bits, "0" if bits > 1 else "false", y, ())
        if not is_number(y):
            made("second operand 0", bits, x, "0" if bits > 1 else "false", ())
        constants(2, lambda what, v: made(what, bits, x, v, ()))
        constants(1, lambda what, v: made(what, bits, v, y, ()))
    elif i.op == "vector":
        x, y, operation, count, bits, flags = a
        made(f"{OPPOSITES[operation]} for {operation}", x, y, OPPOSITES[operation], count, bits, ())
        if operation in ("sub", "shl", "lshr"):
            made("operands swapped", y, x, operation, count, bits, ())
        made("first operand 0", "zeroinitializer", y, operation, count, bits, ())
        m = re.fullmatch(r"splat \(i\d+ (-?\d+)\)", y)
        for change in (1, -1) if m else ():
            made(f"constant {change:+}", x, f"splat (i{bits} {int(m[1]) + change})", operation, count, bits, ())
        if not m:
            made("second operand 0", x, "zeroinitializer", operation, count, bits, ())
    elif i.op in ("zext", "sext"):
        bits, x, to, flags = a
        made({"zext": "sext", "sext": "zext"}[i.op] + " for " + i.op, bits, x, to, (), op={"zext": "sext", "sext": "zext"}[i.op])
        made("operand 0", bits, "0" if bits > 1 else "false", to, ())
    elif i.op == "trunc":
        bits, x, to, flags = a
        made("operand 0", bits, "0", to, ())
    elif i.op == "icmp":
        predicate, bits, x, y, flags = a
        for other in PREDICATES.get(predicate, []):
            made(f"{other} for {predicate}", other, bits, x, y, ())
        if predicate not in ("eq", "ne"):
            made("operands swapped", predicate, bits, y, x, ())
        constants(3, lambda what, v: made(what, predicate, bits, x, v, ()))
    elif i.op == "select":
        kind, c, x, y = a
        made("arms swapped", kind, c, y, x)
        constants(2, lambda what, v: made(what, kind, c, v, y))
        constants(3, lambda what, v: made(what, kind, c, x, v))
    elif i.op == "vector_select":
        count, c, kind, x, y = a
        made("arms swapped", count, c, kind, y, x)
    elif i.op == "getelementptr":
        element, pointer, index, flags = a
        if is_number(index):
            for change in (8, 4, 1, -1, -4, -8) if element == "i8" else (1, -1):
                made(f"index {change:+}", element, pointer, str(int(index) + change), ())
    elif i.op == "store":
        kind, v, pointer, alignment = a
        made("0 stored", kind, "zeroinitializer" if kind[0] == "<" else "0", pointer, alignment)
        if kind == "i64":
            made("half a word stored", "i32", v, pointer, 1)
    elif i.op == "load":
        kind, pointer, alignment = a
        if kind == "i64":
            made("half a word loaded", "i32", pointer, 1)
    elif i.op == "extractvalue":
        if "x i1" not in i.text and "{ i64, i1 }" not in i.text:
            made("index changed", a[0], a[1] ^ 1)
    elif i.op == "insertvalue":
        made("index changed", a[0], a[1], a[2], a[3], a[4] ^ 1)
    elif i.op == "phi":
        kind, pairs = a
        if len({v for v, _ in pairs}) > 1:
            values = [v for v, _ in pairs]
            made("values rotated", kind, tuple((v, l) for v, (_, l) in zip(values[1:] + values[:1], pairs)))
        for position, (v, l) in enumerate(pairs):
            if is_number(v):
                for change in (1, -1):
                    changed = (*pairs[:position], (str(int(v) + change), l), *pairs[position + 1 :])
                    made(f"constant {change:+} of {position}", kind, changed)
    elif i.op == "br" and a[0] is not None:
        made("targets swapped", a[0], (a[1][1], a[1][0]))
    elif i.op == "ret" and a[0] == "i1" and a[1].startswith("%"):
        made("true returned", a[0], "true")
        made("false returned", a[0], "false")
    elif i.op == "call":
        callee, arguments = a
        if callee.startswith(("@llvm.uadd.with", "@llvm.usub.with")):
            other = callee.replace("uadd", "?").replace("usub", "uadd").replace("?", "usub")
            made("the other operation", other, arguments)
            (kind, x), (_, y) = arguments
            if "usub" in callee:
                made("operands swapped", callee, ((kind, y), (kind, x)))
            made("first operand 0", callee, ((kind, "0"), (kind, y)))
            if is_number(y):
                for change in (1, -1):
                    made(f"constant {change:+}", callee, ((kind, x), (kind, str(int(y) + change))))
            else:
                made("second operand 0", callee, ((kind, x), (kind, "0")))
        elif callee.startswith("@llvm.fshl"):
            x, y, (kind, s) = arguments
            made("operands swapped", callee, (y, x, (kind, s)))
            for change in (1, -1):
                made(f"constant {change:+}", callee, (x, y, (kind, str(int(s) + change))))
        elif not callee.startswith("@llvm."):
            values = [(k, v) for k, v in arguments]
            for position in range(len(values) - 1):
                if values[position] != values[position + 1] and values[position][0] == values[position + 1][0]:
                    changed = list(values)
                    changed[position : position + 2] = [values[position + 1], values[position]]
                    made(f"arguments {position} and {position + 1} swapped", callee, tuple(changed))
        elif callee.startswith("@llvm.memset"):
            changed = list(arguments)
            changed[1] = (arguments[1][0], str(int(arguments[1][1]) + 1))
            made("filler +1", callee, tuple(changed))
    return found


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


# Why a mutant that is still proven is right: (reason, routine, instruction, change), the last three regular expressions.
EQUIVALENT = [
    (
        "The two words were found to differ before they are compared, so < and ≤ are the same.",
        r"n\d+_", r"icmp ult i64 %\d+, %\d+$", r"^ule for ult$",
    ),
    (
        "The test of the highest limb only saves the tests of all limbs, which follow; a weaker one decides the same.",
        r"p384_(isZero|equals)", r"= add i64 %\d+, 1$|= icmp ult i64 %\d+, 2$", r"^first operand 0$|^ule for ult$|^constant \+1$",
    ),
    (
        "A second correction meets numbers below c (of sums) or from R − c up (of differences) only: the limbs above the third are all 0 "
        "or all ones, so that one does for another and no carry reaches them.",
        r"P384FieldV\d+(addingOnce|subtractingOnce)",
        r"= or i1 %\d+, %\d+$|= [sz]ext i1 %\d+ to i64$|= add i64 %[\w.]+, %[\w.]+$|with\.overflow\.i64\(i64 %[\w.]*copyload|"
        r"= getelementptr inbounds nuw i8, ptr %1, i64 (24|32)$",
        r"^(first|second) operand 0$|^operand 0$|^[sz]ext for [sz]ext$|^sub for add$|^index [+-]8$",
    ),
    (
        "The same for the result of a second correction, read by its caller: its upper limbs are equal.",
        r"p384_(add|subtract|double|negate|equals|productDifference|squareDifference)", r"= getelementptr inbounds nuw i8, ptr %\d+, i64 (24|32|40)$", r"index [+-]8$",
    ),
    (
        "The result of the second correction of a sum is below 2c: its upper limbs are 0.",
        r"p384_(add|double)", r"^store i64 %\d+, ptr %\.l[345]", r"^0 stored$",
    ),
    (
        "A product of the operands in the other order.",
        r"^(p384_|n384_)", r"call .*(montgomeryProduct|FieldV1moi)", r"^arguments 1 and 2 swapped$",
    ),
    (
        "The low word of t + m·n₀ is 0, by the choice of m, and only the high word is used: another m in the low word does not carry out "
        "of it.",
        r"n\d+_", r"= mul nuw i128 %\d+, (17562291160714782033|17072048233947408755)$", r"constant \+1",
    ),
    (
        "A check of an index against the array's length; the index is one of a loop over that length.",
        r"n\d+_|inversion", r"icmp samesign ugt|icmp ugt i64 %\d+, \d+$|icmp slt i64 %\d+, 1$|exitcond", r"^constant [+-]1$|^uge for ugt$",
    ),
    (
        "A copy of an array of which one element is read, and not this one.",
        r"n\d+_montgomeryProduct", r"^store i64 %\d+, ptr %\d+", r"0 stored|half a word stored",
    ),
    (
        "What a shift by 64 or more would give; the division steps shift by less.",
        r"safegcd steps", r"= select i1 %[\w.]+, i64 %\d+, i64 0$|= icmp ult i64 %\d+, 65$|= icmp slt i64 %\d+, 64$|= icmp ugt i64 %\d+, 64$", r"^constant [+-]1$",
    ),
    (
        "A minimum: of two equal numbers it takes either.",
        r"safegcd steps", r"= icmp sgt i64 %\d+, [46]$|= sub i64 1, |= add nuw i64 %\d+, 1$", r"^constant [+-]1$",
    ),
    (
        "Bit 3 of an even number, with a bit 0 that is 0 or not looked at.",
        r"safegcd steps", r"= add i64 %\d+, 2$|= and i64 %\d+, 8$", r"constant \+1",
    ),
    (
        "A check that an offset lies within the blocks, whose length is a multiple of a block's and so not the number itself.",
        r"SHA\d+ compress", r"= icmp (samesign )?(ult|ugt|slt|sgt) i64 %\w+, -?\d+$", r"^constant [+-]1$|^ule for ult$|^uge for ugt$",
    ),
    (
        "Whether there are blocks at all: their address is no such number.",
        r"SHA\d+ compress", r"= icmp eq i64 %\w+, 0$", r"^constant [+-]1$",
    ),
    (
        "A limb of p that is 0: p has no bit from 96 to 191.",
        r"safegcd normalized<5> p", r"^store i64 %\d+, ptr %\S+, align 8$", r"^0 stored$",
    ),
    (
        "The highest limb of a number below 2²⁵⁶ has 8 bits, that of one below 2³⁸⁴ 12.",
        r"safegcd unsigned", r"= load i64, ptr ", r"^half a word loaded$",
    ),
    (
        "The borrow out of the highest limb, which nobody asks for: n is subtracted from what is not below it.",
        r"^n\d+_digest .*subtract", r"= or i1 |= zext i1 ", r"^and for or$|^(first |second )?operand 0$",
    ),
    (
        "n is subtracted from what is not below it: of P-384 the three upper limbs of both are all ones, so that they are equal, leave 0, and no "
        "borrow reaches them.",
        r"^n384_digest .*subtract", r"with\.overflow|= getelementptr .* i64 (24|32|40)$|= [sz]ext i1 |^store i64 ",
        r"^operands swapped$|^(first |second )?operand 0$|^index [+-]8$|^[sz]ext for [sz]ext$|^0 stored$",
    ),
    (
        "A copy of the scalar of which another limb is read.",
        r"^recode", r"^store i64 %\d+, ptr %\d+|^store i64 %\d+, ptr %invariant.gep", r"^0 stored$|^half a word stored$",
    ),
    (
        "A check of an index, which is in range with some to spare.",
        r"^recode", r"= icmp (slt|ugt|sgt) i64 %\S+, (-1|0|384|254)$", r"^constant [+-]1$|^uge for ugt$|^ule for ult$",
    ),
    (
        "No bits to skip, and a window: both are in one word.",
        r"^recode", r"= icmp ne i64 %\d+, 0$", r"^constant -1$",
    ),
    (
        "The number of digits is below 256.",
        r"^recode", r"= load i64, ptr %\.count|^store i64 %\d+, ptr %\.count", r"^half a word (loaded|stored)$",
    ),
    (
        "== asks only whether the difference D is 0 or p. Without the second correction D would be R too large, that is in [p + 1, R): "
        "not 0 or p either, and a − b is then no multiple of p.",
        r"p\d+_equals", r"= or i1 |= zext i1 ", r"^(first |second )?operand 0$",
    ),
    (
        "An odd x is halved as (x + p)/2. x + p is even: one more only sets the bit that is shifted out.",
        r"p384_halve", r"= and i64 %\d+, 4294967295$", r"constant \+1",
    ),
    (
        "Whether any bits are skipped is asked together with whether a window is beyond the word: of one bit it is not.",
        r"^recode", r"= icmp ne i64 %\d+, 0$", r"^constant \+1$",
    ),
    (
        "No position is above 384: the upper half of the highest is 0.",
        r"^recode", r"^store i64 %\S+, ptr %\.highest, align 8$", r"^half a word stored$",
    ),
    (
        "The end of a loop over the limbs, which leaves it earlier: at the limbs in use.",
        r"^safegcd inverse", r"= icmp eq i64 %\d+, [68]$", r"^constant [+-]1$",
    ),
    (
        "A check that an index is below the number of limbs, or that of the limbs in use positive: both are, with some to spare.",
        r"^safegcd inverse", r"= icmp (samesign )?ugt i64 %\d+, [4567]$|= icmp slt i64 %\d+, 1$", r"^constant (\+1|-1)$|^uge for ugt$",
    ),
    (
        "For x = 0 the result is ±0, whatever limb's sign is asked for.",
        r"^safegcd inverse", r"= phi i64 \[ [57], %entry \]", r"^constant -1 of 0$",
    ),
    (
        "The number of a row is at most 23, and has no sign.",
        r"^interleave", r"= zext i8 %\d+ to i64$", r"^sext for zext$",
    ),
    (
        "A digit is odd: below 0 is below 1.",
        r"^interleave", r"= icmp slt i16 %\d+, 0$", r"^constant \+1$",
    ),
    (
        "The absolute value of a digit has no sign.",
        r"^interleave", r"= sext i16 %\d+ to i64$", r"^zext for sext$",
    ),
    (
        "A check of an index into the generator's table, or that its multiple does not overflow; it is in range with some to spare.",
        r"^interleave .*GeneratorMultiple", r"= icmp (samesign )?(ugt|ult) i64 %\d+, -?\d+$|= add i64 %1, -\d+$", r"^constant [+-]1$|^uge for ugt$|^ule for ult$",
    ),
    (
        "What would find that the multiple of an index overflows, and is asked of 0 then, whose multiple does not either.",
        r"^interleave .*GeneratorMultiple", r"= add i64 %1, -\d+$", r"^first operand 0$",
    ),
    (
        "Where Q has one part, the entries of the parts before a digit's are none.",
        r"^interleave \S+ point", r"= add nsw i64 %\d+, %\d+$", r"^first operand 0$",
    ),
    (
        "A check that an index into Q's table does not overflow, or is below the count: none is near the one, or is the other.",
        r"^interleave", r"= icmp samesign ugt i64 %\d+, \d{15,}$|= icmp ult i64 %\d+, %\d+$", r"^constant [+-]1$|^uge for ugt$|^ule for ult$",
    ),
]


def reason(s, function, instruction, what):
    for text, routine, pattern, change in EQUIVALENT:
        place = f"{s.name} {function}"
        if re.search(routine, place) and re.search(pattern, instruction.text) and re.search(change, what):
            return text
    return None


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong()


def outcome(module, s):
    """"proven", or why not: a label of `REJECTED`."""
    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
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
            every += [(module, s, block, index, what, mutant, function) for what, mutant in mutants(block[index]) if re.search(options.change, what)]
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
    for count, (module, s, block, index, what, mutant, function) in enumerate(chosen):
        if count % 500 == 499:
            print(f"{count + 1} of {len(chosen)}, {time.time() - start:.0f} s", flush=True)
        original = block[index]
        block[index] = mutant
        try:
            label = outcome(module, s)
            if label == "proven":
                contradiction = None
                try:
                    if isinstance(s, Statement):
                        sample(module, s, 100)
                except Exception as e:
                    contradiction = f"{type(e).__name__}: {e}"
                why = None if contradiction else reason(s, function, original, what)
                label = "equivalent" if why else "SURVIVED"
                print(label, s.name, "|", original.text, "|", what, "|", contradiction or why or "no reason", flush=True)
            counts.setdefault(s.name, collections.Counter())[label] += 1
        finally:
            block[index] = original
    report(counts, len(every), time.time() - start)
    sys.exit(1 if any(c["SURVIVED"] for c in counts.values()) else 0)


if __name__ == "__main__":
    main()
