"""Implements P-256 and P-384 with Python's integers, to compute signatures with chosen numbers."""


class Curve:
    """y² = x³ − 3x + b over p, with a generator of order n. A point is a pair; None is the point at infinity."""

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
        """Multiplies a point, from the scalar's top bit down, in Jacobian coordinates (x = X/Z², y = Y/Z³) with one inversion."""
        scalar %= self.n
        point = point or self.generator
        X, Y, Z = 0, 1, 0
        for bit in bin(scalar)[2:]:
            X, Y, Z = self.doubled(X, Y, Z)
            if bit == "1":
                X, Y, Z = self.added(X, Y, Z, point)
        if Z == 0:
            return None
        inverse = pow(Z, -1, self.p)
        return X * inverse**2 % self.p, Y * inverse**3 % self.p

    def doubled(self, X, Y, Z):
        """Doubles a point. The tangent's slope is M/2YZ with M = 3(X − Z²)(X + Z²), because a = −3."""
        p = self.p
        M = 3 * (X - Z * Z) * (X + Z * Z) % p
        S = 4 * X * Y * Y % p
        x = (M * M - 2 * S) % p
        return x, (M * (S - x) - 8 * Y**4) % p, 2 * Y * Z % p

    def added(self, X, Y, Z, point):
        """Adds a point. The chord's slope is R/HZ; `add` handles the cases without a chord."""
        p = self.p
        H = (point[0] * Z * Z - X) % p
        if H == 0 or Z == 0:
            inverse = pow(Z, -1, p) if Z else 0
            sum = self.add((X * inverse**2 % p, Y * inverse**3 % p) if Z else None, point)
            return (*sum, 1) if sum else (0, 1, 0)
        R = (point[1] * Z**3 - Y) % p
        x = (R * R - H**3 - 2 * X * H * H) % p
        return x, (R * (X * H * H - x) - Y * H**3) % p, H * Z % p

    def negate(self, point):
        return point and (point[0], -point[1] % self.p)

    def lift(self, x):
        """Returns the point with this x and an even y, or None if no point has this x."""
        square = (x**3 - 3 * x + self.b) % self.p
        y = pow(square, (self.p + 1) // 4, self.p)
        if y * y % self.p != square:
            return None
        return x, y if y % 2 == 0 else self.p - y


# SP 800-186, 3.2.1.3 and 3.2.1.4.
P256 = Curve(
    "secp256r1",
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    32,
)
P384 = Curve(
    "secp384r1",
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
    0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    48,
)
