#!/usr/bin/env python3
"""Writes Vectors/ecdsa-edge: signatures with chosen numbers, in the JSON of C2SP/wycheproof (testvectors_v1).

The files cover P-256 and P-384, each with SHA-256, SHA-384 and SHA-512, with signatures in DER and as the concatenation of r and s in full length (IEEE P1363).
The construction of a case determines its verdict. If OpenSSL, through the Python package `cryptography`, disagrees with a verdict, the script writes nothing.
Keys and nonces are derived from names, so the files are always the same.
"""

import json
import pathlib
import sys

from writing import document, parser, store

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Vectors" / "ecdsa-edge"

# Flag: (bug type, description).
NOTES = {
    "ArithmeticError": ("EDGE_CASE", "R's coordinate is n or more, or would be if it were reduced in another way."),
    "BerEncodedSignature": ("BER_ENCODING", "BER that is not DER: one signature would have many encodings."),
    "EdgeCaseDoubling": ("EDGE_CASE", "R is a small multiple of the generator, or half of it."),
    "EdgeCaseShamirMultiplication": ("EDGE_CASE",
                                     "A key for which adding two multiples at once meets equal, opposite or no points."),
    "EdgeCaseU1U2": ("EDGE_CASE", "u1 or u2 is at an end of its range, a power of two, or a pattern of bits."),
    "IntegerOverflow": ("CAN_OF_WORMS", "Right if the leading bits are dropped."),
    "InvalidEncoding": ("CAN_OF_WORMS", "Not the encoding of a signature."),
    "InvalidSignature": ("AUTH_BYPASS", "r or s is 0, or in range and wrong."),
    "InvalidTypesInSignature": ("AUTH_BYPASS", "Another type in place of a SEQUENCE of two INTEGERs."),
    "MissingZero": ("LEGACY", "A number without the zero octet of its sign, so that it is negative."),
    "ModifiedSignature": ("CAN_OF_WORMS", "r and s in other places, or negated."),
    "ModularInverse": ("EDGE_CASE", "s, or its inverse, is a number that inversion by division steps meets seldom."),
    "PointDuplication": ("EDGE_CASE", "u1·G and u2·Q are equal or opposite."),
    "RangeCheck": ("CAN_OF_WORMS", "r or s is not in [1, n - 1], and congruent to a right one."),
    "SignatureMalleability": ("SIGNATURE_MALLEABILITY",
                              "n - s signs as s does. It is valid: FIPS 186-5 asks for no smaller s."),
    "SignatureSize": ("SIZE", "Not r and s of full length each."),
    "SmallRandS": ("EDGE_CASE", "r and s are among the smallest there are, or the greatest."),
    "SpecialCaseHash": ("FALSE_REJECT", "The hash has a run of zeros or ones at an end or in the middle."),
    "Untruncatedhash": ("MISSING_STEP", "The hash is longer than n: its leftmost bits count."),
    "ValidSignature": ("BASIC", "A signature."),
}


