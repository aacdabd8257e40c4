"""Yields receipts (CMS SignedData, RFC 5652) that have one defect each, outside the payload."""

import chains
from chains import (
    APP, CA, CA_KEY, LEAF, LEAF_EXTENSIONS, LEAF_KEY, ROOT, UNDER_UNKNOWN, UNKNOWN_ROOT, malformed, text, wrong_tag,
)
from encoding import (
    ECDSA_WITH, NULL, Key, bits, context, extension, integer, key_usage, name, octets, oid, purposes, sequence, set_of,
    signature, tlv,
)
from paths import PURPOSES

SIGNER_KEY = Key("adversarial receipt signer")
SHA256 = sequence(oid("2.16.840.1.101.3.4.2.1"), NULL)
MARKER = extension("1.2.840.113635.100.12.15", NULL)
MAY_SIGN = key_usage(bits(b"\x80", 7))
SIGNER = CA.change(subject=name("Adversarial receipt signer"), key=SIGNER_KEY, issuer=CA.subject, signer=CA_KEY,
                   hash_name="sha256", serial=integer(7), extensions=[LEAF_EXTENSIONS[0], MAY_SIGN, MARKER])


def payload():
    fields = {
        2: APP.encode(),
        3: LEAF.encode(),
        4: bytes(32),
        6: b"RECEIPT",
        12: b"2026-06-30T23:59:00Z",
        21: b"2026-09-30T00:00:00Z"
    }
    return set_of(*(sequence(integer(kind), integer(1), octets(value)) for kind, value in fields.items()))


def receipt(signer=SIGNER, certificates=(CA, ROOT), digests=SHA256):
    content = payload()
    signed = octets(signature(*SIGNER_KEY.sign(content, "sha256")))
    info = sequence(integer(1), sequence(signer.issuer, signer.serial), SHA256, sequence(ECDSA_WITH["sha256"]), signed)
    encapsulated = sequence(oid("1.2.840.113549.1.7.1"), context(0, octets(content)))
    listed = context(0, *(certificate.encode() for certificate in (signer, *certificates)))
    data = sequence(integer(1), tlv(0x31, digests), encapsulated, listed, set_of(info))
    return sequence(oid("1.2.840.113549.1.7.2"), context(0, data))


def case(identifier, rule, comment, error, **fields):
    members = {"receipt": text(receipt(**fields)), "publicKey": text(LEAF_KEY.point), "appID": APP}
    return chains.case(identifier, ["app-attest"] if error else [], rule, comment, error, **members)


def digest_cases():
    rule = "RFC 5652 5.1"
    sha1, unknown = sequence(oid("1.3.14.3.2.26"), NULL), sequence(oid("1.2.3"), sequence(integer(1)))
    several = sha1 + unknown + SHA256
    for identifier, comment, digests in [("control-receipt", "a receipt without a defect", SHA256),
                                         ("control-receipt-digests-none", "no digest algorithm", b""),
                                         ("control-receipt-digests-several", "several, of any algorithm", several)]:
        yield case(identifier, rule, comment, None, digests=digests)

    def broken(label, comment, error, digests):
        return case(f"receipt-digests-{label}", rule, f"digestAlgorithms: {comment}",
                    f"receiptSignature({malformed('signedData', error)})", digests=digests)

    yield broken("integer", "an INTEGER", wrong_tag((32, 16), (0, 2)), integer(1))
    yield broken("second", "a NULL after an algorithm", wrong_tag((32, 16), (0, 5)), SHA256 + NULL)
    yield broken("empty", "an algorithm without identifier", "unexpectedEnd", sequence())
    yield broken("null", "a NULL for an identifier", wrong_tag((0, 6), (0, 5)), sequence(NULL))
    yield broken("trailing", "two parameters", "trailingBytes", sequence(oid("1.3.14.3.2.26"), NULL, NULL))
    yield broken("oid", "an identifier with a redundant 80", "nonMinimalObjectIdentifier",
                 sequence(tlv(6, b"\x2a\x80\x03")))


def signer_cases():
    refused = "receiptSignerNotAllowed"

    def signer(identifier, rule, comment, error, *extensions):
        return case(identifier, rule, comment, error,
                    signer=SIGNER.change(extensions=[LEAF_EXTENSIONS[0], *extensions]))

    yield signer("receipt-signer-unmarked", "Apple, receipts", "without extension 1.2.840.113635.100.12.15", refused,
                 MAY_SIGN)
    usage = "RFC 5280 4.2.1.3"
    yield signer("receipt-signer-ku-missing", usage, "the signer has no keyUsage", refused, MARKER)
    yield signer("receipt-signer-ku-agreement", usage, "the signer's key is for keyAgreement", refused,
                 key_usage(bits(b"\x08", 3)), MARKER)
    for label, names, is_refused in PURPOSES:
        for critical in (True, False):
            wrong = critical and is_refused
            kind = f"eku-{label}-{'critical' if critical else 'not-critical'}"
            yield signer(("" if wrong else "control-") + f"receipt-signer-{kind}", "RFC 5280 4.2.1.12",
                         f"the signer's extKeyUsage: {label}", refused if wrong else None, MAY_SIGN, MARKER,
                         purposes(*names, critical=critical))
    yield case("receipt-unknown-root", "RFC 5280 6.1.3 (a)(4)", "the root that came along is not trusted",
               "receiptSignature(issuerNotFound(certificate: 1))",
               certificates=(UNDER_UNKNOWN, UNKNOWN_ROOT))
    yield case("receipt-signer-sha1", "FIPS 186-5 6.4", "the signer's certificate is signed with SHA-1",
               "receiptSignature(unsupportedSignatureAlgorithm(certificate: 0))",
               signer=SIGNER.change(hash_name="sha1"))


def cases():
    yield from digest_cases()
    yield from signer_cases()
