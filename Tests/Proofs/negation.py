"""Proves the negation of y that is inlined in the loop of `interleaveVarTime`: −y mod p for every y below R.

It lies between a branch, which passes y on as it is, and the block where both ways meet: there the words of y are those that differ.
"""

from congruence import feasible_only, require_congruence
from execute import paths
from ir import Unsupported
from loops import names_in
from memory import Memory, Pointer
from outcomes import Unproven
from polynomial import add
from routines import number
from segments import UnsignedSegment

BORROW = "@llvm.usub.with.overflow.i64"


def find(flow, body):
    """(the branch's block, where the negation begins, where it ends, its blocks)"""
    blocks, found = flow.function.blocks, []
    for label in body:
        if blocks[label][-1].op != "br" or len(flow.followers[label]) != 2:
            continue
        for start, end in (flow.followers[label], flow.followers[label][::-1]):
            region = {l for l in flow.dominators if start in flow.dominators[l]}
            meets = any(i.op == "phi" for i in blocks[end])
            closed = meets and end not in region and all(set(flow.followers[l]) <= region | {end} for l in region)
            if closed and any(i.op == "call" and i.args[0].startswith(BORROW) for l in region for i in blocks[l]):
                found.append((label, start, end, region))
    if len(found) != 1:
        raise Unsupported(f"{len(found)} negations in the loop")
    return found[0]


def prove_negation(module, flow, body, curve):
    function = flow.function
    label, start, end, region = find(flow, body)
    phis = [i for i in function.blocks[end] if i.op == "phi"]
    given = [next(v for v, l in i.args[1] if l == label) for i in phis]
    phis, given = zip(*[(i, name) for i, name in zip(phis, given) if any(v != name for v, _ in i.args[1])])
    if len(given) != curve.limbs or len(set(given)) != curve.limbs or any(i.args[0] != "i64" for i in phis):
        raise Unproven("the words that are negated")
    made = {i.dest: i for block in function.blocks.values() for i in block if i.dest}
    inside = {i.dest for l in region for i in function.blocks[l]}
    outside = {n for l in region for i in function.blocks[l] for n in names_in(i.args) & flow.defined} - inside - set(given)

    def place(run, environment, name):
        """An address of the function's own memory."""
        if name not in environment:
            i = made[name]
            if i.op == "alloca":
                environment[name] = Pointer(Memory(module.types.size(i.args[0]), max(i.args[1], 8)))
            elif i.op == "getelementptr":
                place(run, environment, i.args[1])
                environment[name] = run.op_getelementptr(environment, *i.args)
            else:
                raise Unproven("what else the negation reads: " + i.text)

    def prepared(run):
        words = [run.algebra.input_word(f"y{i}") for i in range(curve.limbs)]
        environment = dict(zip(given, words))
        for name in outside:
            place(run, environment, name)
        reached, previous = run.follow(function, environment, start, label, (end,))
        if reached != end:
            raise Unproven("the end of the negation")
        return words, [run.incoming(i, previous, environment) for i in phis]

    count = 0
    for run, (words, result) in paths(module, prepared, run_class=UnsignedSegment):
        count += feasible_only(run, lambda: require_congruence(run, add(number(words), number(result)), curve.p))
    if not count:
        raise Unproven("no path is possible")
