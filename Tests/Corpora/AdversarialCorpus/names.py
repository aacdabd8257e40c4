"""Yields cases whose names or times have one defect each."""

from chains import CA, LEAF, case, leaf, malformed, wrong_tag
from encoding import attribute, generalized_time, name, oid, sequence, set_of, tlv, utc_time, utf8

STRING_TAGS = {
    "bit": 3,
    "octet": 4,
    "descriptor": 7,
    "utf8": 12,
    "numeric": 18,
    "printable": 19,
    "t61": 20,
    "videotex": 21,
    "ia5": 22,
    "utc-time": 23,
    "generalized-time": 24,
    "graphic": 25,
    "visible": 26,
    "general": 27,
    "universal": 28,
    "bmp": 30,
}


def name_cases():
    unknown = "issuerNotFound(certificate: 0)"
    rule = "RFC 5280 7.1, compared as bytes"

    def issuer(identifier, rows, comment, error, value, rule=rule):
        return leaf(identifier, rows, rule, comment, error, issuer=value)

    issued = "Adversarial CA 1"
    general = ["general-names"]
    yield issuer("name-nul-suffix", general, "the issuer's name, NUL, and more", unknown,
                 name(issued + "\0.example.test"))
    yield issuer("name-nul", general, "the issuer's name and NUL", unknown, name(issued + "\0"))
    yield issuer("name-case", general, "the issuer's name in lower case", unknown, name(issued.lower()))
    yield issuer("name-space", general, "the issuer's name with two spaces", unknown, name(issued.replace(" ", "  ")))
    yield issuer("name-other-type", general, "the issuer's name as a PrintableString", unknown,
                 sequence(attribute(tlv(0x13, issued.encode()))))
    composed, decomposed = "Adversarial C\u00c1 1", "Adversarial CA\u0301 1"
    yield case("name-canonical-equivalence", ["swift-2"], rule,
               "the issuer's name is composed (U+00C1), the leaf has it decomposed (U+0041 U+0301)", unknown,
               leaf=LEAF.change(issuer=name(decomposed)), intermediates=[CA.change(subject=name(composed))])
    yield case("control-name-composed", [], rule, "the same with one spelling", None,
               leaf=LEAF.change(issuer=name(composed)), intermediates=[CA.change(subject=name(composed))])
    text = ["swift-3"]
    for label, value in {
            "invalid-utf8": b"\xff",
            "utf8-overlong": b"\xc0\xaf",
            "utf8-surrogate": b"\xed\xa0\x80",
            "utf8-truncated": b"\xe2\x82",
            "utf8-above-10ffff": b"\xf4\x90\x80\x80",
    }.items():
        yield leaf(f"name-{label}", text, "RFC 3629 4", "the subject is not UTF-8", "invalidCharacters(subject)",
                   subject=name(value))
    # The two names are different, but a decoder that repairs invalid text makes them equal.
    yield case("name-repaired", text, rule, "FF in the leaf's issuer, U+FFFD in the issuer's name",
               "invalidCharacters(issuer)", leaf=LEAF.change(issuer=name(b"CA \xff")),
               intermediates=[CA.change(subject=name("CA \ufffd"))])
    arcs = ["oid-arcs"]
    for label, number in {"overflow": 2**32 + 3, "overflow-64": 2**64 + 3}.items():
        value = sequence(attribute(utf8(issued), oid(f"2.5.4.{number}")))
        yield issuer(f"name-oid-{label}", arcs, f"attribute type 2.5.4.{number}: common name, if it were cut", unknown,
                     value)
    common_name = sequence(attribute(utf8(issued), tlv(6, b"\x55\x04\x80\x03")))
    yield issuer("name-oid-leading-80", arcs, "common name with a redundant 80",
                 malformed("issuer", "nonMinimalObjectIdentifier"), common_name, "X.690 8.19.2")
    yield issuer("name-oid-unended", arcs, "a type that does not end", malformed("issuer", "truncatedObjectIdentifier"),
                 sequence(attribute(utf8(issued), tlv(6, b"\x55\x04\x83"))), "X.690 8.19.2")
    yield issuer("name-oid-empty", arcs, "a type without contents", malformed("issuer", "emptyObjectIdentifier"),
                 sequence(attribute(utf8(issued), tlv(6))), "X.690 8.19.2")
    yield leaf("name-oid-1001-octets", arcs, "X.690 8.19.2",
               "an arc of 1,000 octets, which is compared and not computed", None,
               subject=sequence(attribute(utf8("x"), tlv(6, b"\x2a" + b"\xff" * 999 + b"\x01"))))
    yield issuer("name-empty-issuer", general, "no issuer", "emptyList(issuer)", sequence(), "RFC 5280 4.1.2.4")
    yield leaf("name-empty-subject", general, "RFC 5280 4.1.2.6", "no subject", "noSubject", subject=sequence())
    yield leaf("name-empty-rdn", general, "RFC 5280 4.1.2.4", "a relative name without attributes",
               "emptyList(subject)", subject=sequence(set_of()))
    first, second = sequence(oid("2.5.4.3"), utf8("a")), sequence(oid("2.5.4.10"), utf8("a"))
    yield leaf("name-unsorted", general, "X.690 11.6", "attributes in the wrong order", "unsortedSet(subject)",
               subject=sequence(set_of(second, first)))
    yield leaf("control-name-two-types", [], "X.501 9.3", "two attributes of two types in one set", None,
               subject=sequence(set_of(first, second)))
    yield leaf("control-name-type-again", [], "X.501 9.3", "one type in two sets", None,
               subject=sequence(set_of(first), set_of(first)))
    parser = ["one-parser"]
    again, longer = sequence(oid("2.5.4.3"), utf8("b")), sequence(oid("2.5.4.3"), utf8("aa"))
    for label, comment, attributes in [("", "two attributes of one type in one set", [first, again]),
                                       ("-apart", "another type between them", [first, second, longer]),
                                       ("-equal", "one attribute twice", [first, first])]:
        yield leaf(f"name-type-twice{label}", parser, "X.501 9.3", comment, "duplicateAttributeType(subject)",
                   subject=sequence(set_of(*attributes)))
    yield issuer("name-type-twice-issuer", parser, "two attributes of one type in one set of the issuer",
                 "duplicateAttributeType(issuer)", sequence(set_of(first, again)), "X.501 9.3")
    many = [sequence(oid(f"1.2.3.{1_000 + number}"), utf8("a")) for number in range(100)]
    yield leaf("control-name-100-types", ["exponential-path"], "X.501 9.3", "100 types in one set", None,
               subject=sequence(set_of(*many)))
    yield leaf("name-type-twice-of-101", [*parser, "exponential-path"], "X.501 9.3",
               "the last of 101 attributes in one set has the first's type", "duplicateAttributeType(subject)",
               subject=sequence(set_of(*many, sequence(oid("1.2.3.1000"), utf8("aa")))))
    # X.690 10.2 forbids the constructed form. Here bit 6 of the identifier octet is set, and the string is the only part.
    for label, tag in STRING_TAGS.items():
        yield leaf(f"name-constructed-{label}", parser, "X.690 10.2", f"the subject as a {label} string in parts",
                   malformed("subject", "constructedString"),
                   subject=sequence(attribute(tlv(0x20 | tag, tlv(tag, b"1234")))))
    yield issuer("name-constructed-issuer", parser, "the issuer's name as a UTF8String in parts",
                 malformed("issuer", "constructedString"), sequence(attribute(tlv(0x2C, utf8(issued)))), "X.690 10.2")
    yield leaf("name-constructed-empty", parser, "X.690 10.2", "a constructed UTF8String of no parts",
               malformed("subject", "constructedString"), subject=sequence(attribute(tlv(0x2C))))
    yield leaf("control-name-sequence", [], "RFC 5280 4.1.2.4", "a value that is no string", None,
               subject=sequence(attribute(sequence(utf8("x")))))
    yield leaf("name-printable-at", general, "X.680 41.4", "@ in a PrintableString", "invalidCharacters(subject)",
               subject=sequence(attribute(tlv(0x13, b"a@b"))))


