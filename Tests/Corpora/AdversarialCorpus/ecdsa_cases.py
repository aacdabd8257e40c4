"""Builds signatures with chosen numbers for the edge cases of FIPS 186-5 6.4.2, for each curve and hash function."""

import functools
import hashlib

from encoding import NULL, integer, octets, sequence, tlv

MESSAGE = b"adversarial ECDSA"


def numbers_at_the_edges(n):
    """Returns multipliers that cause rare values in windows, limbs and carries."""
    size = n.bit_length()
    found = [1, 2, 3, n - 1, n - 2, (n - 1) // 2, (n + 1) // 2, 2**(size - 1), n - 2**(size // 2)]
    found += [2**bit for bit in (32, 64, 128, size - 64)]
    found += [2**bit - 1 for bit in (32, 64, 128, size - 64)]
    found += [int("aa" * (size // 8), 16) % n, int("0f" * (size // 8), 16), int("f0" * (size // 8), 16) % n]
    return found


@functools.cache
def message_with(hash_name, at, wanted):
    """Returns the first decimal number whose digest has the octets `wanted` at offset `at`."""
    function = getattr(hashlib, hash_name)
    return next(text for number in range(10**7)
                if function(text := b"%d" % number).digest()[at:at + len(wanted)] == wanted)


class Cases:
    """The cases of one curve and hash function, as (point Q, comment, flags, message, r, s, is valid)."""
    def __init__(self, curve, hash_name):
        self.curve, self.hash_name = curve, hash_name
        self.n, self.p = curve.n, curve.p

    def hash_of(self, message):
        return getattr(hashlib, self.hash_name)(message).digest()

    def number(self, digest):
        """Returns the leftmost bits of the digest, up to the length of n (6.4.2 step 2), which is a whole number of octets."""
        return int.from_bytes(digest[:self.curve.size], "big")

    def scalar(self, label):
        digest = hashlib.sha512(f"{self.curve.name} {self.hash_name} {label}".encode()).digest()
        return int.from_bytes(digest, "big") % (self.n - 1) + 1

    def key_for(self, nonce_point, r, s, e):
        """Returns the key Q = r⁻¹·(s·R − e·G), for which (r, s) is a signature with nonce point R. Needs no private key."""
        curve = self.curve
        difference = curve.add(curve.multiply(s, nonce_point), curve.negate(curve.multiply(e)))
        return curve.multiply(pow(r, -1, self.n), difference)

    def signed(self, private, nonce, e):
        r = self.curve.multiply(nonce)[0] % self.n
        return r, pow(nonce, -1, self.n) * (e + r * private) % self.n

    def all(self):
        e = self.number(self.hash_of(MESSAGE))
        nonce_point = self.curve.multiply(self.scalar("nonce"))
        r = nonce_point[0] % self.n
        yield from self.small_numbers(e)
        yield from self.reduced_coordinate(e)
        yield from self.multipliers(e, nonce_point, r)
        yield from self.related_keys(e)
        yield from self.hashes()

    def small_numbers(self, e):
        """Yields signatures whose r is one of the smallest x-coordinates of points, and whose s is near either end of its range, or 1/2 modulo n."""
        points = [point for x in range(1, 40) if (point := self.curve.lift(x))]
        for point in points[:2]:
            for s, label in [(1, "1"), (2, "2"), (self.n - 1, "n - 1"), ((self.n + 1) // 2, "1/2")]:
                key = self.key_for(point, point[0], s, e)
                yield key, f"r = {point[0]}, s = {label}", ["SmallRandS"], MESSAGE, point[0], s, True
                if s == 1:
                    yield key, f"r = {point[0]} + 1, s = 1", ["SmallRandS"], MESSAGE, point[0] + 1, s, False

    def reduced_coordinate(self, e):
        """Yields cases in which R's x is in [n, p). Then r = x − n, so r + n < p is the coordinate."""
        for above in range(40):
            point = self.curve.lift(self.n + above)
            if point and above > 0:
                s = self.scalar(f"reduced {above}")
                yield self.key_for(point, above, s,
                                   e), f"the coordinate is n + {above}", ["ArithmeticError"], MESSAGE, above, s, True
                break
        last = next(point for x in range(self.p - 1, self.p - 40, -1) if (point := self.curve.lift(x)))
        r, s = last[0] - self.n, self.scalar("reduced last")
        key = self.key_for(last, r, s, e)
        yield key, "the greatest coordinate below p", ["ArithmeticError"], MESSAGE, r, s, True
        yield key, "the same coordinate, not reduced", ["RangeCheck"], MESSAGE, last[0], s, False
        # Here r + n = p + x ≥ p, so the verifier must not add n to this r.
        wrapped = next(point for x in range(1, 40) if (point := self.curve.lift(x)))
        r = wrapped[0] + self.p - self.n
        yield self.key_for(wrapped, r, s, e), "r + n is the coordinate plus p", ["ArithmeticError"], MESSAGE, r, s, False

    def multipliers(self, e, nonce_point, r):
        for value in numbers_at_the_edges(self.n):
            label = hex(value if value < self.n // 2 else value - self.n)
            # u1 = e/s.
            s = e * pow(value, -1, self.n) % self.n
            yield self.key_for(nonce_point, r, s, e), f"u1 = {label}", ["EdgeCaseU1U2"], MESSAGE, r, s, True
            # u2 = r/s.
            s = r * pow(value, -1, self.n) % self.n
            yield self.key_for(nonce_point, r, s, e), f"u2 = {label}", ["EdgeCaseU1U2"], MESSAGE, r, s, True
        for s, label in [(self.n - 1, "n - 1"), ((self.n + 1) // 2, "1/2"), (pow(3, -1, self.n), "1/3"),
                         (pow(2**64, -1, self.n), "1/2^64"), (pow(2**128, -1, self.n), "1/2^128"),
                         (pow(2**(self.n.bit_length() - 1), -1, self.n), "the inverse of the top bit"), (2**64, "2^64"),
                         (2**(self.n.bit_length() - 1), "the top bit"), ]:
            yield self.key_for(nonce_point, r, s, e), f"s = {label}", ["ModularInverse"], MESSAGE, r, s, True

    def related_keys(self, e):
        curve, n = self.curve, self.n
        for private in [1, 2, 3, 4, 5, 7, 9, 15, 16, 17, 31, 33, n - 1, n - 2, n - 3, (n + 1) // 2, (n - 1) // 2]:
            label = private if private < 100 else f"{private - n}" if n - private < 100 else "half of n"
            flag = "PointDuplication" if private in (1, n - 1) else "EdgeCaseShamirMultiplication"
            r, s = self.signed(private, self.scalar(f"private {private}"), e)
            yield curve.multiply(private), f"Q = {label}·G", [flag], MESSAGE, r, s, True
        for nonce, label in [(1, "G"), (2, "2G"), (n - 1, "-G"), ((n + 1) // 2, "G/2")]:
            private = self.scalar(f"nonce {label}")
            r, s = self.signed(private, nonce, e)
            yield curve.multiply(private), f"R = {label}", ["EdgeCaseDoubling"], MESSAGE, r, s, True
        for index in range(3):
            # u1·G = u2·Q, so the last addition doubles a point. R = 2u1·G gives r, and d = e/r.
            u1 = self.scalar(f"doubling {index}")
            r = curve.multiply(2 * u1)[0] % n
            s = e * pow(u1, -1, n) % n
            yield curve.multiply(e * pow(r, -1, n)), "u1·G = u2·Q", ["PointDuplication"], MESSAGE, r, s, True
            # u1·G = −u2·Q, so R is the point at infinity, which has no coordinates.
            key = curve.multiply(-e * pow(r, -1, n))
            yield key, "u1·G = -u2·Q", ["PointDuplication"], MESSAGE, r, s, False
        for shift in (1, 2, 3):
            yield from self.shamir(e, shift)

    def shamir(self, e, shift):
        """Yields keys for which double-and-add from the top bits reaches infinity before the last `shift` bits.

        With u1 = 2^shift·a1 + b1, u2 = 2^shift·a2 + b2 and R = k·G, d = (k − u1)/u2 must be −a1/a2. Because u2 =
        u1·r/e, this means u1 = k·b2 / (k·r/e + b2 − b1·r/e). The loops try all b1 and b2 for increasing nonces k.
        """
        n, curve, step = self.n, self.curve, 1 << shift
        start = self.scalar(f"shamir {shift}")
        point = curve.multiply(start)
        for count in range(2000):
            k = (start + count) % n
            r = point[0] % n
            point = curve.add(point, curve.generator)
            ratio = r * pow(e, -1, n) % n
            for b1 in range(step):
                for b2 in range(1, step):
                    u1 = k * b2 * pow(k * ratio + b2 - b1 * ratio, -1, n) % n
                    u2 = u1 * ratio % n
                    if u1 % step != b1 or u2 % step != b2:
                        continue
                    private = (k - u1) * pow(u2, -1, n) % n
                    assert ((u1 >> shift) + (u2 >> shift) * private) % n == 0
                    s = e * pow(u1, -1, n) % n
                    comment = f"infinity {shift} bits before the end"
                    yield curve.multiply(private), comment, ["EdgeCaseShamirMultiplication"], MESSAGE, r, s, True
                    return
        raise ValueError("no such nonce")

    def hashes(self):
        """Yields messages whose digests are longer than n, or have runs of zeros or ones at the ends of the used bits."""
        private = self.scalar("hashes")
        key = self.curve.multiply(private)
        size = self.curve.size
        length = hashlib.new(self.hash_name).digest_size
        places = {"the start": 0, "the end": length - 2, "the middle": length // 2}
        if length > size:
            places |= {"the last that counts": size - 2, "the first that does not count": size}
        for place, at in places.items():
            for octet in (0x00, 0xFF):
                wanted = bytes([octet]) * 2
                message = message_with(self.hash_name, at, wanted)
                r, s = self.signed(private, self.scalar(f"hash {place} {octet}"), self.number(self.hash_of(message)))
                yield key, f"two octets {octet:02x} at {place} of the hash", ["SpecialCaseHash"], message, r, s, True
        for message in (b"", b"\0", bytes(1_000)):
            r, s = self.signed(private, self.scalar(f"message {len(message)}"), self.number(self.hash_of(message)))
            yield key, f"a message of {len(message)} octets", ["ValidSignature"], message, r, s, True
        if length > size:
            whole = int.from_bytes(self.hash_of(MESSAGE), "big") % self.n
            r, s = self.signed(private, self.scalar("whole hash"), whole)
            yield key, "signed with the whole hash, reduced", ["Untruncatedhash"], MESSAGE, r, s, False
            r, s = self.signed(private, self.scalar("cut hash"), self.number(self.hash_of(MESSAGE)))
            yield key, "signed with the leftmost octets of the hash", ["Untruncatedhash"], MESSAGE, r, s, True


def changed_numbers(curve, r, s):
    """Yields (comment, flags, r, s, is valid): valid numbers, and numbers that are out of range or otherwise wrong."""
    n, bits = curve.n, curve.n.bit_length()
    yield "a signature", ["ValidSignature"], r, s, True
    yield "n - s", ["SignatureMalleability"], r, n - s, True
    yield "s and r", ["ModifiedSignature"], s, r, False
    yield "n - r", ["ModifiedSignature"], n - r, s, False
    for comment, value in [("0", 0), ("1", 1), ("n", n), ("n - 1", n - 1), ("n + 1", n + 1), ("p", curve.p),
                           ("p + 1", curve.p + 1), ("all ones", 2**bits - 1)]:
        flag = "InvalidSignature" if 0 < value < n else "RangeCheck"
        flags = ["InvalidSignature"] if value == 0 else [flag]
        yield f"r = {comment}", flags, value, s, False
        yield f"s = {comment}", flags, r, value, False
        yield f"r = s = {comment}", flags, value, value, False
    if r + n < 2**bits:
        yield "r + n", ["RangeCheck"], r + n, s, False
    if s + n < 2**bits:
        yield "s + n", ["RangeCheck"], r, s + n, False


def wide_numbers(curve, r, s):
    """Yields numbers that only DER can encode: (comment, flags, r, s)."""
    n, bits = curve.n, curve.n.bit_length()
    yield "r + n", ["RangeCheck"], r + n, s
    yield "s + n", ["RangeCheck"], r, s + n
    yield "r - n", ["RangeCheck"], r - n, s
    yield "s - n", ["RangeCheck"], r, s - n
    yield "-r", ["RangeCheck"], -r, s
    for power in (bits, bits + 64, 512, 4096):
        yield f"r + 2^{power}", ["IntegerOverflow"], r + 2**power, s
        yield f"s + 2^{power}", ["IntegerOverflow"], r, s + 2**power
    yield f"r + 2^{bits}·n", ["IntegerOverflow"], r + 2**bits * n, s


def other_encodings(r, s):
    """Yields (comment, flags, signature) for encodings other than DER. r and s must have the top bit set."""
    both = integer(r) + integer(s)
    count = len(both)
    size = (r.bit_length() + 7) // 8
    r_octets, s_octets = r.to_bytes(size, "big"), s.to_bytes(size, "big")
    ber, wrong, types = "BerEncodedSignature", "InvalidEncoding", "InvalidTypesInSignature"
    yield "a length in two octets", [ber], b"\x30\x81" + bytes([count]) + both
    yield "a length in three octets", [ber], b"\x30\x82\0" + bytes([count]) + both
    yield "an indefinite length", [ber], b"\x30\x80" + both + b"\0\0"
    yield "r's length in two octets", [ber], sequence(b"\x02\x81" + integer(r)[1:], integer(s))
    yield "s's length in two octets", [ber], sequence(integer(r), b"\x02\x81" + integer(s)[1:])
    yield "a zero octet before r", [ber], sequence(tlv(2, b"\0\0", r_octets), integer(s))
    yield "a zero octet before s", [ber], sequence(integer(r), tlv(2, b"\0\0", s_octets))
    yield "r without its zero octet", ["MissingZero"], sequence(tlv(2, r_octets), integer(s))
    yield "s without its zero octet", ["MissingZero"], sequence(integer(r), tlv(2, s_octets))
    yield "no zero octets", ["MissingZero"], sequence(tlv(2, r_octets), tlv(2, s_octets))
    for comment, encoded in {
            "no octets": b"",
            "a tag alone": b"\x30",
            "an empty SEQUENCE": sequence(),
            "r alone": sequence(integer(r)),
            "three numbers": sequence(both, integer(1)),
            "an octet after it": sequence(both) + b"\0",
            "a NULL after it": sequence(both) + NULL,
            "a NULL inside": sequence(both, NULL),
            "a NULL before r": sequence(NULL, both),
            "a SEQUENCE around it": sequence(sequence(both)),
            "a length less by one": b"\x30" + bytes([count - 1]) + both,
            "a length greater by one": b"\x30" + bytes([count + 1]) + both,
            "the last octet is missing": sequence(both)[:-1],
            "a length of 2^31": b"\x30\x84\x80\0\0\0" + both,
            "a length of 2^63": b"\x30\x88\x80" + bytes(7) + both,
            "a length of 2^64": b"\x30\x89\x01" + bytes(8) + both,
            "r has no contents": sequence(tlv(2), integer(s)),
            "s has no contents": sequence(integer(r), tlv(2)),
            "a constructed INTEGER": sequence(tlv(0x22, integer(r)), integer(s)),
            "r and s without a header": r_octets + s_octets,
            "r and s in an OCTET STRING": octets(r_octets + s_octets),
            "r and s without a SEQUENCE": both,
    }.items():
        yield comment, [wrong], encoded
    for comment, encoded in {
            "a SET": tlv(0x31, both),
            "a primitive SEQUENCE": tlv(0x10, both),
            "r an OCTET STRING": sequence(octets(r_octets), integer(s)),
            "r an ENUMERATED": sequence(tlv(0x0A,
                                            integer(r)[2:]), integer(s)),
            "r a BOOLEAN": sequence(tlv(1, b"\0"), integer(s)),
            "r a NULL": sequence(NULL, integer(s)),
            "s a NULL": sequence(integer(r), NULL),
            "r and s NULL": sequence(NULL, NULL),
            "r a REAL 0": sequence(tlv(9), integer(s)),
            "r an empty string": sequence(tlv(0x0C), integer(s)),
            "r a SEQUENCE": sequence(sequence(integer(r)), integer(s)),
    }.items():
        yield comment, [types], encoded


def other_lengths(size, r, s):
    """Yields (comment, flags, signature) for raw encodings in which r and s do not have the full length."""
    r_octets, s_octets = r.to_bytes(size, "big"), s.to_bytes(size, "big")
    for comment, signature in {
            "no octets": b"",
            "r alone": r_octets,
            "an octet is missing": (r_octets + s_octets)[:-1],
            "an octet follows": r_octets + s_octets + b"\0",
            "an octet precedes": b"\0" + r_octets + s_octets,
            "a zero octet before r and s": b"\0" + r_octets + b"\0" + s_octets,
            "twice": (r_octets + s_octets) * 2,
            "DER": sequence(integer(r), integer(s)),
            "the size of the other curve": b"".join(
                part.rjust(80 - size, b"\0")[-(80 - size):] for part in (r_octets, s_octets)),
    }.items():
        yield comment, ["SignatureSize"], signature
