"""Reasons why PureAttest and the verifiers of end_to_end.py disagree on whole objects.

A reason that matches nothing is stale. If the disagreement is about a certificate in the object, differential.py has
the reason. To find it, `of_certificates` gives both readers the object's certificates one by one.
"""

import differential
from disagreements import looser, stricter

# PureAttest's errors for a certificate that it cannot read, in an object or in a receipt's payload.
OF_A_CERTIFICATE = ("refused certificate ", "refused malformedReceiptCertificate ", "refused receiptSignature ")


def of_certificates(tool, certificates, ours, theirs):
    """Returns differential.py's reason for one of these certificates if it explains the different verdicts, else None.

    A certificate explains the verdicts in two cases. If PureAttest accepts the object, PureAttest must accept the
    certificate, and the other reader must reject it with the same text as the object. If PureAttest rejects the object,
    PureAttest must reject the certificate with the same error. The other reader may then reject the certificate as
    well, although its verifier accepts the object, because the verifier reads less of the certificate.
    """
    for data in certificates:
        we, they = tool.ask("c", data), differential.ask_them(differential.certificate, data)
        if ours.startswith("accepted"):
            same = we.startswith("accepted") and theirs.replace(":", "", 1).rstrip() == they
        else:
            # The object's error ends with the sentence of the certificate's error.
            same = we.startswith("refused") and ours.startswith(OF_A_CERTIFICATE) and ours.endswith(we.split(" ", 2)[2])
        if same and we.startswith("refused") and they.startswith("refused"):
            return "certificates: both refuse it when they read the whole of it; a verifier reads less"
        if same:
            return next((f"certificates: {r.reason}" for r in differential.EXPLAINED["certificate"] if r.matches(we, they)), None)
    return None


CRYPTOGRAPHY = {
    "attestations": [
        stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; cbor2 decodes any"),
        stricter("malformedCBOR .*a CBOR map has a duplicate key", "RFC 8949 §5.6: no key twice; cbor2 keeps the last"),
        stricter("inputTooLarge", "a limit of ours: InputLimits", rare=True),
        stricter("malformedSystemInformation",
                 "what is parsed is read whole; the verifier in Python passes over what it does not need", rare=True),
        stricter("malformedNonceExtension", "X.690 §10.1: DER; the reader in Python takes any length", rare=True),
    ],
    "assertions": [
        stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; cbor2 decodes any"),
        stricter("malformedCBOR .*a CBOR map has a duplicate key", "RFC 8949 §5.6: no key twice; cbor2 keeps the last"),
    ],
    "receipts": [
        looser("ExtensionNotFound.*KeyUsage",
               "RFC 5280 §6.1.4 (n): an issuer's keyUsage is looked at if it is there; there it has to be, as in attestations", rare=True),
        looser(r"ValueError: error parsing asn1 value: ParseError \{ kind: InvalidLength( \}|, location: \[.(Tbs)?Certificate::)",
               "X.690 §8.1.3: BER, certificates included, which are put into DER; the reader in Python takes each as it stands",
               rare=True),
        looser("Refused: the signer's certificate is missing",
               "X.690 §8.1.3: BER, where a name's lengths have several forms; the reader in Python compares octets", rare=True),
        stricter("malformedReceipt (?!Field).*", "X.690 §10.1, §8.3: the payload is DER; the reader in Python takes any length and number",
                 rare=True),
        stricter("receiptSignature .*the structure of signed data is malformed: an arc of an OBJECT IDENTIFIER is not in its shortest form",
                 "X.690 §8.19.2: in BER too; the reader in Python takes any length", rare=True),
        stricter("malformedReceiptField", "ISO 8601 with milliseconds, as all genuine ones; Python reads every form of it", rare=True),
    ],
}

NOT_READ = "Apple's steps 10 and 11 are not made there: nothing behind the credential data is read"
# The CBOR reader of this verifier reads only the members that it needs, and decodes nothing else.
CBOR = [
    stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; its reader takes any"),
    stricter("malformedCBOR .*a CBOR map has a duplicate key", "RFC 8949 §5.6: no key twice; its reader takes the first"),
    stricter("malformedCBOR .*bytes follow the CBOR data item", "RFC 8949 §5.3.1: one item and nothing behind it; its reader stops at the item's end"),
    stricter("malformedCBOR .*ends inside a data item", "RFC 8949 §5.3.1: the item is whole; its reader stops when it has what it looks for"),
    stricter("malformedCBOR .*a CBOR text string is not UTF-8", "RFC 8949 §3.1: text is UTF-8; its reader compares names as bytes"),
    stricter("malformedCBOR .*an indefinite length", "RFC 8949 §4.2.1: no indefinite lengths; its reader passes over them", rare=True),
    stricter("malformedCBOR .*(invalid additional information|unexpected CBOR break)",
             "RFC 8949 §3, §3.2.1: reserved additional information, a break; its reader stops before", rare=True),
    stricter("malformedCBOR .*(too many CBOR items|nested too deep)", "a limit of ours: CBORLimits.default", rare=True),
]
SWIFT_CERTIFICATES = {
    "attestations": CBOR + [
        stricter("(malformedExtensions|extensionSpelledTwice|truncatedAuthenticatorData)", NOT_READ),
        stricter("malformedAttestationObject", "rule A5: no other members, and a receipt; it looks for those that it needs"),
        stricter("malformedCredentialKey", "RFC 9053 §7.1: key type, algorithm and curve; it compares the coordinates alone", rare=True),
        stricter(r"certificate .*(the key of the leaf( certificate|'s issuer) may not sign|the leaf certificate (may not issue|is a CA's))",
                 "RFC 5280 §4.2.1.3, §4.2.1.9: RFC5280Policy leaves key usage out, and takes any certificate as leaf"),
        stricter(r"certificate .*(criticality|which this path may not have|unknown critical)",
                 "Apple's profile of these two certificates is narrower than RFC 5280", rare=True),
        stricter("malformedSystemInformation", "extension 1.2.840.113635.100.8.7 is not read there", rare=True),
        stricter("inputTooLarge", "a limit of ours: InputLimits", rare=True),
        stricter("platformNotAllowed", "rule A3: the leaf names the platform; that is not read there", rare=True),
    ],
    "assertions": CBOR + [
        stricter("(malformedExtensions|extensionSpelledTwice|truncatedAuthenticatorData)", NOT_READ),
        stricter("malformedAssertionObject", "rule A5: no other members; it looks for those that it needs"),
    ],
}

EXPLAINED = {
    f"{kind}, {name}": reasons
    for name, kinds in (("cryptography", CRYPTOGRAPHY), ("swift-certificates", SWIFT_CERTIFICATES))
    for kind, reasons in kinds.items()
}
