"""Encodes DER, derives keys from names, and builds certificates with replaceable parts."""

import hashlib
from dataclasses import dataclass, field, replace

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from curve import P256, P384

# DER (X.690)


def length(count):
    if count < 0x80:
        return bytes([count])
    octets = count.to_bytes((count.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(octets)]) + octets


def tlv(identifier, *parts):
    contents = b"".join(parts)
    return bytes([identifier]) + length(len(contents)) + contents


def sequence(*parts):
    return tlv(0x30, *parts)


def set_of(*parts):
    return tlv(0x31, *parts)


def integer(number):
    magnitude = ~number if number < 0 else number
    return tlv(0x02, number.to_bytes(magnitude.bit_length() // 8 + 1, "big", signed=True))


def bits(contents, unused=0):
    return tlv(0x03, bytes([unused]), contents)


def octets(contents):
    return tlv(0x04, contents)


def context(number, *parts):
    return tlv(0xA0 | number, *parts)


def implicit(number, contents):
    return tlv(0x80 | number, contents)


def arc(number):
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(0x80 | number & 0x7F)
    return bytes(reversed(digits))


def oid(text):
    first, second, *rest = (int(part) for part in text.split("."))
    return tlv(0x06, arc(first * 40 + second), *(arc(number) for number in rest))


NULL = bytes([0x05, 0x00])
TRUE = bytes([0x01, 0x01, 0xFF])
EC_PUBLIC_KEY = oid("1.2.840.10045.2.1")
CURVES = {"secp256r1": oid("1.2.840.10045.3.1.7"), "secp384r1": oid("1.3.132.0.34")}
ECDSA_WITH = {
    "sha1": oid("1.2.840.10045.4.1"),
    "sha224": oid("1.2.840.10045.4.3.1"),
    "sha256": oid("1.2.840.10045.4.3.2"),
    "sha384": oid("1.2.840.10045.4.3.3"),
    "sha512": oid("1.2.840.10045.4.3.4"),
}
HASHES = {name: getattr(hashes, name.upper())() for name in ECDSA_WITH}


def utf8(text):
    return tlv(0x0C, text if isinstance(text, bytes) else text.encode())


def attribute(value, kind=oid("2.5.4.3")):
    """Returns a relative distinguished name with one attribute, by default a common name."""
    return set_of(sequence(kind, value))


def name(text):
    return sequence(attribute(utf8(text)))


def utc_time(text):
    return tlv(0x17, text.encode())


def generalized_time(text):
    return tlv(0x18, text.encode())


# Keys


class Key:
    """A private key that is not secret: the SHA-512 hash of its name, reduced to the range of private keys."""

    def __init__(self, label, curve="secp256r1"):
        self.curve = curve
        order, named = (P256.n, ec.SECP256R1()) if curve == P256.name else (P384.n, ec.SECP384R1())
        secret = int.from_bytes(hashlib.sha512(label.encode()).digest(), "big") % (order - 1) + 1
        self.private = ec.derive_private_key(secret, named)
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.identifier = hashlib.sha256(self.point).digest()[:20]

    @property
    def compressed(self):
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)

    def info(self, algorithm=EC_PUBLIC_KEY, parameters=None, point=None, unused=0):
        """Returns a SubjectPublicKeyInfo."""
        parameters = CURVES[self.curve] if parameters is None else parameters
        return sequence(sequence(algorithm, parameters), bits(self.point if point is None else point, unused))

    def sign(self, message, hash_name):
        """Returns r and s of a deterministic signature (RFC 6979)."""
        algorithm = ec.ECDSA(HASHES[hash_name], deterministic_signing=True)
        return decode_dss_signature(self.private.sign(message, algorithm))


def signature(r, s):
    """Returns an Ecdsa-Sig-Value (RFC 3279, 2.2.3)."""
    return sequence(integer(r), integer(s))


# Certificates


def extension(identifier, value, critical=False):
    return sequence(oid(identifier), TRUE if critical else b"", octets(value))


def basic_constraints(ca, path_length=None, critical=True):
    path = b"" if path_length is None else integer(path_length)
    return extension("2.5.29.19", sequence(TRUE if ca else b"", path), critical)


def key_usage(value):
    return extension("2.5.29.15", value, True)


def purposes(*identifiers, critical=False):
    return extension("2.5.29.37", sequence(*map(oid, identifiers)), critical)


CA_USAGE = key_usage(bits(b"\x06", 1))
LEAF_USAGE = key_usage(bits(b"\xf0", 4))


@dataclass
class Certificate:
    """A certificate (RFC 5280, 4.1). The fields contain encoded values, so that a case can replace each field."""

    subject: bytes
    key: Key
    issuer: bytes
    signer: Key
    hash_name: str = "sha256"
    version: bytes = context(0, integer(2))
    serial: bytes = integer(1)
    not_before: bytes = utc_time("260101000000Z")
    not_after: bytes = utc_time("261231235959Z")
    info: bytes | None = None
    unique_ids: bytes = b""
    extensions: list | None = field(default_factory=list)
    tail: bytes = b""
    # The algorithm identifiers in the certificate. None means the algorithm of the signature.
    inner_algorithm: bytes | None = None
    outer_algorithm: bytes | None = None
    # Converts r and s to the contents of the BIT STRING.
    encode_signature: object = signature
    unused_bits: int = 0
    # Alters the bytes after signing: the certificate contains the result in place of the signed bytes.
    alter: object = staticmethod(lambda signed: signed)

    def change(self, **fields):
        return replace(self, **fields)

    @property
    def signed_part(self):
        algorithm = sequence(ECDSA_WITH[self.hash_name])
        listed = b"" if self.extensions is None else context(3, sequence(*self.extensions))
        return sequence(
            self.version,
            self.serial,
            algorithm if self.inner_algorithm is None else self.inner_algorithm,
            self.issuer,
            sequence(self.not_before, self.not_after),
            self.subject,
            self.key.info() if self.info is None else self.info,
            self.unique_ids,
            listed,
            self.tail,
        )

    def encode(self):
        signed = self.signed_part
        algorithm = sequence(ECDSA_WITH[self.hash_name])
        return sequence(
            self.alter(signed),
            algorithm if self.outer_algorithm is None else self.outer_algorithm,
            bits(self.encode_signature(*self.signer.sign(signed, self.hash_name)), self.unused_bits),
        )
