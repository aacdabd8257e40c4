"""Yields cases whose extensions have one defect each."""

from chains import (
    CA_EXTENSIONS, LEAF, LEAF_EXTENSIONS, NONCE, SEQUENCE_TAG, case, intermediate, leaf, malformed, nonce_extension,
    repeated, shortened, wrong_tag,
)
from encoding import (
    NULL, TRUE, attribute, basic_constraints, bits, context, extension, implicit, integer, key_usage, octets, oid,
    sequence, tlv, utf8,
)


def leaf_bytes(identifier, comment, error, encoded):
    """Returns a case with this leaf, whose error must have a bounded text."""
    return case(identifier, ["error-text"], "what an error says is bounded", comment, error, leaf=encoded)


def cases():
    ku = ["bit-strings"]

    def usage(identifier, comment, error, value, rule="X.690 8.6.2, 11.2"):
        listed = [LEAF_EXTENSIONS[0], key_usage(value), LEAF_EXTENSIONS[2]]
        return leaf(identifier, ku, rule, comment, error, extensions=listed)

    yield usage("ku-empty-bitstring", "no bit", "invalidValue(keyUsage)", bits(b""), "RFC 5280 4.2.1.3")
    yield usage("ku-no-octets", "no octet for unused bits", malformed("keyUsage", "emptyBitString"), tlv(3))
    yield usage("ku-unused-8", "8 unused bits", malformed("keyUsage", "invalidUnusedBitCount"), tlv(3, b"\x08\x80"))
    yield usage("ku-unused-255", "255 unused bits", malformed("keyUsage", "invalidUnusedBitCount"), tlv(3, b"\xff\x80"))
    yield usage("ku-unused-no-octet", "7 unused bits of no octet", malformed("keyUsage", "invalidUnusedBitCount"),
                tlv(3, b"\x07"))
    yield usage("ku-padding-bits", "an unused bit is 1", malformed("keyUsage", "nonZeroUnusedBits"),
                tlv(3, b"\x07\xc0"))
    yield usage("ku-trailing-zeros", "zero bits at the end", "invalidValue(keyUsage)", bits(b"\x80"), "X.690 11.2.2")
    yield usage("ku-trailing-zero-octet", "a zero octet at the end", "invalidValue(keyUsage)", bits(b"\x80\0"),
                "X.690 11.2.2")
    yield usage("ku-bit-9", "a tenth bit", "invalidValue(keyUsage)", bits(b"\0\x40", 6), "RFC 5280 4.2.1.3")
    yield usage("ku-1000-octets", "1,000 octets", "invalidValue(keyUsage)", bits(b"\xff" * 1_000), "RFC 5280 4.2.1.3")
    yield usage("ku-integer", "an INTEGER", malformed("keyUsage", wrong_tag((0, 3), (0, 2))), integer(5),
                "RFC 5280 4.2.1.3")
    yield usage("ku-trailing", "a NULL follows", malformed("keyUsage", "trailingBytes"),
                bits(b"\x80", 7) + NULL, "RFC 5280 4.2")

    def constraints(identifier, rows, comment, error, value, rule="RFC 5280 4.2.1.9"):
        return intermediate(identifier, rows, rule, comment, error,
                            extensions=[extension("2.5.29.19", value, True), *CA_EXTENSIONS[1:]])

    range_rows = ["odd-keys", "swift-4"]
    out_of_range = malformed("basicConstraints", "integerOutOfRange")
    yield constraints("bc-pathlen-2^64", range_rows, "a path length of 2^64", out_of_range,
                      sequence(TRUE, integer(2**64)))
    yield constraints("bc-pathlen-2^63", range_rows, "a path length of 2^63", out_of_range,
                      sequence(TRUE, integer(2**63)))
    yield constraints("bc-pathlen-2^63-1", range_rows, "a path length of 2^63 - 1", "invalidValue(basicConstraints)",
                      sequence(TRUE, integer(2**63 - 1)))
    yield constraints("bc-pathlen-negative", range_rows, "a path length of -1", "invalidValue(basicConstraints)",
                      sequence(TRUE, integer(-1)))
    yield constraints("bc-ca-false-written", ["one-parser"], "FALSE is written", "encodedDefault(basicConstraints)",
                      sequence(tlv(1, b"\0"), integer(0)), "X.690 11.5")
    yield constraints("bc-ca-01", ["one-parser"], "TRUE is 01", malformed("basicConstraints", "invalidBoolean"),
                      sequence(tlv(1, b"\1")), "X.690 11.1")
    yield constraints("bc-swapped", ["one-parser"], "the path length before cA",
                      malformed("basicConstraints", "trailingBytes"), sequence(integer(0), TRUE))
    yield constraints("bc-trailing", ["one-parser"], "a NULL inside", malformed("basicConstraints", "trailingBytes"),
                      sequence(TRUE, integer(0), NULL))

    def alternative(identifier, comment, error, *names, rows=("general-names", ), rule="RFC 5280 4.2.1.6"):
        return leaf(identifier, list(rows), rule, comment, error,
                    extensions=LEAF_EXTENSIONS + [extension("2.5.29.17", sequence(*names))])

    kind = "invalidGeneralName(subjectAlternativeName)"
    dns = implicit(2, b"example.test")
    yield alternative("control-san", "a host name", None, dns, rows=())
    yield alternative("san-empty", "no name", "emptyList(subjectAlternativeName)")
    yield alternative("san-dns-constructed", "a constructed dNSName", kind, context(2, utf8("example.test")))
    yield alternative("san-x400-primitive", "x400Address as a string (CVE-2023-0286)", kind, implicit(3, b"\0\1\2\3"))
    yield alternative("san-edi-primitive", "ediPartyName as a string (CVE-2020-1971)", kind, implicit(5, b"\0"))
    yield alternative("san-tag-9", "no such choice", kind, implicit(9, b""))
    yield alternative("san-ip-5", "an address of 5 octets", kind, implicit(7, b"\x7f\0\0\1\0"))
    yield alternative("san-ip-empty", "an address of no octets", kind, implicit(7, b""))
    yield alternative("san-dns-not-ascii", "a dNSName with UTF-8", "invalidCharacters(subjectAlternativeName)",
                      implicit(2, "ä.test".encode()))
    yield alternative("san-email-not-ascii", "an rfc822Name with UTF-8 (CVE-2022-4203)",
                      "invalidCharacters(subjectAlternativeName)", implicit(1, b"\xc3\xa4@test"))
    yield alternative("san-othername-no-value", "an otherName without a value",
                      malformed("subjectAlternativeName", "unexpectedEnd"), context(0, oid("1.2.3")))
    yield alternative("san-othername-two-values", "an otherName with two values (CVE-2024-6119)",
                      malformed("subjectAlternativeName", "trailingBytes"),
                      context(0, oid("1.2.3"), context(0, NULL, NULL)))
    yield alternative("san-directory-no-name", "a directoryName that is none",
                      malformed("subjectAlternativeName", wrong_tag(SEQUENCE_TAG, (0, 12))), context(4, utf8("x")))
    yield alternative("san-oid-leading-80", "a registeredID with a redundant 80",
                      malformed("subjectAlternativeName", "nonMinimalObjectIdentifier"), implicit(8, b"\x2a\x80\x03"),
                      rows=("oid-arcs", ), rule="X.690 8.19.2")
    in_parts = tlv(0x2C, utf8("x"))
    unreadable = malformed("subjectAlternativeName", "constructedString")
    for label, comment, value in [
        ("othername", "an otherName's value is a string in parts", context(0, oid("1.2.3"), context(0, in_parts))),
        ("directory", "a directoryName with a string in parts", context(4, sequence(attribute(in_parts)))),
        ("edi", "an ediPartyName's partyName is a string in parts", context(5, context(1, in_parts))),
        ("edi-assigner", "an ediPartyName's nameAssigner is a string in parts",
         context(5, context(0, in_parts), context(1, utf8("x")))),
    ]:
        yield alternative(f"san-{label}-constructed", comment, unreadable, value, rule="X.690 10.2")
    for label, number in {"email": 1, "uri": 6, "ip": 7, "oid": 8}.items():
        yield alternative(f"san-{label}-constructed", f"a constructed {label}", kind, context(number, in_parts))
    yield alternative("control-san-edi", "an ediPartyName", None,
                      context(5, context(0, utf8("x")), context(1, utf8("y"))), rows=())
    yield alternative("san-edi-no-party", "an ediPartyName without partyName",
                      malformed("subjectAlternativeName", "unexpectedEnd"), context(5, context(0, utf8("x"))))
    yield alternative("san-edi-empty", "an empty ediPartyName", malformed("subjectAlternativeName", "unexpectedEnd"),
                      context(5))
    yield alternative("san-edi-not-printable", "an ediPartyName with * in a PrintableString",
                      "invalidCharacters(subjectAlternativeName)", context(5, context(1, tlv(0x13, b"*"))))
    many = implicit(2, b"a.test") * 1_000
    bad = implicit(7, b"\0")
    yield alternative("control-san-1000", "1,000 names", None, many, rows=("exponential-path", ))
    yield alternative("error-path-1000-names",
                      "the last of 1,001 names is malformed (CVE-2025-61729): the error holds no text", kind, many, bad,
                      rows=("error-text", ))

    # The text of an error must be bounded for every identifier. This identifier has 64,000 octets.
    octet = b"\xff"
    enormous = LEAF.change(extensions=LEAF_EXTENSIONS +
                           [sequence(tlv(6, b"\x2a" + octet * 63_998 + b"\x01"), TRUE, octets(b""))]).encode()
    shown = "0x2a" + "ff" * 15 + "... (64000 octets)"
    yield leaf_bytes("error-path-oid-64000", "an unknown critical extension with an identifier of 64,000 octets",
                     f"unhandledCriticalExtension({shown}, certificate: 0)", shortened(enormous, octet, 63_998))
    twice = sequence(tlv(6, b"\x2a" + octet * 29_998 + b"\x01"), octets(b""))
    doubled = LEAF.change(extensions=LEAF_EXTENSIONS + [twice, twice]).encode()
    before, between, after = doubled.split(octet * 29_998)
    run = repeated(octet, 29_998)
    yield leaf_bytes("error-path-oid-30000-twice", "an extension twice, with an identifier of 30,000 octets",
                     f"duplicateExtension({shown.replace('64000', '30000')})", [before, run, between, run, after])
    yield leaf("error-path-oid-41", ["error-text"], "what an error says is bounded",
               "an unknown critical extension with an identifier of 41 octets",
               f"unhandledCriticalExtension({shown.replace('64000', '41')}, certificate: 0)",
               extensions=LEAF_EXTENSIONS + [sequence(tlv(6, b"\x2a" + octet * 39 + b"\x01"), TRUE, octets(b""))])
    digits = ".".join(["1.2", *["127"] * 39])
    yield leaf("error-path-oid-40", ["error-text"], "what an error says is bounded",
               "the same of 40 octets, which is written in digits",
               f"unhandledCriticalExtension({digits}, certificate: 0)",
               extensions=LEAF_EXTENSIONS + [sequence(tlv(6, b"\x2a" + b"\x7f" * 39), TRUE, octets(b""))])

    duplicate = ["app-attest", "swift-1"]
    yield leaf("ext-duplicate-nonce", duplicate, "RFC 5280 4.2", "two nonces", f"duplicateExtension({NONCE})",
               extensions=LEAF_EXTENSIONS + [nonce_extension(bytes(32))])
    yield intermediate("ext-duplicate-bc", ["swift-1"], "RFC 5280 4.2", "two basicConstraints",
                       "duplicateExtension(2.5.29.19)", extensions=CA_EXTENSIONS + [basic_constraints(False)])
    yield leaf("ext-duplicate-unknown", ["swift-1"], "RFC 5280 4.2", "an unknown extension twice",
               "duplicateExtension(1.2.3.4)", extensions=LEAF_EXTENSIONS + [extension("1.2.3.4", b"")] * 2)
    yield leaf("ext-critical-unknown-leaf", ["issuer-roles"], "RFC 5280 6.1.5 (f)", "an unknown critical extension",
               "unhandledCriticalExtension(1.2.3.4, certificate: 0)",
               extensions=LEAF_EXTENSIONS + [extension("1.2.3.4", b"", True)])
    yield intermediate("ext-critical-unknown-int", ["issuer-roles"], "RFC 5280 6.1.4 (o)",
                       "an unknown critical extension", "unhandledCriticalExtension(1.2.3.4, certificate: 1)",
                       extensions=CA_EXTENSIONS + [extension("1.2.3.4", b"", True)])
