"""Collects the point functions parsed from Sources/PureECDSA/Curve, for the proofs of formulas and multiples.

`swift_run.py` runs them. Trusted: the library calls the functions and constants named here.
"""

from proofs.places import SOURCES
from proofs.source.swift_run import Program
from proofs.source.swift_syntax import function

def source(path):
    return (SOURCES / "PureECDSA" / path).read_text()


def jacobian_program(**settings):
    text = source("Curve/JacobianPoint.swift")
    return Program(
        [
            function(text, "double"), function(text, "addVarTime", "_"), function(text, "addSameX", "_"),
            function(text, "doubleAndAddVarTime", "_"), function(text, "affineVarTime"), function(text, "isInfinity"),
            function(text, "infinity"),
        ],
        [("JacobianPoint", function(text, "init", "_"))], **settings)


def multiples_program(**settings):
    """Returns the functions that compute multiples of points and their table. The proofs supply the called functions of scalars and points."""
    multiples, table = source("Curve/OddMultiples.swift"), source("Curve/WindowTable.swift")
    return Program(
        [
            function(multiples, "climb", "_", "Z", "_", "from", "_", "_"),
            function(multiples, "descend", "_", "_", "to", "isFirstAffine", "_", "_"),
            function(multiples, "descend", "_", "count", "affineCount", "_", "_"), function(multiples, "oddMultiples"),
            function(multiples, "doubledOnOneZ", "δ"), function(multiples, "addOnOneZ", "_"), function(table, "multipleCount"),
            function(source("Curve/DoubleScalarMultiplication.swift"), "partCount", "_"),
        ],
        [("WindowTable", function(table, "init", "_", "_")), ("WindowTable", function(table, "init", "_", "points"))], **settings)
