"""The functions of points, parsed from Sources/PureECDSA/Curve: what `swift_run.py` follows for the proofs of formulas and of multiples.

It proves nothing. Trusted: that the functions and constants which are named are those that the library calls.
"""

from proofs.places import SOURCES
from proofs.source.swift_run import Program
from proofs.source.swift_syntax import function

def source(path):
    return (SOURCES / "PureECDSA" / path).read_text()


def jacobian_program(**settings):
    """JacobianPoint's functions."""
    text = source("Curve/JacobianPoint.swift")
    return Program(
        [
            function(text, "double"), function(text, "addVarTime", "_"), function(text, "addSameX", "_"),
            function(text, "doubleAndAddVarTime", "_"), function(text, "affineVarTime"), function(text, "isInfinity"),
            function(text, "infinity"),
        ],
        [("JacobianPoint", function(text, "init", "_"))], **settings)


def multiples_program(**settings):
    """The multiples of points, and the table that is made of them; what is called of scalars and of points is the proofs' to say."""
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
