"""Yields cases of name constraints: the structure of PKITS §4.13, each form of names, and failures of other implementations."""

from chains import (
    COMMON_NAME, COUNTRY, EMAIL, ORGANISATION, ROOT, UNIT, UNREADABLE, Link, address, alternative_names, bmp, ca, case, chain, common,
    context, directory, directory_name, dns, ia5, implicit, mail, name_constraints, oid, other_name, printable, relative, self_issued,
    sequence, set_of, teletex, tlv, uri, utf8,
)

RULE = "RFC 5280 §4.2.1.10, §6.1.3 (b), (c)"
NOT_PERMITTED = "nameNotPermitted(certificate: 0)"
EXCLUDED = "nameExcluded(certificate: 0)"
NOT_COMPARABLE = "nameNotComparable(certificate: 0)"
WILD = "takes a wildcard for permitted if one of its names is (CVE-2026-34073)"
MALFORMED = "invalidValue(nameConstraints)"


def end(*names, subject=None):
    """Returns a leaf, by default without a subject, so that only its alternative names matter."""
    if subject is None:
        return Link(sequence(), [alternative_names(*names, critical=True)])
    return Link(subject, [alternative_names(*names)] if names else [])


def country(*rest):
    return directory(relative(COUNTRY, printable("US")), *rest)


def unit(text):
    return country(relative(ORGANISATION, "Test"), relative(UNIT, text))


def person(text, who="EE"):
    return country(relative(ORGANISATION, "Test"), relative(UNIT, text), relative(COMMON_NAME, who))


def single(label, permitted, excluded, leaf, error=None, **more):
    return case(f"nc-{label}", RULE, label.replace("-", " "),
                chain(ca("CA", name_constraints(permitted, excluded)), leaf), error, **more)


