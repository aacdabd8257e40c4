"""Defines the mutants: changes to one instruction, for example a different operation, operand, constant or half of a word.

For each kind of instruction, one function returns [(what is changed, the changed instruction)]. Each change also drops the flags, so that a mutant fails
because of its result and not because of a broken promise. There is no mutant that drops only the flags. The proofs do not rely on these changes.
"""

import re

from proofs.ir.instructions import Instruction

OPPOSITES = {"add": "sub", "sub": "add", "mul": "add", "and": "or", "or": "and", "xor": "or", "shl": "lshr", "lshr": "shl"}
NOT_COMMUTATIVE = ("sub", "shl", "lshr")
PREDICATES = {"eq": ["ne", "ult"], "ne": ["eq"], "ult": ["ule", "ugt"], "ugt": ["uge", "ult"], "slt": ["sge"], "sgt": ["sle"]}
OCTETS_MOVED = (8, 4, 1, -1, -4, -8)


def is_number(operand):
    return operand.lstrip("-").isdigit()


def zero(bits):
    return "0" if bits > 1 else "false"


def one_off(number):
    """Returns [(what is changed, the changed number)]."""
    return [(f"constant {change:+}", str(int(number) + change)) for change in (1, -1)] if is_number(number) else []


def of_binary(i):
    bits, left, right, _ = i.args
    yield OPPOSITES[i.op] + " for " + i.op, (bits, left, right, ()), OPPOSITES[i.op]
    if i.op in NOT_COMMUTATIVE:
        yield "operands swapped", (bits, right, left, ())
    yield "first operand 0", (bits, zero(bits), right, ())
    if not is_number(right):
        yield "second operand 0", (bits, left, zero(bits), ())
    for what, number in one_off(right):
        yield what, (bits, left, number, ())
    for what, number in one_off(left):
        yield what, (bits, number, right, ())


def of_vector(i):
    left, right, operation, count, bits, _ = i.args
    yield f"{OPPOSITES[operation]} for {operation}", (left, right, OPPOSITES[operation], count, bits, ())
    if operation in NOT_COMMUTATIVE:
        yield "operands swapped", (right, left, operation, count, bits, ())
    yield "first operand 0", ("zeroinitializer", right, operation, count, bits, ())
    splat = re.fullmatch(r"splat \(i\d+ (-?\d+)\)", right)
    if not splat:
        yield "second operand 0", (left, "zeroinitializer", operation, count, bits, ())
        return
    for what, number in one_off(splat[1]):
        yield what, (left, f"splat (i{bits} {number})", operation, count, bits, ())


def of_extension(i):
    bits, source, to, _ = i.args
    other = {"zext": "sext", "sext": "zext"}[i.op]
    yield other + " for " + i.op, (bits, source, to, ()), other
    yield "operand 0", (bits, zero(bits), to, ())


def of_trunc(i):
    bits, _, to, _ = i.args
    yield "operand 0", (bits, "0", to, ())


def of_icmp(i):
    predicate, bits, left, right, _ = i.args
    for other in PREDICATES.get(predicate, []):
        yield f"{other} for {predicate}", (other, bits, left, right, ())
    if predicate not in ("eq", "ne"):
        yield "operands swapped", (predicate, bits, right, left, ())
    for what, number in one_off(right):
        yield what, (predicate, bits, left, number, ())


def of_select(i):
    kind, condition, if_true, if_false = i.args
    yield "arms swapped", (kind, condition, if_false, if_true)
    for what, number in one_off(if_true):
        yield what, (kind, condition, number, if_false)
    for what, number in one_off(if_false):
        yield what, (kind, condition, if_true, number)


def of_vector_select(i):
    count, condition, kind, if_true, if_false = i.args
    yield "arms swapped", (count, condition, kind, if_false, if_true)


def of_getelementptr(i):
    element, pointer, index, _ = i.args
    if is_number(index):
        for change in OCTETS_MOVED if element == "i8" else (1, -1):
            yield f"index {change:+}", (element, pointer, str(int(index) + change), ())


