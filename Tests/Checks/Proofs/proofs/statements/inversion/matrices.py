"""Proves the functions that apply safegcd's matrices (ModularInversion.swift) from their IR.

The limbs fᵢ and gᵢ have 62 bits. The highest limb is signed, and all other limbs are in [0, 2⁶²). The matrix (u v; q r) satisfies |u| + |v| ≤ 2⁶² and |q| + |r|
≤ 2⁶².

* `apply` is exact: if 2⁶² divides u·f + v·g and q·f + r·g, then 2⁶²·f' = u·f + v·g and 2⁶²·g' = q·f + r·g, as integers. In the result, the limbs below the
  highest limb are in [0, 2⁶²), and no sum overflows. This holds for every number of limbs in use.
* `update`: 2⁶²·d' ≡ u·d + v·e and 2⁶²·e' ≡ q·d + r·e mod m for each of the four moduli, with limbs as above. If −2m < d, e < m, then −2m < d', e' < m.
* `normalized`: if −2m < d < m, the result is d or −d plus a multiple of m, and is in [0, m).

Callers pass numbers as words of 64 bits. The two conversions between words and limbs only move bits, and the proofs follow each bit.
"""

import math
from dataclasses import dataclass

from proofs.claim import Claim, counted
from proofs.domains.bits import joined, made, resized, shifted, terms_of
from proofs.domains.polynomial import add, constant, multiply, number, scale
from proofs.execution import wide_product
from proofs.execution.execute import paths
from proofs.execution.execute_bits import BitRun
from proofs.execution.execute_signed import SignedRun
from proofs.execution.routines import entry
from proofs.ir.memory import Memory, Pointer
from proofs.outcomes import Unproven, only
from proofs.statements.curves import N256, N384, P256, P384
from proofs.statements.inversion.division_steps import prove_division_steps

MASK = (1 << 62) - 1
MODULI = {5: (("p", P256, 256), ("n", N256, 256)), 7: (("p", P384, 384), ("n", N384, 384))}  # limb count -> ((name, modulus, bits), …)


def prepare(run, count, top, values):
    """Returns the limbs of two numbers, and a matrix."""
    def symbol(name, low, high):
        return {(run.algebra.symbol(name, low, high),): 1}

    numbers = []
    for name in values:
        limbs = [symbol(f"{name}{i}", 0, MASK) for i in range(count - 1)] + [symbol(f"{name}{count - 1}", -top, top)]
        numbers.append(limbs)
    u, v, q, r = entries = [symbol(name, -(1 << 62), 1 << 62) for name in "uvqr"]
    # |u| + |v| ≤ 2⁶² implies |u·x + v·y| ≤ 2⁶²·max(|x|, |y|). x and y are limbs at the same position, or the two sign words (0 or −1).
    signs = [run.algebra.split(limbs[-1], 63)[1] for limbs in numbers]
    for sign in signs:
        run.algebra.mask(scale(sign, -1))
    for row in ((u, v), (q, r)):
        limits = [MASK] * (count - 1) + [top]
        for x, y, limit in [*zip(*numbers, limits), (*signs, 1)]:
            total = symbol("sum", -limit << 62, limit << 62)
            (product,) = multiply(row[0], x)
            run.algebra.pairs[product] = add(total, multiply(row[1], y), -1)
    return numbers, entries


def memory(words, read_only=False):
    return Memory(8 * len(words), words=words, read_only=read_only)


def combined(row, f, g):
    return add(multiply(row[0], f), multiply(row[1], g))


def assume_divisible(run, rows, f, g):
    """Assumes that each sum u·f₀ + v·g₀ of the lowest limbs is a multiple of 2⁶², so that the lowest limb of the sum is 0."""
    for row in rows:
        k = run.algebra.symbol("multiple", -(1 << 64), 1 << 64)
        run.algebra.facts.append(add(combined(row, f[0], g[0]), {(k,): -(1 << 62)}))


