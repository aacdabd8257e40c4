#!/usr/bin/env python3
"""Writes Vectors/acvp: vector sets in the form of ACVP's internalProjection.json.

    python3 Tests/Corpora/AdversarialCorpus/acvp.py [--check]

The sets contain the kinds of tests that the ACVP server sends for SHA-2, HMAC, ECDSA keyVer and sigVer, with OpenSSL's
answers (hashlib, hmac, cryptography). The same seed gives the same files.
"""

import argparse
import hashlib
import hmac
import json
import pathlib
import random
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from curve import P256, P384
from writing import differs

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "Vectors" / "acvp"
HASHES = {"SHA2-256": hashes.SHA256(), "SHA2-384": hashes.SHA384(), "SHA2-512": hashes.SHA512()}
CURVES = {"P-256": (ec.SECP256R1(), P256.p, P256.n), "P-384": (ec.SECP384R1(), P384.p, P384.n)}
RANDOM = random.Random("acvp")


def digest(name, message):
    return hashlib.new(name.replace("SHA2-", "sha"), message).digest()


def text(data):
    return data.hex().upper()


def integer(number):
    """Encodes a number without leading zeros, as the server encodes some numbers."""
    return text(number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big"))


def vector_set(number, algorithm, groups, mode=None, revision="1.0"):
    count = iter(range(1, 10_000))
    for index, group in enumerate(groups, 1):
        group["tgId"] = index
        group["tests"] = [{"tcId": next(count), **test} for test in group["tests"]]
    return {"vsId": number, "algorithm": algorithm, **({"mode": mode} if mode else {}), "revision": revision,
            "isSample": True, "testGroups": groups}


def monte_carlo(name, seed):
    """Yields the digests of draft-celi-acvp-sha §6.2.1. Each digest depends on the previous three."""
    for _ in range(100):
        a = b = c = seed
        for _ in range(1_000):
            a, b, c = b, c, digest(name, a + b + c)
        seed = c
        yield seed


def sha(number, name):
    block = 64 if name == "SHA2-256" else 128
    lengths = [0, 1, 2, block - 17, block - 16, block - 9, block - 8, block - 1, block, block + 1, 3 * block + 5, 8_191]
    messages = [RANDOM.randbytes(length) for length in lengths]
    content = RANDOM.randbytes(37)
    full = 1_000_003
    seed = RANDOM.randbytes(len(digest(name, b"")))
    return vector_set(number, name, [
        {"testType": "AFT", "tests": [
            {"msg": text(message), "len": 8 * len(message), "md": text(digest(name, message))} for message in messages]},
        {"testType": "MCT", "mctVersion": "standard", "tests": [
            {"msg": text(seed), "len": 8 * len(seed), "resultsArray": [{"md": text(md)} for md in monte_carlo(name, seed)]}]},
        {"testType": "LDT", "tests": [
            {"largeMsg": {"content": text(content), "contentLength": 8 * len(content), "fullLength": 8 * full,
                          "expansionTechnique": "repeating"},
             "md": text(digest(name, (content * (full // len(content) + 1))[:full]))}]},
    ])


def mac(number, name):
    size = len(digest(name, b""))
    groups = []
    for key_count, mac_count in [(1, size), (size, size), (64, 4), (128, size // 2), (129, size), (1_000, 10)]:
        tests = []
        for length in (0, 16, 200):
            key, message = RANDOM.randbytes(key_count), RANDOM.randbytes(length)
            code = hmac.new(key, message, name.replace("SHA2-", "sha")).digest()[:mac_count]
            tests.append({"key": text(key), "msg": text(message), "mac": text(code)})
        groups.append({"testType": "AFT", "keyLen": 8 * key_count, "msgLen": 128, "macLen": 8 * mac_count, "tests": tests})
    # In revision 2.0, the length of the authentication code is a member of each test instead of its group.
    groups[-1]["tests"] = [{**test, "macLen": groups[-1]["macLen"]} for test in groups[-1]["tests"]]
    del groups[-1]["macLen"]
    return vector_set(number, f"HMAC-{name}", groups)


def is_key(curve, prime, x, y):
    """Returns whether (x, y) is on the curve and both are less than p (SP 800-56A §5.6.2.3.3). OpenSSL does not check the range here."""
    if max(x, y) >= prime:
        return False
    try:
        ec.EllipticCurvePublicNumbers(x, y, curve).public_key()
        return True
    except ValueError:
        return False


def private_key(name):
    curve, _, order = CURVES[name]
    return ec.derive_private_key(RANDOM.randrange(1, order), curve)


def with_short_coordinate(name):
    """Returns a key whose x begins with a zero octet."""
    curve, prime, _ = CURVES[name]
    while True:
        numbers = private_key(name).public_key().public_numbers()
        if numbers.x.bit_length() <= prime.bit_length() - 8:
            return numbers.x, numbers.y


def key_verification(number):
    groups = []
    for name, (curve, prime, _) in CURVES.items():
        points = [(k.x, k.y) for k in (private_key(name).public_key().public_numbers() for _ in range(4))]
        points += [(x, prime - y) for x, y in points[:1]] + [with_short_coordinate(name)]
        x, y = points[0]
        points += [(x, y + 1), (y, x), (x ^ 1, y), (0, 0), (x, 0), (prime, y), (x, prime), (x + prime, y), (x, y + prime)]
        tests = [{"qx": integer(a), "qy": integer(b), "testPassed": is_key(curve, prime, a, b)} for a, b in points]
        groups.append({"testType": "AFT", "curve": name, "tests": tests})
    return vector_set(number, "ECDSA", groups, "keyVer", "FIPS186-5")


def is_signature(curve, hash_function, x, y, message, r, s):
    try:
        key = ec.EllipticCurvePublicNumbers(x, y, curve).public_key()
        key.verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hash_function))
        return True
    except (ValueError, InvalidSignature):
        return False


def signature_verification(number):
    groups = []
    for name, (curve, _, order) in CURVES.items():
        for hash_name, hash_function in HASHES.items():
            tests = []
            for change in ("none", "none", "message", "r", "s", "key", "r=0", "s=0", "r+n", "s=n", "-s", "swapped"):
                key = private_key(name)
                message = RANDOM.randbytes(128)
                signature = key.sign(message, ec.ECDSA(hash_function, deterministic_signing=True))
                r, s = utils.decode_dss_signature(signature)
                numbers = (private_key(name) if change == "key" else key).public_key().public_numbers()
                if change == "message":
                    message = message[:-1] + bytes([message[-1] ^ 1])
                # The change "-s" keeps the signature valid, because (r, n − s) is a valid signature too.
                r, s = {"r": (r ^ 1, s), "s": (r, s ^ 1), "r=0": (0, s), "s=0": (r, 0), "r+n": (r + order, s), "s=n": (r, order),
                        "-s": (r, order - s), "swapped": (s, r)}.get(change, (r, s))
                tests.append({
                    "message": text(message), "qx": integer(numbers.x), "qy": integer(numbers.y), "r": integer(r), "s": integer(s),
                    "testPassed": is_signature(curve, hash_function, numbers.x, numbers.y, message, r, s)})
            groups.append({"testType": "AFT", "curve": name, "hashAlg": hash_name, "tests": tests})
    return vector_set(number, "ECDSA", groups, "sigVer", "FIPS186-5")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    options = parser.parse_args()
    sets = {name: sha(number, name) for number, name in enumerate(HASHES, 1)}
    sets |= {f"HMAC-{name}": mac(number, name) for number, name in enumerate(HASHES, 4)}
    sets |= {"ECDSA-keyVer": key_verification(7), "ECDSA-sigVer": signature_verification(8)}
    FOLDER.mkdir(exist_ok=True)
    different = 0
    for name, content in sets.items():
        if differs(FOLDER / f"{name}.json", json.dumps(content, indent=1) + "\n", options.check):
            print(f"acvp.py: {name}.json differs", file=sys.stderr)
            different += 1
        print(f"{name}: {sum(len(group['tests']) for group in content['testGroups'])}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
