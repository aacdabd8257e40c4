"""Runs the IR on numbers with the same executor, and checks the results with Python's integers.

This tests the prover. With a rule that misinterprets an instruction, the prover could prove false statements. The check
finds such a rule if its result is wrong for one of the numbers.
"""

import itertools
import random

from proofs.domains.polynomial import constant, number, value
from proofs.execution.execute import Run
from proofs.execution.routines import called, words_of
from proofs.outcomes import Unproven

WORD = (1 << 64) - 1


def edges(s):
    """Returns numbers around 0, the modulus and R, and numbers with long carry chains."""
    r, m = 1 << 64 * s.limbs, s.modulus
    found = {0, 1, 2, m - 1, m, m + 1, r - m, r - m - 1, r - m + 1, r - 1, r - 2}
    found |= {r >> 1, m >> 1, (m >> 1) + 1, WORD, WORD + 1, r - 1 - WORD}
    bound = s.inputs_below or r
    return sorted(x for x in found if 0 <= x < bound)


def inputs(s, count):
    rng = random.Random(1)
    e, bound = edges(s), s.inputs_below or 1 << 64 * s.limbs
    if s.arguments <= 2:
        cases = list(itertools.product(e, repeat=s.arguments))
        rng.shuffle(cases)
        cases = cases[:count]
    else:
        cases = [tuple(rng.choice(e) for _ in range(s.arguments)) for _ in range(count)]
    while len(cases) < 2 * count:
        case = []
        for _ in range(s.arguments):
            words = [rng.choice((0, WORD, rng.randrange(1 << 64))) for _ in range(s.limbs)]
            mixed = sum(w << 64 * i for i, w in enumerate(words)) % bound
            case.append(rng.choice((rng.randrange(bound), rng.choice(e), mixed)))
        cases.append(tuple(case))
    return cases


def run(module, s, case):
    """Runs the routine; returns (flag or None, result or None)."""
    flag, words = called(Run(module), module, s, [[constant(w) for w in words_of(x, s.limbs)] for x in case])
    return None if flag is None else value(flag), None if words is None else value(number(words))


def check(s, case, flag, result):
    expected = sum(c * (case[i[0]] if len(i) == 1 else case[i[0]] * case[i[1]]) for c, i in s.right)
    if s.kind == "isZero":
        return flag == int(case[0] % s.modulus == 0)
    if s.kind == "equals":
        return flag == int((case[0] - case[1]) % s.modulus == 0)
    if s.kind == "range":
        if flag != int(case[0] < s.modulus):
            return False
        if not flag:
            return True
    return (s.left * result - expected) % s.modulus == 0 and 0 <= result < (s.below or 1 << 64 * s.limbs)


def sample(module, s, count):
    """Raises if the statement is false for one of 2·count inputs."""
    for case in inputs(s, count):
        flag, result = run(module, s, case)
        if not check(s, case, flag, result):
            raise Unproven("false for " + ", ".join(map(hex, case)))
