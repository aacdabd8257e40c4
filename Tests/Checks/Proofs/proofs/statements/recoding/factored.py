"""Requires that an iteration of `SignedWindows.recode` uses its position i, and the word W at that position, only in restricted ways.

Because of this restriction, `turn.py` need not run every combination of i and the number r of skipped bits. If two iterations have equal i' = i + r and equal X
= W >> r, then after the count they can differ only in i, W and r. `require` follows the values, except i' and X, that the IR computes from i, W and r. The code
must not store these values, use them as addresses, pass them to calls other than arithmetic, or carry them to the next iteration. Such a value may decide a
branch only if it does not depend on W. Such a branch compares r, or traps if i + r overflows. i + r does not overflow for any i of at most 384 + 15, so only r
decides these branches, for every i.
"""

from proofs.execution.execute_bits import BitRun
from proofs.ir.loops import names_in
from proofs.ir.word_functions import is_of_words
from proofs.outcomes import Unproven, Unsupported, only

class Reached(Exception):
    pass


class WordRun(BitRun):
    """Runs to the instruction that counts zeros."""

    def word(self, loop, environment):
        """Returns the word whose zeros are counted."""
        for i in loop.function.blocks[loop.head]:
            if i.op not in ("phi", "br") and all(name in environment for name in names_in(i.args)):
                environment[i.dest] = getattr(self, "op_" + i.op)(environment, *i.args)
        try:
            self.run(loop.function, environment, loop.inner, None)
        except Reached as reached:
            return reached.args[0]
        raise Unsupported("no zeros are counted")

    def llvm_cttz(self, name, width, a, zero_is_poison):
        raise Reached(a)


def name_words(loop):
    """Finds W, r, i' and X of a loop, and stores their names as `word`, `skipped`, `next_position` and `rest`."""
    region = [(label, i) for label, block in loop.function.blocks.items() for i in block]
    loop.counting, count = only(
        [(label, i) for label, i in region if i.op == "call" and i.args[0].startswith("@llvm.cttz")], "counts of zeros")
    loop.skipped = {count.dest}
    for _, i in region:  # r is at most 64, so it is the same number in another width
        if i.op in ("zext", "trunc") and i.args[1] in loop.skipped and i.args[2] >= 8:
            loop.skipped.add(i.dest)
    made = {i.dest: i for _, i in region if i.dest}
    changed = made[count.args[1][0][1]]
    negated = [i.dest for i in loop.function.blocks[loop.head] if i.op == "sub" and i.args[1] == "0" and i.args[2] == loop.carry]
    if changed.op != "xor" or not set(changed.args[1:3]) & set(negated):
        raise Unsupported("the word whose zeros are counted")
    loop.word = only([v for v in changed.args[1:3] if v not in negated], "words")
    sums = [i.dest for _, i in region if is_next_position(loop, i)]
    loop.next_position = only([i.dest for _, i in region if i.op == "extractvalue" and i.args[0] in sums and i.args[1] == 0], "next positions")
    loop.rest = only([i.dest for _, i in region if i.op == "lshr" and i.args[1] == loop.word], "words without the bits that are skipped")


def is_next_position(loop, i):
    """Returns whether an instruction is the sum i + r."""
    given = {v for _, v in i.args[1]} if i.op == "call" and i.args[0].startswith("@llvm.sadd.with.overflow") else set()
    return len(given) == 2 and loop.position in given and given - {loop.position} <= loop.skipped


def require(loop):
    blocks = loop.function.blocks
    region, stack = [], [loop.counting]
    while stack:
        label = stack.pop()
        if label in region or label in (loop.head, loop.inner):
            continue
        region.append(label)
        stack += [l for i in blocks[label] if i.op == "br" for l in i.args[1]]
    begun = [n for n, i in enumerate(blocks[loop.counting]) if i.op == "call" and i.dest in loop.skipped][0]
    after = [i for label in region for i in blocks[label][begun + 1 if label == loop.counting else 0 :]]
    kept = {loop.next_position, loop.rest}
    # The code may compute only X from the word.
    if [i.dest for i in after if loop.word in names_in(i.args)] != [loop.rest]:
        raise Unproven("another use of the word")
    tainted, changed = {loop.position, loop.word, None} | loop.skipped, True
    while changed:
        changed = False
        for i in after:
            if names_in(i.args) & tainted and i.dest not in tainted | kept:
                tainted.add(i.dest)
                changed = True
    if loop.next_position in tainted or loop.rest in tainted:
        raise Unproven("the next position")
    own = tainted | set(loop.function.parameters)
    for i in after:
        if not names_in(i.args) & tainted or i.dest == loop.next_position:
            continue
        if names_in(i.args) - own:
            raise Unproven("what the number of bits that are skipped is joined with: " + i.text)
        if i.op in ("store", "load", "getelementptr", "ret", "switch") or i.op == "call" and not is_of_words(loop.module, i.args[0]):
            raise Unproven("a use of the position or of the number of bits that are skipped: " + i.text)
    for head in (loop.head, loop.inner):
        for i in loop.function.phis(head):
            if any(v in tainted for v, l in i.args[1] if l in region):
                raise Unproven("what goes on to the next turn")
    # The code may use i itself only in the sum with r.
    for i in after:
        if loop.position in names_in(i.args) and not is_next_position(loop, i):
            raise Unproven("another use of the position: " + i.text)
