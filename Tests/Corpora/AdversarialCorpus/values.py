"""Yields CBOR items, BER and attestations that have one defect each."""

import hashlib

import cbor2

from chains import (
    APP, CA, LEAF, LEAF_EXTENSIONS, LEAF_KEY, NONCE, ROOT, case, nonce_extension, repeated, text, wrong_tag,
)
from encoding import Key, context, extension, octets, sequence, set_of, tlv, utc_time


def cbor_cases():
    def item(identifier, rows, rule, comment, error, encoded, **limits):
        control = identifier.startswith("control-")
        identifier = f"control-cbor-{identifier.removeprefix('control-')}" if control else f"cbor-{identifier}"
        return case(identifier, rows, rule, comment, error, cbor=text(encoded),
                    **({"limits": limits} if limits else {}))

    def head(major, argument, size=None):
        if size is None:
            size = 0 if argument < 24 else 1 if argument < 2**8 else 2 if argument < 2**16 else 4 if argument < 2**32 else 8
        information = {0: argument, 1: 24, 2: 25, 4: 26, 8: 27}[size]
        return bytes([major << 5 | information]) + (argument.to_bytes(size, "big") if size else b"")

    strings = {2: "bytes", 3: "text", 4: "array", 5: "map"}
    bomb = ["declared-length", "swift-4"]
    for major, label in strings.items():
        for exponent in ("2^31-1", "2^32-1", "2^63-1", "2^63", "2^64-1"):
            base, *rest = exponent[2:].split("-")
            count = 2**int(base) - (1 if rest else 0)
            yield item(f"bomb-{label}-{exponent}", bomb, "RFC 8949 5.3.1",
                       f"{label}: {exponent} declared, one octet there", "unexpectedEnd",
                       head(major, count) + b"\0")

    deep = ["recursion", "swift-6"]
    depth = "CBORLimits.maximumDepth"
    for label, opening in {
            "array": b"\x81", "map-value": b"\xa1\0", "map-key": b"\xa1", "tag": b"\xc1", "mixed": b"\x81\xa1\0\xc1"
    }.items():
        for count in (17, 1_000, 5_000, 200_000):
            yield item(f"nested-{label}-{count}", deep, depth, f"{count:,} levels", "depthLimitExceeded",
                       [repeated(opening, count), b"\0"])
    yield item("nested-indefinite-5000", deep, "RFC 8949 4.2.1", "5,000 arrays of indefinite length",
               "indefiniteLength", [repeated(b"\x9f", 5_000), b"\0"])
    yield item("nested-asked-for-5000", deep, "CBORLimits.deepestSupported",
               "5,000 levels, and the caller asks for them", "depthLimitExceeded", [repeated(b"\x81", 5_000), b"\0"],
               maximumDepth=5_000)
    yield item("control-nested-16", [], depth, "16 levels", None, [repeated(b"\x81", 16), b"\0"])

    keys = ["map-keys"]
    entries = head(5, 100_000)
    counted = repeated(b"\x1a", 100_000, 4, b"\0", 1 << 24)
    everything = {"maximumItems": 1_000_000, "maximumSize": 1 << 20}
    yield item("map-100000", keys, "CBORLimits.maximumItems", "100,000 entries", "itemLimitExceeded",
               [entries, counted])
    yield item("control-map-100000", [], "", "the same, and the caller asks for them", None, [entries, counted],
               **everything)
    same = [head(5, 100_001), counted, b"\x1a\x01\0\0\0\0"]
    yield item("map-100001-duplicate", keys, "RFC 8949 5.6", "the last of 100,001 keys is the first again",
               "duplicateMapKey", same, **everything)
    yield item("map-100000-equal", keys, "RFC 8949 5.6", "100,000 equal keys", "duplicateMapKey",
               [entries, repeated(b"\0\0", 100_000)], **everything)
    yield item("size-1MiB-1", keys, "CBORLimits.maximumSize", "an octet more than is read", "sizeLimitExceeded",
               [head(2, (1 << 20) - 4), repeated(b"\0", (1 << 20) - 4)])

    two = ["two-maps"]
    duplicate = "duplicateMapKey"
    for label, key in {
            "int": b"\1", "negative": b"\x20", "bytes": b"\x41a", "text": b"\x61a", "array": b"\x81\1",
            "map": b"\xa1\1\2", "null": b"\xf6", "float": b"\xfb\x3f\xf0\0\0\0\0\0\0"
    }.items():
        yield item(f"duplicate-{label}", [*two, "swift-1"], "RFC 8949 5.6", "a key twice", duplicate,
                   b"\xa2" + key + b"\1" + key + b"\2")
    yield item("duplicate-map-order", [*two, "swift-1"], "RFC 8949 5.6", "a map as a key, twice, in two orders",
               duplicate, b"\xa2\xa2\1\1\2\2\0\xa2\2\2\1\1\0")
    yield item("duplicate-apart", [*two, "swift-1"], "RFC 8949 5.6", "a key twice, another between", duplicate,
               b"\xa3\1\0\2\0\1\0")
    yield item("duplicate-float-widths", [*two, "swift-1"], "RFC 8949 5.6", "1.0 in half and in double precision",
               duplicate, b"\xa2\xf9\x3c\0\0\xfb\x3f\xf0\0\0\0\0\0\0\0")
    yield item("control-canonical-equivalence", ["swift-2"], "RFC 8949 5.6.1", "U+00E9 and U+0065 U+0301 are two keys",
               None, b"\xa2\x62\xc3\xa9\0\x63e\xcc\x81\0")
    yield item("control-1-and-1.0", two, "RFC 8949 5.6.1", "1 and 1.0 are two keys", None, b"\xa2\1\0\xf9\x3c\0\0")
    yield item("control-key-order", two, "the order of keys is free", "keys in no order", None, b"\xa3\3\0\1\0\2\0")
    for major, label in {0: "unsigned", 1: "negative", 6: "tag", **strings}.items():
        content = {2: b"a", 3: b"a", 4: b"\0", 5: b"\0\0", 6: b"\0"}.get(major, b"")
        for size in (1, 2, 4, 8):
            yield item(f"nonminimal-{label}-{size}", two, "RFC 8949 4.2.1", f"1 in {size} octets", "nonMinimalHead",
                       head(major, 1, size) + content)
    for major, label in strings.items():
        yield item(f"indefinite-{label}", two, "RFC 8949 4.2.1", "an indefinite length", "indefiniteLength",
                   bytes([major << 5 | 31]) + b"\xff")
    for major in (0, 1, 6):
        yield item(f"indefinite-major-{major}", two, "RFC 8949 3", "31 where no length is",
                   "reservedAdditionalInformation(31)", bytes([major << 5 | 31]))
    for information in (28, 29, 30):
        yield item(f"reserved-{information}", two, "RFC 8949 3", "reserved",
                   f"reservedAdditionalInformation({information})", bytes([information]))
    yield item("break", two, "RFC 8949 3.2.1", "a break alone", "unexpectedBreak", b"\xff")
    yield item("break-in-array", two, "RFC 8949 3.2.1", "a break for an element", "unexpectedBreak", b"\x81\xff")
    yield item("simple-31", two, "RFC 8949 3.3", "simple value 31 in two octets", "invalidSimpleValue(31)", b"\xf8\x1f")
    yield item("trailing", two, "RFC 8949 5.3.1", "an octet follows", "trailingBytes", b"\0\0")
    yield item("empty", two, "RFC 8949 5.3.1", "no octets", "unexpectedEnd", b"")
    yield item("odd-map", two, "RFC 8949 5.3.1", "a key without a value", "unexpectedEnd", b"\xa2\1\2\3")

    utf8 = ["utf-8", "swift-3"]
    for label, value in {
            "overlong-2": b"\xc0\x80", "overlong-3": b"\xe0\x80\xaf", "overlong-4": b"\xf0\x80\x80\xaf",
            "surrogate": b"\xed\xa0\x80", "surrogate-pair": b"\xed\xa0\xbd\xed\xb8\x80", "truncated": b"\xe2\x82",
            "continuation": b"\x80", "above-10ffff": b"\xf4\x90\x80\x80", "ff": b"\xff",
    }.items():
        yield item(f"utf8-{label}", utf8, "RFC 3629 4", "text that is not UTF-8", "invalidUTF8",
                   head(3, len(value)) + value)
    yield item("utf8-split", utf8, "RFC 8949 3.2.3", "a character in two chunks", "invalidUTF8",
               b"\x7f\x62\xe2\x82\x61\xac\xff", allowIndefiniteLengths=True)
    yield item("control-utf8-chunks", [], "RFC 8949 3.2.3", "a character in one chunk", None,
               b"\x7f\x63\xe2\x82\xac\x61a\xff", allowIndefiniteLengths=True)
    yield item("chunk-nested", utf8, "RFC 8949 3.2.3", "a chunk of indefinite length", "invalidChunk",
               b"\x7f\x7f\xff\xff", allowIndefiniteLengths=True)
    yield item("chunk-other-type", utf8, "RFC 8949 3.2.3", "a chunk of bytes in text", "invalidChunk", b"\x7f\x41a\xff",
               allowIndefiniteLengths=True)


