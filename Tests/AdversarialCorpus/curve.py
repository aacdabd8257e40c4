"""P-256 and P-384 over Python's integers: slow, obvious, and used to make signatures with chosen numbers."""

from encoding import P256_B, P256_N, P256_P, P384_B, P384_N, P384_P


class Curve:
    """y² = x³ − 3x + b over p, with a generator of order n. A point is a pair, None the one at infinity."""

    def __init__(self, name, p, b, n, generator_x, generator_y, size):
        self.name, self.p, self.b, self.n, self.size = name, p, b, n, size
        self.generator = (generator_x, generator_y)

    def add(self, first, second):
        if first is None or second is None:
            return first or second
        (x1, y1), (x2, y2) = first, second
        if x1 == x2 and (y1 + y2) % self.p == 0:
            return None
        if first == second:
            slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, self.p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.p)
        x = (slope * slope - x1 - x2) % self.p
        return x, (slope * (x1 - x) - y1) % self.p

    def multiply(self, scalar, point=None):
        result, addend = None, point or self.generator
        scalar %= self.n
        while scalar:
            if scalar & 1:
                result = self.add(result, addend)
            addend = self.add(addend, addend)
            scalar >>= 1
        return result

    def negate(self, point):
        return point and (point[0], -point[1] % self.p)

    def lift(self, x):
        """The point with this x and an even y; None if there is none."""
        square = (x**3 - 3 * x + self.b) % self.p
        y = pow(square, (self.p + 1) // 4, self.p)
        if y * y % self.p != square:
            return None
        return x, y if y % 2 == 0 else self.p - y


P256 = Curve(
    "secp256r1",
    P256_P,
    P256_B,
    P256_N,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    32,
)
P384 = Curve(
    "secp384r1",
    P384_P,
    P384_B,
    P384_N,
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    48,
)
