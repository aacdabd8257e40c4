"""Yields cases with one defect each in an encoding, a field, an identifier or an extension, and control cases without a defect."""

import extensions
from chains import (
    CA_KEY, LEAF, LEAF_EXTENSIONS, LEAF_KEY, SEQUENCE_TAG, case, leaf, malformed, repeated, shortened, wrong_tag,
)
from encoding import NULL, TRUE, attribute, context, extension, implicit, integer, length, octets, oid, sequence, tlv


def nested(count):
    encoded = b""
    for _ in range(count):
        encoded = sequence(encoded)
    return encoded


def encoding_cases():
    """Yields defects in the outer form of a certificate."""
    def raw(identifier, comment, error, contents, rows=("length-nesting", ), rule="X.690 10.1"):
        return case(identifier, list(rows), rule, comment, error, leaf=contents)

    der = LEAF.encode()
    body = der[4:]
    too_long = malformed("certificate", "lengthTooLarge")
    cut_short = malformed("certificate", "unexpectedEnd")
    for label, octets_of_length, error in [("2^31-1", b"\x84\x7f\xff\xff\xff", cut_short),
                                           ("2^31", b"\x84\x80\0\0\0", too_long),
                                           ("2^32-1", b"\x84\xff\xff\xff\xff", too_long),
                                           ("2^32", b"\x85\x01\0\0\0\0", too_long),
                                           ("2^63-1", b"\x88\x7f" + b"\xff" * 7, too_long),
                                           ("2^63", b"\x88\x80" + bytes(7), too_long),
                                           ("2^64-1", b"\x88" + b"\xff" * 8, too_long),
                                           ("2^64", b"\x89\x01" + bytes(8), too_long),
                                           ("127-octets", b"\xff" + b"\xff" * 127, too_long)]:
        yield raw(f"der-outer-len-{label}", f"the outer length is {label}", error, b"\x30" + octets_of_length + body)
    yield raw("der-outer-len-indefinite", "an indefinite length", malformed("certificate", "indefiniteLength"),
              b"\x30\x80" + body + b"\0\0")
    yield raw("der-outer-len-nonminimal", "a length in three octets", malformed("certificate", "nonMinimalLength"),
              b"\x30\x83\0" + der[2:4] + body)
    yield raw("der-outer-len-short", "a length less by one", malformed("certificate", "trailingBytes"),
              b"\x30" + length(len(body) - 1) + body)
    yield raw("der-outer-len-long", "a length greater by one", cut_short, b"\x30" + length(len(body) + 1) + body)
    yield raw("der-empty", "no octets", cut_short, b"", ["trap"])
    yield raw("der-one-octet", "30", cut_short, b"\x30", ["trap"])
    yield raw("der-truncated", "the last octet is missing", cut_short, der[:-1], ["trap"])
    yield raw("der-trailing-byte", "an octet follows", malformed("certificate", "trailingBytes"), der + b"\0", ["trap"])
    yield raw("der-end-of-contents", "00 00", malformed("certificate", wrong_tag(SEQUENCE_TAG, (0, 0))), b"\0\0",
              ["trap"])
    yield raw("der-high-tag-2^31", "tag number 2^31", malformed("certificate", "tagTooLarge"),
              b"\x3f\x88\x80\x80\x80\0\0", ["trap"], "X.690 8.1.2.4")
    yield raw("der-high-tag-nonminimal", "tag number 16 in the long form", malformed("certificate", "nonMinimalTag"),
              b"\x3f\x10" + der[1:], ["trap"], "X.690 8.1.2.2")
    yield raw("der-high-tag-endless", "a tag number that does not end", malformed("certificate", "tagTooLarge"),
              [b"\x3f", repeated(b"\xff", 100_000)], ["trap"], "X.690 8.1.2.4")
    yield raw("der-set", "a SET", malformed("certificate", wrong_tag(SEQUENCE_TAG, (32, 17))), b"\x31" + der[1:],
              ["trap"])
    yield raw("der-primitive-sequence", "a primitive SEQUENCE",
              malformed("certificate", wrong_tag(SEQUENCE_TAG, (0, 16))), b"\x10" + der[1:], ["trap"])

    deep = ["length-nesting", "swift-6"]
    yield raw("der-deep-nesting-certificate", "1,000 SEQUENCEs in each other",
              malformed("certificate", "unexpectedEnd"), nested(1_000), deep)
    yield raw("der-deep-nesting-unclosed", "50,000 SEQUENCEs of indefinite length",
              malformed("certificate", "indefiniteLength"), [repeated(b"\x30\x80", 50_000)], deep)
    rule = "nothing descends into what it does not know"
    yield leaf("der-deep-nesting-name", deep, rule, "an attribute value of 5,000 levels, which is not read", None,
               subject=sequence(attribute(nested(5_000))))
    yield leaf("der-deep-nesting-extension", deep, rule, "an unknown extension of 1,000 levels, which is not read",
               None, extensions=LEAF_EXTENSIONS + [extension("1.2.3.4", nested(1_000))])
    yield leaf("der-deep-nesting-key", deep, "RFC 5480 2.1.1", "a curve of 1,000 levels", "curveNotNamed",
               info=LEAF_KEY.info(parameters=nested(1_000)))
    yield leaf("der-deep-nesting-constraints", deep, "RFC 5280 4.2.1.9", "basicConstraints of 1,000 levels",
               malformed("basicConstraints", wrong_tag((0, 2), SEQUENCE_TAG)),
               extensions=[extension("2.5.29.19", nested(1_000), True), *LEAF_EXTENSIONS[1:]])

    # Each extension has nine octets: 30 07 06 02 2A xx 04 01 00. The first 65 extensions are different.
    small = [extension(f"1.2.{number}", b"\0") for number in range(65)]
    many = LEAF.change(extensions=small + small[:1] * 9_935).encode()
    yield raw("ext-10000", "10,000 extensions", "tooManyExtensions", shortened(many, small[0], 9_935),
              ["length-nesting", "exponential-path"], "Certificate.maximumExtensionCount")
    megabyte = 1 << 20
    serial = LEAF.change(serial=tlv(2, b"\x01" * megabyte)).encode()
    yield raw("serial-1MB", "a serial number of 1 MiB", "certificateTooLarge", shortened(serial, b"\x01", megabyte),
              ["odd-keys"], "Certificate.maximumEncodedSize")
    yield raw("der-102401-octets", "an octet more than is read", "certificateTooLarge",
              [der, repeated(b"\0", 102_401 - len(der))], ["length-nesting"], "Certificate.maximumEncodedSize")


