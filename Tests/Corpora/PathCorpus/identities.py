"""Yields cases of server names (RFC 9525), issuer names (RFC 5280 §7.1), purposes and key usages."""

from chains import (
    CA_USAGE, COMMON_NAME, COUNTRY, EMAIL, LEAF_USAGE, ORGANISATION, ROOT, UNIT, Certificate, Key, Link, address, alternative_names,
    basic_constraints, bmp, ca, case, chain, common, directory, dns, ia5, integer, mail, oid, printable, purposes, relative,
    sequence, set_of, uri, utf8,
)

MISMATCH = "serverIdentityMismatch"


def host(value):
    return {"expected_peer_name": {"kind": "DNS", "value": value}}


def ip(value):
    return {"expected_peer_name": {"kind": "IP", "value": value}}


def server(label, peer, names, error=None, subject=None, **more):
    subject = common("EE") if subject is None else subject
    extensions = [alternative_names(*names)] if names else []
    return case(f"server-{label}", "RFC 9525 §6", label.replace("-", " "), chain(ca("CA"), Link(subject, extensions)), error, **peer, **more)


def server_cases():
    www = host("www.example.com")
    for label, name, error in [
        ("exact", "www.example.com", None), ("case", "WWW.Example.Com", None), ("other", "mail.example.com", MISMATCH),
        ("parent", "example.com", MISMATCH), ("child", "a.www.example.com", MISMATCH), ("wildcard", "*.example.com", None),
        ("wildcard-of-parent", "*.com", MISMATCH), ("wildcard-alone", "*", MISMATCH), ("wildcard-of-itself", "*.www.example.com", MISMATCH),
        ("wildcard-partial", "w*.example.com", MISMATCH), ("wildcard-partial-end", "*w.example.com", MISMATCH),
        ("wildcard-inner", "www.*.com", MISMATCH), ("wildcard-two", "*.*.com", MISMATCH), ("wildcard-dot", ".example.com", MISMATCH),
        ("trailing-dot", "www.example.com.", MISMATCH), ("nul", "www.example.com\0.evil.test", MISMATCH), ("empty", "", MISMATCH),
        ("separator", "evil.test, DNS:www.example.com", MISMATCH), ("suffix", "evilwww.example.com", MISMATCH),
    ]:
        openssl = {"wildcard-partial": "takes part of a label for a wildcard", "wildcard-partial-end": "takes part of a label for a wildcard"}.get(label)
        yield server(f"dns-{label}", www, [dns(name)], error, openssl=openssl)
    yield server("dns-second", www, [dns("example.com"), dns("www.example.com")])
    yield server("dns-caller-trailing-dot", host("www.example.com."), [dns("www.example.com")], openssl="compares octets",
                 cryptography="refuses it")
    yield server("dns-wildcard-a-label", host("xn--bcher-kva.example.com"), [dns("*.example.com")])
    yield server("dns-a-label-case", host("XN--BCHER-KVA.example.com"), [dns("xn--bcher-kva.EXAMPLE.com")])
    yield server("dns-none", www, [], MISMATCH)
    yield server("dns-common-name", www, [], MISMATCH, common("www.example.com"), openssl="looks at common names without a dNSName")
    yield server("dns-common-name-beside-other", www, [dns("other.test")], MISMATCH, common("www.example.com"))
    yield server("dns-in-uri", www, [uri("https://www.example.com/")], MISMATCH)
    yield server("dns-in-mail", www, [mail("www.example.com")], MISMATCH)
    for label, name in [("underscore", "a_b.example.com"), ("empty-label", "a..example.com"), ("hyphen", "-a.example.com"),
                        ("wildcard", "*.example.com"), ("u-label", "b\u00fccher.example.com"), ("empty", ""), ("dot", ".")]:
        yield server(f"dns-caller-{label}", host(name), [dns(name.encode().replace(b"\xc3\xbc", b"u"))], MISMATCH, openssl="compares octets")
    v4 = ip("192.0.2.1")
    yield server("ip-exact", v4, [address(192, 0, 2, 1)])
    yield server("ip-other", v4, [address(192, 0, 2, 2)], MISMATCH)
    yield server("ip-second", v4, [dns("x.test"), address(192, 0, 2, 1)])
    yield server("ip-as-dns", v4, [dns("192.0.2.1")], MISMATCH)
    yield server("ip-common-name", v4, [], MISMATCH, common("192.0.2.1"))
    yield server("ip-mapped", v4, [address(*[0] * 10, 255, 255, 192, 0, 2, 1)], MISMATCH)
    v6 = ip("2001:db8::1")
    yield server("ip6-exact", v6, [address(*bytes.fromhex("20010db8"), *[0] * 11, 1)])
    yield server("ip6-other", v6, [address(*bytes.fromhex("20010db8"), *[0] * 11, 2)], MISMATCH)
    yield server("ip-network", v4, [address(192, 0, 2, 1, 255, 255, 255, 255)], "invalidGeneralName(subjectAlternativeName)")


