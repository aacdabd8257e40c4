"""Proves an iteration of `SignedWindows.recode` from its IR, and therefore that the digits of a scalar add up to the scalar.

The state at the loop header consists of the position i, the carry c ∈ {0, 1}, the part, and the digits so far. The sum of these digits, E = Σ value·2^(position
+ partBits·part), satisfies

    E + c·2ⁱ = S mod 2ⁱ                                                                                (1)

for the scalar S < 2^bitCount. Equation (1) holds for i = c = 0. Let r be the number of consecutive bits that equal c, from bit i up, and let i' = i + r. Then S
mod 2^i' = E + c·2^i', which is (1) for i'. If i' ≥ bitCount and c = 0, then E = S, and the loop ends. Otherwise the iteration continues at i' with the same c,
or adds one digit

    d = (the w bits from i' up) + c − c'·2ʷ,  c' the highest of the w bits,

where w is the window width of the part that contains i'. The position of the digit is i' − partBits·part, in the row of that part. The iteration continues at
i' + w with c', and (1) holds again. The lowest of the w bits is not c, so d is odd, and |d| < 2^(w−1). The index |d|/2 is then below 2^(w−2), the number of
multiples of a part. All bits of S from bit bitCount up are 0.

The proof runs the iteration for every possible i', c and c', with the previous digit in the first part and in the part of i'. These values fix some bits of S.
All other bits are symbols, and the proof follows each bit of the digit. It also checks the changes to the list of digits: the new digit's value, row and link,
`first`, `count` and `highest`. Nothing else in the list changes. The loop ends because each iteration increases i, by r > 0 or by w.

Each case runs with only one number of digits and one highest position so far. `case_run.py` follows both through the code, and rejects every use whose result
could be right for these values and wrong for others. So the case holds for every number of digits and every highest position.

All combinations of i and r would be 1.2 million cases. Let W be the word of 64 bits from bit i up. The proof treats i and r separately, because an iteration
uses i and W in only two ways (`factored.py`). First, only r decides whether a window is within W. Second, the iteration uses i' = i + r and X, which is W
without its low r bits. The proof therefore shows:

* For every i and c, W consists of the 64 bits of S from bit i up, with zeros above the scalar.
* For every r and c, the following are correct: X, the branches, and the digit or the skipped bits. The other bits of W are symbols.
* For every i', c, c' and previous part, everything else is correct. In these runs r = 0, and therefore X = W.
"""

import itertools
from dataclasses import dataclass

from proofs.claim import Claim
from proofs.domains.bits import Bits, joined, ones, resized, shifted, xor
from proofs.execution.routines import entry
from proofs.outcomes import Unproven, Unsupported
from proofs.statements.recoding import factored
from proofs.statements.recoding.case_run import CaseRun, is_sampled
from proofs.statements.recoding.recoding_loop import Loop
from proofs.statements.recoding.signed_windows import POSITIONS, SHAPES, SLOTS, Layout

SAMPLE = 17  # a position has 2, 4 or 8 cases; an odd step therefore selects each kind of case


def cases(shape):
    """Yields (i, c, r, c', previous part): every i with r = 0, and every r at one position where W is within the scalar."""
    inside = shape.bit_count - 64 - 64
    for i, carry in itertools.product(range(shape.bit_count + 1), (0, 1)):
        for r in range(65) if i == inside else (0,) if i < shape.bit_count + carry else ():
            yield from ends(shape, i, carry, r)
    for i in range(shape.bit_count - 64, shape.bit_count + shape.first_width):
        yield from ends(shape, i, 0, 64)  # only zeros remain, so the loop ends


def ends(shape, i, carry, r):
    part = shape.part(i + r)
    for top in (0, 1) if i + r + shape.width_of(part) <= shape.bit_count else (0,):
        for before in sorted({0, shape.part(i)}):
            yield i, carry, r, top, before


def scalar(run, shape, fixed):
    """Returns (words of a scalar, the whole scalar). `fixed` contains the known bits. One atom for each word supplies the other bits."""
    words = []
    for limb in range(shape.limbs):
        known = [fixed.get(64 * limb + b) for b in range(64)]
        free = sum(1 << b for b, v in enumerate(known) if v is None)
        number = sum(1 << b for b, v in enumerate(known) if v)
        terms = {m: mask & free for m, mask in run.terms.atom(64).terms.items() if mask & free}
        words.append(Bits(64, terms | ({frozenset(): number} if number else {})) if terms else number)
    return words, joined(64 * shape.limbs, words, 64)


