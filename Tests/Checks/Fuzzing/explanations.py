"""Reasons why PureAttest and the verifiers of end_to_end.py disagree on whole objects.

If the verifiers disagree about a certificate in the object, differential.py states the reason. `of_certificates` finds this reason: it passes each certificate
of the object to both certificate parsers.
"""

import differential
from disagreements import looser, stricter

# PureAttest's errors if it cannot read a certificate in an object or in a receipt's payload.
OF_A_CERTIFICATE = ("refused certificate ", "refused malformedReceiptCertificate ", "refused receiptSignature ")


def of_certificates(tool, certificates, ours, theirs):
    """Returns a reason if a certificate explains the verdicts on the object, otherwise None. The reason comes from differential.py, unless both parsers reject
    the certificate.

    A certificate explains the verdicts in two cases. First, PureAttest accepts both the object and the certificate, and the other implementation rejects both
    with the same text. Second, PureAttest rejects both with the same error. In the second case, the other implementation's parser may reject the certificate
    although its verifier accepts the object, because the verifier reads only a part of the certificate.
    """
    for data in certificates:
        we, they = tool.ask("c", data), differential.ask_them(differential.certificate, data)
        if ours.startswith("accepted"):
            same = we.startswith("accepted") and theirs.replace(":", "", 1).rstrip() == they.split(differential.REJECTED)[0]
        else:
            # The object's error ends with the text of the certificate's error.
            same = we.startswith("refused") and ours.startswith(OF_A_CERTIFICATE) and ours.endswith(we.split(" ", 2)[2])
        if same and we.startswith("refused") and they.startswith("refused"):
            return "certificates: both reject it when they read all of it; a verifier reads less"
        if same:
            return next((f"certificates: {r.reason}" for r in differential.EXPLAINED["certificate"] if r.matches(we, they)), None)
    return None


CBOR2 = [
    stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; cbor2 decodes any"),
    stricter("malformedCBOR .*a CBOR map has a duplicate key", "RFC 8949 §5.6: no duplicate keys; cbor2 keeps the last"),
]
CRYPTOGRAPHY = {
    "attestations": CBOR2 + [
        stricter("inputTooLarge", "PureAttest's limit: InputLimits", rare=True),
        stricter("malformedSystemInformation",
                 "PureAttest reads the whole structure; the Python verifier skips parts that it does not need", rare=True),
        stricter("malformedNonceExtension", "X.690 §10.1: the extension is DER; the Python reader accepts any length", rare=True),
    ],
    "assertions": CBOR2,
    "receipts": [
        looser("ExtensionNotFound.*KeyUsage",
               "RFC 5280 §6.1.4 (n): an issuer's keyUsage is checked if present; the peer requires it, as in attestations", rare=True),
        looser(r"ValueError: error parsing asn1 value: ParseError \{ kind: InvalidLength( \}|, location: \[.(Tbs)?Certificate::)",
               "X.690 §8.1.3: BER, including certificates, which PureAttest converts to DER; the Python reader does not convert them",
               rare=True),
        looser("Refused: the signer's certificate is missing",
               "X.690 §8.1.3: in BER a name's lengths have several forms; the Python reader compares octets", rare=True),
        stricter("malformedReceipt (?!Field).*", "X.690 §10.1, §8.3: the payload is DER; the Python reader accepts any length and number",
                 rare=True),
        stricter("receiptSignature .*the structure of signed data is malformed: an arc of an OBJECT IDENTIFIER is not in its shortest form",
                 "X.690 §8.19.2: arcs have their shortest form in BER too; the Python reader accepts any length", rare=True),
        stricter("malformedReceiptField .*field (12|19|21) ",
                 "times are ISO 8601 in UTC with 0 to 9 fractional digits; Python reads every form of ISO 8601", rare=True),
    ],
}

NOT_READ = "the peer omits Apple's steps 10 and 11: it reads nothing after the credential data"
# The peer's CBOR reader decodes only the members that it needs.
CBOR = [
    stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; the peer's reader accepts any"),
    stricter("malformedCBOR .*a CBOR map has a duplicate key", "RFC 8949 §5.6: no duplicate keys; the peer's reader takes the first"),
    stricter("malformedCBOR .*bytes follow the CBOR data item", "RFC 8949 §5.3.1: one item and nothing after it; the peer's reader stops at the item's end"),
    stricter("malformedCBOR .*ends inside a data item", "RFC 8949 §5.3.1: the item is complete; the peer's reader stops when it has what it needs"),
    stricter("malformedCBOR .*a CBOR text string is not UTF-8", "RFC 8949 §3.1: text is UTF-8; the peer's reader compares names as bytes"),
    stricter("malformedCBOR .*an indefinite length", "RFC 8949 §4.2.1: no indefinite lengths; the peer's reader skips them", rare=True),
    stricter("malformedCBOR .*(invalid additional information|unexpected CBOR break)",
             "RFC 8949 §3, §3.2.1: reserved additional information or a break; the peer's reader stops before it", rare=True),
    stricter("malformedCBOR .*(too many CBOR items|nested too deep)", "PureAttest's limit: CBORLimits.default", rare=True),
]
SWIFT_CERTIFICATES = {
    "attestations": CBOR + [
        stricter("(malformedExtensions|extensionSpelledTwice|truncatedAuthenticatorData)", NOT_READ),
        stricter("malformedAttestationObject", "rule A5: no further members, and a receipt; the peer reads only the members that it needs"),
        stricter("malformedCredentialKey", "RFC 9053 §7.1: key type, algorithm and curve; the peer compares only the coordinates", rare=True),
        stricter(r"certificate .*(the key of the leaf( certificate|'s issuer) may not sign|the leaf certificate (may not issue|is a CA's))",
                 "RFC 5280 §4.2.1.3, §4.2.1.9: RFC5280Policy ignores key usage, and accepts any certificate as leaf"),
        stricter(r"certificate .*(criticality|which this path may not have|unknown critical)",
                 "Apple's profile of these two certificates is narrower than RFC 5280", rare=True),
        stricter("malformedSystemInformation", "the peer does not read extension 1.2.840.113635.100.8.7", rare=True),
        stricter("inputTooLarge", "PureAttest's limit: InputLimits", rare=True),
        stricter("platformNotAllowed", "rule A3: the leaf names the platform; the peer does not read it", rare=True),
    ],
    "assertions": CBOR + [
        stricter("(malformedExtensions|extensionSpelledTwice|truncatedAuthenticatorData)", NOT_READ),
        stricter("malformedAssertionObject", "rule A5: no further members; the peer reads only the members that it needs"),
    ],
}

EXPLAINED = {
    f"{kind}, {name}": reasons
    for name, kinds in (("cryptography", CRYPTOGRAPHY), ("swift-certificates", SWIFT_CERTIFICATES))
    for kind, reasons in kinds.items()
}
