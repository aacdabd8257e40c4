"""Builds a chain without a defect, in the form of App Attest's chains, and the cases that change this chain."""

import base64

from encoding import (
    CA_USAGE, LEAF_USAGE, Certificate, Key, basic_constraints, context, extension, implicit, name, octets, sequence,
    utc_time,
)

ROOT_KEY = Key("adversarial root", "secp384r1")
CA_KEY = Key("adversarial intermediate", "secp384r1")
LEAF_KEY = Key("adversarial leaf")
OTHER_KEY = Key("adversarial stranger", "secp384r1")

ROOT_NAME = name("Adversarial Root CA")
CA_NAME = name("Adversarial CA 1")
LEAF_NAME = name("Adversarial leaf")

# 2026-07-01T00:00:00Z, inside every validity below.
TIME = 1_782_864_000

NONCE = "1.2.840.113635.100.8.2"
APP = "AAAAAAAAAA.test.adversarial"


def subject_key_identifier(key):
    return extension("2.5.29.14", octets(key.identifier))


def authority_key_identifier(key, critical=False):
    return extension("2.5.29.35", sequence(implicit(0, key.identifier)), critical)


def nonce_extension(nonce):
    return extension(NONCE, sequence(context(1, octets(nonce))))


ROOT = Certificate(ROOT_NAME, ROOT_KEY, ROOT_NAME, ROOT_KEY, "sha384", not_before=utc_time("200318183253Z"),
                   not_after=utc_time("450315000000Z"),
                   extensions=[basic_constraints(True), subject_key_identifier(ROOT_KEY), CA_USAGE])
CA_EXTENSIONS = [
    basic_constraints(True, 0), authority_key_identifier(ROOT_KEY), subject_key_identifier(CA_KEY), CA_USAGE,
]
CA = Certificate(CA_NAME, CA_KEY, ROOT_NAME, ROOT_KEY, "sha384", serial=bytes([0x02, 0x01, 0x02]),
                 not_before=utc_time("200318183955Z"), not_after=utc_time("300313000000Z"), extensions=CA_EXTENSIONS)
LEAF_EXTENSIONS = [basic_constraints(False), LEAF_USAGE, nonce_extension(bytes(range(32)))]
LEAF = Certificate(LEAF_NAME, LEAF_KEY, CA_NAME, CA_KEY, serial=bytes([0x02, 0x01, 0x03]), extensions=LEAF_EXTENSIONS)
UNKNOWN_ROOT = ROOT.change(subject=name("Unknown Root"), issuer=name("Unknown Root"), key=OTHER_KEY, signer=OTHER_KEY)
UNDER_UNKNOWN = CA.change(issuer=UNKNOWN_ROOT.subject, signer=OTHER_KEY)

SAME = object()


def text(value):
    """Returns bytes as Base64, and a list of pieces (bytes or recipes) as a list."""
    if isinstance(value, Certificate):
        value = value.encode()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return [piece if isinstance(piece, dict) else text(piece) for piece in value]


def repeated(piece, count, counter_bytes=0, suffix=b"", start=0):
    """Returns a recipe that repeats three parts `count` times: `piece`, a big-endian counter of `counter_bytes` octets, and `suffix`."""
    recipe = {"repeat": text(piece), "count": count}
    if counter_bytes:
        recipe |= {"counterBytes": counter_bytes, "start": start, "suffix": text(suffix)}
    return recipe


def shortened(encoded, piece, count):
    """Returns the encoding with `count` consecutive pieces replaced by a recipe."""
    before, after = encoded.split(piece * count, 1)
    return [before, repeated(piece, count), after]


def case(identifier, rows, rule, comment, error, app_attest=SAME, **members):
    """Returns a case, by default of the chain without a defect.

    `error` is the error of path validation, or None if path validation accepts the chain. `app_attest` is the error of the stricter App Attest profile, if it
    differs from `error`.
    """
    result = {"id": f"adv::{identifier}", "rows": rows, "rule": rule, "comment": comment, "error": error}
    if app_attest is not SAME:
        result["appAttestError"] = app_attest
    for member, value in members.items():
        if member == "leaf":
            result[member] = text(value)
        elif member in ("intermediates", "anchors"):
            result[member] = [text(item) for item in value]
        else:
            result[member] = value
    return result


def leaf(identifier, rows, rule, comment, error, app_attest=SAME, **fields):
    """Returns a case whose leaf differs from `LEAF` in these fields."""
    return case(identifier, rows, rule, comment, error, app_attest, leaf=LEAF.change(**fields))


def intermediate(identifier, rows, rule, comment, error, app_attest=SAME, **fields):
    """Returns a case whose intermediate differs from `CA` in these fields."""
    return case(identifier, rows, rule, comment, error, app_attest, intermediates=[CA.change(**fields)])


SEQUENCE_TAG = (32, 16)


def malformed(field, rule):
    return f"malformed({field}, {rule})"


def wrong_tag(expected, found):
    """Returns the text of the error for a wrong tag. A tag is a pair (bits 8 to 6 of the identifier octet, number)."""
    shown = [f"DERTag(leadingBits: {bits}, number: {number})" for bits, number in (expected, found)]
    return f"unexpectedTag(expected: {shown[0]}, found: {shown[1]})"
