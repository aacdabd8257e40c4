"""Proves the statements of `proven.py` from LLVM IR: prove.py DIRECTORY [statement …]

Here are the proofs of a routine's result (`congruence`, `range`); that of a test for zero is in `zero_test.py`, those of other statements in files of
their own. A statement holds on every path that its conditions admit; no path at all is a failure. With each proof the same IR is run on
numbers (`sample.py`). Exit status: 0 all proven, 1 not.
"""

import sys
import time

from congruence import feasible_only, require_congruence, require_range
from ir import Unsupported
from outcomes import Infeasible, Trap, Undecided, Unproven
from polynomial import add, constant, multiply, scale, value
from routines import number, runs
from statements import Statement
from zero_test import prove_zero_test


def specification(statement, inputs):
    """The right side of a statement: Σ coefficient·Π inputs"""
    total = {}
    for coefficient, indices in statement.right:
        term = constant(coefficient)
        for i in indices:
            term = multiply(term, number(inputs[i]))
        total = add(total, term)
    return total


def require_result(run, statement, inputs, words, left):
    require_congruence(run, add(scale(number(words), left), specification(statement, inputs), -1), statement.modulus)
    if statement.below:
        require_range(run, number(words), 0, statement.below - 1, "bound")


def prove_congruence(module, statement):
    count = 0
    for run, inputs, _, words in runs(module, statement):
        if words is None:
            raise Unproven("no result is stored")
        count += feasible_only(run, lambda: require_result(run, statement, inputs, words, statement.left))
    return count


def prove_range(module, statement):
    count = 0
    for run, inputs, returned, words in runs(module, statement):
        def proof():
            if value(returned):
                require_range(run, number(inputs[0]), 0, statement.modulus - 1, "accepted")
                require_result(run, statement, inputs, words, 1)
            else:
                require_range(run, number(inputs[0]), statement.modulus, (1 << 64 * statement.limbs) - 1, "refused")

        count += feasible_only(run, proof)
    return count


PROOFS = {
    "congruence": prove_congruence,
    "range": prove_range,
    "isZero": prove_zero_test,
    "equals": prove_zero_test,
}


def prove(module, statement):
    """Raises if the statement is not proven; else the number of paths."""
    count = PROOFS[statement.kind](module, statement)
    if not count:
        raise Unproven("no path is possible")
    return count


def outcome(module, statement, sample):
    """What is printed of a proof; raises if there is none."""
    if not isinstance(statement, Statement):
        return statement.prove(module)
    count = prove(module, statement)
    sample(module, statement, 10)
    return f"{count} path{'s' if count > 1 else ''}"


def main():
    from proven import STATEMENTS, modules
    from sample import sample

    read, chosen = modules(sys.argv[1]), sys.argv[2:]
    passed = failed = 0
    for module, statement in ((read[name], s) for name, found in STATEMENTS.items() for s in found):
        if chosen and statement.name not in chosen:
            continue
        start = time.time()
        try:
            said = outcome(module, statement, sample)
            passed += 1
        except (Unproven, Unsupported, Trap, Undecided, Infeasible, ArithmeticError) as e:
            said, failed = f"FAILED: {type(e).__name__}: {e}", failed + 1
        print(f"{statement.name:22} {statement.text:66} {said:10} {time.time() - start:6.2f} s", flush=True)
    print(f"{passed} proofs passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
