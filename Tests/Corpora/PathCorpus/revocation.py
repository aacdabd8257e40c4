"""Yields cases of revocation lists (RFC 5280 §5, §6.3): PKITS §4.4, the signers of §4.5, and §4.14 without indirect lists."""

from chains import (
    CA_USAGE, COMMON_NAME, COUNTRY, Key, Link, ROOT_KEY, ROOT_NAME, basic_constraints, bits, ca, case, chain, common, crl,
    directory_name, distribution_point, distribution_points, entry, extension, integer, key_identifiers, key_usage, oid,
    point_name, printable, relative, self_issued, sequence, tlv, uri, utc_time, utf8, implicit, context, LEAF_USAGE, Certificate,
)

UNKNOWN = "revocationStatusUnknown(certificate: 0)"
REVOKED = "revoked(certificate: 0, unspecified)"
CRL_SIGN = key_usage(bits(b"\x02", 1))
CERT_SIGN = key_usage(bits(b"\x04", 2))


def end(*extensions, **fields):
    return Link(common("EE"), list(extensions), fields=fields)


def standard(*extensions):
    """Returns ([root, CA, leaf], the CA's name, the CA's key)."""
    made = chain(ca("CA"), end(*extensions))
    return made, made[1].subject, made[1].key


def of_root(*entries, **more):
    return crl(ROOT_NAME, ROOT_KEY, *entries, **more)


def listed(label, error, lists, description=None, certificates=None, rule="RFC 5280 §6.3.3, PKITS 4.4", **more):
    """Returns a case with revocation lists and a chain, by default the standard chain."""
    made = certificates or standard()[0]
    return case(f"crl-{label}", rule, description or label.replace("-", " "), made, error, crls=lists, **more)


