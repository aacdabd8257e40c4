"""Lists all statements: about the release build, about the sources, and about other targets."""

import functools
import re

from proofs import places
from proofs.build.embedded import AARCH64, WASM32
from proofs.execution import wide_product
from proofs.ir.module import Module
from proofs.statements import arithmetic, digest, sha2, unchecked, unsaturated
from proofs.statements.formulas import formulas
from proofs.statements.inversion import embedded_inversion, inverse, matrices, rounds
from proofs.statements.multiplication import interleaving
from proofs.statements.points import point_calls, point_routines
from proofs.statements.recoding import turn

# Statements about the IR of SwiftPM's release build, in the order of the article *Proofs*.
RELEASE = {
    "PureECDSA": arithmetic.rows() + digest.rows() + turn.rows() + interleaving.rows() + matrices.rows() + inverse.rows() + point_routines.rows(),
    "PureSHA2": sha2.rows(),
}
NAMES = {claim.name for found in RELEASE.values() for claim in found}

# Statements about the sources, which need no IR.
OF_SOURCES = [rounds.Rounds(), unchecked.Unchecked(NAMES), *formulas.rows()]

# For a target, the statements of PureECDSA are proven, except those that `LEFT_OUT` lists for the target. Further statements are about replacement functions:
# the product of two words if the target has no such instruction, and the signed-limb fields on wasm32.
_EMBEDDED = RELEASE["PureECDSA"] + embedded_inversion.ROWS + interleaving.embedded_rows()
OF_TARGETS = {
    AARCH64: {"PureECDSA": _EMBEDDED + point_calls.rows(of_signed_limbs=False), "PureSHA2": sha2.embedded_rows()},
    WASM32: {"PureECDSA": _EMBEDDED + wide_product.ROWS + unsaturated.rows() + point_calls.rows(of_signed_limbs=True), "PureSHA2": sha2.embedded_rows()},
}

# (target, statement, reason why it is not proven); target and statement are regular expressions
LEFT_OUT = [
    (".*", r"safegcd .*<5> p|safegcd (steps|inverse)<5>", "there is no such function: all moduli have seven limbs in Embedded Swift"),
    (".*", r"interleave .* (point|table|bases)<", "there is no such function: one for each curve has the loop in Embedded Swift, `interleave … whole<5>`"),
    (".*", r"P\d+ (double|addVarTime|doubleAndAddVarTime)$", "the field's operations are not inlined there, but called: `… by calls`"),
    ("wasm32", r"P\d+ addSameX$", "the words of wasm32's fields are other ones: `… by calls`"),
]


def left_out(target, claim):
    """Returns the reason why a statement is not proven for a target, or None."""
    return next((reason for where, name, reason in LEFT_OUT if re.match(where, target) and re.match(name, claim.name)), None)


@functools.cache
def modules(directory):
    """Returns {name: module} of the IR in a directory."""
    return {name: Module.read(directory / name) for name in RELEASE}