def directory_cases():
    one, two = directory_name(unit("permitted1")), directory_name(unit("permitted2"))
    inside, outside = person("permitted1"), person("other")
    yield single("dn-permitted", [one], None, end(subject=inside))
    yield single("dn-not-permitted", [one], None, end(subject=outside), NOT_PERMITTED)
    yield single("dn-alternative-name-not-permitted", [one], None, end(directory_name(outside), subject=inside), NOT_PERMITTED)
    yield single("dn-alternative-name-permitted", [one], None, end(directory_name(inside), subject=inside))
    yield single("dn-one-of-two-permitted", [one, two], None, end(subject=person("permitted2")))
    yield single("dn-excluded", None, [directory_name(unit("excluded1"))], end(subject=person("excluded1")), EXCLUDED)
    yield single("dn-not-excluded", None, [directory_name(unit("excluded1"))], end(subject=inside))
    yield single("dn-excluded-inside-permitted", [directory_name(country())], [one], end(subject=inside), EXCLUDED)
    yield single("dn-base-longer-than-name", [directory_name(person("permitted1"))], None, end(subject=unit("permitted1")),
                 NOT_PERMITTED)
    yield single("dn-base-is-name", [directory_name(inside)], None, end(subject=inside))
    yield single("dn-empty-base-permitted", [directory_name(directory())], None, end(subject=outside))
    yield single("dn-empty-base-excluded", None, [directory_name(directory())], end(subject=outside), EXCLUDED)
    yield single("dn-no-subject", [one], None, end(dns("host.example.com")))
    # RFC 5280 §7.1: comparison ignores case and repeated spaces.
    wide = country(relative(ORGANISATION, "Test"), relative(UNIT, printable("  PERMITTED1 ")), relative(COMMON_NAME, "EE"))
    yield single("dn-case-and-spaces-permitted", [one], None, end(subject=wide))
    shouted = country(relative(ORGANISATION, printable("TEST")), relative(UNIT, "excluded1"))
    yield single("dn-case-excluded", None, [directory_name(unit("Excluded1"))], end(subject=shouted), EXCLUDED)
    wider = country(relative(ORGANISATION, "Test"), relative(UNIT, bmp("excluded1")))
    yield single("dn-bmpstring-excluded", None, [directory_name(unit("excluded1"))], end(subject=wider), EXCLUDED)
    accent = country(relative(ORGANISATION, "Test"), relative(UNIT, "exclud\u00e9"))
    upper = country(relative(ORGANISATION, "Test"), relative(UNIT, "EXCLUD\u00c9"))
    yield single("dn-beyond-ascii-undecided", None, [directory_name(accent)], end(subject=upper), NOT_COMPARABLE,
                 openssl="does not fold the case of characters beyond ASCII")
    yield single("dn-beyond-ascii-excluded", None, [directory_name(accent)], end(subject=accent), EXCLUDED)
    yield single("dn-beyond-ascii-different", None, [directory_name(accent)],
                 end(subject=country(relative(ORGANISATION, "Test"), relative(UNIT, "anderes \u00e9"))))
    yield single("dn-beyond-ascii-not-permitted", [directory_name(accent)], None, end(subject=upper), NOT_PERMITTED)
    old = country(relative(ORGANISATION, "Test"), relative(UNIT, teletex(b"exclud\xe9")))
    yield single("dn-teletex-undecided", None, [directory_name(accent)], end(subject=old), NOT_COMPARABLE)
    # U+1F600 needs two UTF-16 units, which BMPString does not allow. The verifier compares only the bytes of such a string,
    # so it cannot decide whether strings that differ in case are equal.
    pairs, shouted_pairs = (country(relative(ORGANISATION, "Test"), relative(UNIT, bmp(text + "\U0001f600"))) for text in ("excluded", "EXCLUDED"))
    yield single("dn-surrogates-undecided", None, [directory_name(pairs)], end(subject=shouted_pairs), NOT_COMPARABLE)
    yield single("dn-surrogates-excluded", None, [directory_name(pairs)], end(subject=pairs), EXCLUDED)
    yield single("dn-order-of-attributes", [directory_name(directory(relative(ORGANISATION, "Test"), relative(COUNTRY, printable("US"))))],
                 None, end(subject=inside), NOT_PERMITTED)
    pair = set_of(sequence(oid(UNIT), utf8("U")), sequence(oid(ORGANISATION), utf8("Test")))
    yield single("dn-multi-valued-permitted", [directory_name(directory(pair))], None,
                 end(subject=directory(pair, relative(COMMON_NAME, "EE"))))
    yield single("dn-multi-valued-is-not-its-part", [directory_name(directory(relative(ORGANISATION, "Test")))], None,
                 end(subject=directory(pair)), NOT_PERMITTED)

    # Several certificates in the path have constraints: PKITS 4.13.6 to 4.13.20.
    subtree = name_constraints([one])
    yield case("nc-dn-subordinate-narrows", RULE, "permitted1 and then a unit below it",
               chain(Link(unit("permitted1"), [subtree]),
                     Link(person("permitted1", "Sub CA"), [name_constraints([directory_name(person("permitted1", "EE"))])]),
                     end(subject=person("permitted1", "EE"))))
    yield case("nc-dn-subordinate-narrowed-out", RULE, "the intersection leaves the leaf out",
               chain(Link(unit("permitted1"), [subtree]),
                     Link(person("permitted1", "Sub CA"), [name_constraints([directory_name(person("permitted1", "Other"))])]),
                     end(subject=person("permitted1", "EE"))), NOT_PERMITTED)
    yield case("nc-dn-subordinate-cannot-widen", RULE, "a subordinate permits more than its issuer",
               chain(ca("CA", subtree), Link(person("permitted1", "Sub CA"), [name_constraints([one, two])]),
                     end(subject=person("permitted2"))), NOT_PERMITTED)
    yield case("nc-dn-disjoint", RULE, "disjoint permitted subtrees: nothing is permitted",
               chain(ca("CA", subtree), Link(person("permitted1", "Sub CA"), [name_constraints([two])]),
                     end(subject=person("permitted1"))), NOT_PERMITTED)
    yield case("nc-dn-exclusions-add-up", RULE, "excluded by the issuer's issuer",
               chain(ca("CA", name_constraints(None, [directory_name(unit("excluded1"))])),
                     ca("Sub CA", name_constraints(None, [directory_name(unit("excluded2"))])),
                     end(subject=person("excluded1"))), EXCLUDED)
    yield case("nc-dn-intermediate", RULE, "the subordinate CA's name is not permitted",
               chain(ca("CA", subtree), ca("Sub CA"), end(subject=person("permitted1"))), "nameNotPermitted(certificate: 1)")
    yield case("nc-dn-self-issued", RULE + ": self-issued", "a self-issued certificate is not constrained",
               chain(ca("CA", subtree), self_issued(), end(subject=inside)))
    yield case("nc-dn-self-issued-constrains", RULE + ": self-issued", "but it constrains",
               chain(ca("CA"), self_issued(subtree), end(subject=outside)), NOT_PERMITTED)
    yield case("nc-dn-self-issued-leaf", RULE + ": self-issued", "the last certificate is constrained all the same",
               chain(ca("CA", subtree), Link(b"", [], True)), NOT_PERMITTED)
    yield case("nc-anchor", "RFC 5937 §3.2", "an anchor's constraints",
               chain(end(subject=outside), root=ROOT.change(extensions=[*ROOT.extensions, subtree])), NOT_PERMITTED)
    yield case("nc-anchor-permitted", "RFC 5937 §3.2", "an anchor's constraints",
               chain(end(subject=inside), root=ROOT.change(extensions=[*ROOT.extensions, subtree])))