def ber_cases():
    def ber(identifier, comment, error, encoded, rows=("length-nesting", ), rule="X.690 8.1.3"):
        return case(f"ber-{identifier}", list(rows), rule, comment, error, ber=text(encoded))

    deep = ["length-nesting", "swift-6"]
    yield ber("nested-32", "32 SEQUENCEs, closed", None, [repeated(b"\x30\x80", 32), repeated(b"\0\0", 32)], [])
    yield ber("nested-33", "33 SEQUENCEs, closed", "tooDeep",
              [repeated(b"\x30\x80", 33), repeated(b"\0\0", 33)], deep, "DERReader.maximumDepth")
    yield ber("nested-100000", "100,000 SEQUENCEs", "tooDeep", [repeated(b"\x30\x80", 100_000)], deep,
              "DERReader.maximumDepth")
    yield ber("nested-strings-100000", "100,000 OCTET STRINGs in parts", "tooDeep", [repeated(b"\x24\x80", 100_000)],
              deep, "DERReader.maximumDepth")
    yield ber("unended", "no end-of-contents octets", "unexpectedEnd", b"\x30\x80\x02\x01\x01")
    yield ber("primitive-indefinite", "a primitive element of indefinite length", "indefiniteLength", b"\x04\x80\0\0",
              rule="X.690 8.1.3.2")
    yield ber("length-2^64", "a length of 2^64", "lengthTooLarge", b"\x04\x89\x01" + bytes(8))
    yield ber("length-126-zeros", "a length of 126 octets, 0", None, b"\x04\xfe" + bytes(126), [])
    yield ber("parts-100000", "an OCTET STRING in 100,000 empty parts", None,
              [b"\x24\x80", repeated(b"\x04\0", 100_000), b"\0\0"], ["length-nesting", "exponential-path"])
    yield ber("part-other-type", "a part that is an INTEGER", "invalidStringPart", b"\x24\x80\x02\x01\x01\0\0",
              rule="X.690 8.7.3.2")
    yield ber("1MiB-1", "an octet more than is read", "inputTooLarge", [repeated(b"\0", (1 << 20) + 1)],
              rule="BERNormalizer.maximumInputSize")