def time_cases():
    rows = ["times"]
    form, impossible = malformed("validity", "invalidTimeForm"), malformed("validity", "impossibleTime")
    utc_rule, general_rule = "RFC 5280 4.1.2.5.1", "RFC 5280 4.1.2.5.2"

    def until(identifier, comment, error, value, rule=utc_rule):
        return leaf(f"time-{identifier}", rows, rule, comment, error, not_after=value)

    for identifier, comment, error, value in [
        ("utc-no-seconds", "no seconds", form, "2612312359Z"), ("utc-offset", "an offset", form, "261231235959+0000"),
        ("utc-offset-negative", "an offset", form, "261231235959-0500"), ("utc-no-zone", "no Z", form, "261231235959"),
        ("utc-fraction", "a fraction", form, "261231235959.5Z"), ("utc-lower-case-z", "z", form, "261231235959z"),
        ("utc-hour-24", "24:00:00", impossible, "261231240000Z"),
        ("utc-minute-60", "23:60:00", impossible, "261231236000Z"),
        ("utc-second-60", "23:59:60", impossible, "261231235960Z"),
        ("utc-february-30", "30 February", impossible, "270230000000Z"),
        ("utc-february-29", "29 February 2027", impossible, "270229000000Z"),
        ("utc-april-31", "31 April", impossible, "270431000000Z"),
        ("utc-month-0", "month 0", impossible, "270001000000Z"),
        ("utc-month-13", "month 13", impossible, "271301000000Z"), ("utc-day-0", "day 0", impossible, "270100000000Z"),
        ("utc-sign", "a sign among the digits", form, "27+101000000Z"),
        ("utc-space", "a space among the digits", form, "27 101000000Z"),
        ("utc-nul", "NUL among the digits", form, "27\x00101000000Z"),
        ("utc-four-digit-year", "a year of four digits", form, "20271231235959Z"),
        ("utc-empty", "no contents", form, ""),
        ("utc-pivot-50", "year 50 is 1950", "expired(certificate: 0)", "500101000000Z"),
    ]:
        yield until(identifier, comment, error, utc_time(value))
    yield leaf("time-utc-pivot-49", rows, utc_rule, "year 49 is 2049", "notYetValid(certificate: 0)",
               not_before=utc_time("490101000000Z"))
    for identifier, comment, error, value in [("gen-no-seconds", "no seconds", form, "205012312359Z"),
                                              ("gen-offset", "an offset", form, "20501231235959+0000"),
                                              ("gen-fraction", "a fraction", form, "20501231235959.5Z"),
                                              ("gen-no-zone", "no Z", form, "20501231235959"),
                                              ("gen-year-0", "year 0", "expired(certificate: 0)", "00000101000000Z"),
                                              ("gen-february-29", "29 February 2100", impossible, "21000229000000Z"),
                                              ("gen-year-10000", "a year of five digits", form, "100001231235959Z"),
                                              ("gen-overflow", "2^64 as a year", form,
                                               "184467440737095516160101000000Z"),
                                              ("gen-sign", "a negative year", form, "-0500101000000Z")]:
        yield until(identifier, comment, error, generalized_time(value), general_rule)
    yield leaf("time-wrong-type", rows, "RFC 5280 4.1.2.5", "a PrintableString",
               malformed("validity", wrong_tag((0, 23), (0, 19))), not_after=tlv(0x13, b"261231235959Z"))
    yield leaf("time-swapped", rows, "RFC 5280 6.1.3 (a)(2)", "ends before it starts", "expired(certificate: 0)",
               not_after=utc_time("251231235959Z"))
    yield leaf("control-time-9999", [], general_rule, "no expiry", None, not_after=generalized_time("99991231235959Z"))
    yield leaf("control-time-leap-day", [], utc_rule, "29 February 2028", None, not_after=utc_time("280229000000Z"))
    yield leaf("control-time-generalized-before-2050", [], "RFC 5280 4.1.2.5, deviation", "applications read it", None,
               not_after=generalized_time("20261231235959Z"))
    yield leaf("control-time-last-second", [], "RFC 5280 4.1.2.5", "the last second of the validity", None,
               not_after=utc_time("260701000000Z"))
    yield leaf("time-one-second-late", rows, "RFC 5280 4.1.2.5", "one second after the validity",
               "expired(certificate: 0)", not_after=utc_time("260630235959Z"))
    yield leaf("time-one-second-early", rows, "RFC 5280 4.1.2.5", "one second before the validity",
               "notYetValid(certificate: 0)", not_before=utc_time("260701000001Z"))


def cases():
    for group in (name_cases, time_cases):
        yield from group()