def dns_cases():
    base = [dns("example.com")]
    for label, host in [("exact", "example.com"), ("below", "www.example.com"), ("far-below", "a.b.c.example.com"),
                        ("case", "WWW.Example.COM"), ("wildcard", "*.example.com"), ("wildcard-below", "*.www.example.com"),
                        ("underscore", "a_b.example.com"), ("a-label", "xn--bcher-kva.example.com")]:
        why = "underscores are not compared" if label == "underscore" else None
        yield single(f"dns-permitted-{label}", base, None, end(dns(host)), cryptography=why)
        yield single(f"dns-excluded-{label}", None, base, end(dns(host)), EXCLUDED)
    for label, host in [("suffix-without-dot", "notexample.com"), ("parent", "com"), ("other", "example.org"),
                        ("prefix", "example.com.evil.test"), ("wildcard-of-parent", "*.com")]:
        why = WILD if label == "wildcard-of-parent" else None
        yield single(f"dns-not-permitted-{label}", base, None, end(dns(host)), NOT_PERMITTED, cryptography=why)
        if label != "wildcard-of-parent":
            yield single(f"dns-not-excluded-{label}", None, base, end(dns(host)))
    # CVE-2025-61727: a wildcard name covers names that are excluded or not permitted.
    wild = "takes a wildcard for a name like any other (CVE-2025-61727 in Go)"
    yield single("dns-wildcard-covers-excluded", None, [dns("www.example.com")], end(dns("*.example.com")), EXCLUDED, openssl=wild)
    yield single("dns-wildcard-of-parent-excluded", None, base, end(dns("*.com")), EXCLUDED, openssl=wild)
    yield single("dns-wildcard-beyond-permitted", [dns("www.example.com")], None, end(dns("*.example.com")), NOT_PERMITTED,
                 cryptography=WILD)
    yield single("dns-wildcard-is-one-label", None, [dns("a.b.example.com")], end(dns("*.example.com")))
    yield single("dns-wildcard-beside-excluded", None, [dns("www.example.org")], end(dns("*.example.com")))
    # Invalid names under constraints on host names (KNOWN_FAILURES, "an empty dNSName").
    for label, host in [("empty", ""), ("dot", "."), ("trailing-dot", "www.example.com."), ("leading-dot", ".example.com"),
                        ("two-dots", "www..example.com"), ("space", " "), ("space-inside", "a b.example.com"),
                        ("partial-wildcard", "w*.example.com"), ("inner-wildcard", "www.*.example.com"), ("only-wildcard", "*"),
                        ("separator", "bad.example.org, DNS:www.example.com"), ("nul", "www.example.com\0.evil.test"),
                        ("long-label", "a" * 64 + ".example.com"), ("long", ".".join(["a" * 50] * 5) + ".example.com")]:
        for kind, permitted, excluded in [("permitted", base, None), ("excluded", None, [dns("other.test")])]:
            yield single(f"dns-{label}-name-where-{kind}", permitted, excluded, end(dns(host)), NOT_COMPARABLE,
                         openssl="compares octets")
        yield single(f"dns-{label}-name-unconstrained", [address(10, 0, 0, 0, 255, 0, 0, 0)], None, end(dns(host)))
    for label, host in [("leading-dot", ".example.com"), ("trailing-dot", "example.com."), ("wildcard", "*.example.com"),
                        ("space", " "), ("two-dots", "a..com"), ("dot", ".")]:
        yield single(f"dns-{label}-base-permitted", [dns(host)], None, end(dns("www.example.com")), MALFORMED,
                     openssl="compares octets")
        yield single(f"dns-{label}-base-excluded", None, [dns(host)], end(dns("www.example.org")), MALFORMED,
                     openssl="compares octets")
    yield single("dns-empty-base-permitted", [dns("")], None, end(dns("www.example.com")), cryptography="refuses an empty name")
    yield single("dns-empty-base-excluded", None, [dns("")], end(dns("www.example.com")), EXCLUDED)
    yield single("dns-empty-base-permitted-wildcard", [dns("")], None, end(dns("*.example.com")), cryptography="refuses an empty name")
    yield single("dns-beyond-ascii", base, None, end(dns("b\u00fccher.example.com".encode())), "invalidCharacters(subjectAlternativeName)",
                 openssl="compares octets")
    yield case("nc-dns-self-issued", RULE + ": self-issued", "a self-issued certificate's alternative names are not constrained",
               chain(ca("CA", name_constraints(base)), self_issued(alternative_names(dns("www.example.org"))), end(dns("www.example.com"))))
    yield case("nc-dns-self-issued-then", RULE + ": self-issued", "those of the next are",
               chain(ca("CA", name_constraints(base)), self_issued(), ca("Sub", alternative_names(dns("www.example.org"))), end(dns("www.example.com"))),
               "nameNotPermitted(certificate: 1)")
    yield single("dns-second-name", base, None, end(dns("www.example.com"), dns("www.example.org")), NOT_PERMITTED)
    yield single("dns-second-base", [dns("example.org"), dns("example.com")], None, end(dns("www.example.com")))
    yield single("dns-excluded-wins", base, [dns("www.example.com")], end(dns("www.example.com")), EXCLUDED)
    yield single("dns-other-form-unrestricted", base, None, end(address(10, 0, 0, 1)))
    # A common name is not a dNSName, even if it looks like a host name.
    yield single("dns-common-name-does-not-count", base, None, end(subject=common("www.example.org")),
                 openssl="takes a common name that looks like a host for one, without a subjectAltName")
    yield case("nc-dns-subordinate-narrows", RULE, "each host is in each permitted set",
               chain(ca("CA", name_constraints(base)), ca("Sub CA", name_constraints([dns("www.example.com")])),
                     end(dns("mail.example.com"))), NOT_PERMITTED)
    yield case("nc-not-critical", "RFC 5280 §4.2.1.10: critical", "not critical",
               chain(ca("CA", name_constraints(base, critical=False)), end(dns("www.example.com"))),
               "wrongCriticality(2.5.29.30, certificate: 1)", openssl="does not ask")
    yield case("nc-in-leaf", "RFC 5280 §4.2.1.10: in CA certificates only", "in a leaf",
               chain(ca("CA"), Link(common("EE"), [name_constraints(base), alternative_names(dns("www.example.com"))])),
               "notCertificationAuthority(certificate: 0)", openssl="does not ask")
    yield single("empty", None, None, end(dns("www.example.com")), UNREADABLE, openssl="does not ask")
    for label, tail in [("minimum-0", implicit(0, b"\0")), ("minimum-1", implicit(0, b"\x01")), ("maximum", implicit(1, b"\x01"))]:
        yield case(f"nc-{label}", "RFC 5280 §4.2.1.10: minimum is 0, maximum absent; X.690 §11.5", label,
                   chain(ca("CA", name_constraints(base, tail=tail)), end(dns("www.example.com"))),
                   UNREADABLE,
                   openssl="takes a 0 that is written" if label == "minimum-0" else None)