def files():
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    from curve import P256, P384
    from ecdsa_cases import MESSAGE, Cases, changed_numbers, other_encodings, other_lengths, wide_numbers
    from encoding import HASHES, signature

    def verdict(key, message, der, hash_name):
        try:
            key.verify(der, message, ec.ECDSA(HASHES[hash_name]))
        except InvalidSignature:
            return False
        return True

    def write(curve, hash_name, raw):
        groups, count = {}, 0
        keys = {}

        def add(point, comment, flags, message, encoded, valid, der):
            """Adds a case. `der` is OpenSSL's input, or None if the signature has no DER encoding."""
            nonlocal count
            numbers = ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1() if curve is P256 else ec.SECP384R1())
            key = keys.setdefault(point, numbers.public_key())
            if (der is not None and verdict(key, message, der, hash_name)) != valid:
                raise ValueError(f"OpenSSL disagrees: {curve.name}, {hash_name}, {comment}")
            count += 1
            groups.setdefault(point, []).append({
                "tcId": count,
                "comment": comment,
                "flags": flags,
                "msg": message.hex(),
                "sig": encoded.hex(),
                "result": "valid" if valid else "invalid",
            })

        def add_numbers(point, comment, flags, message, r, s, valid):
            der = signature(r, s)
            encoded = r.to_bytes(curve.size, "big") + s.to_bytes(curve.size, "big") if raw else der
            add(point, comment, flags, message, encoded, valid, der)

        cases = Cases(curve, hash_name)
        # The arithmetic does not depend on the encoding. For raw encodings, the file therefore contains the arithmetic
        # cases only with the hash function of the curve's size.
        for case in cases.hashes() if raw and hash_name != f"sha{8 * curve.size}" else cases.all():
            add_numbers(*case)
        # Finds a key and a nonce for which r and s both have the top bit set.
        private, nonce = cases.scalar("encodings"), cases.scalar("encodings, nonce")
        top = 1 << curve.n.bit_length() - 1
        e = cases.number(cases.hash_of(MESSAGE))
        r, s = cases.signed(private, nonce, e)
        while not (r & top and s & top):
            nonce += 1
            r, s = cases.signed(private, nonce, e)
        point = curve.multiply(private)
        for comment, flags, r1, s1, valid in changed_numbers(curve, r, s):
            add_numbers(point, comment, flags, MESSAGE, r1, s1, valid)
        if raw:
            for comment, flags, encoded in other_lengths(curve.size, r, s):
                add(point, comment, flags, MESSAGE, encoded, False, None)
        else:
            for comment, flags, r1, s1 in wide_numbers(curve, r, s):
                add_numbers(point, comment, flags, MESSAGE, r1, s1, False)
            for comment, flags, encoded in other_encodings(r, s):
                add(point, comment, flags, MESSAGE, encoded, False, encoded)

        def group(point):
            key = keys[point]
            uncompressed = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()
            return {
                "type": "EcdsaP1363Verify" if raw else "EcdsaVerify",
                "source": {"name": "github/PureAttest", "version": "1"},
                "publicKey": {
                    "type": "EcPublicKey",
                    "curve": curve.name,
                    "keySize": curve.n.bit_length(),
                    "uncompressed": uncompressed,
                    "wx": uncompressed[2:2 + 2 * curve.size],
                    "wy": uncompressed[2 + 2 * curve.size:],
                },
                "publicKeyDer": key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex(),
                "publicKeyPem": key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode(),
                "sha": f"SHA-{hash_name[3:]}",
            }

        flags = sorted({flag for tests in groups.values() for test in tests for flag in test["flags"]})
        header = {
            "algorithm": "ECDSA",
            "schema": f"ecdsa_{'p1363_' if raw else ''}verify_schema_v1.json",
            "numberOfTests": count,
            "header": ["Written by Tests/Corpora/AdversarialCorpus/ecdsa.py; OpenSSL agrees with every result."],
            "notes": {flag: dict(zip(("bugType", "description"), NOTES[flag])) for flag in flags},
        }
        listed = []
        for point, tests in groups.items():
            inner = ",\n".join("   " + json.dumps(test) for test in tests)
            listed.append(json.dumps(group(point))[:-1] + ', "tests": [\n' + inner + "\n  ]}")
        name = f"ecdsa_{curve.name}_{hash_name}{'_p1363' if raw else ''}_test.json"
        return name, document(header, "testGroups", listed), count

    for curve in (P256, P384):
        for hash_name in ("sha256", "sha384", "sha512"):
            for raw in (False, True):
                yield write(curve, hash_name, raw)


def main():
    arguments = parser(__doc__).parse_args()
    try:
        return store(FOLDER, files(), arguments.check)
    except ImportError as error:
        print(f"ecdsa.py: {error.name} is not installed: python3 -m pip install cryptography", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"ecdsa.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
