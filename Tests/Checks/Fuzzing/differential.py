#!/usr/bin/env python3
"""Compares PureAttest with Python's `cryptography` (Rust's asn1, OpenSSL) and `cbor2` on mutated and generated inputs.

    Tests/Checks/Fuzzing/run.sh --differential [--runs N] [--seed N]     builds, writes the seeds, and calls this

PureAttest and the other implementation read the same input. Their verdicts must agree and, if both accept the input, their values too. A disagreement is a
finding (exit status 1) unless EXPLAINED gives a reason for it. A reason is stale if no input in witnesses.txt demonstrates it. A stale reason is an error too.
It is also an error if both implementations accept too few inputs. `--keep` writes witnesses.txt. The same seed gives the same inputs.
"""

import argparse
import collections
import hashlib
import io
import pathlib
import random
import struct
import sys
import warnings

import cbor2
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

import elements
from disagreements import Comparison, Tool
from reasons import EXPLAINED

CURVES = {"256": ec.SECP256R1(), "384": ec.SECP384R1()}
ORDERS = {
    "256": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "384": int("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973", 16),
}
HASHES = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
# Of n inputs of a kind, both implementations must accept at least ACCEPTED · (n − 100), so that the script compares enough values.
ACCEPTED = 0.05
# In an error text, this precedes the hexadecimal identifier of the extension that the other implementation rejects.
REJECTED = " in extension "


class Refused(Exception):
    """This script rejects the input, because the other implementation omits a check. The message comes from this script."""


# MARK: The other implementations' answers, in the format of `fuzz --answer`


def certificate(data):
    item = x509.load_der_x509_certificate(data)
    key = item.public_key()
    extensions = []
    for extension in read_extensions(item, data):
        value = extension.value
        raw = value.value if isinstance(value, x509.UnrecognizedExtension) else value.public_bytes()
        extensions.append(f"{contents(extension.oid).hex()}:{int(extension.critical)}:{raw.hex()}")
    return "|".join([
        str(item.version.value + 1), integer_contents(item.serial_number).hex(), item.issuer.public_bytes().hex(),
        item.subject.public_bytes().hex(), str(int(item.not_valid_before_utc.timestamp())),
        str(int(item.not_valid_after_utc.timestamp())),
        key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo).hex(), item.tbs_certificate_bytes.hex(),
        item.signature.hex(), ",".join(extensions)])


def read_extensions(item, data):
    """Returns a certificate's extensions. If the other implementation rejects them, the error names the first extension that causes a rejection."""
    try:
        return item.extensions
    except Exception as error:
        # With this start depth, the parser reaches its depth limit before the extensions' values, so their encodings stay as they are.
        whole, = elements.parse(data, depth=15)
        extensions = whole.children[0].children[-1].children[0]
        for extension in list(extensions.children):
            extensions.children = [extension]
            try:
                x509.load_der_x509_certificate(whole.encoded()).extensions
            except Exception:
                error.rejected = REJECTED + extension.children[0].prefix.hex()
                break
        raise