def require_applied(run, place, limb_count, row, f, g):
    """Requires that the number at a place is (u·f + v·g)/2⁶² for the row (u, v)."""
    result = limbs_of(run, place, limb_count, len(f))
    # The dropped part is the lowest limb of the first sum, which is 0 by assumption.
    dropped = run.algebra.split(combined(row, f[0], g[0]), 62)[0]
    require_zero(run, add(add(scale(number(result, 62), 1 << 62), combined(row, number(f, 62), number(g, 62)), -1), dropped), 1)


def prove_apply(module, limb_count, count):
    """Proves `apply` for `count` limbs in use, and for any highest limb that f, g < 2^(62·count) can have."""
    run = SignedRun(module, contracts=wide_product.contracts(module))
    (f, g), (u, v, q, r) = prepare(run, count, 1 << 62, "fg")
    zeros = [constant(0)] * (limb_count - count)
    memories = [memory(f + zeros), memory(g + zeros)]
    assume_divisible(run, ((u, v), (q, r)), f, g)
    run.call(
        entry(module, f"inversion{limb_count}_apply").name,
        [Pointer(memories[0]), Pointer(memories[1]), Pointer(memory([u, v, q, r], read_only=True)), constant(count)])
    for m, row in zip(memories, ((u, v), (q, r))):
        require_applied(run, m, limb_count, row, f, g)


