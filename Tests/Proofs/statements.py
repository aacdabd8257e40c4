"""What is proven: one row per routine of Driver.swift.

A word array of L limbs stands for the number Σ wᵢ·2^(64i); R = 2^(64L). p is the field's prime, n the order of the group. Where
no bound is named, every pattern of bits is admitted and may be the result (field elements are lazy: any number below R).
"""

from __future__ import annotations  # for PyPy 3.9, which runs the mutants too

from dataclasses import dataclass

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
P384 = 2**384 - 2**128 - 2**96 + 2**32 - 1
N256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
N384 = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973


@dataclass
class Statement:
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
    uses: str | None = None  # a routine with a row of its own, replaced by its statement where it is called


def statements():
    rows = []
    for bits, p, n in ((256, P256, N256), (384, P384, N384)):
        limbs, r = bits // 64, 1 << bits

        def row(name, kind, arguments, text, group="p", modulus=p, **more):
            rows.append(Statement(f"{group}{bits}_{name}", limbs, modulus, kind, arguments, text, **more))

        row("add", "congruence", 2, "result ≡ a + b mod p", right=((1, (0,)), (1, (1,))))
        row("subtract", "congruence", 2, "result ≡ a − b mod p", right=((1, (0,)), (-1, (1,))))
        row("double", "congruence", 1, "result ≡ 2a mod p", right=((2, (0,)),))
        row("negate", "congruence", 1, "result ≡ −a mod p", right=((-1, (0,)),))
        row("halve", "congruence", 1, "2·result ≡ a mod p", left=2, right=((1, (0,)),))
        for name in ("product", "calledProduct"):
            row(name, "congruence", 2, "R·result ≡ a·b mod p", left=r, right=((1, (0, 1)),))
        for name in ("square", "calledSquare"):
            row(name, "congruence", 1, "R·result ≡ a² mod p", left=r, right=((1, (0, 0)),))
        row(
            "productDifference", "congruence", 4, "R·result ≡ a·b − c·d mod p", left=r,
            right=((1, (0, 1)), (-1, (2, 3))))
        row(
            "squareDifference", "congruence", 3, "R·result ≡ a·b − c² mod p", left=r,
            right=((1, (0, 1)), (-1, (2, 2))))
        row("isZero", "isZero", 1, "true ⇔ a ≡ 0 mod p")
        row("equals", "equals", 2, "true ⇔ a ≡ b mod p")
        row("leave", "congruence", 1, "result < p, R·result ≡ a mod p", left=r, right=((1, (0,)),), below=p)
        row("enter", "range", 1, "non-nil ⇔ a < p; then result ≡ a·R mod p", right=((r, (0,)),))
        row(
            "montgomeryProduct", "congruence", 2, "a < n, b < n ⇒ result < n, R·result ≡ a·b mod n", "n", n, left=r,
            right=((1, (0, 1)),), below=n, inputs_below=n)
        row(
            "product", "congruence", 2, "a < n, b < n ⇒ result < n, result ≡ a·b mod n", "n", n, left=r * r,
            right=((r * r, (0, 1)),), below=n, inputs_below=n, uses="montgomeryProduct")
        row("enter", "range", 1, "non-nil ⇔ a < n; then result = a", "n", n, right=((1, (0,)),), below=n)
    return rows
