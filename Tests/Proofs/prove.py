"""Proves the statements of `statements.py` from LLVM IR: prove.py DIRECTORY [routine …]"""

import math
import sys
import time

from execute import paths
from ir import Unsupported
from memory import Memory, Pointer
from outcomes import Infeasible, Trap, Undecided, Unproven
from polynomial import add, constant, is_constant, multiply, scale, value
from statements import Statement


def number(words):
    total = {}
    for i, w in enumerate(words):
        total = add(total, w, 1 << 64 * i)
    return total


def entry(module, name):
    """The function of the driver: `p256_add` is mangled as `8p256_add`; a merged body's symbol ends in `Tm`."""
    mangled = f"{len(name)}{name}"
    names = [f for f in module.sources if mangled in f and not f.endswith('Tm"')]
    if len(names) != 1:
        raise Unsupported(f"{len(names)} functions are called {name}")
    return module.function(names[0])


def montgomery_product(module, s):
    """The function behind `CurveScalar.montgomeryProduct`, which is private: found by its symbol."""
    curve = f"P{64 * s.limbs}"
    names = [f for f in module.sources if "montgomeryProduct" in f and curve in f]
    if len(names) != 1:
        raise Unsupported(f"{len(names)} functions are montgomeryProduct of {curve}")
    return module.function(names[0])


def contract(s, name):
    """A call of montgomeryProduct as its statement: a, b < n is required; the result is fresh words below n, R·result = a·b + n·q."""

    def call(run, arguments):
        by_value = isinstance(arguments[0], dict)
        if by_value:
            operands = [list(arguments[: s.limbs]), list(arguments[s.limbs :])]
        else:
            operands = [[run.load(p.moved(8 * i), "i64") for i in range(s.limbs)] for p in arguments[1:]]
        for words in operands:
            if run.algebra.tight(number(words), want=(0, s.modulus - 1))[1] >= s.modulus:
                raise Unproven("the bound of an argument")
        words = [run.algebra.input_word(f"t{i}") for i in range(s.limbs)]
        run.algebra.block(words, 0, s.modulus - 1)
        quotient = run.algebra.symbol("q", 0, 1 << 64 * s.limbs)
        equation = add(multiply(number(operands[0]), number(operands[1])), {(quotient,): s.modulus})
        run.equations.append((run.algebra.block_number(words), equation))
        if by_value:
            return tuple(words)
        for i, w in enumerate(words):
            run.store(arguments[0].moved(8 * i), "i64", w)

    return {name: call}


def runs(module, s):
    """The feasible paths of a routine: (run, inputs, returned flag or None, result words or None)."""
    direct = s.name.endswith("montgomeryProduct")
    function = montgomery_product(module, s) if direct else entry(module, s.name)
    contracts = contract(s, montgomery_product(module, s).name) if s.uses else {}

    def prepare(run):
        inputs = [[run.algebra.input_word(f"{c}{i}") for i in range(s.limbs)] for c in "abcd"[: s.arguments]]
        if s.inputs_below:
            for words in inputs:
                run.algebra.block(words, 0, s.inputs_below - 1)
        if direct and len(function.parameters) == s.limbs * 2:
            return inputs, None, list(run.call(function.name, inputs[0] + inputs[1]))
        memories = [Memory(8 * s.limbs, words=words, read_only=True) for words in inputs]
        result = Memory(8 * s.limbs)
        pointers = [Pointer(result)] if s.kind in ("congruence", "range") else []
        returned = run.call(function.name, pointers + [Pointer(m) for m in memories])
        words = result.words(s.limbs) if result.cells else None
        return inputs, returned, words

    for run, (inputs, returned, words) in paths(module, prepare, contracts):
        yield run, inputs, returned, words