def require_zero(run, a, modulus):
    """Requires that a is 0, or a multiple of the modulus. Omits terms that are 0 by their bounds."""
    normal = run.algebra.normal(a)
    rest = {m: c for m, c in normal.items() if modulus == 1 or c % modulus}
    if rest:
        factor = math.gcd(*rest.values())
        low, high = run.algebra.tight({m: c // factor for m, c in rest.items()})
        if low != 0 or high != 0:
            raise Unproven(f"a remainder in {factor}·[{low}, {high}]")
        normal = add(normal, rest, -1)
    return normal


def limbs_of(run, memory, limb_count, count):
    """Returns the limbs of a result. The highest limb in use is signed. Requires that the lower limbs are in range, and that unused limbs are 0."""
    words = memory.words(limb_count)
    for word in words[: count - 1]:
        low, high = run.algebra.range(word)
        if low < 0 or high > MASK:
            raise Unproven("the range of a limb")
    if any(word != {} for word in words[count:]):
        raise Unproven("a limb above the highest")
    highest = run.unsigned_value(words[count - 1], 64)
    run.algebra.mask(run.algebra.split(highest, 63)[1])  # the sign of the highest limb; bounds consider both cases
    words[count - 1] = run.signed(highest, 64)
    return words[:count]


def highest_limb(limb_count, bits):
    """Returns the bound of the highest limb of any number between −2m and m, if m has `bits` bits. If the lower limbs hold all these bits, the highest limb is
    only a sign.
    """
    return 1 << max(0, bits - 62 * (limb_count - 1) + 2)


def prove_update(module, limb_count, name, modulus, bits, called=None):
    """Proves `update`. `called`(run, place of d, place of e, matrix) calls the function directly, instead of through the driver."""
    run = SignedRun(module, contracts=wide_product.contracts(module))
    (d, e), (u, v, q, r) = prepare(run, limb_count, highest_limb(limb_count, bits), "de")
    memories = [memory(d), memory(e)]
    places = [Pointer(place) for place in memories]
    if called:
        called(run, *places, [u, v, q, r])
    else:
        run.call(entry(module, f"inversion{limb_count}{name}_update").name, [*places, Pointer(memory([u, v, q, r], read_only=True))])
    signs = [run.algebra.split(limbs[-1], 63)[1] for limbs in (d, e)]  # −1 for a negative number
    for m, (x, y) in zip(memories, ((u, v), (q, r))):
        result = limbs_of(run, m, limb_count, limb_count)
        exact = combined((x, y), number(d, 62), number(e, 62))
        difference = require_zero(run, add(scale(number(result, 62), 1 << 62), exact, -1), modulus)
        multiple = {k: c // modulus for k, c in difference.items()}
        # 2⁶²·result = x·d + y·e + m·t, t = x·[d < 0] + y·[e < 0] − w, 0 ≤ w < 2⁶². The bound follows.
        w = scale(add(multiple, combined((x, y), *signs)), -1)
        low, high = run.algebra.tight(w, want=(0, MASK))
        if low < 0 or high > MASK:
            raise Unproven(f"the multiple of m: w in [{low}, {high}]")
    update_bound(modulus)
    return "1 path"


def update_bound(m):
    """Requires −2m < result < m. 2⁶²·result = x·(d + m·[d < 0]) + y·(e + m·[e < 0]) − m·w. Both terms in parentheses are in (−m, m), and |x| + |y| ≤ 2⁶². The
    sum of the two products is linear in (x, y), so its extremes are at the corners (±2⁶², 0) and (0, ±2⁶²). The sum is therefore in (−2⁶²·m, 2⁶²·m).
    """
    largest = m - 1  # of |d + m·[d < 0]|, because −2m < d < m
    corners = [abs(x) * largest + abs(y) * largest for x, y in ((1 << 62, 0), (0, 1 << 62))]
    low = -max(corners) - m * MASK
    high = max(corners)
    if not (-2 * m << 62) < low or not high < m << 62:
        raise Unproven("the bound of d and e")


def prove_normalized(module, limb_count, name, modulus, bits, called=None, run_class=SignedRun):
    """Proves `normalized`: follows the exact number through both additions and the change of sign. The number determines which branch is taken. `called`(run,
    limbs, negate) calls the function directly, instead of through the driver, and returns the place of the result.
    """
    count = 0
    for negate in (0, 1):
        def prepared(run):
            top = highest_limb(limb_count, bits)
            limbs = [{(run.algebra.symbol(f"d{i}", 0, MASK),): 1} for i in range(limb_count - 1)]
            limbs.append({(run.algebra.symbol("top", -top, top),): 1})
            if called:
                place = called(run, limbs, negate)
            else:
                place = memory(limbs)
                run.call(entry(module, f"inversion{limb_count}{name}_normalized").name, [Pointer(place), constant(negate)])
            *lower, highest = place.words(limb_count)
            if any(low < 0 or high > MASK for low, high in map(run.algebra.range, lower)):
                raise Unproven("the range of a limb")
            return limbs, [*lower, run.signed_value(highest, 64)]

        for run, (limbs, result) in paths(module, prepared, run_class=run_class):
            # The highest limb has the sign of the number, because the other limbs are in [0, 2⁶²). The code tests this sign twice.
            if any(condition[0] != "slt" or condition[2] for condition, _ in run.made):
                raise Unproven("what is asked")
            (first, before), *others = run.made
            # If the number was not negative and is not negated, both tests have the same outcome.
            ((second, after),) = others if before or negate else others or [(first, 0)]
            if first[1] != limbs[-1]:
                raise Unproven("the first sign")
            low, high = (-2 * modulus + 1, -1) if before else (0, modulus - 1)
            sum_low, sum_high = low + before * modulus, high + before * modulus
            sign = -1 if negate else 1
            low, high = sorted((sign * sum_low, sign * sum_high))
            low, high = (low, min(high, -1)) if after else (max(low, 0), high)
            if low > high:
                continue  # no number meets these conditions
            if low + after * modulus < 0 or high + after * modulus >= modulus:
                raise Unproven("the bound of the result")
            exact = add(scale(add(number(limbs, 62), constant(before * modulus)), sign), constant(after * modulus))
            require_zero(run, add(number(result, 62), exact, -1), 1)
            # The code tested the highest limb of `middle`, the number before the last addition.
            middle = add(exact, constant(after * modulus), -1)
            difference = add(middle, scale(second[1], 1 << 62 * (limb_count - 1)), -1)
            low, high = run.algebra.tight(difference, want=(0, (1 << 62 * (limb_count - 1)) - 1))
            if low < 0 or high >= 1 << 62 * (limb_count - 1):
                raise Unproven("the second sign")
            count += 1
    return count


def prove_conversion(module, driver, width, given_bits, given_count, result_bits, result_count):
    """Proves a conversion between words and limbs, for a number below 2^width. In the given words or limbs, bit `width` and all higher bits are 0."""
    run = BitRun(module)
    given = [made(64, terms_of(resized(max(0, min(given_bits, width - given_bits * i)), run.terms.atom(64)))) for i in range(given_count)]
    source, target = run.memory.allocate_words(given, 8), run.memory.allocate(8 * result_count)
    run.call(entry(module, driver).name, [target, source])
    whole = joined(width, given, given_bits)
    for i in range(result_count):
        if terms_of(run.memory.load(target + 8 * i, 8)) != terms_of(resized(result_bits, shifted(width, whole, -result_bits * i))):
            raise Unproven(f"{'limb' if result_bits == 62 else 'word'} {i}")
    return "every bit"


@dataclass
class Row(Claim):
    name: str
    function: str  # of InversionDriver.swift
    text: str
    proof: object
    arguments: tuple  # of the proof, after the module
    of: tuple

    def first(self, module):
        return entry(module, self.function)

    def prove(self, module):
        return self.proof(module, *self.arguments)


def prove_every_apply(module, limb_count):
    for count in range(1, limb_count + 1):
        prove_apply(module, limb_count, count)
    return f"{limb_count} lengths"


def rows():
    text = "2⁶²·f' = u·f + v·g, 2⁶²·g' = q·f + r·g; limbs in range"
    found = [
        Row(f"safegcd apply<{limb_count}>", f"inversion{limb_count}_apply", text, prove_every_apply, (limb_count,), ("TransitionMatrix.apply",))
        for limb_count in MODULI
    ]
    for name, text, proof in (
        ("update", "2⁶²·d' ≡ u·d + v·e, 2⁶²·e' ≡ q·d + r·e mod m; d', e' in (−2m, m)", prove_update),
        ("normalized", "−2m < d < m ⇒ result ≡ ±d mod m, 0 ≤ result < m", lambda *arguments: counted(prove_normalized(*arguments))),
    ):
        for limb_count, moduli in MODULI.items():
            found += [
                Row(f"safegcd {name}<{limb_count}> {m[0]}", f"inversion{limb_count}{m[0]}_{name}", text, proof, (limb_count, *m), (f"ModularInversion.{name}",))
                for m in moduli
            ]
    return found + conversions(5, 4) + conversions(7, 6) + [DivisionSteps(limb_count) for limb_count in MODULI]


def conversions(limb_count, count, driver=None, what=""):
    """Returns the statements about both conversions, for numbers of `count` words."""
    driver, words, limbs = driver or f"inversion{limb_count}", (64, count), (62, limb_count)
    return [
        Row(f"safegcd {name}<{limb_count}>{what}", f"{driver}_{name}", text, prove_conversion, (f"{driver}_{name}", 64 * count, *given, *result), (of,))
        for name, of, given, result, text in (
            ("limbs", "Signed62.init(_:)", words, limbs, "limbs of 62 bits from words of 64: the same number"),
            ("unsigned", "Signed62.unsigned", limbs, words, "words of 64 bits from limbs of 62: the same number"),
        )
    ]


class DivisionSteps(Claim):
    """The statement about the shipped loop, which is inlined in `inverse`. The statement covers no other part of `inverse`."""

    text = "62 division steps keep their invariant from turn to turn, 18 rounds at most"
    of = ("TransitionMatrix.init(eta:f:g:)",)

    def __init__(self, limb_count):
        self.limb_count, self.name = limb_count, f"safegcd steps<{limb_count}>"

    def names(self, module):
        return [n for n in module.sources if "ModularInversionV7inverse" in n and f"${self.limb_count - 1}_" in n]

    def first(self, module):
        return module.function(only(self.names(module), f"functions are inverse of {self.limb_count} limbs"))

    def reads(self, module):
        """Selects the instructions of the blocks that the proof runs, except the instructions that compute F and G. Of the round variables, the proof reads
        only η and the counter.
        """
        function = self.first(module)
        _, loop, blocks = prove_division_steps(module, function)
        read = {id(i) for name, label in blocks for i in module.function(name).blocks[label]}
        read -= {id(i) for label in loop.entering for i in function.blocks[label] if i.dest in loop.joined}
        return lambda label, i: id(i) in read

    def prove(self, module):
        return f"{prove_division_steps(module, self.first(module))[0]} cases"
