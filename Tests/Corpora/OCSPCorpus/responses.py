"""Builds certificates and OCSP responses (RFC 6960 §4.2.1) with replaceable parts."""

import dataclasses
import hashlib
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "PathCorpus"))

from chains import (  # noqa: E402
    CA_USAGE, ECDSA_WITH, LEAF_USAGE, NULL, SECONDS, Certificate, Key, basic_constraints, bits, common, context, encoded, extension,
    generalized_time as time, implicit, integer, octets, oid, purposes, sequence, signature, tlv, utc_time,
)

FROM, UNTIL = utc_time("250101000000Z"), utc_time("491231235959Z")
# THIS_UPDATE and NEXT_UPDATE in seconds. OpenSSL compares both with the machine's clock, so the period is long.
FIRST, LAST = 1_735_689_600, 2_524_607_999
OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"


THIS_UPDATE, NEXT_UPDATE = time("20250101000000Z"), time("20491231235959Z")
REVOKED_AT, REVOKED_SECONDS = time("20260315120000Z"), 1_773_576_000

HASHES = {"sha1": "1.3.14.3.2.26", "sha224": "2.16.840.1.101.3.4.2.4", "sha256": "2.16.840.1.101.3.4.2.1",
          "sha384": "2.16.840.1.101.3.4.2.2", "sha512": "2.16.840.1.101.3.4.2.3"}


def certificate(subject, key, issuer, signer, *extensions, serial=1, **fields):
    return Certificate(common(subject), key, common(issuer), signer, serial=integer(serial), not_before=FROM, not_after=UNTIL,
                       extensions=list(extensions)).change(**fields)


def authority(name, key):
    return certificate(name, key, name, key, basic_constraints(True), CA_USAGE)


ISSUER_KEY, DELEGATE_KEY = Key("ocsp issuer", "secp384r1"), Key("ocsp delegate")
OTHER_KEY, STRANGER = Key("ocsp other", "secp384r1"), Key("ocsp stranger")
SERIAL = 0x1F2E3D4C
ISSUER, OTHER = authority("OCSP CA", ISSUER_KEY), authority("Other CA", OTHER_KEY)
LEAF = certificate("Leaf", Key("ocsp leaf"), "OCSP CA", ISSUER_KEY, LEAF_USAGE, serial=SERIAL)
LEAF_OF_OTHER = certificate("Leaf", Key("ocsp leaf"), "Other CA", OTHER_KEY, LEAF_USAGE, serial=SERIAL)
DELEGATE = certificate("OCSP Responder", DELEGATE_KEY, "OCSP CA", ISSUER_KEY, LEAF_USAGE, purposes(OCSP_SIGNING),
                       extension("1.3.6.1.5.5.7.48.1.5", NULL), serial=7)


def by_name(subject):
    return context(1, subject.subject)


def by_key(subject):
    return context(2, octets(hashlib.sha1(subject.key.point).digest()))


def certificate_id(issuer=ISSUER, serial=SERIAL, hash_name="sha1", parameters=NULL, name=None, key=None):
    """Returns a CertID. `name` and `key`, if given, are hashed in place of the issuer's name and key."""
    def digest(message):
        return octets(hashlib.new(hash_name, message).digest())
    return sequence(sequence(oid(HASHES[hash_name]), parameters), digest(issuer.subject if name is None else name),
                    digest(issuer.key.point if key is None else key), integer(serial))


GOOD, UNKNOWN = implicit(0, b""), implicit(2, b"")


def revoked(reason=None, at=REVOKED_AT, tail=b""):
    return context(1, at, b"" if reason is None else context(0, tlv(0x0A, bytes([reason]))), tail)


def single(status=GOOD, identifier=None, this_update=THIS_UPDATE, next_update=NEXT_UPDATE, extensions=(), tail=b""):
    return sequence(certificate_id() if identifier is None else identifier, status, this_update,
                    b"" if next_update is None else context(0, next_update),
                    context(1, sequence(*extensions)) if extensions else b"", tail)


@dataclasses.dataclass
class Response:
    """A response. By default, the status is good, and the issuer signs the response and is identified by its key."""

    signer: Key = ISSUER_KEY
    responder: bytes = by_key(ISSUER)
    singles: tuple = (single(),)
    certificates: list | None = None
    extensions: tuple = ()
    # Replaces the contents of responseExtensions if not None.
    extension_list: bytes | None = None
    version: bytes = b""
    produced: bytes = THIS_UPDATE
    hash_name: str = "sha256"
    algorithm: bytes | None = None
    # Alters the bytes after signing: the response contains the result in place of the signed bytes.
    alter: object = staticmethod(lambda signed: signed)
    unused_bits: int = 0
    tails: dict = dataclasses.field(default_factory=dict)
    status: bytes = tlv(0x0A, b"\x00")
    kind: bytes = oid("1.3.6.1.5.5.7.48.1.1")

    def change(self, **fields):
        return dataclasses.replace(self, **fields)

    def encode(self):
        tail = lambda part: self.tails.get(part, b"")  # noqa: E731
        listed = context(1, sequence(*self.extensions)) if self.extensions else b""
        if self.extension_list is not None:
            listed = context(1, self.extension_list)
        signed = sequence(self.version, self.responder, self.produced, sequence(*self.singles), listed, tail("data"))
        algorithm = sequence(ECDSA_WITH[self.hash_name]) if self.algorithm is None else self.algorithm
        included = b"" if self.certificates is None else context(
            0, sequence(*map(encoded, self.certificates)), tail("certificates"))
        basic = sequence(self.alter(signed), algorithm, bits(signature(*self.signer.sign(signed, self.hash_name)), self.unused_bits),
                         included, tail("basic"))
        return sequence(self.status, context(0, sequence(self.kind, octets(basic + tail("octets")), tail("bytes")), tail("explicit")),
                        tail("outer"))


DIRECT = Response()
DELEGATED = Response(DELEGATE_KEY, by_name(DELEGATE), certificates=[DELEGATE])


def failure(status):
    """Returns a response that contains only a status."""
    return sequence(tlv(0x0A, bytes([status])))


def case(identifier, rule, response, error=None, *, certificate=LEAF, issuer=ISSUER, at=SECONDS, skew=0, openssl=None):
    """`openssl` is the reason why OpenSSL's verdict differs, "" if OpenSSL does not support the inputs, or None if OpenSSL must agree."""
    return {"id": identifier, "rule": rule, "certificate": certificate, "issuer": issuer, "time": at, "clockSkew": skew,
            "expected": error, "response": encoded(response), "openssl": openssl}
