"""Proves isZero and ==: the result is true if and only if the tested words D ≡ a (or a − b) mod p are 0 or p.

Because 0 ≤ D < R < 2p, D is 0 or p if and only if D ≡ 0. On a path that returns true, the conditions determine the value of D. On a path that returns false, D
= 0 violates a condition, and D = p also violates a condition. The proof need not know which words are D. Any words can be D if they are congruent to a (or a −
b) on the path. A path whose conditions contradict each other proves nothing and is skipped. Trusted: that a path has the conditions that `conditions.py`
recorded.
"""

import itertools

from proofs.domains.congruence import feasible_only, require_congruence
from proofs.domains.polynomial import add, is_constant, number, only_symbol, value
from proofs.domains.values import Values
from proofs.execution.routines import runs, words_of
from proofs.outcomes import Unproven

LATEST, MOST_TRIED = 3, 20


def contradicted(run, assignment):
    """Returns whether these values make a condition of the path false, or put a symbol outside its range."""
    values = Values(run.algebra, assignment)
    for symbol, (low, high) in enumerate(run.algebra.ranges):
        found = values.symbol(symbol)
        if found is not None and not low <= found <= high:
            return True
    return any(values.outcome(*condition) not in (None, outcome) for condition, outcome in run.made)


def words_with_values(run):
    """Returns {symbol: number} of the words whose values follow from a path's conditions."""
    found = {}
    for (predicate, *operands), outcome in run.made:
        if predicate == "eq" and outcome and is_constant(operands[1]) and len(operands[0]) == 1:
            single = only_symbol(operands[0])
            if single is not None and single[1] == 1 and run.algebra.ranges[single[0]][1] < 1 << 64:
                found[single[0]] = value(operands[1])
    return found


def limb_of(run, statement, symbol, inputs):
    """Returns the index i of the highest limb aᵢ that contributes to a word. The word can be limb i of D."""
    normal = run.algebra.normals[symbol]
    contributes = (i for i in range(statement.limbs) for monomial in inputs[0][i] if normal.get(monomial) == 1)
    return max(contributes, default=None)


def tested_words(run, statement, symbols, inputs):
    """Sorts the symbols into the order of the words of D."""
    limbs = [None] * statement.limbs
    for symbol in symbols:
        position = limb_of(run, statement, symbol, inputs)
        if position is None or limbs[position] is not None:
            raise Unproven("the words that are compared")
        limbs[position] = symbol
    if None in limbs:
        raise Unproven("a word that is not compared")
    return limbs


def latest_words(run, statement, inputs):
    """Returns further candidates for D, newest first. Each limb of a candidate is one of the latest words that can be that limb."""
    limbs = [[] for _ in range(statement.limbs)]
    for symbol in reversed(range(len(run.algebra.names))):
        position = limb_of(run, statement, symbol, inputs)
        if position is not None and len(limbs[position]) < LATEST:
            limbs[position].append(symbol)
    choices = itertools.product(*(list(enumerate(words)) for words in limbs))
    ordered = sorted(choices, key=lambda choice: sum(age for age, _ in choice))
    return [[symbol for _, symbol in choice] for choice in ordered[:MOST_TRIED]]


def outcomes_of(run):
    return [outcome for _, outcome in run.made]


def common(left, right):
    """Returns the number of outcomes in the common beginning of two paths."""
    return next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), len(left))


def require_difference(run, statement, inputs, limbs):
    """Requires that D is congruent to a, or to a − b."""
    target = add(number(inputs[0]), number(inputs[1]) if statement.arguments == 2 else {}, -1)
    difference = add(number([run.algebra.normals[symbol] for symbol in limbs]), target, -1)
    require_congruence(run, difference, statement.modulus)


def require_zero(run, statement, inputs):
    """Returns the words D of a path that returns true. Requires that the path gives D the value 0 or p."""
    equalities = words_with_values(run)
    limbs = tested_words(run, statement, equalities, inputs)
    values = [equalities[symbol] for symbol in limbs]
    if values not in (words_of(0, statement.limbs), words_of(statement.modulus, statement.limbs)):
        raise Unproven(f"true for {values}")
    require_difference(run, statement, inputs, limbs)
    return limbs


def require_no_zero(run, statement, inputs, tested):
    """Requires that some words D of a path that returns false can be neither 0 nor p."""
    # First tries the words of paths that return true. The path with the longest beginning in common with this path comes first.
    known = sorted(tested, key=lambda words: -max(common(outcomes_of(run), other) for other in tested[words]))
    candidates = [words for words in known if max(words) < len(run.algebra.names)]
    for limbs in itertools.chain(candidates, latest_words(run, statement, inputs)):
        if all(contradicted(run, dict(zip(limbs, words_of(zero, statement.limbs)))) for zero in (0, statement.modulus)):
            try:
                require_difference(run, statement, inputs, limbs)
                return
            except (Unproven, ArithmeticError):
                continue
    raise Unproven("false for a zero")


def prove_zero_test(module, statement):
    count, tested, refusals = 0, {}, []
    for run, (inputs, returned, _) in runs(module, statement):
        count += 1
        if not value(returned):
            refusals.append((run, inputs))
            continue
        limbs = []
        if feasible_only(run, lambda: limbs.extend(require_zero(run, statement, inputs))):
            tested.setdefault(tuple(limbs), []).append(outcomes_of(run))
    if not tested:
        raise Unproven("never true")
    for run, inputs in refusals:
        feasible_only(run, lambda: require_no_zero(run, statement, inputs, tested))
    return count
