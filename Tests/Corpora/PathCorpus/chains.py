"""Builds certificate chains for path validation, link by link, and the chains' revocation lists."""

import base64
import dataclasses
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "AdversarialCorpus"))

from encoding import (  # noqa: E402
    CA_USAGE, ECDSA_WITH, NULL, Certificate, Key, attribute, basic_constraints, bits, context, extension, generalized_time, implicit,
    integer, key_usage, octets, oid, purposes, sequence, set_of, signature, tlv, utc_time, utf8,
)

ANY = "2.5.29.32.0"
# The policy identifiers of PKITS.
P1, P2, P3, P4 = (f"2.16.840.1.101.3.2.1.48.{n}" for n in range(1, 5))

# The validation time, 2026-07-01T00:00:00Z. Every validity period below contains this time, except where noted.
TIME = "2026-07-01T00:00:00Z"
SECONDS = 1_782_864_000

LEAF_USAGE = key_usage(bits(b"\x80", 7))
# The verifier ignores an intermediate that it cannot parse, and therefore finds no issuer.
UNREADABLE = "issuerNotFound(certificate: 0)"


def key_identifiers(key, signer):
    """Returns subjectKeyIdentifier, and authorityKeyIdentifier if another key signs."""
    authority = [] if key is signer else [extension("2.5.29.35", sequence(implicit(0, signer.identifier)))]
    return [extension("2.5.29.14", octets(key.identifier)), *authority]


def printable(text):
    return tlv(0x13, text.encode())


def ia5(text):
    return tlv(0x16, text if isinstance(text, bytes) else text.encode())


def bmp(text):
    return tlv(0x1E, text.encode("utf-16-be"))


def teletex(text):
    return tlv(0x14, text)


COUNTRY, ORGANISATION, UNIT, COMMON_NAME = "2.5.4.6", "2.5.4.10", "2.5.4.11", "2.5.4.3"
EMAIL = "1.2.840.113549.1.9.1"


def relative(kind, value):
    return attribute(value if isinstance(value, bytes) else utf8(value), oid(kind))


def directory(*relative_names):
    return sequence(*relative_names)


def common(text):
    return directory(relative(COMMON_NAME, text))


# Extensions


def policies(*identifiers, critical=False):
    return extension("2.5.29.32", sequence(*(sequence(oid(p)) for p in identifiers)), critical)


def mappings(*pairs):
    return extension("2.5.29.33", sequence(*(sequence(oid(a), oid(b)) for a, b in pairs)), True)


def constraints(explicit=None, mapping=None, critical=True):
    def number(tag, value):
        return b"" if value is None else implicit(tag, integer(value)[2:])
    return extension("2.5.29.36", sequence(number(0, explicit), number(1, mapping)), critical)


def inhibit_any(skip, critical=True):
    return extension("2.5.29.54", integer(skip), critical)


def dns(text):
    return implicit(2, text if isinstance(text, bytes) else text.encode())


def mail(text):
    return implicit(1, text if isinstance(text, bytes) else text.encode())


def uri(text):
    return implicit(6, text.encode())


def address(*octets_):
    return implicit(7, bytes(octets_))


def directory_name(name):
    return context(4, name)


def other_name(kind, value=NULL):
    return context(0, oid(kind), context(0, value))


def alternative_names(*names, critical=False):
    return extension("2.5.29.17", sequence(*names), critical)


def name_constraints(permitted=None, excluded=None, critical=True, tail=b""):
    def subtrees(number, bases):
        return b"" if bases is None else context(number, *(sequence(base, tail) for base in bases))
    return extension("2.5.29.30", sequence(subtrees(0, permitted), subtrees(1, excluded)), critical)


# Chains

ROOT_KEY = Key("path root")
ROOT_NAME = directory(relative(COUNTRY, printable("XX")), relative(COMMON_NAME, "Path Root"))
ROOT = Certificate(ROOT_NAME, ROOT_KEY, ROOT_NAME, ROOT_KEY, extensions=[basic_constraints(True), CA_USAGE, *key_identifiers(ROOT_KEY, ROOT_KEY)])


@dataclasses.dataclass
class Link:
    """A certificate of a chain: its name, and its extensions besides basicConstraints and keyUsage."""

    name: bytes
    extensions: list
    is_self_issued: bool = False
    usage: bytes | None = CA_USAGE
    fields: dict = dataclasses.field(default_factory=dict)


