"""Proves how the sources compute multiples of points (OddMultiples.swift, WindowTable.swift), by running their loops.

`point_formulas.py` proves two steps of these loops, `doubledOnOneZ` and `addOnOneZ`, as rational functions. In this module, the loops run with contracts in
place of the two steps. The contracts state exactly the proven results. Each multiple of Q has a name: the affine point k·Q is (x_k, y_k). On a given Z, the
same point is (x_k·Z², y_k·Z³). Therefore a contract can recognise a multiple and its Z, and it returns the next multiple on a new Z. At the end, each multiple
must be affine and at its index. The proofs run the loops for some counts of multiples from 1 to 64, and for 1 to 12 points. They also run the table shapes
in use. They show nothing about other sizes. Trusted: SymPy, and the reading of the source.
"""

import sympy
from sympy import symbols

from proofs.source.point_program import multiples_program
from proofs.source.swift_run import SwiftRun
from proofs.source.swift_values import Array, Scope, Struct
from proofs.statements.curves import N256, N384
from proofs.statements.formulas.group_law import NUMBERS, require

PROGRAM = multiples_program(**NUMBERS)


def affine(x, y):
    return Struct("AffinePoint", x=x, y=y)


# The loops, run on named multiples

class Multiples:
    """Multiples of Q and their Zs. The contracts state the proven results of the two formulas and of double()."""

    def __init__(self, parts=1, part_bits=0):
        self.new = 0
        self.coordinates = {}  # x_k -> (k, y_k)
        self.ratios = []
        self.parts, self.part_bits = parts, part_bits

    def named(self, multiple, name=""):
        x, y = symbols(f"{name}x_{multiple} {name}y_{multiple}", positive=True)
        self.coordinates[x] = (multiple, y, name)
        return x, y

    def on(self, multiple, Z, name=""):
        x, y = self.named(multiple, name)
        return affine(x * Z**2, y * Z**3)

    def recognised(self, x, y):
        """Returns (k, Z, the name of Q) for the coordinates x·Z² and y·Z³ of k·Q = (x, y)."""
        (found,) = [symbol for symbol in sympy.sympify(x).free_symbols if symbol in self.coordinates]
        multiple, y_symbol, its_name = self.coordinates[found]
        Z = (y / y_symbol) / (x / found)
        require(x == found * Z**2 and y == y_symbol * Z**3, "the coordinates are of no multiple")
        return multiple, Z, its_name

    def ratio(self):
        self.new += 1
        return sympy.Symbol(f"H{self.new}", positive=True)

    def doubled_on_one_z(self, swift, Q, arguments):
        (delta,) = arguments
        multiple, Z, name = self.recognised(Q["x"], Q["y"])
        require(delta == Z**2, "δ")
        Z = Q["y"] * sympy.sqrt(delta)
        return self.on(2 * multiple, Z, name), self.on(multiple, Z, name)

    def add_on_one_z(self, swift, point, arguments):
        (P,) = arguments
        multiple, Z, name = self.recognised(point["x"], point["y"])
        other, other_Z, other_name = self.recognised(P["x"], P["y"])
        require(Z == other_Z and name == other_name and multiple != other and multiple != -other, "two points on one Z")
        H = self.ratio()
        point.become(self.on(multiple + other, Z * H, name))
        P.become(self.on(other, Z * H, name))
        return H

    def double(self, swift, point, arguments):
        multiple, Z, name = self.recognised(point["X"], point["Y"])
        require(Z == point["Z"], "the point's Z")
        Z = self.ratio()  # a different Z
        at = self.on(2 * multiple, Z, name)
        point.become(Struct("JacobianPoint", X=at["x"], Y=at["y"], Z=Z))

    def precondition(self, swift, receiver, arguments):
        require(arguments[0] is True, "a precondition")

    def run(self):
        return SwiftRun(PROGRAM.with_contracts(
            doubledOnOneZ=self.doubled_on_one_z, addOnOneZ=self.add_on_one_z, double=self.double, precondition=self.precondition,
            scalarBits=lambda *_: self.parts * self.part_bits))

    def spans(self, count):
        """Returns two spans of `count` unset elements, which the code must not use."""
        unset = sympy.Symbol("unset")
        return Array([affine(unset, unset) for _ in range(count)]), Array([unset] * count)

    def climbed(self, points, ratios, start, count, Z, is_first_affine, name=""):
        """Sets odd multiples as `climb` leaves them: each Z after the first is the one before times a ratio. Returns the last Z."""
        for i in range(count):
            if i:
                ratios[start + i] = self.ratio()
                Z = Z * ratios[start + i]
            points[start + i] = self.on(2 * i + 1, Z if i or not is_first_affine else 1, name)
        return Z

    def require_affine(self, points, start, count, first=1, name=""):
        for i in range(count):
            x, y = self.named((2 * i + 1) * first, name)
            require(points[start + i]["x"] == x and points[start + i]["y"] == y, f"the {i}-th multiple")


