"""States and proves what the field and scalar routines compute, with one statement for each function of Driver.swift.

An array of L words represents the number Σ wᵢ·2^(64i); R = 2^(64L). p is the field's prime, n the order of the group. If a statement gives no bound, operands
and result may be arbitrary words. Field elements are reduced lazily, so an element may be any number below R. A statement must hold on every feasible path, and
at least one path must be feasible. `zero_test.py` proves the tests for zero.
"""

from __future__ import annotations  # required by PyPy 3.9, which also runs the mutants

from dataclasses import dataclass

from proofs.domains.congruence import prove_paths, require_congruence, require_range
from proofs.domains.polynomial import add, constant, multiply, number, scale, value
from proofs.execution.routines import entry, montgomery_product, runs
from proofs.execution.sample import sample
from proofs.outcomes import Unproven
from proofs.claim import Claim, counted
from proofs.statements.curves import CURVES
from proofs.statements.zero_test import prove_zero_test


@dataclass
class Statement(Claim):
    name: str  # of the driver function
    limbs: int
    modulus: int
    kind: str  # congruence, isZero, equals, range
    arguments: int
    text: str
    left: int = 1  # left·result ≡ …
    right: tuple = ()  # … Σ coefficient·Π arguments: ((coefficient, (indices…)), …)
    below: int | None = None  # the result's bound, if smaller than R
    inputs_below: int | None = None
    uses: str | None = None  # a routine whose calls are replaced by its own statement
    of: tuple = ()

    def first(self, module):
        return montgomery_product(module, self) if self.name.endswith("montgomeryProduct") else entry(module, self.name)

    def prove(self, module):
        if self.kind in ("isZero", "equals"):
            return counted(prove_zero_test(module, self))
        return counted(prove_paths(runs(module, self), self.require))

    def require(self, run, inputs, returned, words):
        """Requires the statement on one path. A `range` statement returns whether the input is below the modulus."""
        if self.kind == "range":
            low, high = (0, self.modulus - 1) if value(returned) else (self.modulus, (1 << 64 * self.limbs) - 1)
            require_range(run, number(inputs[0]), low, high, "accepted" if value(returned) else "refused")
            if not value(returned):
                return
        if words is None:
            raise Unproven("no result is stored")
        self.require_result(run, inputs, words)

    def require_result(self, run, inputs, words):
        require_congruence(run, add(scale(number(words), self.left), self.right_side(inputs), -1), self.modulus)
        if self.below:
            require_range(run, number(words), 0, self.below - 1, "bound")

    def right_side(self, inputs):
        """Returns Σ coefficient·Π inputs."""
        total = {}
        for coefficient, indices in self.right:
            term = constant(coefficient)
            for i in indices:
                term = multiply(term, number(inputs[i]))
            total = add(total, term)
        return total

    def check_numbers(self, module, count):
        sample(module, self, count)


def rows():
    found = []
    for curve in CURVES.values():
        bits, p, n, r = curve.bits, curve.p, curve.n, 1 << curve.bits

        def row(name, of, kind, arguments, text, group="p", modulus=p, **more):
            routines = tuple(f"P{bits}{'Field' if group == 'p' else 'Scalar'}.{routine}" for routine in of.split(" "))
            found.append(Statement(f"{group}{bits}_{name}", curve.limbs, modulus, kind, arguments, text, of=routines, **more))

        row("add", "+", "congruence", 2, "result ≡ a + b mod p", right=((1, (0,)), (1, (1,))))
        row("subtract", "-", "congruence", 2, "result ≡ a − b mod p", right=((1, (0,)), (-1, (1,))))
        row("double", "doubled", "congruence", 1, "result ≡ 2a mod p", right=((2, (0,)),))
        row("negate", "negated", "congruence", 1, "result ≡ −a mod p", right=((-1, (0,)),))
        row("halve", "halved", "congruence", 1, "2·result ≡ a mod p", left=2, right=((1, (0,)),))
        for name, of in (("product", "inlineProduct"), ("calledProduct", "*")):
            row(name, of, "congruence", 2, "R·result ≡ a·b mod p", left=r, right=((1, (0, 1)),))
        for name, of in (("square", "inlineSquare"), ("calledSquare", "squared")):
            row(name, of, "congruence", 1, "R·result ≡ a² mod p", left=r, right=((1, (0, 0)),))
        row(
            "productDifference", "reducedDifference fullProduct", "congruence", 4, "R·result ≡ a·b − c·d mod p", left=r,
            right=((1, (0, 1)), (-1, (2, 3))))
        row(
            "squareDifference", "reducedDifference fullProduct fullSquare", "congruence", 3, "R·result ≡ a·b − c² mod p", left=r,
            right=((1, (0, 1)), (-1, (2, 2))))
        row("isZero", "isZero", "isZero", 1, "true ⇔ a ≡ 0 mod p")
        row("equals", "==", "equals", 2, "true ⇔ a ≡ b mod p")
        row("leave", "plain", "congruence", 1, "result < p, R·result ≡ a mod p", left=r, right=((1, (0,)),), below=p)
        row("enter", "init(plain:)", "range", 1, "non-nil ⇔ a < p; then result ≡ a·R mod p", right=((r, (0,)),))
        row(
            "montgomeryProduct", "montgomeryProduct", "congruence", 2, "a < n, b < n ⇒ result < n, R·result ≡ a·b mod n", "n", n, left=r,
            right=((1, (0, 1)),), below=n, inputs_below=n)
        row(
            "product", "*", "congruence", 2, "a < n, b < n ⇒ result < n, result ≡ a·b mod n", "n", n, left=r * r,
            right=((r * r, (0, 1)),), below=n, inputs_below=n, uses="montgomeryProduct")
        row("enter", "init(plain:)", "range", 1, "non-nil ⇔ a < n; then result = a", "n", n, right=((1, (0,)),), below=n)
    return found