def field_cases():
    odd = ["odd-keys"]
    version_rule = "RFC 5280 4.1.2.1"
    out_of_range = malformed("version", "integerOutOfRange")
    for label, number, error in [("huge", 2**64 + 2, out_of_range), ("2^63+2", 2**63 + 2, out_of_range),
                                 ("2^32+2", 2**32 + 2, "unknownVersion"), ("4096-bit", 2**4095 + 2, out_of_range),
                                 ("4", 3, "unknownVersion"), ("negative", -1, "unknownVersion"),
                                 ("v1-written", 0, "encodedDefault(version)")]:
        rows = odd + (["swift-4"] if label in ("huge", "2^63+2") else [])
        yield leaf(f"version-{label}", rows, version_rule, f"version {number if abs(number) < 2**65 else label}", error,
                   version=context(0, integer(number)))
    yield leaf("version-2-with-extensions", odd, "RFC 5280 4.1.2.9", "version 2 with extensions",
               "fieldNotAllowedInVersion(extensions)", version=context(0, integer(1)))
    serial_rule = "RFC 5280 4.1.2.2"
    yield leaf("serial-zero", odd, serial_rule, "serial number 0", "serialNumberNotPositive", serial=integer(0))
    yield leaf("serial-negative", odd, serial_rule, "serial number -128", "serialNumberNotPositive",
               serial=integer(-128))
    yield leaf("serial-21-octets", odd, serial_rule, "21 octets", "serialNumberTooLong", serial=integer(2**160))
    yield leaf("serial-4000-octets", odd, serial_rule, "4,000 octets", "serialNumberTooLong",
               serial=tlv(2, b"\x01" * 4_000))
    yield leaf("control-serial-20-octets", [], serial_rule, "20 octets", None, serial=integer(2**159 - 1))
    yield leaf("serial-empty", odd, "X.690 8.3.1", "no contents", malformed("serialNumber", "emptyInteger"),
               serial=tlv(2))
    yield leaf("serial-nonminimal", odd, "X.690 8.3.2", "00 01", malformed("serialNumber", "nonMinimalInteger"),
               serial=tlv(2, b"\0\1"))
    parser = ["one-parser"]
    shape = "RFC 5280 4.1"
    ids = implicit(2, b"\0\1") + implicit(1, b"\0\1")
    yield leaf("opt-unique-ids-swapped", parser, shape, "subjectUniqueID before issuerUniqueID",
               malformed("tbsCertificate", "trailingBytes"), unique_ids=ids)
    yield leaf("opt-extensions-twice", parser, shape, "two lists of extensions",
               malformed("tbsCertificate", "trailingBytes"), tail=context(3, sequence(*LEAF_EXTENSIONS)))
    yield leaf("opt-version-twice", parser, shape, "two versions",
               malformed("serialNumber", wrong_tag((0, 2), (160, 0))), version=context(0, integer(2)) * 2)
    yield leaf("opt-version-implicit", parser, shape, "the version implicitly tagged",
               malformed("serialNumber", wrong_tag((0, 2), (128, 0))), version=implicit(0, b"\2"))
    yield leaf("opt-null-tail", parser, shape, "a NULL after the extensions",
               malformed("tbsCertificate", "trailingBytes"), tail=NULL)
    yield leaf("opt-extension-tail", parser, shape, "a NULL in an extension", malformed("extensions", "trailingBytes"),
               extensions=LEAF_EXTENSIONS + [sequence(oid("1.2.3"), octets(b""), NULL)])
    yield leaf("opt-critical-after-value", parser, shape, "critical after the value",
               malformed("extensions", "trailingBytes"),
               extensions=LEAF_EXTENSIONS + [sequence(oid("1.2.3"), octets(b""), TRUE)])
    yield leaf("opt-extensions-empty", parser, "RFC 5280 4.1.2.9", "an empty list of extensions",
               "emptyList(extensions)", extensions=[])