CLIMB = PROGRAM.functions["climb", ("_", "Z", "_", "from", "_", "_")]
DESCEND = PROGRAM.functions["descend", ("_", "_", "to", "isFirstAffine", "_", "_")]
DESCEND_SEVERAL = PROGRAM.functions["descend", ("_", "count", "affineCount", "_", "_")]


def climbing():
    """climb(): the i-th multiple is on Zᵢ = Zᵢ₋₁·Hᵢ, and the ratios contain Hᵢ. The function returns 2·Q on the last Z."""
    for count in (1, 2, 8, 32):
        for start in (0, 5):
            for Z in (None, sympy.Symbol("Z", positive=True)):
                multiples = Multiples()
                points, ratios = multiples.spans(count + start)
                Q = multiples.on(1, 1 if Z is None else Z)
                double = multiples.run().call(CLIMB, (Q, Z, count, start, points, ratios))
                on = [multiples.recognised(points[start + i]["x"], points[start + i]["y"]) for i in range(count)]
                require([k for k, _, _ in on] == list(range(1, 2 * count, 2)), "the multiples")
                zs = [Z for _, Z, _ in on]
                if Z is None:
                    require(zs[0] == 1, "the first is affine")
                    zs[0] = Q["y"]  # the next Z is a multiple of this Z
                require(all(zs[i] == zs[i - 1] * ratios[start + i] for i in range(1, count)), "the ratios")
                k, last, _ = multiples.recognised(double["X"], double["Y"])
                require((k, last, double["Z"]) == (2, zs[-1], zs[-1]), "2·Q on the last Z")


def descending():
    """descend(): divides x by Z² and y by Z³ for each multiple, starting with 1/Z of the last multiple. Skips the first multiple if it is affine."""
    for count in (1, 2, 8, 32):
        for start in (0, 3):
            for is_first_affine in (False, True):
                multiples = Multiples()
                points, ratios = multiples.spans(count + start)
                Z = multiples.climbed(points, ratios, start, count, sympy.Symbol("Z0", positive=True), is_first_affine)
                multiples.run().call(DESCEND, (1 / Z, count, start, is_first_affine, points, ratios))
                multiples.require_affine(points, start, count)


def one_inversion():
    """descend() for several points: in each part, the descent begins with the inverse of the part's last Z."""
    for count in range(1, 13):
        for size, affine_count in ((1, 0), (2, 1), (4, count), (8, 1)):
            multiples = Multiples()
            points, ratios = multiples.spans(size * count)
            for j in range(count):
                Z = sympy.Symbol(f"Z{j}", positive=True)
                ratios[size * j] = multiples.climbed(points, ratios, size * j, size, Z, j < affine_count, f"Q{j}")
            multiples.run().call(DESCEND_SEVERAL, (size, count, affine_count, points, ratios))
            for j in range(count):
                multiples.require_affine(points, size * j, size, 1, f"Q{j}")


# (window, bits of a part, number of parts): keys with a table (P-256, P-384), a key's stored multiples, windows of 8 bits, a single part
SHAPES = ((5, 32, 8), (5, 32, 12), (2, 64, 4), (8, 32, 2), (5, 64, 1))


def table():
    """WindowTable contains (2i + 1)·2^(partBits·j)·Q at index 2^(w−2)·j + i, for the shapes in use. oddMultiples() is one part of the table."""
    for window, part_bits, parts in SHAPES:
        multiples = Multiples(parts, part_bits)
        shape = Struct("WindowShape", window=window, partBits=part_bits)
        made = multiples.run().initialised(Scope(None, {}), "WindowTable", ("_", "_"), [multiples.on(1, 1), shape])
        count = 1 << window - 2
        require(len(made["points"].values) == count * parts, "the number of multiples")
        for j in range(parts):
            multiples.require_affine(made["points"], count * j, count, 1 << part_bits * j)
    for count in (1, 2, 8):
        multiples = Multiples()
        made = multiples.run().call(PROGRAM.functions["oddMultiples", ()], (), multiples.on(1, 1), {"m": count})
        multiples.require_affine(made, 0, count)


def odd_multiples_distinct():
    """If n > 2^(w−1), (i ± 2)·Q is not the point at infinity, so no addition of 2Q to i·Q is exceptional."""
    for n in (N256, N384):
        require(sympy.isprime(n) and n > 2**14, "a prime order above every window's bound")
    for window in range(2, 9):
        odd = range(1, 2 ** (window - 1) - 2, 2)  # every i for which 2Q is added to i·Q
        for n in sympy.primerange(2 ** (window - 1) + 1, 2 ** (window + 2)):
            for i in odd:
                require((i - 2) % n and (i + 2) % n, f"i = {i}, n = {n}")
        require(all(0 < abs(i - 2) < 2 ** (window - 1) and i + 2 < 2 ** (window - 1) for i in odd), "0 < |i ± 2| < 2^(w−1)")
