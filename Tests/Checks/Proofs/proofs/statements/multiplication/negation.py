"""Proves that the loop of `interleaveVarTime` negates y correctly: −y mod p, for every y that the field's type admits.

The field's type also admits the result. The negation is inlined code, or a call of the field's subtraction. The blocks of the negation are one arm of a branch,
and the other arm leaves y unchanged. If the two arms pass different words to the join block, these words are the words of y. Otherwise y is in memory, after x,
and x does not change. This memory is the only object that the blocks of the negation share with the rest of the loop. Other code of the loop accesses the
remaining objects of these blocks only to store y just before the negation (`negated_memory.py`). Every subtraction in the loop is in the blocks of a negation.
"""

from proofs.domains.congruence import prove_paths, require_congruence, require_range
from proofs.domains.polynomial import add, number
from proofs.execution.execute import paths
from proofs.execution.segments import Segment, UnsignedSegment
from proofs.ir.memory import Memory
from proofs.outcomes import Unproven, Unsupported
from proofs.statements.multiplication.negated_memory import Objects

DIFFERENCES = ("@llvm.usub.with.overflow.i64", "FieldPAAE1soi", "UnsaturatedFieldV1soi")


def is_difference(i):
    return i.op == "call" and any(name in i.args[0] for name in DIFFERENCES)


def find(flow, body):
    """Returns [(block of the branch, first block of the negation, block after it, blocks of the negation)]."""
    blocks, found = flow.function.blocks, []
    for label in body:
        if blocks[label][-1].op != "br" or len(flow.followers[label]) != 2:
            continue
        for start, end in (flow.followers[label], flow.followers[label][::-1]):
            if [l for l in flow.dominators if start in flow.followers[l]] != [label]:
                continue
            region = {l for l in flow.dominators if start in flow.dominators[l]}
            closed = end not in region and all(set(flow.followers[l]) <= region | {end} for l in region)
            if closed and any(is_difference(i) for l in region for i in blocks[l]):
                found.append((label, start, end, region))
    smallest = [one for one in found if not any(other[3] < one[3] for other in found)]
    differences = {l for l in body if any(is_difference(i) for i in blocks[l])}
    if not smallest or differences - set().union(*(region for *_, region in smallest)):
        raise Unsupported("a difference in the loop that is no negation")
    return smallest


def prove_negations(module, flow, body, table, state):
    """Proves each negation in the loop. `state`: the content of the function's own memory objects when the loop begins."""
    for place in find(flow, body):
        prove_negation(module, flow, body, table, state, place)


def prove_negation(module, flow, body, table, state, place):
    function, coordinates = flow.function, table.coordinates
    label, start, end, region = place
    phis = function.phis(end)
    given = [i.value_from(label) for i in phis]
    different = [(i, name) for i, name in zip(phis, given) if any(v != name for v, _ in i.args[1])]
    phis, given = zip(*different) if different else ((), ())
    if given and (len(given) != coordinates.limbs or len(set(given)) != len(given) or any(i.args[0] != "i64" for i in phis)):
        raise Unproven("the words that are negated")
    objects = Objects(flow, body, label, region, set(given), state)

    def prepared(run):
        words = [run.algebra.input_word(f"y{i}", *coordinates.limb_range(i)) for i in range(coordinates.limbs)]
        environment = dict(zip(given, words))
        memory = None
        if not given:
            unchanged = [run.algebra.input_word(f"x{i}", *coordinates.limb_range(i)) for i in range(coordinates.limbs)]
            memory = Memory(2 * coordinates.size, words=unchanged + words)
        objects.prepare(run, environment, memory)
        reached, previous = run.follow(function, environment, start, label, (end,))
        if reached != end:
            raise Unproven("the end of the negation")
        objects.require_own()
        if memory is None:
            return words, [run.incoming(i, previous, environment) for i in phis]
        found = memory.words(2 * coordinates.limbs)
        if found[: coordinates.limbs] != unchanged:
            raise Unproven("x, beside the y that is negated")
        return words, found[coordinates.limbs :]

    def proof(run, words, result):
        for i, negated in enumerate(result):
            require_range(run, negated, *coordinates.limb_range(i), "a limb")
        require_congruence(run, add(*(number(limbs, coordinates.bits) for limbs in (words, result))), table.shape.curve.p)

    prove_paths(paths(module, prepared, run_class=Segment if coordinates.bounds else UnsignedSegment), proof)