def of_store(i):
    kind, stored, pointer, alignment = i.args
    yield "0 stored", (kind, "zeroinitializer" if kind[0] == "<" else "0", pointer, alignment)
    if kind == "i64":
        yield "half a word stored", ("i32", stored, pointer, 1)


def of_load(i):
    kind, pointer, _ = i.args
    if kind == "i64":
        yield "half a word loaded", ("i32", pointer, 1)


def of_extractvalue(i):
    if "x i1" not in i.kind and "{ i64, i1 }" != i.kind:
        yield "index changed", (i.args[0], i.args[1] ^ 1)


def of_insertvalue(i):
    yield "index changed", (*i.args[:4], i.args[4] ^ 1)


def of_phi(i):
    kind, pairs = i.args
    values = [value for value, _ in pairs]
    if len(set(values)) > 1:
        yield "values rotated", (kind, tuple((value, label) for value, (_, label) in zip(values[1:] + values[:1], pairs)))
    for position, (value, label) in enumerate(pairs):
        for what, number in one_off(value):
            yield f"{what} of {position}", (kind, (*pairs[:position], (number, label), *pairs[position + 1 :]))


def of_br(i):
    condition, targets = i.args
    if condition is not None:
        yield "targets swapped", (condition, targets[::-1])


def of_ret(i):
    kind, returned = i.args
    if kind == "i1" and returned.startswith("%"):
        yield "true returned", (kind, "true")
        yield "false returned", (kind, "false")


def of_call(i):
    callee, arguments = i.args
    if callee.startswith(("@llvm.uadd.with", "@llvm.usub.with")):
        yield from of_overflowing(callee, arguments)
    elif callee.startswith("@llvm.fshl"):
        upper, lower, (kind, distance) = arguments
        yield "operands swapped", (callee, (lower, upper, (kind, distance)))
        for what, number in one_off(distance):
            yield what, (callee, (upper, lower, (kind, number)))
    elif callee.startswith("@llvm.memset"):
        target, (kind, filler), *rest = arguments
        yield "filler +1", (callee, (target, (kind, str(int(filler) + 1)), *rest))
    elif not callee.startswith("@llvm."):
        for position, (one, other) in enumerate(zip(arguments, arguments[1:])):
            if one != other and one[0] == other[0]:
                swapped = (*arguments[:position], other, one, *arguments[position + 2 :])
                yield f"arguments {position} and {position + 1} swapped", (callee, swapped)


def of_overflowing(callee, arguments):
    (kind, left), (_, right) = arguments
    other = callee.replace("usub", "uadd") if "usub" in callee else callee.replace("uadd", "usub")
    yield "the other operation", (other, arguments)
    if "usub" in callee:
        yield "operands swapped", (callee, ((kind, right), (kind, left)))
    yield "first operand 0", (callee, ((kind, "0"), (kind, right)))
    if not is_number(right):
        yield "second operand 0", (callee, ((kind, left), (kind, "0")))
    for what, number in one_off(right):
        yield what, (callee, ((kind, left), (kind, number)))


CHANGES = {
    **dict.fromkeys(OPPOSITES, of_binary), "vector": of_vector, "zext": of_extension, "sext": of_extension, "trunc": of_trunc, "icmp": of_icmp,
    "select": of_select, "vector_select": of_vector_select, "getelementptr": of_getelementptr, "store": of_store, "load": of_load,
    "extractvalue": of_extractvalue, "insertvalue": of_insertvalue, "phi": of_phi, "br": of_br, "ret": of_ret, "call": of_call,
}


def mutants(i):
    found = []
    for what, args, *other in CHANGES[i.op](i) if i.op in CHANGES else ():
        op = other[0] if other else i.op
        if (op, args[:3]) != (i.op, i.args[:3]) or args[3:] != i.args[3:] and args[3:] != ((),):  # more than flags
            found.append((what, Instruction(op, i.dest, args, i.text, i.kind)))
    return found