def prove_words(module, loop, limbs, sample):
    """Proves W for every i. The scalar is the run's only argument, so W depends on nothing else."""
    run = factored.WordRun(module)
    words = [run.terms.atom(64) for _ in range(limbs)]
    source, whole = run.memory.allocate_words(words, 8), joined(64 * limbs, words, 64)
    environment = loop.entered(run, run.memory.allocate(Layout(run.address_bits // 8).size), source)
    run.run(loop.function, environment, loop.function.entry, None, (loop.head,))
    for i in range(0, 64 * limbs + 15, min(sample, 5)):
        for carry in (0, 1):
            run.steps = 0
            found = run.word(loop, {**environment, loop.carry: carry, loop.position: i})
            expected = resized(64, shifted(64 * limbs, whole, -i))
            if found != (xor(64, expected, ones(64)) if carry else expected):
                raise Unproven(f"the word at {i}")


def prove_case(module, loop, shape, i, carry, r, top, before):
    position = i + r
    part = shape.part(position)
    width = shape.width_of(part)
    fixed = {b: carry for b in range(i, min(position, shape.bit_count))}
    if r < 64:
        fixed[position] = 1 - carry
    fixed[position + width - 1] = top if width > 1 and position + width <= shape.bit_count else 0
    fixed = {b: v for b, v in fixed.items() if b < shape.bit_count}
    if r == 64:
        fixed.update({b: carry for b in range(i, min(i + 64, shape.bit_count))})
    count, highest, at = (i * 7 + r) % SLOTS, (0, 200, 384)[(i + r) % 3], position - part * shape.part_bits
    run = CaseRun(module, count, highest, {n: (n * 3 + i) % 256 for n in range(max(at - 1, 0), min(at + 2, POSITIONS))})
    words, whole = scalar(run, shape, fixed)
    source = run.memory.allocate_words(words, 8)

    function = loop.function
    environment = loop.entered(run, run.windows, source, shape.bit_count, shape.part_bits, shape.first_width, shape.width, shape.row)
    if run.run(function, environment, function.entry, None, (loop.head,))[0] != loop.head:
        raise Unsupported("no loop")
    state = {"i": i, "carry": carry, "start": before * shape.part_bits, "row": shape.row + before, "width": shape.width_of(before)}
    environment.update(loop.state(state))
    # The run begins at the header of the inner loop, with position i, and ends at the next header of either loop.
    environment[loop.position] = i
    for other in function.blocks[loop.head]:
        if other.op not in ("phi", "br"):
            run.step(other, environment)
    stop, previous = run.run(function, environment, loop.inner, None, (loop.head, loop.inner))
    if r < 64 and environment[loop.word] != resized(64, shifted(64 * shape.limbs, whole, -i)):
        raise Unproven("the word")
    if environment.get(loop.rest, 0) != (shifted(64, environment[loop.word], -r) if loop.rest in environment else 0):
        raise Unproven("the word without the bits that are skipped")
    if position >= shape.bit_count and not carry:
        if stop is not None:
            raise Unproven("no end")
        run.require_unchanged()
        return
    if r and r + shape.first_width > 64:
        (found,) = run.arriving(function, loop.inner, previous, environment).values()
        if stop != loop.inner or found != position or is_sampled(found):
            raise Unproven("bits that are skipped")
        run.require_unchanged()
        return
    if stop != loop.head:
        raise Unproven("no digit")
    expected = {
        "i": position + width, "carry": top if position + width <= shape.bit_count else 0, "start": part * shape.part_bits,
        "row": shape.row + part, "width": width,
    }
    following = run.arriving(function, loop.head, previous, environment)
    if following != loop.state(expected) or any(map(is_sampled, following.values())):
        raise Unproven("the state after a digit")
    window = resized(width, shifted(64 * shape.limbs, whole, -position))
    # this xor adds c, because the lowest bit is 1 − c
    digit = xor(16, resized(16, window), carry)
    if expected["carry"]:
        digit = xor(16, digit, ones(16) ^ ones(width))
    run.require_appended(digit, shape.row + part, at)


@dataclass
class Row(Claim):
    limbs: int
    of = ("SignedWindows.recode",)
    text = "E + c·2ⁱ = S mod 2ⁱ from turn to turn; digits odd, below 2^(w−1); their places"

    @property
    def name(self):
        return f"recode<{self.limbs}>"

    def first(self, module):
        return entry(module, f"windows{self.limbs}_recode")

    def prove(self, module):
        return self.prove_cases(module, SAMPLE)

    def prove_fully(self, module):
        return self.prove_cases(module, 1)

    def prove_cases(self, module, sample):
        loop, count, number = Loop(module, self.first(module)), 0, 0
        factored.require(loop)
        prove_words(module, loop, self.limbs, sample)
        for shape in (s for s in SHAPES if s.limbs == self.limbs):
            for case in cases(shape):
                number += 1
                if number % sample == 0 or case[0] >= shape.bit_count:
                    prove_case(module, loop, shape, *case)
                    count += 1
        return f"{count} of {number} cases"


def rows():
    return [Row(4), Row(6)]