def identifier_cases():
    """Yields cases whose key identifiers or policies violate a rule of the section that defines them."""
    parser = ["one-parser"]
    authority = context(1, context(4, LEAF.issuer))
    serial = implicit(2, b"\x01")
    key = implicit(0, CA_KEY.identifier)
    rule = "RFC 5280 4.2.1.1, A.2"
    for label, comment, value in [("issuer-only", "an authority's issuer without its serial number", key + authority),
                                  ("serial-only", "an authority's serial number without its issuer", key + serial),
                                  ("issuer-alone", "an authority's issuer and nothing else", authority),
                                  ("serial-alone", "an authority's serial number and nothing else", serial)]:
        yield leaf(f"aki-{label}", parser, rule, comment, "invalidValue(authorityKeyIdentifier)",
                   extensions=LEAF_EXTENSIONS + [extension("2.5.29.35", sequence(value))])
    for label, value in {"all": key + authority + serial, "empty": b""}.items():
        yield leaf(f"control-aki-{label}", [], rule, "both or neither", None,
                   extensions=LEAF_EXTENSIONS + [extension("2.5.29.35", sequence(value))])

    def policies(identifier, rows, comment, error, *listed):
        return leaf(identifier, rows, "RFC 5280 4.2.1.4", comment, error,
                    extensions=LEAF_EXTENSIONS + [extension("2.5.29.32", sequence(*listed))])

    one, two = sequence(oid("1.2.3.4")), sequence(oid("1.2.3.5"))
    qualified = sequence(oid("1.2.3.4"), sequence(sequence(oid("1.3.6.1.5.5.7.2.1"), tlv(0x16, b"https://x.test"))))
    refused = "invalidValue(certificatePolicies)"
    yield policies("policy-twice", ["policies"], "a policy twice", refused, one, one)
    yield policies("policy-twice-apart", ["policies"], "a policy twice, another between", refused, one, two, one)
    yield policies("policy-twice-qualified", ["policies"], "a policy twice, once with a qualifier", refused, one,
                   qualified)
    yield policies("policy-any-twice", ["policies"], "anyPolicy twice", refused, *[sequence(oid("2.5.29.32.0"))] * 2)
    yield policies("control-policies-two", [], "two policies", None, one, two, sequence(oid("2.5.29.32.0")))
    many = [sequence(oid(f"1.2.3.{1_000 + number}")) for number in range(1_000)]
    yield policies("control-policies-1000", ["exponential-path"], "1,000 policies", None, *many)
    yield policies("policy-twice-of-1001", ["policies", "exponential-path"],
                   "the last of 1,001 policies is the first again", refused, *many, many[0])


def cases():
    for group in (encoding_cases, field_cases, identifier_cases, extensions.cases):
        yield from group()