def contents(identifier):
    """Returns the contents octets of an OBJECT IDENTIFIER (X.690 §8.19)."""
    first, second, *rest = map(int, identifier.dotted_string.split("."))
    octets = b""
    for arc in [40 * first + second, *rest]:
        groups = [arc >> 7 * i & 0x7F for i in range(max(1, -(-arc.bit_length() // 7)))]
        octets += bytes(group | 0x80 for group in groups[:0:-1]) + bytes(groups[:1])
    return octets


def signature(curve):
    def read(data):
        r, s = decode_dss_signature(data)
        if not (0 < r < ORDERS[curve] and 0 < s < ORDERS[curve]):
            # FIPS 186-5 §6.4.2 step 1. The other implementation's decoder cannot check the range of r and s, because it does not know the curve.
            raise Refused("range")
        size = int(curve) // 8
        return r.to_bytes(size, "big").hex() + s.to_bytes(size, "big").hex()
    return read


def public_key(curve):
    def read(data):
        key = load_der_public_key(data)
        if not isinstance(key, ec.EllipticCurvePublicKey) or key.curve.name != CURVES[curve].name:
            raise Refused("another key")
        return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()
    return read


def verification(data):
    name, spki, encoded, message = parts(data, 4)
    load_der_public_key(spki).verify(encoded, message, ec.ECDSA(HASHES[name.decode()]))
    return ""


def cbor(data):
    stream = io.BytesIO(data)
    value = cbor2.CBORDecoder(stream).decode()
    if stream.tell() != len(data):
        raise Refused("bytes follow")
    return describe(value)


def describe(value):
    if value is True or value is False:
        return f"s{20 + value}"
    if value is None:
        return "s22"
    if value is cbor2.undefined:
        return "s23"
    if isinstance(value, cbor2.CBORSimpleValue):
        return f"s{value.value}"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return "fnan" if value != value else "f" + struct.pack(">d", value).hex()
    if isinstance(value, bytes):
        return "b" + value.hex()
    if isinstance(value, str):
        return "t" + value.encode().hex()
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(describe, value)) + "]"
    if isinstance(value, cbor2.CBORTag):
        return f"T{value.tag}({describe(value.value)})"
    if isinstance(value, collections.abc.Mapping):
        return "{" + ",".join(sorted(f"{describe(k)}:{describe(v)}" for k, v in value.items())) + "}"
    return f"opaque {type(value).__name__}"


# MARK: Inputs


def parts(data, count):
    result = []
    for _ in range(count - 1):
        length = int.from_bytes(data[:2], "big")
        result.append(data[2:2 + length])
        data = data[2 + length:]
    return result + [data]


def join(items):
    return b"".join(len(i).to_bytes(2, "big") + i for i in items[:-1]) + items[-1]


def integer_contents(number):
    """Returns the contents octets of an INTEGER (X.690 §8.3)."""
    return number.to_bytes((~number if number < 0 else number).bit_length() // 8 + 1, "big", signed=True)


def made_signature(rng):
    """Returns a key, hash function, message and signature. In about ten of twelve results, one of the four parts is changed."""
    curve, name = rng.choice(list(CURVES)), rng.choice(list(HASHES))
    n = ORDERS[curve]
    secret, k = (rng.choice([1, 2, n - 1, n - 2, rng.randrange(1, n)]) for _ in range(2))
    point = lambda scalar: ec.derive_private_key(scalar, CURVES[curve]).public_key()
    message = rng.randbytes(rng.choice([0, 1, 31, 64, 200]))
    digest = hashlib.new("sha" + name, message).digest()
    e = int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - n.bit_length())
    r = point(k).public_numbers().x % n
    s = pow(k, -1, n) * (e + r * secret) % n
    key = point(secret)
    spki = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    defect = rng.randrange(12)
    if defect == 1:
        s = n - s
    elif defect == 2:
        r, s = s, r
    elif defect == 3:
        r += n
    elif defect == 4:
        s += rng.choice([n, -n, 1, -1])
    elif defect == 5:
        r, s = rng.choice([(0, 0), (r, 0), (0, s), (n, s), (r, n), (-r, s), (1, 1), (n - 1, n - 1)])
    elif defect == 6:
        message += b"\0"
    elif defect == 7:
        name = rng.choice(list(HASHES))
    elif defect == 8:
        spki = point(rng.randrange(1, n)).public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    encoded = elements.encode(0x30, b"".join(elements.encode(0x02, integer_contents(number)) for number in (r, s)))
    if defect == 9:
        encoded = elements.mutate(encoded, rng)
    elif defect == 10:
        encoded = encoded[:rng.randrange(len(encoded))] + rng.randbytes(rng.randrange(3))
    return join([name.encode(), spki, encoded, message])


def made_item(rng, depth=0):
    """Returns a random CBOR item, which is usually well-formed and deterministically encoded."""
    kind = rng.randrange(12 if depth < 4 else 8)
    edge = rng.choice([0, 1, 23, 24, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1])
    if kind < 2:
        return head(kind, edge, rng)
    if kind == 2:
        data = rng.randbytes(rng.choice([0, 1, 23, 24, 40]))
        return head(2, len(data), rng) + data
    if kind == 3:
        text = rng.choice(["", "a", "fmt", "é", "水", "𐅑", "\0", "x" * 24]).encode()
        if rng.randrange(10) == 0:
            text = rng.choice([b"\xc3\x28", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe6\xb0"])
        return head(3, len(text), rng) + text
    if kind == 4:
        return rng.choice([b"\xf4", b"\xf5", b"\xf6", b"\xf7", b"\xe0", b"\xf3", b"\xf8\x20", b"\xf8\xff", b"\xf8\x18"])
    if kind == 5:
        return b"\xf9" + rng.randbytes(2)
    if kind == 6:
        return b"\xfa" + rng.randbytes(4)
    if kind == 7:
        return b"\xfb" + rng.randbytes(8)
    count = rng.randrange(4)
    if kind in (8, 9):
        return head(4, count, rng) + b"".join(made_item(rng, depth + 1) for _ in range(count))
    if kind == 10:
        items = sorted(made_item(rng, depth + 3) for _ in range(count))
        if count > 1 and rng.randrange(8) == 0:
            items[1] = items[0]
        return head(5, count, rng) + b"".join(key + made_item(rng, depth + 1) for key in items)
    return head(6, rng.choice([6, 24, 1000, 2**16, 2**32, 2**64 - 1, rng.choice([0, 1, 2, 4, 37, 55799])]), rng) + made_item(rng, depth + 1)


def head(major, argument, rng):
    size = 0 if argument < 24 else 1 if argument < 256 else 2 if argument < 65536 else 4 if argument < 2**32 else 8
    if rng.randrange(40) == 0:
        size = rng.choice([s for s in (1, 2, 4, 8) if s >= size])
    if size == 0:
        return bytes([major << 5 | argument])
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26, 8: 27}[size]]) + argument.to_bytes(size, "big")


def ask_them(read, data):
    try:
        return f"accepted {read(data)}".rstrip()
    except Refused as reason:
        return f"refused {reason}"
    except (ValueError, UnsupportedAlgorithm, InvalidSignature, TypeError, OverflowError, KeyError, AttributeError,
            cbor2.CBORDecodeError, x509.InvalidVersion, x509.DuplicateExtension, x509.UnsupportedGeneralNameType,
            RecursionError) as error:
        return f"refused {type(error).__name__} {error}".split("\n")[0] + getattr(error, "rejected", "")


WITNESSES = pathlib.Path(__file__).with_name("witnesses.txt")
HEAD = "# An input of each disagreement that differential.py explains, asked in every run, however short: written by differential.py --keep.\n"


def witnesses():
    """Returns the inputs that earlier runs kept in witnesses.txt, as pairs (kind, bytes)."""
    lines = WITNESSES.read_text().splitlines() if WITNESSES.exists() else []
    return [(name, bytes.fromhex(data)) for name, data in (line.split(": ") for line in lines if not line.startswith("#"))]


def main():
    parser = argparse.ArgumentParser(description="Compare PureAttest with independent implementations.")
    parser.add_argument("--fuzz", required=True, help="the program that run.sh builds")
    parser.add_argument("--seeds", required=True, type=pathlib.Path, help="the folder that `fuzz --seeds` wrote")
    parser.add_argument("--runs", type=int, default=2_000, help="inputs of each kind; twice as many for CBOR, four times for certificates (2,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--survey", action="store_true", help="count the unexplained disagreements by their text")
    parser.add_argument("--keep", action="store_true", help="write witnesses.txt: the shortest input for each reason that occurs in this run")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be a whole number from 1")
    warnings.filterwarnings("ignore")

    def seeds(name):
        found = [path.read_bytes() for path in sorted((options.seeds / name).iterdir())]
        if not found:
            raise SystemExit(f"differential.py: no seeds for {name}")
        return found

    def mutated(items):
        return lambda rng: elements.mutate(rng.choice(items), rng)

    signatures = [s for s in seeds("signature") if s[:1] == b"\x30"]
    keys = [key for key in (parts(k, 2)[0] for k in seeds("public-key")) if key[:1] == b"\x30"]
    items = [i for i in seeds("cbor") if len(i) < 400]
    kinds = [
        ("certificate", "c", 4, certificate, mutated(seeds("certificate"))),
        ("signature P-256", "s", 1, signature("256"), mutated(signatures)),
        ("signature P-384", "S", 1, signature("384"), mutated(signatures)),
        ("public key P-256", "k", 1, public_key("256"), mutated(keys)),
        ("public key P-384", "K", 1, public_key("384"), mutated(keys)),
        ("verification", "v", 1, verification, made_signature),
        ("CBOR", "b", 2, cbor, lambda rng: elements.flip(rng.choice(items), rng) if rng.randrange(3) == 0 else made_item(rng)),
    ]
    tool, comparison = Tool(options.fuzz, "--answer"), Comparison(EXPLAINED)
    for name, letter, _, read, _ in kinds:
        for data in (data for kind, data in witnesses() if kind == name):
            comparison.record(name, tool.ask(letter, data), ask_them(read, data), data)
    # Only the witnesses decide whether a reason is stale. The random inputs do not, because they depend on the seed.
    stale = comparison.stale(options.runs)
    for name, letter, weight, read, make in kinds:
        rng = random.Random(f"{options.seed} {name}")
        for _ in range(options.runs * weight):
            data = make(rng)
            comparison.record(name, tool.ask(letter, data), ask_them(read, data), data)
        if sys.stderr.isatty():
            print(f"\r\033[K{name}", end="", file=sys.stderr)
    if options.survey:
        comparison.survey()
        return 0
    if options.keep:
        stale = comparison.stale(options.runs)
        found = sorted({(name, data.hex()) for name, data in comparison.shortest.values()})
        WITNESSES.write_text(HEAD + "".join(f"{name}: {data}\n" for name, data in found))
    status = comparison.report(stale, options.json)
    for name, tally in comparison.summary.items():
        total = sum(tally.values())
        if tally["both accept"] < ACCEPTED * (total - 100):
            print(f"{name}: both accept only {tally['both accept']} of {total} inputs, so few values were compared", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