def address_cases():
    net, net6 = address(192, 0, 2, 0, 255, 255, 255, 0), address(*bytes.fromhex("20010db8"), *[0] * 12, *[255] * 4, *[0] * 12)
    host6 = address(*bytes.fromhex("20010db8"), *[0] * 11, 1)
    yield single("ip-permitted", [net], None, end(address(192, 0, 2, 77)))
    yield single("ip-not-permitted", [net], None, end(address(192, 0, 3, 1)), NOT_PERMITTED)
    yield single("ip-excluded", None, [net], end(address(192, 0, 2, 77)), EXCLUDED)
    yield single("ip-not-excluded", None, [net], end(address(192, 0, 3, 1)))
    yield single("ip6-permitted", [net6], None, end(host6))
    yield single("ip6-excluded", None, [net6], end(host6), EXCLUDED)
    yield single("ip6-not-permitted", [net6], None, end(address(*bytes.fromhex("20010db9"), *[0] * 12)), NOT_PERMITTED)
    yield single("ip-versions-are-one-form", [net], None, end(host6), NOT_PERMITTED)
    # ::ffff:192.0.2.1, which some implementations treat as 192.0.2.1.
    mapped = address(*[0] * 10, 255, 255, 192, 0, 2, 1)
    yield single("ip-mapped-where-permitted", [net], None, end(mapped), NOT_COMPARABLE)
    yield single("ip-mapped-where-excluded", None, [net], end(mapped), NOT_COMPARABLE, openssl="takes it for an IPv6 address")
    yield single("ip-mapped-where-all-permitted", [address(*[0] * 32)], None, end(mapped), NOT_COMPARABLE, openssl="takes it for an IPv6 address")
    yield single("ip-mapped-unconstrained", [dns("example.com")], None, end(mapped))
    for label, octets_ in [("first", [1, *[0] * 9, 255, 255]), ("last", [*[0] * 10, 255, 254]), ("before-last", [*[0] * 10, 254, 255])]:
        yield single(f"ip-not-mapped-{label}", None, [net], end(address(*octets_, 192, 0, 2, 1)))
    yield single("ip-all", [address(*[0] * 8)], None, end(address(8, 8, 8, 8)))
    yield single("ip-all-excluded", None, [address(*[0] * 8)], end(address(8, 8, 8, 8)), EXCLUDED)
    yield single("ip-one", [address(10, 0, 0, 1, 255, 255, 255, 255)], None, end(address(10, 0, 0, 1)))
    yield single("ip-host-bits-in-base", [address(10, 1, 2, 3, 255, 0, 0, 0)], None, end(address(10, 9, 9, 9)))
    for label, mask in [("hole", (255, 0, 255, 0)), ("hole-in-octet", (255, 0xF5, 0, 0)), ("reversed", (0, 0, 0, 255)),
                        ("low-bit", (1, 0, 0, 0))]:
        yield single(f"ip-mask-{label}-permitted", [address(10, 0, 0, 0, *mask)], None, end(address(10, 0, 0, 0)), MALFORMED,
                     openssl="takes any mask")
        yield single(f"ip-mask-{label}-excluded", None, [address(10, 0, 0, 0, *mask)], end(address(192, 0, 0, 0)), MALFORMED,
                     openssl="takes any mask")
    for label, octets_ in [("host", (127, 0, 0, 1)), ("5", (10, 0, 0, 0, 255)), ("16", [0] * 16), ("0", ())]:
        yield single(f"ip-base-of-length-{label}", [address(*octets_)], None, end(address(127, 0, 0, 1)),
                     UNREADABLE)


