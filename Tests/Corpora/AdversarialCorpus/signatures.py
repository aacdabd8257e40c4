"""Yields cases whose signatures, public keys or algorithm identifiers have one defect each."""

from chains import CA, CA_KEY, LEAF, LEAF_KEY, OTHER_KEY, case, intermediate, leaf, malformed, wrong_tag
from curve import P256, P384
from encoding import CURVES, EC_PUBLIC_KEY, ECDSA_WITH, NULL, Key, integer, octets, oid, sequence, signature, tlv

N = P384.n
BAD_SIGNATURE = "invalidSignature(certificate: 0)"
FIPS = "FIPS 186-5 6.4.2 step 1"
DER_ONLY = "RFC 3279 2.2.3, X.690 10, 8.3.2"


def high(number):
    return number >> 383 == 1


def signed_leaf(wanted):
    """Returns the leaf with the first serial number whose r and s satisfy `wanted`."""
    for serial in range(3, 1000):
        candidate = LEAF.change(serial=integer(serial))
        if wanted(*CA_KEY.sign(candidate.signed_part, "sha256")):
            return candidate
    raise ValueError("no such signature")


def unsigned(number):
    """Encodes an INTEGER without a leading zero octet for the sign."""
    return tlv(0x02, number.to_bytes((number.bit_length() + 7) // 8, "big"))


def padded(number):
    plain = integer(number)
    return tlv(0x02, b"\0", plain[2:])


def signature_cases():
    def numbers(identifier, rows, comment, encode, error, base=LEAF, rule=FIPS):
        """Returns a case with this encoding of the leaf's signature. `error` is the decoding error, or None."""
        return case(identifier, rows, rule, comment, BAD_SIGNATURE, leaf=base.change(encode_signature=encode),
                    signatureError=error)

    out = "scalarOutOfRange"

    def der(rule):
        return f"malformedDER({rule})"

    yield case("control-valid", [], "", "the chain without a defect", None)
    yield case("control-sig-n-minus-s", [], FIPS, "n - s signs as s does: malleable, and valid", None,
               leaf=LEAF.change(encode_signature=lambda r, s: signature(r, N - s)))
    zero = ["zero"]
    yield numbers("sig-r0-s0", zero, "r = s = 0", lambda r, s: signature(0, 0), out)
    yield numbers("sig-r0", zero, "r = 0", lambda r, s: signature(0, s), out)
    yield numbers("sig-s0", zero, "s = 0", lambda r, s: signature(r, 0), out)

    span = ["range"]
    for label, change in {
            "n": lambda x: N,
            "plus-n": lambda x: x + N,
            "p": lambda x: P384.p,
            "2-384": lambda x: 2**384,
            "plus-2-384": lambda x: x + 2**384,
            "huge": lambda x: x + N * 2**3712,
    }.items():
        yield numbers(f"sig-r-{label}", span, f"r is out of range: {label}", lambda r, s, f=change: signature(f(r), s),
                      out)
        yield numbers(f"sig-s-{label}", span, f"s is out of range: {label}", lambda r, s, f=change: signature(r, f(s)),
                      out)
    yield numbers("sig-r-negative", span, "r - n, negative", lambda r, s: signature(r - N, s), der("negativeInteger"))
    yield numbers("sig-s-negative", span, "s - n, negative", lambda r, s: signature(r, s - N), der("negativeInteger"))
    yield numbers("sig-r-n-minus-1", span, "r = n - 1, in range and wrong", lambda r, s: signature(N - 1, s), None)
    yield numbers("sig-s-n-minus-1", span, "s = n - 1, in range and wrong", lambda r, s: signature(r, N - 1), None)

    form = ["signature-encoding"]

    def encoded(identifier, comment, encode, error, base=LEAF):
        return numbers(identifier, form, comment, encode, error, base, DER_ONLY)

    yield encoded("sig-missing-zero-r", "r has its top bit set and no zero octet",
                  lambda r, s: sequence(unsigned(r), integer(s)), der("negativeInteger"),
                  signed_leaf(lambda r, s: high(r)))
    yield encoded("sig-missing-zero-s", "s has its top bit set and no zero octet",
                  lambda r, s: sequence(integer(r), unsigned(s)), der("negativeInteger"),
                  signed_leaf(lambda r, s: high(s)))
    low = signed_leaf(lambda r, s: not high(r) and not high(s))
    yield encoded("sig-nonminimal-r", "r has a zero octet too many", lambda r, s: sequence(padded(r), integer(s)),
                  der("nonMinimalInteger"), low)
    yield encoded("sig-nonminimal-s", "s has a zero octet too many", lambda r, s: sequence(integer(r), padded(s)),
                  der("nonMinimalInteger"), low)
    body = lambda r, s: integer(r) + integer(s)
    yield encoded("sig-nonminimal-length", "the SEQUENCE's length in two octets",
                  lambda r, s: b"\x30\x81" + bytes([len(body(r, s))]) + body(r, s), der("nonMinimalLength"))
    yield encoded("sig-nonminimal-length-zeros", "the SEQUENCE's length in five octets",
                  lambda r, s: b"\x30\x84\0\0\0" + bytes([len(body(r, s))]) + body(r, s), der("nonMinimalLength"))
    yield encoded("sig-indefinite", "an indefinite length", lambda r, s: b"\x30\x80" + body(r, s) + b"\0\0",
                  der("indefiniteLength"))
    yield encoded("sig-length-2-63", "a length of 2^63", lambda r, s: b"\x30\x88\x80" + bytes(7) + body(r, s),
                  der("lengthTooLarge"))
    yield encoded("sig-length-short", "a length less by one",
                  lambda r, s: b"\x30" + bytes([len(body(r, s)) - 1]) + body(r, s), der("trailingBytes"))
    yield encoded("sig-trailing-byte", "an octet follows", lambda r, s: signature(r, s) + b"\0", der("trailingBytes"))
    yield encoded("sig-trailing-null", "a NULL follows", lambda r, s: signature(r, s) + NULL, der("trailingBytes"))
    yield encoded("sig-trailing-element", "three numbers", lambda r, s: sequence(body(r, s), integer(1)),
                  der("trailingBytes"))
    yield encoded("sig-trailing-inside", "a NULL inside", lambda r, s: sequence(body(r, s), NULL), der("trailingBytes"))
    yield encoded("sig-empty", "no octets", lambda r, s: b"", der("unexpectedEnd"))
    yield encoded("sig-empty-sequence", "no numbers", lambda r, s: sequence(), der("unexpectedEnd"))
    yield encoded("sig-one-integer", "one number", lambda r, s: sequence(integer(r)), der("unexpectedEnd"))
    yield encoded("sig-truncated", "the last octet is missing", lambda r, s: signature(r, s)[:-1], der("unexpectedEnd"))
    yield encoded("sig-integer-empty", "r has no contents", lambda r, s: sequence(tlv(2), integer(s)),
                  der("emptyInteger"))
    yield encoded("sig-type-octet-string", "r is an OCTET STRING",
                  lambda r, s: sequence(octets(integer(r)[2:]), integer(s)), der(wrong_tag((0, 2), (0, 4))))
    yield encoded("sig-type-set", "a SET", lambda r, s: tlv(0x31, body(r, s)), der(wrong_tag((32, 16), (32, 17))))
    yield encoded("sig-raw", "r and s as in IEEE P1363", lambda r, s: r.to_bytes(48, "big") + s.to_bytes(48, "big"),
                  der(wrong_tag((32, 16), (96, 27))))
    yield encoded("sig-swapped", "s and r", lambda r, s: signature(s, r), None)
    yield case("sig-unused-bits", form, "RFC 5280 4.1.1.3, X.690 8.6", "the BIT STRING has an unused bit",
               "notWholeOctets(signatureValue)", leaf=signed_leaf(lambda r, s: s % 2 == 0).change(unused_bits=1))

    binding = ["hash-binding"]
    yield leaf("sig-other-key", ["anchor-confusion"], "RFC 5280 6.1.3 (a)(1)", "signed by a stranger", BAD_SIGNATURE,
               signer=OTHER_KEY)
    yield leaf("sig-tampered", ["one-parser"], "RFC 5280 6.1.3 (a)(1)", "the serial number was changed after signing",
               BAD_SIGNATURE, alter=lambda signed: signed.replace(b"\x02\x01\x03", b"\x02\x01\x04", 1))
    # Algorithms
    unsupported = "unsupportedSignatureAlgorithm(certificate: 0)"
    for hash_name in ("sha1", "sha224"):
        yield leaf(f"alg-{hash_name}", binding, "FIPS 186-5 6.4; RFC 5758 3.2", f"signed with {hash_name}, and says so",
                   unsupported, hash_name=hash_name)
        yield intermediate(f"alg-{hash_name}-int", binding, "FIPS 186-5 6.4; RFC 5758 3.2",
                           f"the intermediate is signed with {hash_name}, and says so",
                           "unsupportedSignatureAlgorithm(certificate: 1)", hash_name=hash_name)
    sha256 = sequence(ECDSA_WITH["sha256"])
    for hash_name in ("sha1", "sha384", "sha512"):
        yield leaf("alg-hash-confusion" + ("" if hash_name == "sha384" else f"-{hash_name}"), binding,
                   "RFC 5280 4.1.1.2", f"says SHA-256, signed with {hash_name}", BAD_SIGNATURE, hash_name=hash_name,
                   inner_algorithm=sha256, outer_algorithm=sha256)
    parameters = ["algorithm-parameters"]
    yield leaf("alg-inner-outer-mismatch", parameters, "RFC 5280 4.1.1.2", "another hash outside",
               "signatureAlgorithmMismatch", outer_algorithm=sequence(ECDSA_WITH["sha384"]))
    with_null = sequence(ECDSA_WITH["sha256"], NULL)
    yield leaf("alg-null-params", parameters, "RFC 5758 3.2", "NULL for parameters, inside and outside",
               "unexpectedAlgorithmParameters", inner_algorithm=with_null, outer_algorithm=with_null)
    yield leaf("alg-outer-null-only", parameters, "RFC 5280 4.1.1.2", "NULL for parameters outside only",
               "signatureAlgorithmMismatch", outer_algorithm=with_null)
    yield leaf("alg-inner-null-only", parameters, "RFC 5280 4.1.1.2", "NULL for parameters inside only",
               "signatureAlgorithmMismatch", inner_algorithm=with_null, outer_algorithm=sha256)
    trailing = sequence(ECDSA_WITH["sha256"], NULL, NULL)
    yield leaf("alg-trailing-in-algid", parameters, "RFC 5280 4.1.1.2", "two parameters",
               malformed("signatureAlgorithm", "trailingBytes"), inner_algorithm=trailing, outer_algorithm=trailing)
    yield leaf("alg-empty", parameters, "RFC 5280 4.1.1.2", "no algorithm",
               malformed("signatureAlgorithm", "unexpectedEnd"), inner_algorithm=sequence(), outer_algorithm=sequence())
    for label, identifier in {"rsa": "1.2.840.113549.1.1.11", "ed25519": "1.3.101.112"}.items():
        algorithm = sequence(oid(identifier), NULL if label == "rsa" else b"")
        yield leaf(f"alg-{label}", ["odd-keys"], "README, what is not covered", f"says that it is signed with {label}",
                   unsupported, inner_algorithm=algorithm, outer_algorithm=algorithm)


def without_point(curve):
    """Returns the smallest positive x that is not the x-coordinate of a point."""
    return next(x for x in range(1, 100) if not curve.lift(x))


def uncompressed(x, y):
    return b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")


def explicit(curve, base):
    """Returns a SpecifiedECDomain (RFC 3279, 2.3.5) with this generator."""
    field = sequence(oid("1.2.840.10045.1.1"), integer(curve.p))
    coefficients = sequence(*(octets(number.to_bytes(curve.size, "big")) for number in (curve.p - 3, curve.b)))
    return sequence(integer(1), field, coefficients, octets(base), integer(curve.n), integer(1))


def key_cases():
    def key(identifier, rows, comment, error, rule="SEC 1 3.2.2.1, 2.3.4", **info):
        return leaf(identifier, rows, rule, comment, error, info=LEAF_KEY.info(**info))

    def invalid(error):
        return f"invalidPublicKey({error})"

    p = P256.p
    yield leaf("control-spki-compressed", [], "RFC 5480 2.2", "a compressed key", None,
               info=LEAF_KEY.info(point=LEAF_KEY.compressed))
    x, y = next(point for x in range(1, 100) if (point := P256.lift(x)))
    small = ["coordinate-range"]
    yield key("control-small-x", small, f"x = {x}: the twin of spki-x-ge-p", None, point=uncompressed(x, y))
    yield key("spki-x-ge-p", small, f"x = p + {x}, a point if it were reduced", invalid("coordinateOutOfRange"),
              point=uncompressed(x + p, y))
    yield key("spki-x-ge-p-compressed", small, "the same, compressed", invalid("coordinateOutOfRange"),
              point=bytes([2 + y % 2]) + (x + p).to_bytes(32, "big"))
    _, zero_y = P256.lift(0)
    yield key("control-x-zero", small, "x = 0: the twin of spki-x-p", None, point=uncompressed(0, zero_y))
    yield key("spki-x-p", small, "x = p", invalid("coordinateOutOfRange"), point=uncompressed(p, zero_y))
    yield key("spki-y-p", small, "y = p", invalid("coordinateOutOfRange"), point=uncompressed(x, p))
    yield key("spki-x-ones", small, "x = 2^256 - 1", invalid("coordinateOutOfRange"), point=uncompressed(2**256 - 1, y))
    yield key("spki-negated", small, "p - y: another key, on the curve", None, point=uncompressed(x, p - y))
    nonresidue = without_point(P256)
    for sign in (2, 3):
        yield key("spki-compressed-nonresidue" + ("" if sign == 2 else "-odd"), ["modular-inverse"],
                  f"x = {nonresidue} has no point", invalid("pointNotOnCurve"),
                  point=bytes([sign]) + nonresidue.to_bytes(32, "big"))
    nonresidue384 = without_point(P384)
    yield intermediate("spki-compressed-nonresidue-p384",
                       ["modular-inverse"], "SEC 1 2.3.4", f"x = {nonresidue384} has no point",
                       invalid("pointNotOnCurve"), info=CA_KEY.info(point=b"\x02" + nonresidue384.to_bytes(48, "big")))
    off = ["odd-keys"]
    yield key("spki-off-curve", off, "y + 1", invalid("pointNotOnCurve"), point=uncompressed(x, y + 1))
    yield key("spki-zero", off, "x = y = 0", invalid("pointNotOnCurve"), point=uncompressed(0, 0))
    yield key("spki-infinity", off, "00", invalid("invalidLength"), point=b"\0")
    yield key("spki-empty", off, "no octets", invalid("invalidLength"), point=b"")
    yield key("spki-short", off, "an octet is missing", invalid("invalidLength"), point=LEAF_KEY.point[:-1])
    yield key("spki-long", off, "an octet follows", invalid("invalidLength"), point=LEAF_KEY.point + b"\0")
    for tag in (6, 7):
        yield key(f"spki-hybrid-{tag}", off, "the hybrid form", invalid("invalidLength"),
                  point=bytes([tag]) + LEAF_KEY.point[1:])
    yield key("spki-unused-bits", ["bit-strings"], "an unused bit", "notWholeOctets(subjectPublicKeyInfo)",
              "RFC 5480 2.2", point=LEAF_KEY.point[:-1] + b"\0", unused=1)
    yield key("spki-curve-mismatch", off, "says P-384, has a point of P-256", invalid("invalidLength"),
              "RFC 5480 2.1.1.1", parameters=CURVES["secp384r1"])

    named = ["explicit-curve"]
    rule = "RFC 5480 2.1.1"
    yield key("spki-no-params", named, "no parameters", "curveNotNamed", rule, parameters=b"")
    yield key("spki-null-params", named, "NULL: the issuer's curve", "curveNotNamed", rule, parameters=NULL)
    yield key("spki-explicit-params-leaf", named, "the leaf's curve by its parameters, with the key for a generator",
              "curveNotNamed", rule, parameters=explicit(P256, LEAF_KEY.point))
    yield intermediate(
        "spki-explicit-params", named, rule,
        "the issuer's curve by its parameters, with the key for a generator: everybody knows the private key, 1",
        "curveNotNamed", info=CA_KEY.info(parameters=explicit(P384, CA_KEY.point)))
    yield key("spki-trailing-params", named, "two curves", malformed("subjectPublicKeyInfo", "trailingBytes"), rule,
              parameters=CURVES["secp256r1"] * 2)

    odd = ["odd-keys"]
    for label, algorithm, parameters in [("spki-rsa-oid", oid("1.2.840.113549.1.1.1"), NULL),
                                         ("spki-dsa-oid", oid("1.2.840.10040.4.1"), NULL),
                                         ("spki-ecdh-oid", oid("1.3.132.1.12"), CURVES["secp384r1"]),
                                         ("spki-unknown-oid", oid("1.2.3.4"), b""),
                                         ("spki-p521-oid", EC_PUBLIC_KEY, oid("1.3.132.0.35")),
                                         ("spki-secp256k1-oid", EC_PUBLIC_KEY, oid("1.3.132.0.10"))]:
        yield intermediate(label, odd, "README, what is not covered", "an issuer's key of another algorithm",
                           "unsupportedPublicKey(certificate: 1)", info=CA_KEY.info(algorithm=algorithm,
                                                                                    parameters=parameters))
    # A valid chain whose issuer has a P-256 key instead of a P-384 key.
    small_ca = Key("adversarial intermediate, P-256")
    yield case("control-p256-issuer", [], "", "an issuer on P-256", None, leaf=LEAF.change(signer=small_ca),
               intermediates=[CA.change(key=small_ca)])


def cases():
    yield from signature_cases()
    yield from key_cases()