def ca(label, *extensions, **fields):
    return Link(common(label) if isinstance(label, str) else label, list(extensions), fields=fields)


def self_issued(*extensions, **fields):
    return Link(b"", list(extensions), True, fields=fields)


def chain(*links, root=ROOT):
    """Returns the root and the certificates of the links. The last link is the leaf."""
    issuer, signer, made = root.subject, root.key, []
    for number, link in enumerate(links):
        is_leaf = number == len(links) - 1
        name = issuer if link.is_self_issued else link.name
        key = Key(f"path {number} {'self' if link.is_self_issued else ''}")
        own = [LEAF_USAGE] if is_leaf else [basic_constraints(True), link.usage]
        certificate = Certificate(name, key, issuer, signer, serial=integer(number + 2),
                                  extensions=[item for item in own if item] + key_identifiers(key, signer) + link.extensions).change(**link.fields)
        made.append(certificate)
        issuer, signer = name, key
    return [root, *made]


# Revocation lists


def entry(serial, reason=None, extensions=(), date=utc_time("260601000000Z")):
    listed = list(extensions)
    if reason is not None:
        listed.insert(0, extension("2.5.29.21", tlv(0x0A, bytes([reason]))))
    return sequence(serial, date, sequence(*listed) if listed else b"")


def distribution_point(*, names=None, relative_name=None, users=False, authorities=False, reasons=None, indirect=False,
                       attributes=False, critical=True):
    """Returns an issuingDistributionPoint."""
    def flag(number, is_set):
        return implicit(number, b"\xff") if is_set else b""
    return extension("2.5.29.28", sequence(
        point_name(names, relative_name), flag(1, users), flag(2, authorities),
        b"" if reasons is None else implicit(3, reasons), flag(4, indirect), flag(5, attributes)), critical)


def point_name(names=None, relative_name=None):
    if names is not None:
        return context(0, context(0, *names))
    if relative_name is not None:
        return context(0, context(1, relative_name))
    return b""


def distribution_points(*points):
    """Returns cRLDistributionPoints. Each argument is the contents of one DistributionPoint."""
    return extension("2.5.29.31", sequence(*(sequence(point) for point in points)))


CRL_NUMBER = extension("2.5.29.20", integer(1))


def crl(issuer, signer, *entries, extensions=(), number=CRL_NUMBER, this_update=utc_time("260601000000Z"),
        next_update=utc_time("260801000000Z"), version=integer(1), hash_name="sha256", alter=lambda encoded: encoded):
    algorithm = sequence(ECDSA_WITH[hash_name])
    listed = [item for item in (number, *extensions) if item]
    signed = sequence(version, algorithm, issuer, this_update, next_update,
                      sequence(*entries) if entries else b"", context(0, sequence(*listed)) if listed else b"")
    return alter(sequence(signed, algorithm, bits(signature(*signer.sign(signed, hash_name)))))


# Cases


def pem(label, encoded):
    text = base64.b64encode(encoded).decode()
    lines = "\n".join(text[at:at + 64] for at in range(0, len(text), 64))
    return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n"


def encoded(item):
    return item if isinstance(item, bytes) else item.encode()


def case(identifier, rule, description, certificates, error=None, *, more=(), crls=(), openssl=None, cryptography=None,
         **inputs):
    """Returns a case in x509-limbo's form. `certificates` are ordered from the root to the leaf.

    `openssl` and `cryptography` are the reasons why the verdict of this validator differs from `error`, if it differs.
    """
    def text(item):
        return base64.b64encode(encoded(item)).decode()

    root, *intermediates, leaf = certificates
    result = {
        "id": f"path::{identifier}", "rule": rule, "description": description,
        "expected_result": "FAILURE" if error else "SUCCESS",
        "expected_error": error,
        "validation_time": TIME,
        "trusted_certs": [text(root)],
        "untrusted_intermediates": [text(item) for item in [*intermediates, *more]],
        "peer_certificate": text(leaf),
    }
    if crls:
        result["crls"] = [text(item) for item in crls]
    result |= inputs
    return result, {"openssl": openssl, "cryptography": cryptography}
