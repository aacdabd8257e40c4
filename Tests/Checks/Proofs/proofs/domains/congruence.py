"""Checks what proofs require of polynomials: congruence to 0 mod a modulus, and ranges.

In the normal form, successive carries have cancelled. The normal form shows a congruence if every coefficient is a multiple of the modulus. If other terms
remain, bounds must show that their sum has only one value, and this value must be a multiple of the modulus. If a path fails a requirement, the path may be
infeasible, so its conditions are checked again. Trusted: the forms and bounds of `algebra.py`.
"""

import math

from proofs.claim import counted
from proofs.domains.polynomial import add, constant, replaced, value
from proofs.outcomes import Infeasible, Unproven

MOST_TERMS = 64  # maximum number of remaining terms: a wrong carry leaves only a few, and more mean that the numbers differ completely


def with_equations(run, polynomial):
    """Replaces multiples of R·T by the polynomial that equals R·T, newest T first. A term in T stays if R does not divide its coefficient."""
    for result, equation in reversed(run.equations):
        polynomial = run.algebra.with_blocks(polynomial)
        radix = 1 << 64 * len(run.algebra.block_words[result])
        while multiples := {monomial: c // radix for monomial, c in polynomial.items() if result in monomial and c % radix == 0}:
            rest = {monomial: c for monomial, c in polynomial.items() if monomial not in multiples}
            polynomial = run.algebra.with_blocks(add(rest, replaced(multiples, result, equation)))
    return polynomial


def with_sums_of_flags(run, polynomial):
    """Creates a symbol for the sum of all carries of equal weight, because bounds can show that at most one of these carries is set."""
    for weight in {c for monomial, c in polynomial.items() if len(monomial) == 1}:
        carries = {monomial: 1 for monomial, c in polynomial.items() if c == weight and len(monomial) == 1}
        if len(carries) > 1:
            together = run.algebra.defined(carries, *run.algebra.tight(carries, deep=False))
            polynomial = add(add(polynomial, carries, -weight), together, weight)
    return polynomial


def require_congruence(run, difference, modulus):
    """Requires that a polynomial is 0 mod the modulus. Terms that are not multiples of the modulus may remain only if bounds fix their
    sum to one multiple of the modulus.
    """
    normal = with_equations(run, run.algebra.normal(difference))
    rest = {monomial: c for monomial, c in normal.items() if c % modulus}
    if not rest:
        return
    if len(rest) > MOST_TERMS:
        raise Unproven(f"congruence, with a remainder of {len(rest)} terms")
    factor = math.gcd(*rest.values())
    quotient = with_sums_of_flags(run, {monomial: c // factor for monomial, c in rest.items()})
    low, high = run.algebra.tight(quotient)
    step = math.gcd(*(c for monomial, c in quotient.items() if monomial))
    if step:  # the value is the constant plus a multiple of the step
        low, high = low + (value(quotient) - low) % step, high - (high - value(quotient)) % step
    if low != high or low * factor % modulus:
        raise Unproven(f"congruence, with a remainder in {factor}·[{low}, {high}]")
    run.algebra.facts.append(add(quotient, constant(-low)))  # the later proof of the result's bound may need this fact


def require_range(run, polynomial, low, high, what):
    for form in (run.algebra.substitute, run.algebra.normal):
        least, greatest = run.algebra.tight(form(polynomial), want=(low, high))
        if least >= low and greatest <= high:
            return
    raise Unproven(f"{what}: in [{least:#x}, {greatest:#x}]")


def feasible_only(run, proof):
    """Runs a proof; returns 1, or 0 if the path is infeasible. If the proof fails, checks the feasibility more thoroughly."""
    try:
        proof()
        run.algebra.check_feasible()
    except Infeasible:
        return 0
    except Unproven:
        try:
            run.algebra.check_feasible()
            run.algebra.check_known()
        except Infeasible:
            return 0
        raise
    return 1


def prove_paths(found, proof):
    """Calls `proof(run, *values)` for each path (run, values). Returns the number of feasible paths, and fails if no path is feasible."""
    count = sum(feasible_only(run, lambda: proof(run, *values)) for run, values in found)
    counted(count)
    return count
