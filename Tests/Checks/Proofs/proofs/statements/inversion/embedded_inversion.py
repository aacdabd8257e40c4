"""Proves the additional inversions of Embedded Swift: modulo p and n of P-256, in seven limbs as for P-384.

`inverse.py` proves the function that both curves share, for all four moduli, including `apply`. This file proves both conversions of a 256-bit number. It also
proves `update` for the moduli of P-256, because the IR contains a separate function for these moduli. Trusted: a `ModularInversion` for
the modulus m stores m and m⁻¹ mod 2⁶².
"""

from dataclasses import dataclass

from proofs.claim import Claim
from proofs.domains.polynomial import constant
from proofs.ir.memory import Pointer
from proofs.statements.inversion.division_loop import DivisionLoop
from proofs.statements.inversion.inverse import UPDATE, limbs_of_number
from proofs.statements.inversion.matrices import MODULI, DivisionSteps, conversions, memory, prove_update

LIMBS = 7


@dataclass
class Update(Claim):
    modulus_name: str
    modulus: int
    bits: int
    of = ("ModularInversion.update",)
    trusts = ("that an inversion which is made for m has m and m⁻¹ mod 2⁶²",)
    text = "2⁶²·d' ≡ u·d + v·e, 2⁶²·e' ≡ q·d + r·e mod m; d', e' in (−2m, m)"

    @property
    def name(self):
        return f"safegcd update<{LIMBS}> {self.modulus_name} of {self.bits} bits"

    def first(self, module):
        """Returns the `update` function that `inverse` calls."""
        function = DivisionSteps(LIMBS).first(module)
        (name,) = {i.args[0] for i in function.blocks[DivisionLoop(module, function).end] if i.op == "call" and UPDATE in i.args[0]}
        return module.function(name)

    def prove(self, module):
        function = self.first(module)
        own = [*limbs_of_number(self.modulus, LIMBS), constant(pow(self.modulus, -1, 1 << 62))]

        def called(run, d, e, matrix):
            by_value = len(function.parameters) == len(matrix) + 3
            given = matrix if by_value else [Pointer(memory(matrix, read_only=True))]
            run.call(function.name, [*given, d, e, Pointer(memory(own, read_only=True))])

        return prove_update(module, LIMBS, self.modulus_name, self.modulus, self.bits, called)


ROWS = [Update(*modulus) for modulus in MODULI[5]] + conversions(LIMBS, 4, f"inversion{LIMBS}of4", " of 256 bits")