def mail_cases():
    host, domain, box = mail("example.com"), mail(".example.com"), mail("user@example.com")
    for label, base, name, error in [
        ("host", host, "user@example.com", None), ("host-case", host, "user@EXAMPLE.com", None),
        ("host-below", host, "user@www.example.com", NOT_PERMITTED), ("host-other", host, "user@example.org", NOT_PERMITTED),
        ("domain", domain, "user@www.example.com", None), ("domain-far", domain, "user@a.b.example.com", None),
        ("domain-itself", domain, "user@example.com", NOT_PERMITTED), ("domain-suffix", domain, "user@notexample.com", NOT_PERMITTED),
        ("mailbox", box, "user@example.com", None), ("mailbox-host-case", box, "user@Example.Com", None),
        ("mailbox-other-host", box, "user@example.org", NOT_PERMITTED),
        ("mailbox-local-case", box, "User@example.com", NOT_PERMITTED), ("mailbox-other", box, "other@example.com", NOT_PERMITTED),
        ("mailbox-quoted", box, '"user"@example.com', None), ("mailbox-escaped", box, '"us\\er"@example.com', None),
    ]:
        quoted = "compares octets" if "quoted" in label or "escaped" in label else None
        yield single(f"mail-permitted-{label}", [base], None, end(mail(name)), error, openssl=quoted)
        yield single(f"mail-excluded-{label}", None, [base], end(mail(name)), None if error else EXCLUDED, openssl=quoted)
    for label, name in [("no-at", "example.com"), ("two-ats", "a@b@example.com"), ("no-local", "@example.com"),
                        ("no-host", "user@"), ("empty", ""), ("literal", "user@[192.0.2.1]"), ("number", "user@192.0.2.1"),
                        ("quoted-at", '"a@b"c@example.com'), ("open-quote", '"user@example.com'), ("space", "us er@example.com"),
                        ("host-space", "user@exam ple.com"), ("trailing-dot", "user@example.com."), ("dots", "a..b@example.com"),
                        ("brackets", "<user@example.com>")]:
        for kind, permitted, excluded in [("permitted", [host], None), ("excluded", None, [mail("other.test")])]:
            yield single(f"mail-{label}-name-where-{kind}", permitted, excluded, end(mail(name)), NOT_COMPARABLE,
                         openssl="compares octets")
    for label, base in [("empty", ""), ("dot", "."), ("at", "@example.com"), ("trailing-dot", "example.com."),
                        ("two-ats", "a@b@example.com"), ("number", "192.0.2.1")]:
        yield single(f"mail-{label}-base", None, [mail(base)], end(mail("user@example.org")), MALFORMED,
                     openssl="compares octets")
    # Constraints on mail addresses also apply to the subject's emailAddress attribute.
    subject = country(relative(EMAIL, ia5("user@example.org")))
    inside = country(relative(EMAIL, ia5("user@example.com")))
    yield single("mail-in-subject-not-permitted", [host], None, end(subject=subject), NOT_PERMITTED)
    yield single("mail-in-subject-permitted", [host], None, end(subject=inside))
    yield single("mail-in-subject-excluded", None, [host], end(subject=inside), EXCLUDED)
    yield single("mail-in-subject-utf8", [host], None, end(subject=country(relative(EMAIL, "user@example.com"))),
                 openssl="takes an IA5String only")
    yield single("mail-in-subject-utf8-not-permitted", [host], None, end(subject=country(relative(EMAIL, "user@example.org"))), NOT_PERMITTED)
    yield single("mail-in-subject-beside-dns", [host], None, end(dns("www.example.com"), subject=subject), NOT_PERMITTED)
    yield single("mail-in-subject-beside-mail", [host], None, end(mail("user@example.com"), subject=subject),
                 openssl="counts the subject's too")
    yield single("mail-in-subject-of-odd-type", [host], None,
                 end(subject=country(relative(EMAIL, tlv(0x04, b"user@example.com")))), NOT_COMPARABLE)
    yield single("mail-in-subject-and-directory", [host, directory_name(country())], None, end(subject=inside))
    smtp = other_name("1.3.6.1.5.5.7.8.9", utf8("us\u00e9r@example.com"))
    yield single("mail-smtputf8-undecided", [host], None, end(smtp), NOT_COMPARABLE,
                 openssl="compares SmtpUTF8Mailbox")
    yield single("mail-smtputf8-unconstrained", [dns("example.com")], None, end(smtp))