def cases():
    made, name, key = standard()
    leaf, authority = made[2].serial, made[1].serial
    root = of_root()

    yield listed("good", None, [root, crl(name, key)])
    yield listed("good-beside-others", None, [root, crl(name, key, entry(integer(77)), entry(integer(78), 1))])
    yield listed("missing", UNKNOWN, [root])
    yield listed("missing-of-ca", "revocationStatusUnknown(certificate: 1)", [crl(name, key)])
    yield listed("revoked", REVOKED, [root, crl(name, key, entry(leaf))])
    yield listed("revoked-key-compromise", "revoked(certificate: 0, keyCompromise)",
                 [root, crl(name, key, entry(leaf, 1))])
    yield listed("revoked-on-hold", "revoked(certificate: 0, certificateHold)",
                 [root, crl(name, key, entry(leaf, 6))])
    yield listed("removed-from-list-in-full-list", "revoked(certificate: 0, removeFromCRL)",
                 [root, crl(name, key, entry(leaf, 8))], openssl="takes removeFromCRL for not revoked")
    yield listed("revoked-ca", "revoked(certificate: 1, unspecified)", [of_root(entry(authority)), crl(name, key)])
    yield listed("revoked-among-many", REVOKED, [root, crl(name, key, *(entry(integer(n)) for n in range(100, 300)), entry(leaf))])
    yield listed("revoked-later-than-time", REVOKED, [root, crl(name, key, entry(leaf, date=utc_time("270101000000Z")))],
                 "the date of revocation does not count")
    stranger = Key("path stranger")
    yield listed("bad-signature", UNKNOWN, [root, crl(name, key, alter=lambda e: e[:-1] + bytes([e[-1] ^ 1]))])
    yield listed("other-key", UNKNOWN, [root, crl(name, stranger)])
    yield listed("other-issuer", UNKNOWN, [root, crl(common("CB"), key)])
    yield listed("serial-of-other-issuer", None, [of_root(entry(leaf)), crl(name, key)], "the same number on another issuer's list")
    yield listed("two-lists-one-bad", REVOKED, [root, crl(name, stranger), crl(name, key, entry(leaf))])
    yield listed("two-lists-bad-revokes", None, [root, crl(name, stranger, entry(leaf)), crl(name, key)],
                 "a list that is not signed by the issuer revokes nothing", openssl="takes one list")
    yield listed("two-lists-one-revokes", REVOKED, [root, crl(name, key), crl(name, key, entry(leaf))],
                 openssl="takes the best one, by number")

    # Times.
    yield listed("not-yet", UNKNOWN, [root, crl(name, key, this_update=utc_time("260701000001Z"))])
    yield listed("first-second", None, [root, crl(name, key, this_update=utc_time("260701000000Z"))])
    yield listed("expired", UNKNOWN, [root, crl(name, key, next_update=utc_time("260630235959Z"))])
    yield listed("last-second", None, [root, crl(name, key, next_update=utc_time("260701000000Z"))],
                 openssl="counts the last second as past")
    yield listed("expired-revokes-nothing", UNKNOWN, [root, crl(name, key, entry(leaf), next_update=utc_time("260630235959Z"))])
    past = {"this_update": utc_time("260501000000Z"), "next_update": utc_time("260601000000Z")}
    yield listed("expired-beside-current", None, [root, crl(name, key, entry(leaf), **past), crl(name, key, number=extension("2.5.29.20", integer(2)))],
                 "the older one is over: the certificate was on hold")
    yield listed("expired-beside-current-revokes", REVOKED,
                 [root, crl(name, key, **past), crl(name, key, entry(leaf), number=extension("2.5.29.20", integer(2)))])
    yield listed("expired-1999", UNKNOWN, [root, crl(name, key, this_update=utc_time("980101000000Z"), next_update=utc_time("990101000000Z"))])
    yield listed("next-update-2050", None, [root, crl(name, key, next_update=tlv(0x18, b"20500101120100Z"))])
    yield listed("next-update-absent", UNKNOWN, [root, crl(name, key, next_update=b"")], "§5.1.2.5", openssl="does without")

    # Extensions.
    private = "1.3.6.1.4.1.55738.666.4"
    yield listed("unknown-critical", UNKNOWN, [root, crl(name, key, extensions=[extension(private, b"\x05\0", True)])])
    yield listed("unknown-not-critical", None, [root, crl(name, key, extensions=[extension(private, b"\x05\0")])])
    yield listed("unknown-critical-of-entry", UNKNOWN,
                 [root, crl(name, key, entry(integer(99), extensions=[extension(private, b"\x05\0", True)]))])
    yield listed("unknown-not-critical-of-entry", None,
                 [root, crl(name, key, entry(integer(99), extensions=[extension(private, b"\x05\0")]))])
    issuer = extension("2.5.29.29", sequence(directory_name(common("CB"))), True)
    yield listed("certificate-issuer-of-entry", UNKNOWN, [root, crl(name, key, entry(leaf, extensions=[issuer]))], "of an indirect list",
                 openssl="processes it")
    yield listed("number-missing", UNKNOWN, [root, crl(name, key, number=b"", extensions=[extension(private, b"\x05\0")])], "§5.2.3",
                 openssl="does without")
    yield listed("number-critical", UNKNOWN, [root, crl(name, key, number=extension("2.5.29.20", integer(1), True))], "§5.2.3",
                 openssl="does not ask")
    yield listed("delta", UNKNOWN, [root, crl(name, key, extensions=[extension("2.5.29.27", integer(1), True)])])
    yield listed("version-1", UNKNOWN, [root, crl(name, key, version=b"", number=b"")], "§5.1.2.1", openssl="takes version 1")
    yield listed("version-3", UNKNOWN, [root, crl(name, key, version=integer(2))], openssl="does not ask")
    yield listed("reason-unknown", UNKNOWN, [root, crl(name, key, entry(leaf, 7))], "reason 7 is not used", openssl="does not ask")
    yield listed("entry-extensions-empty", UNKNOWN, [root, crl(name, key, sequence(leaf, utc_time("260601000000Z"), sequence()))],
                 openssl="does not ask")
    yield listed("algorithms-differ", UNKNOWN, [root, crl(name, key, alter=lambda e: e.replace(
        bytes.fromhex("06082a8648ce3d040302"), bytes.fromhex("06082a8648ce3d040303"), 1))])
    yield listed("trailing-octet", UNKNOWN, [root, crl(name, key, alter=lambda e: e + b"\0")], openssl="cuts it off")

    # Signers.
    separate = [made[0], made[1].change(extensions=[basic_constraints(True), CERT_SIGN]), made[2]]
    yield listed("key-may-not-sign", UNKNOWN, [root, crl(name, key)], "the CA's keyUsage lacks cRLSign", separate, rule="RFC 5280 §6.3.3 (f)")
    no_usage = [made[0], made[1].change(extensions=[basic_constraints(True)]), made[2]]
    yield listed("no-key-usage", None, [root, crl(name, key)], "the CA has no keyUsage", no_usage, rule="RFC 5280 §6.3.3 (f)")
    list_key = Key("path list signer")
    signer = Certificate(name, list_key, ROOT_NAME, ROOT_KEY, serial=integer(50), extensions=[CRL_SIGN])
    rule = "RFC 5280 §6.3.3 (f), PKITS 4.4.19 to 4.4.21"
    yield listed("separate-key", None, [root, crl(name, list_key)], None, separate, rule, more=[signer],
                 openssl="takes the certificate's issuer for the signer")
    yield listed("separate-key-revokes", REVOKED, [root, crl(name, list_key, entry(leaf))], None, separate, rule, more=[signer])
    yield listed("separate-key-beside-list-of-stranger", UNKNOWN, [root, crl(name, stranger)], None, separate, rule, more=[signer])
    yield listed("separate-key-of-other-name", UNKNOWN, [root, crl(name, list_key)], None, separate, rule,
                 more=[signer.change(subject=common("List Signer"))])
    yield listed("separate-key-name-in-other-case", None, [root, crl(name, list_key)], "names are compared by §7.1 here too", separate, rule,
                 more=[signer.change(issuer=sequence(relative(COUNTRY, printable("xx")), relative(COMMON_NAME, "PATH  root")))],
                 openssl="takes the certificate's issuer for the signer")
    yield listed("separate-key-revoked", UNKNOWN, [of_root(entry(integer(50))), crl(name, list_key)], None, separate, rule, more=[signer])
    yield listed("separate-key-expired", UNKNOWN, [root, crl(name, list_key)], None, separate, rule,
                 more=[signer.change(not_after=utc_time("260601000000Z"))])
    yield listed("separate-key-may-not-sign", UNKNOWN, [root, crl(name, list_key)], None, separate, rule,
                 more=[signer.change(extensions=[LEAF_USAGE])])
    yield listed("separate-key-without-usage", UNKNOWN, [root, crl(name, list_key)], None, separate, rule,
                 more=[signer.change(extensions=[])], openssl="does not ask")
    yield listed("separate-key-of-stranger", UNKNOWN, [root, crl(name, list_key)], None, separate, rule,
                 more=[signer.change(signer=stranger)])
    yield listed("separate-key-of-leaf", UNKNOWN, [root, crl(name, list_key)], "a leaf of the CA's has the name of the CA", separate, rule,
                 more=[signer.change(issuer=common("EE"), signer=made[2].key)])
    own = signer.change(issuer=name, signer=made[1].key)
    rule = "RFC 5280 §6.3.3 (f), PKITS 4.5.6 to 4.5.8"
    pointed = own.change(extensions=[CRL_SIGN, distribution_points(point_name([uri("http://x/own")]))])
    by_ca = crl(name, key, extensions=[distribution_point(names=[uri("http://x/own")])])
    yield listed("self-issued-signer", None, [root, crl(name, list_key), by_ca], "the CA's list covers the signer only", made, rule,
                 more=[pointed], openssl="looks for the signer in another way")
    yield listed("self-issued-signer-vouches-for-itself", UNKNOWN, [root, crl(name, list_key)], None, made, rule, more=[own],
                 openssl="does not ask")
    # A subordinate CA certifies a CRL signer under the name of its own issuer. The list that this issuer signs covers only CAs.
    low_key, taken_key = Key("path lower"), Key("path taken name")
    low = Certificate(common("Sub"), low_key, name, key, serial=integer(9),
                      extensions=[basic_constraints(True), CA_USAGE, *key_identifiers(low_key, key)])
    taken = Certificate(name, taken_key, common("Sub"), low_key, serial=integer(10),
                        extensions=[basic_constraints(True), CA_USAGE, *key_identifiers(taken_key, low_key)])
    yield listed("signer-below-issuer", UNKNOWN, [root, crl(common("Sub"), low_key), crl(name, taken_key),
                                                  crl(name, key, entry(leaf), extensions=[distribution_point(authorities=True)])],
                 "the signer has the issuer's name from a CA that the issuer certified", None, rule, more=[low, taken])
    # A second CA under the root certifies a CRL signer with the same name.
    yield listed("signer-of-other-ca", UNKNOWN, [root, crl(common("Sub"), low_key), crl(name, taken_key)],
                 "the signer has the issuer's name from a CA beside it", None, rule,
                 more=[low.change(issuer=ROOT_NAME, signer=ROOT_KEY), taken])
    # The CA certifies a CRL signer that has the root's name.
    root_taken = Certificate(ROOT_NAME, taken_key, name, key, serial=integer(10), extensions=[CRL_SIGN])
    yield listed("signer-below-has-name-of-root", "revocationStatusUnknown(certificate: 1)", [crl(ROOT_NAME, taken_key), crl(name, key)],
                 "a signer that the CA certified says that the CA is not revoked", None, rule, more=[root_taken])
    deep = chain(ca("CA"), ca("Sub"), end())
    yield listed("list-of-issuers-issuer", UNKNOWN, [root, crl(name, key), crl(deep[2].subject, key)],
                 "the issuer's name, and the key of its issuer", deep, "RFC 5280 §6.3.3 (f)")
    # Untrusted lists must not use up the budget for signature checks.
    noise = [crl(name, stranger, number=extension("2.5.29.20", integer(n + 1))) for n in range(120)]
    yield listed("many-of-stranger", None, [root, *noise, crl(name, key)], "120 lists of a stranger before the good one",
                 rule="CertificatePathVerifier.maximumSignatureChecks", openssl="takes the best one, by number")
    yield listed("many-of-stranger-beside-separate-key", None, [root, *noise, crl(name, list_key)],
                 "120 lists of a stranger before that of another certificate of the CA's", separate,
                 "CertificatePathVerifier.maximumSignatureChecks", more=[signer], openssl="takes the best one, by number")
    rolled = chain(ca("CA"), self_issued(), end())
    yield listed("rollover-list-of-old-key", None, [root, crl(rolled[1].subject, rolled[1].key)],
                 "a new key issued the leaf, the old one signs the list", rolled, "RFC 5280 §6.3.3 (f), PKITS 4.5.4",
                 openssl="takes the certificate's issuer for the signer")
    yield listed("rollover-list-of-old-key-revokes", REVOKED, [root, crl(rolled[1].subject, rolled[1].key, entry(rolled[3].serial))],
                 None, rolled, "RFC 5280 §6.3.3 (f), PKITS 4.5.5")

    # Scope.
    rule = "RFC 5280 §6.3.3 (b)(2), PKITS 4.14"

    def scoped(*entries, **point):
        return crl(name, key, *entries, extensions=[distribution_point(**point)])

    yield listed("only-users", None, [root, scoped(users=True)], rule=rule)
    yield listed("only-users-revokes", REVOKED, [root, scoped(entry(leaf), users=True)], rule=rule)
    yield listed("only-authorities", UNKNOWN, [root, scoped(authorities=True)], rule=rule)
    yield listed("only-authorities-of-ca", None,
                 [crl(ROOT_NAME, ROOT_KEY, extensions=[distribution_point(authorities=True)]), crl(name, key)], rule=rule)
    yield listed("only-users-of-ca", "revocationStatusUnknown(certificate: 1)",
                 [crl(ROOT_NAME, ROOT_KEY, extensions=[distribution_point(users=True)]), crl(name, key)], rule=rule)
    yield listed("only-attributes", UNKNOWN, [root, scoped(attributes=True)], rule=rule)
    yield listed("indirect", UNKNOWN, [root, scoped(indirect=True)], rule=rule, openssl="processes indirect lists")
    yield listed("scope-empty", UNKNOWN, [root, crl(name, key, extensions=[extension("2.5.29.28", sequence(), True)])], rule=rule,
                 openssl="does not ask")
    place = [uri("http://example.com/a.crl")]
    other = [uri("http://example.com/b.crl")]
    yield listed("point-named", None, [root, scoped(names=place)], None, standard(distribution_points(point_name(place)))[0], rule)
    yield listed("point-other", UNKNOWN, [root, scoped(names=other)], None, standard(distribution_points(point_name(place)))[0], rule)
    yield listed("point-one-of-two", None, [root, scoped(names=other)], None, standard(distribution_points(point_name(place + other)))[0], rule)
    yield listed("point-of-second", None, [root, scoped(names=other)], None,
                 standard(distribution_points(point_name(place), point_name(other)))[0], rule)
    yield listed("point-not-in-certificate", UNKNOWN, [root, scoped(names=place)], rule=rule)
    yield listed("point-not-in-list", None, [root, crl(name, key)], None, standard(distribution_points(point_name(place)))[0], rule)
    yield listed("point-is-issuer", None, [root, scoped(names=[directory_name(name)])], "a directoryName that is the issuer's", None, rule,
                 openssl="asks for a point in the certificate")
    full = [directory_name(sequence(relative(COMMON_NAME, "CA"), relative(COMMON_NAME, "part 1")))]
    part = sequence(oid(COMMON_NAME), utf8("part 1"))
    yield listed("point-relative", None, [root, scoped(relative_name=part)], None,
                 standard(distribution_points(point_name(relative_name=part)))[0], rule)
    yield listed("point-relative-and-full", None, [root, scoped(relative_name=part)], None, standard(distribution_points(point_name(full)))[0], rule)
    other_part = sequence(oid(COMMON_NAME), utf8("part 2"))
    yield listed("point-relative-other", UNKNOWN, [root, scoped(relative_name=other_part)], None,
                 standard(distribution_points(point_name(full)))[0], rule)
    issuer_point = point_name(place) + context(2, directory_name(common("CB")))
    yield listed("point-of-other-issuer", UNKNOWN, [root, scoped(names=place)], "cRLIssuer: indirect", standard(distribution_points(issuer_point))[0],
                 rule)
    some, rest = b"\x05\x60", b"\x07\x1f\x80"  # `some`: keyCompromise and cACompromise. `rest`: the other reasons.
    yield listed("some-reasons", UNKNOWN, [root, scoped(reasons=some)], rule="RFC 5280 §6.3.3 (d), PKITS 4.14.18 to 4.14.21")
    yield listed("all-reasons-in-two", None, [root, scoped(reasons=some), scoped(reasons=rest)], rule="RFC 5280 §6.3.3 (d), PKITS 4.14.18 to 4.14.21")
    yield listed("some-reasons-revokes", "revoked(certificate: 0, keyCompromise)",
                 [root, scoped(entry(leaf, 1), reasons=some)], rule="RFC 5280 §6.3.3 (d), PKITS 4.14.18 to 4.14.21",
                 )
    yield listed("reasons-of-point", UNKNOWN, [root, scoped(names=place)], "the point is for some reasons only",
                 standard(distribution_points(point_name(place) + implicit(1, some)))[0], rule)
    unused, all_and_unused = b"\x07\x80", b"\x07\xff\x80"  # `unused`: only bit 0. `all_and_unused`: bit 0 and all reasons.
    point = standard(distribution_points(point_name(place) + implicit(1, all_and_unused)))[0]
    bit = "RFC 5280 §4.2.1.13: bit 0 is not used"
    yield listed("all-reasons-and-bit-0", None, [root, scoped(names=place, reasons=all_and_unused)], "in list and point", point, bit)
    yield listed("all-reasons-and-bit-0-of-list", None, [root, scoped(reasons=all_and_unused)], rule=bit)
    yield listed("all-reasons-and-bit-0-of-point", None, [root, scoped(names=place)], None, point, bit)
    yield listed("bit-0-alone", UNKNOWN, [root, scoped(names=place, reasons=unused)], "in the list; the point has all", point, bit)
    many = [uri(f"http://example.com/{number}.crl") for number in range(65)]
    rule = "RFC 5280 §5.2.5, §4.2.1.13: up to 64 names, as those of one are compared with those of the other"
    bounded = "has no such limit"
    yield listed("names-64", None, [root, scoped(names=many[:64])], None, standard(distribution_points(point_name(many[63:64])))[0], rule)
    yield listed("names-65", UNKNOWN, [root, scoped(names=many)], None, standard(distribution_points(point_name(many[:1])))[0], rule, openssl=bounded)
    yield listed("points-64", None, [root, crl(name, key)], None, standard(distribution_points(*(point_name([one]) for one in many[:64])))[0], rule)
    yield listed("points-65", "invalidValue(cRLDistributionPoints)", [root, crl(name, key)], None,
                 standard(distribution_points(*(point_name([one]) for one in many)))[0], rule, openssl=bounded)
    yield listed("points-malformed", "emptyList(cRLDistributionPoints)", [root, crl(name, key)], None, standard(distribution_points())[0], rule,
                 openssl="does not ask")