def with_equations(run, a):
    """R·T replaced by what its equation says, newest T first; a T without R stays."""
    for t, equation in reversed(run.equations):
        a = run.algebra.with_blocks(a)
        r = 1 << 64 * len(run.algebra.block_words[t])
        while any(t in m and c % r == 0 for m, c in a.items()):
            b = {}
            for m, c in a.items():
                if t in m and c % r == 0:
                    rest = list(m)
                    rest.remove(t)
                    b = add(b, multiply({tuple(rest): c // r}, equation))
                else:
                    b = add(b, {m: c})
            a = run.algebra.with_blocks(b)
    return a


def require_congruence(run, s, difference, modulus):
    """That a polynomial is 0 mod the modulus: every coefficient of its normal form is a multiple, or the rest is a constant."""
    rest = {m: c for m, c in with_equations(run, run.algebra.normal(difference)).items() if c % modulus}
    if not rest:
        return
    if len(rest) > 64:  # a carry too few or too many leaves a few terms; this is a different number
        raise Unproven(f"congruence, with a remainder of {len(rest)} terms")
    factor = math.gcd(*rest.values())
    quotient = {m: c // factor for m, c in rest.items()}
    low, high = run.algebra.tight(quotient)
    if low != high or low * factor % modulus:
        raise Unproven(f"congruence, with a remainder in {factor}·[{low}, {high}]")
    run.algebra.facts.append(add(quotient, constant(-low)))  # the bound of the result may need it


def require_range(run, a, low, high, what):
    l, h = run.algebra.tight(run.algebra.substitute(a), want=(low, high))
    if l >= low and h <= high:
        return
    l, h = run.algebra.tight(run.algebra.normal(a), want=(low, high))
    if l < low or h > high:
        raise Unproven(f"{what}: in [{l:#x}, {h:#x}]")


def specification(s, inputs):
    total = {}
    for coefficient, indices in s.right:
        term = constant(coefficient)
        for i in indices:
            term = multiply(term, number(inputs[i]))
        total = add(total, term)
    return total


def feasible_only(run, proof):
    """Runs a proof; where it fails, the path may be an impossible one. Returns 1, or 0 for a path whose conditions exclude each other."""
    try:
        proof()
        run.algebra.check_feasible()
    except Infeasible:
        return 0
    except Unproven:
        try:
            run.algebra.check_feasible()
        except Infeasible:
            return 0
        raise
    return 1


def prove_congruence(module, s):
    count = 0
    for run, inputs, returned, words in runs(module, s):
        if words is None:
            raise Unproven("no result is stored")

        def proof():
            require_congruence(run, s, add(scale(number(words), s.left), specification(s, inputs), -1), s.modulus)
            if s.below:
                require_range(run, number(words), 0, s.below - 1, "bound")

        count += feasible_only(run, proof)
    return count


def prove_range(module, s):
    count = 0
    for run, inputs, returned, words in runs(module, s):
        def proof():
            a = number(inputs[0])
            if value(returned):
                require_range(run, a, 0, s.modulus - 1, "accepted")
                require_congruence(run, s, add(number(words), specification(s, inputs), -1), s.modulus)
                if s.below:
                    require_range(run, number(words), 0, s.below - 1, "bound")
            else:
                require_range(run, a, s.modulus, (1 << 64 * s.limbs) - 1, "refused")

        count += feasible_only(run, proof)
    return count


def evaluate(algebra, a, assignment):
    """The value of a polynomial, if the assigned symbols determine it."""
    total = 0
    for m, c in a.items():
        for s in m:
            v = evaluate_symbol(algebra, s, assignment)
            if v is None:
                return None
            c *= v
        total += c
    return total


def evaluate_symbol(algebra, s, assignment):
    if s in assignment:
        return assignment[s]
    if algebra.cut[s] is None:
        return None
    if algebra.kind[s] == "sum":
        return evaluate(algebra, algebra.cut[s], assignment)
    v = evaluate(algebra, algebra.cut[s][0], assignment)
    k = algebra.cut[s][1]
    return None if v is None else v % (1 << k) if algebra.kind[s] == "lo" else v >> k


def contradicted(run, assignment):
    """Whether a condition of the path is false for these values."""
    for condition, outcome in run.made:
        if condition[0] == "flag":
            v = evaluate(run.algebra, condition[1], assignment)
            holds = v
        else:
            a, b = (evaluate(run.algebra, part, assignment) for part in condition[1:])
            if a is None or b is None:
                continue
            holds = int(a == b if condition[0] == "eq" else a < b)
        if holds is not None and holds != outcome:
            return True
    return False


def words_of(x, limbs):
    return [x >> 64 * i & (1 << 64) - 1 for i in range(limbs)]


def prove_zero_test(module, s):
    """isZero and ==: the words D that are tested, D ≡ a (or a − b) mod p, are 0 or p exactly when the result is true.

    As 0 ≤ D < R < 2p, that is D ≡ 0. On a path that returns true the conditions give D its value; on one that returns
    false some condition is false for D = 0, and some for D = p.
    """
    count, tested, refusals = 0, {}, []
    for run, inputs, returned, words in runs(module, s):
        count += 1
        if not value(returned):
            refusals.append(run)
            continue
        equalities = {}
        for condition, outcome in run.made:
            if condition[0] == "eq" and outcome and is_constant(condition[2]) and len(condition[1]) == 1:
                (m,) = condition[1]
                if len(m) == 1 and condition[1][m] == 1 and run.algebra.ranges[m[0]][1] < 1 << 64:
                    equalities[m[0]] = value(condition[2])
        target = add(number(inputs[0]), number(inputs[1]) if s.arguments == 2 else {}, -1)
        # Word i is the one that aᵢ, and no higher limb of a, contributes to.
        limbs = [None] * s.limbs
        for symbol in equalities:
            normal = run.algebra.normals[symbol]
            position = max((i for i in range(s.limbs) for m in inputs[0][i] if normal.get(m) == 1), default=None)
            if position is None or limbs[position] is not None:
                raise Unproven("the words that are compared")
            limbs[position] = symbol
        if None in limbs:
            raise Unproven("a word that is not compared")
        values = [equalities[x] for x in limbs]
        if values not in (words_of(0, s.limbs), words_of(s.modulus, s.limbs)):
            raise Unproven(f"true for {values}")
        normal = {}
        for i, x in enumerate(limbs):
            normal = add(normal, run.algebra.normals[x], 1 << 64 * i)
        difference = add(normal, target, -1)
        require_congruence(run, s, difference, s.modulus)
        tested.setdefault(tuple(limbs), []).append([outcome for _, outcome in run.made])
    if not tested:
        raise Unproven("never true")
    for run in refusals:
        outcomes = [outcome for _, outcome in run.made]

        def common(other):
            return next((i for i, (x, y) in enumerate(zip(outcomes, other)) if x != y), len(outcomes))

        limbs = max(tested, key=lambda t: max(common(other) for other in tested[t]))
        for number_tested in (0, s.modulus):
            if not contradicted(run, dict(zip(limbs, words_of(number_tested, s.limbs)))):
                raise Unproven("false for a zero")
    return count


PROOFS = {
    "congruence": prove_congruence,
    "range": prove_range,
    "isZero": prove_zero_test,
    "equals": prove_zero_test,
}


def prove(module, s):
    """Raises if the statement is not proven; else the number of paths."""
    count = PROOFS[s.kind](module, s)
    if not count:
        raise Unproven("no path is possible")
    return count


def main():
    from proven import STATEMENTS, modules  # these need this file
    from sample import sample

    read, chosen = modules(sys.argv[1]), sys.argv[2:]
    passed = failed = 0
    for module, s in ((read[name], s) for name, found in STATEMENTS.items() for s in found):
        if chosen and s.name not in chosen:
            continue
        start = time.time()
        try:
            if isinstance(s, Statement):
                count = prove(module, s)
                sample(module, s, 10)
                outcome = f"{count} path{'s' if count > 1 else ''}"
            else:
                outcome = s.prove(module)
            passed += 1
        except (Unproven, Unsupported, Trap, Undecided, Infeasible, ArithmeticError) as e:
            outcome, failed = f"FAILED: {type(e).__name__}: {e}", failed + 1
        print(f"{s.name:22} {s.text:66} {outcome:10} {time.time() - start:6.2f} s", flush=True)
    print(f"{passed} proofs passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
