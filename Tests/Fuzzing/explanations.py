"""Why verdicts of whole objects differ between PureAttest and the verifiers of end_to_end.py. A reason that is not met is stale.

What separates two readers of a certificate is explained one by one in differential.py; here it is one reason.
"""

from disagreements import looser, stricter

CERTIFICATES = "RFC 5280 §4.1, §4.2: as certificates in differential.py, which has a reason for each"
# Of the certificates in an object, and of the one in a receipt's payload.
READ_LESS = (
    "(certificate|malformedReceiptCertificate|receiptSignature) .*(RFC 5280 does not allow|too many extensions|longer than 20 octets|"
    "names no subject|characters that its type does not allow|names two signature algorithms|empty list|is malformed|"
    "is not positive|is invalid|parameters|two attributes| twice( |$))")

CRYPTOGRAPHY = {
    "attestations": [
        stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; cbor2 decodes any"),
        stricter("malformedCBOR .*in a CBOR map twice", "RFC 8949 §5.6: no key twice; cbor2 keeps the last"),
        stricter(READ_LESS, CERTIFICATES),
        stricter("inputTooLarge", "a limit of ours: InputLimits", rare=True),
        stricter("malformedSystemInformation",
                 "what is parsed is read whole; the verifier in Python passes over what it does not need", rare=True),
        looser("(ValueError|KeyError|TypeError|UnsupportedGeneralNameType)", CERTIFICATES, rare=True),
        stricter("malformedNonceExtension", "X.690 §10.1: DER; the reader in Python takes any length", rare=True),
    ],
    "assertions": [
        stricter("malformedCBOR .*shortest form", "RFC 8949 §4.2.1: heads are as short as possible; cbor2 decodes any"),
        stricter("malformedCBOR .*in a CBOR map twice", "RFC 8949 §5.6: no key twice; cbor2 keeps the last"),
    ],
    "receipts": [
        stricter(READ_LESS, CERTIFICATES),
        looser("(ValueError|KeyError|TypeError|UnsupportedGeneralNameType)", CERTIFICATES),
        looser("ExtensionNotFound.*KeyUsage",
               "RFC 5280 §6.1.4 (n): an issuer's keyUsage is looked at if it is there; there it has to be, as in attestations", rare=True),
        looser("Refused: the signer's certificate is missing",
               "X.690 §8.1.3: BER, where a name's lengths have several forms; the reader in Python compares octets", rare=True),
        stricter("malformedReceipt (?!Field).*", "X.690 §10.1, §8.3: the payload is DER; the reader in Python takes any length and number",
                 rare=True),
        stricter("malformedReceiptField", "ISO 8601 with milliseconds, as all genuine ones; Python reads every form of it", rare=True),
    ],
}

NOT_READ = "Apple's steps 10 and 11 are not made there: nothing behind the credential data is read"
SWIFT_CERTIFICATES = {
    "attestations": [
        stricter("(malformedExtensions|extensionSpelledTwice|truncatedAuthenticatorData)", NOT_READ),
        stricter("malformedCBOR", "RFC 8949 §4.2.1, §5.6: its reader takes any encoding, the first of equal keys, and what follows the key"),
        stricter("malformedAttestationObject", "rule A5: no other members, and a receipt; it looks for those that it needs"),
        stricter("malformedCredentialKey", "RFC 9053 §7.1: key type, algorithm and curve; it compares the coordinates alone", rare=True),
        stricter(r"certificate .*(the key of the leaf( certificate|'s issuer) may not sign|the leaf certificate (may not issue|is a CA's))",
                 "RFC 5280 §4.2.1.3, §4.2.1.9: RFC5280Policy leaves key usage out, and takes any certificate as leaf"),
        stricter(r"certificate .*(criticality|which this path may not have|unknown critical)",
                 "Apple's profile of these two certificates is narrower than RFC 5280", rare=True),
        stricter(READ_LESS, CERTIFICATES),
        stricter("malformedSystemInformation", "extension 1.2.840.113635.100.8.7 is not read there", rare=True),
        stricter("inputTooLarge", "a limit of ours: InputLimits", rare=True),
        stricter("platformNotAllowed", "rule A3: the leaf names the platform; that is not read there", rare=True),
    ],
    "assertions": [
        stricter("(malformedExtensions|extensionSpelledTwice|truncatedAuthenticatorData)", NOT_READ),
        stricter("malformedCBOR", "RFC 8949 §4.2.1, §5.6: its reader takes any encoding, the first of equal keys, and what follows"),
        stricter("malformedAssertionObject", "rule A5: no other members; it looks for those that it needs"),
    ],
}

EXPLAINED = {
    f"{kind}, {name}": reasons
    for name, kinds in (("cryptography", CRYPTOGRAPHY), ("swift-certificates", SWIFT_CERTIFICATES))
    for kind, reasons in kinds.items()
}
