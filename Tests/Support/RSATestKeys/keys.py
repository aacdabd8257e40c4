#!/usr/bin/env python3
"""Writes RSA test keys, the same ones each time.

    Tests/Support/RSATestKeys/keys.py > Tests/Support/RSATestKeys/TestKeys.swift
    Tests/Support/RSATestKeys/keys.py --authority > Sources/PureKeyAttestationTesting/Authority/TestRSAKeys.swift     keys without primes
"""

import random
import sys
import textwrap
from math import gcd

source = random.Random(1)


def is_prime(n):
    """Miller and Rabin, 40 rounds."""
    if any(n % p == 0 for p in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)):
        return False
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(40):
        x = pow(source.randrange(2, n - 1), odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def prime(low, high, e):
    while True:
        p = source.randrange(low, high) | 1
        if gcd(p - 1, e) == 1 and is_prime(p):
            return p


def key(bits, e, low=None, high=None):
    """Returns p, q, n, e and d. The modulus n has `bits` bits, or is at least `low` and below `high`."""
    low, high = low or 1 << bits - 1, high or 1 << bits
    while True:
        half = 1 << bits // 2
        p = prime(half * 3 // 4, half, e)
        q = prime(low // p, high // p, e)
        if low <= p * q < high:
            return p, q, p * q, e, pow(e, -1, (p - 1) * (q - 1))


KEYS = {
    "bits2048": key(2048, 65537),
    "bits2048Exponent3": key(2048, 3),
    # The top limbs of the first modulus are all ones. In the top limbs of the second modulus, only one bit is set.
    "highest2048": key(2048, 65537, low=(1 << 2048) - (1 << 1700)),
    "lowest2048": key(2048, 65537, high=(1 << 2047) + (1 << 1700)),
    # The first modulus has one significant bit in its top octet and top limb. The second modulus has seven significant bits in its top octet.
    # The second key has the longest exponent.
    "bits2049": key(2049, 3),
    "bits2055": key(2055, (1 << 33) - 1),
    "bits3072": key(3072, 65537),
    "bits4095": key(4095, 65537),
    "bits4096": key(4096, 65537),
}


def digits(number):
    return textwrap.indent("\n".join(textwrap.wrap(f"{number:x}", 112)), " " * 12)


if sys.argv[1:] == ["--authority"]:
    # These keys come last, so that generating them does not change the keys above.
    print("// Written by Tests/Support/RSATestKeys/keys.py --authority.\n\nextension RSASigningKey {")
    for name, whose in (("root", "root of factories"), ("intermediate", "intermediate authority of factories"),
                        ("device", "device whose app asks for RSA")):
        _, _, n, _, d = key(2048, 65537)
        print(f"    /// The key of the {whose}, 2,048 bits.\n    package static let {name} = RSASigningKey(")
        print(f'        n: """\n{digits(n)}\n            """,\n        e: 65537,\n        d: """\n{digits(d)}\n            """)')
    print("}")
    sys.exit()

print("// Written by keys.py.\n\nimport ReferenceModel\n")
print("extension TestKey {")
for name, (p, q, n, e, d) in KEYS.items():
    print(f"    /// See keys.py.\n    public static let {name} = TestKey(\n        name: \"{name}\", e: {e},")
    print(f'        p: """\n{digits(p)}\n            """,\n        q: """\n{digits(q)}\n            """,\n        d: """\n{digits(d)}\n            """)')
print("\n    /// All of them.\n    public static let all = [\n        " + ",\n        ".join(KEYS) + ",\n    ]\n}")