def attestation_cases():
    rows = ["app-attest"]
    challenge = b"adversarial challenge"
    key_id = hashlib.sha256(LEAF_KEY.point).digest()
    cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: LEAF_KEY.point[1:33], -3: LEAF_KEY.point[33:]})
    app_hash = hashlib.sha256(APP.encode()).digest()

    def authenticator_data(credential_length=32, key=cose, tail=b""):
        credential = b"appattest" + bytes(7) + credential_length.to_bytes(2, "big") + key_id + key
        return app_hash + b"\x40" + bytes(4) + credential + tail

    def nonce_of(data):
        return hashlib.sha256(data + hashlib.sha256(challenge).digest()).digest()

    def attestation(identifier, rule, comment, error, data=None, nonce=None, chain=None, encode=cbor2.dumps, leaf=None,
                    intermediate=None, **members):
        data = authenticator_data() if data is None else data
        extensions = LEAF_EXTENSIONS[:2] + (nonce or (lambda value: [nonce_extension(value)]))(nonce_of(data))
        certificates = [
            LEAF.change(extensions=extensions, **(leaf or {})).encode(),
            CA.change(**(intermediate or {})).encode()
        ]
        statement = {"x5c": (chain or (lambda both: both))(certificates), "receipt": b"receipt"}
        encoded = encode({"fmt": "apple-appattest", "attStmt": statement, "authData": data})
        members |= {"attestation": text(encoded), "keyID": text(key_id), "challenge": text(challenge), "appID": APP}
        return case(identifier, rows if error else [], rule, comment, error, **members)

    yield attestation("control-attestation", "", "an attestation without a defect", None)
    step = "Apple, attestation step 4"
    yield attestation("nonce-missing", step, "no nonce", "nonceExtensionMissing", nonce=lambda value: [])
    yield attestation("nonce-twice", "RFC 5280 4.2", "two nonces, the right one first",
                      f"certificate(duplicateExtension({NONCE}))",
                      nonce=lambda value: [nonce_extension(value), nonce_extension(bytes(32))])
    yield attestation("nonce-other", step, "another nonce", "nonceMismatch",
                      nonce=lambda value: [nonce_extension(bytes(32))])
    for identifier, comment, error, shape in [
        ("octet-string", "an OCTET STRING", wrong_tag((32, 16), (0, 4)), octets),
        ("no-tag", "no [1]", wrong_tag((160, 1), (0, 4)), lambda value: sequence(octets(value))),
        ("tag-0", "[0]", wrong_tag((160, 1), (160, 0)), lambda value: sequence(context(0, octets(value)))),
        ("set", "a SET", wrong_tag((32, 16), (32, 17)), lambda value: set_of(context(1, octets(value)))),
        ("two", "two OCTET STRINGs", "trailingBytes", lambda value: sequence(context(1, octets(value), octets(value)))),
        ("two-tagged", "[1] twice", "trailingBytes", lambda value: sequence(context(1, octets(value)) * 2)),
        ("trailing", "an octet follows", "trailingBytes", lambda value: sequence(context(1, octets(value))) + b"\0"),
        ("constructed", "an OCTET STRING in parts", wrong_tag((0, 4), (32, 4)),
         lambda value: sequence(context(1, tlv(0x24, octets(value))))),
    ]:
        yield attestation(f"nonce-shape-{identifier}", step, f"the nonce's extension: {comment}",
                          f"malformedNonceExtension({error})",
                          nonce=lambda value, shape=shape: [extension(NONCE, shape(value))])
    yield attestation("nonce-suffix", step, "the nonce at the end of a longer OCTET STRING", "nonceMismatch",
                      nonce=lambda value: [nonce_extension(b"\0" + value)])
    yield attestation("nonce-empty", step, "an empty OCTET STRING", "nonceMismatch",
                      nonce=lambda value: [nonce_extension(b"")])
    data = "W3C WebAuthn 6.1"
    yield attestation("auth-data-trailing-byte", data, "an octet after the COSE key", "malformedExtensions",
                      data=authenticator_data(tail=b"\0"))
    yield attestation("auth-data-trailing-map", data, "an octet after the extensions", "malformedCBOR(trailingBytes)",
                      data=authenticator_data(tail=b"\xa0\0"))
    yield attestation("auth-data-credential-length", data, "a credential ID that ends past the end",
                      "truncatedAuthenticatorData", data=authenticator_data(credential_length=65_535))
    yield attestation("auth-data-truncated", data, "36 octets", "truncatedAuthenticatorData",
                      data=authenticator_data()[:36])
    yield attestation("auth-data-empty", data, "no octets", "truncatedAuthenticatorData", data=b"")
    yield attestation(
        "cose-key-other", "Apple, attestation step 9", "the COSE key is another", "credentialKeyMismatch",
        data=authenticator_data(key=cose.replace(LEAF_KEY.point[1:33], Key("adversarial other leaf").point[1:33])))
    chain = "Apple, attestation step 1"
    yield attestation("x5c-empty", chain, "no certificates", "wrongCertificateCount(0)", chain=lambda both: [])
    yield attestation("x5c-one", chain, "the leaf alone", "wrongCertificateCount(1)", chain=lambda both: both[:1])
    yield attestation("x5c-three", chain, "the root too", "wrongCertificateCount(3)",
                      chain=lambda both: [*both, ROOT.encode()])
    yield attestation("x5c-text", chain, "text for a certificate", "malformedAttestationObject",
                      chain=lambda both: [both[0], "x"])
    # All cases are verified at 2026-07-01T00:00:00Z.
    validity = "RFC 5280 6.1.3 (a)(2), AppAttestVerifier.clockSkew"
    late, early = utc_time("260701000100Z"), utc_time("260630235900Z")
    both = {"not_before": late}
    for identifier, comment, error, leaf, intermediate, skew in [
        ("control-skew-both", "both certificates begin within the skew", None, both, both, 60),
        ("control-skew-leaf", "the leaf begins within the skew", None, both, {}, 60),
        ("control-skew-intermediate", "the intermediate begins within the skew", None, {}, both, 60),
        ("control-skew-intermediate-end", "the intermediate ended within the skew", None, {}, {"not_after": early}, 60),
        ("control-skew-moment", "the leaf ends as the intermediate begins", None, {"not_after": late}, both, 60),
        ("skew-intermediate", "the intermediate begins a second after the skew", "notYetValid(certificate: 1)", {},
         both, 59),
        ("skew-intermediate-end", "the intermediate ended a second before the skew", "expired(certificate: 1)", {},
         {"not_after": early}, 59),
        ("skew-none-intermediate", "without skew", "notYetValid(certificate: 1)", {}, both, 0),
        ("skew-never-both", "each is valid within the skew, and never both: the leaf ended before",
         "notYetValid(certificate: 1)", {"not_after": early}, both, 60),
        ("skew-never-both-after", "each is valid within the skew, and never both: the intermediate ended before",
         "expired(certificate: 1)", both, {"not_after": early}, 60),
    ]:
        yield attestation(identifier, validity, comment, error and f"certificate({error})", leaf=leaf,
                          intermediate=intermediate, clockSkew=skew)
    form = "W3C WebAuthn 6.5.4"
    yield attestation("attestation-extra-member", form, "a fourth member", "malformedAttestationObject",
                      encode=lambda value: cbor2.dumps(value | {"x": 0}))
    # Changes the map's head to four members, and appends the key `authData` with a second value.
    yield attestation(
        "attestation-duplicate-member", "RFC 8949 5.6", "two authData", "malformedCBOR(duplicateMapKey)",
        encode=lambda value: b"\xa4" + cbor2.dumps(value)[1:] + cbor2.dumps("authData") + cbor2.dumps(b""))
    yield attestation("attestation-trailing-byte", "RFC 8949 5.3.1", "an octet follows", "malformedCBOR(trailingBytes)",
                      encode=lambda value: cbor2.dumps(value) + b"\0")


def cases():
    for group in (cbor_cases, ber_cases, attestation_cases):
        yield from group()