def name_cases():
    rule = "RFC 5280 §7.1, PKITS 4.3"
    not_found = "issuerNotFound(certificate: 0)"

    def issued(label, subject, issuer, error=None, **more):
        key, leaf_key = Key("path named"), Key("path named leaf")
        authority = Certificate(subject, key, ROOT.subject, ROOT.key, serial=integer(2), extensions=[basic_constraints(True), CA_USAGE])
        leaf = Certificate(common("EE"), leaf_key, issuer, key, serial=integer(3), extensions=[LEAF_USAGE])
        return case(f"name-{label}", rule, label.replace("-", " "), [ROOT, authority, leaf], error, **more)

    def varied(organisation=utf8("Test Certificates"), who=utf8("Good CA")):
        return directory(relative(COUNTRY, printable("US")), relative(ORGANISATION, organisation), relative(COMMON_NAME, who))

    plain = varied()
    yield issued("same", plain, plain)
    yield issued("case", plain, varied(who=utf8("GOOD ca")))
    yield issued("spaces-inside", plain, varied(organisation=utf8("Test   Certificates")))
    yield issued("spaces-around", plain, varied(who=utf8("  Good CA ")))
    yield issued("tab", plain, varied(who=utf8("Good\tCA")))
    yield issued("printable-and-utf8", plain, varied(organisation=printable("Test Certificates"), who=printable("Good CA")))
    yield issued("bmpstring", plain, varied(who=bmp("good ca")))
    yield issued("space-left-out", plain, varied(who=utf8("GoodCA")), not_found)
    yield issued("other", plain, varied(who=utf8("Bad CA")), not_found)
    yield issued("order", plain, directory(relative(ORGANISATION, "Test Certificates"), relative(COUNTRY, printable("US")),
                                           relative(COMMON_NAME, "Good CA")), not_found)
    yield issued("prefix", plain, directory(relative(COUNTRY, printable("US")), relative(ORGANISATION, "Test Certificates")), not_found)
    yield issued("other-type", plain, directory(relative(COUNTRY, printable("US")), relative(ORGANISATION, "Test Certificates"),
                                                relative(UNIT, "Good CA")), not_found)
    joined = directory(relative(COUNTRY, printable("US")), set_of(sequence(oid(COMMON_NAME), utf8("Good CA")),
                                                                   sequence(oid(ORGANISATION), utf8("Test Certificates"))))
    yield issued("multi-valued", plain, joined, not_found)
    yield issued("beyond-ascii-same", common("M\u00fcller CA"), common("m\u00fcller ca"))
    yield issued("beyond-ascii-case", common("M\u00fcller CA"), common("M\u00dcLLER CA"), not_found)
    yield issued("fullwidth", common("Good CA"), common("\uff27ood CA"), not_found)
    yield issued("composed", common("Mu\u0308ller"), common("M\u00fcller"), not_found)
    yield issued("nul", common("Good CA"), common("Good CA\0"), openssl="takes a NUL for a character")
    yield issued("no-break-space", common("Good CA"), common("Good\u00a0CA"), not_found)
    yield issued("mail", directory(relative(EMAIL, ia5("CA@example.com"))), directory(relative(EMAIL, ia5("ca@EXAMPLE.com"))))


def purpose_cases():
    server_auth, client_auth, code_signing = (f"1.3.6.1.5.5.7.3.{n}" for n in (1, 2, 3))
    rule = "RFC 5280 §4.2.1.12"
    leaf_error, ca_error = "extendedKeyUsageMissing(certificate: 0)", "extendedKeyUsageMissing(certificate: 1)"
    for label, in_ca, in_leaf, error in [("named", None, [code_signing], None), ("absent", None, None, None), ("other", None, [server_auth], leaf_error),
                                         ("any", None, ["2.5.29.37.0"], None), ("in-ca", [code_signing], [code_signing], None),
                                         ("other-in-ca", [client_auth], [code_signing], ca_error)]:
        yield case(f"purpose-{label}", rule, label.replace("-", " "),
                   chain(ca("CA", *([purposes(*in_ca)] if in_ca else [])), Link(common("EE"), [purposes(*in_leaf)] if in_leaf else [])),
                   error, extended_key_usage=["codeSigning"], openssl="")
    rule = "RFC 5280 §4.2.1.3"
    missing = "keyUsageMissing(certificate: 0)"
    for label, demanded, error in [("there", ["digitalSignature"], None), ("missing", ["keyAgreement"], missing),
                                   ("one-missing", ["digitalSignature", "contentCommitment"], missing), ("none", [], None)]:
        yield case(f"usage-{label}", rule, label.replace("-", " "), chain(ca("CA"), Link(common("EE"), [])), error, key_usage=demanded, openssl="")
    unlimited = chain(ca("CA"), Link(common("EE"), []))
    unlimited[2] = unlimited[2].change(extensions=None)
    yield case("usage-no-extension", rule, "an absent keyUsage restricts nothing", unlimited, None, key_usage=["keyAgreement"], openssl="")
    deep = [ca(f"CA {n}") for n in range(3)] + [Link(common("EE"), [])]
    yield case("length-enough", "RFC 5280 §6.1.2 (k)", "three intermediates", chain(*deep), None, max_chain_depth=3, openssl="")
    yield case("length-exceeded", "RFC 5280 §6.1.2 (k)", "three intermediates", chain(*deep), "pathTooLong", max_chain_depth=2, openssl="")


def cases():
    yield from server_cases()
    yield from name_cases()
    yield from purpose_cases()