def uri_cases():
    host, domain = uri("host.example.com"), uri(".example.com")
    for label, base, name, error in [
        ("host", host, "http://host.example.com/", None), ("host-case", host, "HTTP://HOST.example.com", None),
        ("port", host, "https://host.example.com:8443/a?b#c", None), ("user", host, "ftp://user:pass@host.example.com/x", None),
        ("below", host, "http://a.host.example.com/", NOT_PERMITTED), ("domain", domain, "http://host.example.com/", None),
        ("domain-far", domain, "http://a.b.example.com/", None), ("domain-itself", domain, "http://example.com/", NOT_PERMITTED),
        ("domain-suffix", domain, "http://notexample.com/", NOT_PERMITTED), ("query", host, "http://host.example.com?x", None),
        ("other-scheme", host, "spiffe://host.example.com/path", None),
        ("path-with-at", host, "http://evil.test/@host.example.com", NOT_PERMITTED),
        ("path-with-host", domain, "http://evil.test/host.example.com", NOT_PERMITTED),
        ("fragment", host, "http://evil.test#@host.example.com", NOT_PERMITTED),
    ]:
        odd = {"user": "reads the user for the host", "query": "takes the query for the host"}.get(label)
        yield single(f"uri-permitted-{label}", [base], None, end(uri(name)), error, openssl=odd)
        yield single(f"uri-excluded-{label}", None, [base], end(uri(name)), None if error else EXCLUDED, openssl=odd)
    for label, name in [("no-authority", "urn:uuid:f81d4fae"), ("mail", "mailto:user@host.example.com"), ("ipv4", "http://192.0.2.1/"),
                        ("ipv6", "http://[2001:db8::1]/"), ("empty-host", "http:///path"), ("relative", "//host.example.com/"),
                        ("percent", "http://host%2Eexample.com/"), ("backslash", "http://host.example.com\\@evil.test/"),
                        ("two-ats", "http://a@b@host.example.com/"), ("trailing-dot", "http://host.example.com./"),
                        ("short-ipv4", "http://127.1/"), ("hex-ipv4", "http://0x7f.1/"), ("bad-port", "http://host.example.com:80a/"),
                        ("no-scheme", "host.example.com"), ("space", "http://host.example.com /"), ("empty", "")]:
        for kind, permitted, excluded in [("permitted", [host], None), ("excluded", None, [uri("other.test")])]:
            yield single(f"uri-{label}-name-where-{kind}", permitted, excluded, end(uri(name)), NOT_COMPARABLE,
                         openssl="compares octets")
    for label, base in [("scheme", "http://example.com"), ("ipv4", "192.0.2.1"), ("empty", ""), ("dot", "."), ("port", "example.com:80")]:
        yield single(f"uri-{label}-base", None, [uri(base)], end(uri("http://www.example.org/")), MALFORMED,
                     openssl="compares octets")


def other_cases():
    private = other_name("1.3.6.1.4.1.55738.666.3")
    yield single("other-name-excluded", None, [private], end(private), NOT_COMPARABLE)
    yield single("other-name-permitted", [private], None, end(private), NOT_COMPARABLE)
    yield single("other-name-absent", None, [private], end(dns("www.example.com")))
    yield single("other-name-unconstrained", [dns("example.com")], None, end(private))
    registered = implicit(8, oid("1.2.3")[2:])
    yield single("registered-id", [registered], None, end(registered), NOT_COMPARABLE,
                 openssl="")
    party = context(5, context(1, utf8("party")))
    yield single("edi-party", None, [party], end(party), NOT_COMPARABLE)
    x400 = context(3, b"")
    yield single("x400", None, [x400], end(x400), NOT_COMPARABLE)
    yield single("all-forms-permitted", [dns("example.com"), mail("example.com"), uri(".example.com"),
                                         address(10, 0, 0, 0, 255, 0, 0, 0), directory_name(country())], None,
                 end(dns("www.example.com"), mail("u@example.com"), uri("http://www.example.com/"), address(10, 0, 0, 1),
                     directory_name(country(relative(UNIT, "x"))), subject=country(relative(COMMON_NAME, "EE"))))


def cost_cases():
    rule = "CertificatePathVerifier.maximumNameComparisons"
    names = [dns(f"t{n}.test") for n in range(1025)]
    for label, permitted, excluded in [("permitted", names[:1024] + [dns("test")], None), ("excluded", None, [dns(f"x{n}.test") for n in range(1025)])]:
        yield case(f"nc-cost-{label}", rule, "1,025 subtrees and 1,024 names: more comparisons than are made",
                   chain(ca("CA", name_constraints(permitted, excluded)), end(*names[:1024])), "nameComparisonLimitReached")
        fewer = [part[:-1] if part else part for part in (permitted, excluded)]
        yield case(f"nc-cost-{label}-limit", rule, "1,024 subtrees and 1,024 names: as many as are made",
                   chain(ca("CA", name_constraints(*fewer)), end(*names[:1024])))
    # Reaching the limit ends the search, so the verifier does not try the unconstrained certificate with the same name and key.
    costly = chain(ca("CA", name_constraints(None, [dns(f"x{n}.test") for n in range(1025)])), end(*names[:1024]))
    yield case("nc-cost-ends-search", rule, "another path would need no comparisons", costly, "nameComparisonLimitReached",
               more=chain(ca("CA"))[1:])


def cases():
    yield from directory_cases()
    yield from dns_cases()
    yield from address_cases()
    yield from mail_cases()
    yield from uri_cases()
    yield from other_cases()
    yield from cost_cases()
