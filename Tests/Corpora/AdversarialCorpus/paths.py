"""Yields certificates that may not issue others, paths that do not lead to the anchor, and expensive paths."""

from chains import (
    CA, CA_EXTENSIONS, CA_KEY, CA_NAME, LEAF, LEAF_EXTENSIONS, LEAF_KEY, LEAF_NAME, OTHER_KEY, ROOT, ROOT_KEY,
    UNDER_UNKNOWN, UNKNOWN_ROOT, authority_key_identifier, case, intermediate, leaf, repeated,
)
from encoding import (
    CA_USAGE, Key, basic_constraints, bits, context, extension, implicit, integer, key_usage, name, oid, purposes,
    sequence, utc_time,
)

COUNT = "wrongCertificateCount"
NOT_CA = "notCertificationAuthority(certificate: 1)"

APP_ATTEST = "1.2.840.113635.100.4.24"
# (name, purposes, whether path validation rejects a critical extKeyUsage with these purposes)
PURPOSES = [("app-attest", [APP_ATTEST], False), ("server", ["1.3.6.1.5.5.7.3.1"], True),
            ("any", ["2.5.29.37.0"], True), ("server-and-app-attest", ["1.3.6.1.5.5.7.3.1", APP_ATTEST], False),
            ("neighbour", ["1.2.840.113635.100.4.25"], True)]


def role_cases():
    rows = ["issuer-roles"]

    def authority(identifier, rule, comment, error, extensions, **fields):
        return intermediate(identifier, rows, rule, comment, error, error, extensions=extensions, **fields)

    constraints, authority_id, subject_id, usage = CA_EXTENSIONS
    rule = "RFC 5280 6.1.4 (k)"
    yield authority("bc-missing-int", rule, "no basicConstraints", NOT_CA, [authority_id, subject_id, usage])
    yield authority("bc-and-ku-missing-int", rule, "neither basicConstraints nor keyUsage", NOT_CA,
                    [authority_id, subject_id])
    yield authority("bc-false-int", rule, "cA is false", NOT_CA,
                    [basic_constraints(False), authority_id, subject_id, usage])
    yield authority("bc-false-no-ku-int", rule, "cA is false, no keyUsage", NOT_CA,
                    [basic_constraints(False), authority_id, subject_id])
    yield authority("v3-intermediate-no-ext", rule, "no extensions", NOT_CA, None)
    version = "notVersion3(certificate: 1)"
    yield authority("v1-intermediate", rule, "version 1", version, None, version=b"")
    yield authority("v2-intermediate", rule, "version 2", version, None, version=context(0, integer(1)))
    not_critical = "wrongCriticality(2.5.29.19, certificate: 1)"
    yield intermediate("bc-not-critical-int", rows, "RFC 5280 4.2.1.9, 6.1.4 (k)",
                       "basicConstraints is not critical: tolerated but for App Attest", None, not_critical,
                       extensions=[basic_constraints(True, 0, False), *CA_EXTENSIONS[1:]])
    yield case("bc-not-critical-anchor", rows, "RFC 5280 4.2.1.9, 6.1.1 (d)",
               "the anchor's basicConstraints are not critical: tolerated but for App Attest", None,
               not_critical.replace("1)", "2)"),
               anchors=[ROOT.change(extensions=[basic_constraints(True, None, False), *ROOT.extensions[1:]])])
    yield authority("bc-not-critical-false-int", rule, "basicConstraints is not critical, and cA is false", NOT_CA,
                    [basic_constraints(False, None, False), authority_id, subject_id, usage])
    usage_rule = "RFC 5280 6.1.4 (n)"
    missing = "keyCertSignMissing(certificate: 1)"
    yield authority("ku-crl-only-int", usage_rule, "the key may sign CRLs only", missing,
                    [*CA_EXTENSIONS[:3], key_usage(bits(b"\x02", 1))])
    yield intermediate("ku-missing-int", rows, usage_rule, "no keyUsage: tolerated but for App Attest", None, missing,
                       extensions=CA_EXTENSIONS[:3])
    yield leaf("ku-certsign-leaf", rows, "RFC 5280 4.2.1.3", "keyCertSign without cA",
               "notCertificationAuthority(certificate: 0)",
               extensions=[basic_constraints(False), key_usage(bits(b"\x04", 2)), LEAF_EXTENSIONS[2]])
    unused = "digitalSignatureMissing(certificate: 0)"
    for label, comment, usages in [("missing", "no keyUsage", []),
                                   ("agreement", "keyAgreement", [key_usage(bits(b"\x08", 3))]),
                                   ("non-repudiation", "nonRepudiation", [key_usage(bits(b"\x40", 6))]),
                                   ("encipherment", "all that App Attest's has but digitalSignature",
                                    [key_usage(bits(b"\x70", 4))])]:
        yield leaf(f"ku-{label}-leaf", rows, "RFC 5280 4.2.1.3, the App Attest profile",
                   f"the leaf may not sign data: {comment}", None, unused,
                   extensions=[LEAF_EXTENSIONS[0], *usages, LEAF_EXTENSIONS[2]])
    yield leaf("control-ku-signature-leaf", [], "RFC 5280 4.2.1.3", "digitalSignature alone", None,
               extensions=[LEAF_EXTENSIONS[0], key_usage(bits(b"\x80", 7)), LEAF_EXTENSIONS[2]])
    other_purpose = "extendedKeyUsageMissing(certificate: 0)"
    for label, names, error in PURPOSES:
        for critical in (True, False):
            refused = critical and error
            yield leaf(
                ("" if refused else "control-") + f"eku-{label}-{'critical' if critical else 'not-critical'}-leaf",
                rows if refused else [], "RFC 5280 4.2.1.12, the App Attest profile", f"extKeyUsage: {label}", None,
                other_purpose if refused else None,
                extensions=[*LEAF_EXTENSIONS, purposes(*names, critical=critical)])
    yield leaf("chain-leaf-is-ca", rows, "the App Attest profile", "the leaf is a CA certificate", None,
               "unexpectedCertificationAuthority", extensions=[basic_constraints(True), CA_USAGE, LEAF_EXTENSIONS[2]])
    yield leaf("aki-critical", rows, "RFC 5280 4.2.1.1", "a critical authorityKeyIdentifier",
               "wrongCriticality(2.5.29.35, certificate: 0)",
               extensions=LEAF_EXTENSIONS + [authority_key_identifier(CA_KEY, True)])
    second = LEAF.change(subject=name("Adversarial second leaf"), key=Key("adversarial second leaf"), issuer=LEAF_NAME,
                         signer=LEAF_KEY)
    yield case("chain-leaf-as-ca", rows, rule, "a genuine leaf issues another", NOT_CA, COUNT, leaf=second,
               intermediates=[LEAF, CA])
    yield case("chain-leaf-as-ca-in-place", rows, rule, "the same, in two certificates", NOT_CA, leaf=second,
               intermediates=[LEAF])
    below = CA.change(subject=name("Adversarial CA 2"), key=OTHER_KEY, issuer=CA_NAME, signer=CA_KEY,
                      extensions=[basic_constraints(True), CA_USAGE])
    yield case("chain-pathlen-exceeded", rows, "RFC 5280 6.1.4 (l)", "an intermediate below a path length of 0",
               "pathLengthExceeded(certificate: 2)", COUNT, leaf=LEAF.change(issuer=below.subject, signer=OTHER_KEY),
               intermediates=[below, CA])

    subtree = context(0, sequence(implicit(2, b"test")))
    constrained = ["name-constraints"]
    dotted = "invalidValue(nameConstraints)"
    for identifier, comment, value, critical, error in [
        ("nc-critical-int", "critical nameConstraints, on no name of the leaf", sequence(subtree), True, None),
        ("nc-not-critical-int", "nameConstraints that are not critical", sequence(subtree), False,
         "wrongCriticality(2.5.29.30, certificate: 1)"),
        ("nc-empty-dnsname-int", "an empty dNSName", sequence(context(0, sequence(implicit(2, b"")))), True, None),
        ("nc-excluded-int", "excluded subtrees, with a dot before",
         sequence(context(1, sequence(implicit(2, b".test")))), True, dotted),
    ]:
        yield intermediate(identifier, constrained, "RFC 5280 4.2.1.10, refused in the App Attest profile", comment,
                           error, "unsupportedConstraint(2.5.29.30, certificate: 1)",
                           extensions=CA_EXTENSIONS + [extension("2.5.29.30", value, critical)])
    yield case("nc-anchor", constrained, "RFC 5937 3.2, refused in the App Attest profile",
               "an anchor with nameConstraints, on no name of the leaf", None,
               "unsupportedConstraint(2.5.29.30, certificate: 2)",
               anchors=[ROOT.change(
                   extensions=[*ROOT.extensions, extension("2.5.29.30", sequence(subtree), True)])])
    policies = ["policies"]
    any_policy = oid("2.5.29.32.0")
    for identifier, comment, number, value, critical, error in [
        ("pc-critical-int", "critical policyConstraints", 36, sequence(implicit(0, b"\0")), True,
         "policyMissing(certificate: 0)"),
        ("pc-not-critical-int", "policyConstraints that are not critical", 36,
         sequence(implicit(1, b"\0")), False, None),
        ("pm-int", "policyMappings, and no policies", 33, sequence(sequence(oid("1.2.3"), oid("1.2.4"))), True, None),
        ("iap-int", "inhibitAnyPolicy, and no policies", 54, integer(0), True, None),
    ]:
        yield intermediate(identifier, policies, "RFC 5280 6.1.4 (b), (i), (j), refused in the App Attest profile",
                           comment, error, f"unsupportedConstraint(2.5.29.{number}, certificate: 1)",
                           extensions=CA_EXTENSIONS + [extension(f"2.5.29.{number}", value, critical)])
    qualified = sequence(sequence(any_policy, sequence(sequence(oid("1.2.3.4"), integer(0)))))
    yield intermediate("policy-qualifier-critical-int", policies, "RFC 5280 4.2.1.4",
                       "an unknown qualifier in a critical extension",
                       "unhandledCriticalExtension(2.5.29.32, certificate: 1)",
                       extensions=CA_EXTENSIONS + [extension("2.5.29.32", qualified, True)])


def chain_cases():
    anchors = ["anchor-confusion"]
    signature = "RFC 5280 6.1.3 (a)(1)"
    same_name = ROOT.change(key=OTHER_KEY, signer=OTHER_KEY)
    unsigned = "invalidSignature(certificate: 1)"
    yield case("chain-wrong-root", anchors, signature, "the anchor has the root's name and another key", unsigned,
               anchors=[same_name])
    forged = CA.change(signer=OTHER_KEY)
    yield case("chain-forged-intermediate", anchors, signature,
               "the intermediate is signed by a key that is not the root's", unsigned, intermediates=[forged])
    yield case("chain-root-tampered", anchors, signature,
               "the root comes along with another key, and its own signature", "invalidSignature(certificate: 2)",
               COUNT, intermediates=[forged, same_name], maximumSignatureChecks=4)
    yield case("chain-two-anchors", [], signature, "another anchor of the name comes first", None,
               anchors=[same_name, ROOT], maximumSignatureChecks=3)
    changed_point = CA_KEY.point[:-1] + bytes([CA_KEY.point[-1] ^ 1])
    yield intermediate("chain-intermediate-tampered", anchors, signature, "a bit of the intermediate's key was changed",
                       "invalidPublicKey(pointNotOnCurve)",
                       alter=lambda signed: signed.replace(CA_KEY.point, changed_point))
    dates = ["anchor-confusion"]
    yield intermediate("chain-expired-intermediate", dates, "RFC 5280 6.1.3 (a)(2)", "expired",
                       "expired(certificate: 1)", not_after=utc_time("260630235959Z"))
    yield intermediate("chain-future-intermediate", dates, "RFC 5280 6.1.3 (a)(2)", "not yet valid",
                       "notYetValid(certificate: 1)", not_before=utc_time("260701000001Z"))
    yield case("chain-expired-anchor", [], "RFC 5280 6.1.1, deviation", "dates of anchors are not checked", None,
               anchors=[ROOT.change(not_after=utc_time("210101000000Z"))])
    nobody = "issuerNotFound(certificate: 0)"
    yield case("chain-no-intermediate", anchors, "RFC 5280 6.1", "no intermediate", nobody, COUNT, intermediates=[])
    yield case("chain-swapped", anchors, "RFC 5280 6.1", "the intermediate in the leaf's place", None,
               "unexpectedCertificationAuthority", leaf=CA, intermediates=[LEAF])
    yield case("chain-leaf-is-anchor", anchors, "RFC 5280 6.1", "the leaf is the anchor's certificate",
               "repeatedCertificate(certificate: 1)", COUNT, leaf=ROOT, intermediates=[])

    # Search
    cycles, cost = ["cycles"], ["exponential-path"]
    search = "RFC 4158 2.4.2"

    def issuer(label, key, by, signer, *more):
        return CA.change(subject=name(label), key=key, issuer=name(by), signer=signer,
                         extensions=[basic_constraints(True), CA_USAGE, *more])

    x, y = Key("adversarial X"), Key("adversarial Y")
    below_x = LEAF.change(issuer=name("X"), signer=x)
    cycle = [issuer("X", x, "Y", y), issuer("Y", y, "X", x)]
    repeated_at_3 = "repeatedCertificate(certificate: 3)"
    yield case("chain-cycle", cycles, search, "two CAs that issued each other", repeated_at_3, COUNT, leaf=below_x,
               intermediates=cycle, maximumSignatureChecks=2)
    way_out = CA.change(subject=name("Y"), key=y, extensions=[basic_constraints(True), CA_USAGE])
    yield case("chain-cycle-way-out", cycles, search, "the same, and one of them is under the root too", None, COUNT,
               leaf=below_x, intermediates=[*cycle, way_out], maximumSignatureChecks=4)
    yield case("chain-self-signed-intermediate", cycles, search, "a CA that issued itself",
               "issuerNotFound(certificate: 1)", leaf=below_x,
               intermediates=[issuer("X", x, "X", x)], maximumSignatureChecks=1)

    renewed = UNKNOWN_ROOT.change(serial=b"\x02\x01\x09", not_after=utc_time("400315000000Z"))
    for label, comment, roots in [("", "a chain with its root, which is not trusted", [UNKNOWN_ROOT]),
                                  ("-twice", "the same, the root twice", [UNKNOWN_ROOT, UNKNOWN_ROOT]),
                                  ("-renewed", "the same, the root in two issues", [UNKNOWN_ROOT, renewed])]:
        yield case(f"chain-unknown-root{label}", anchors, "RFC 5280 6.1.3 (a)(4)", comment,
                   "issuerNotFound(certificate: 2)", COUNT, intermediates=[UNDER_UNKNOWN, *roots],
                   maximumSignatureChecks=1 + len(roots))
    mesh_keys = [Key(f"adversarial mesh {number}") for number in range(5)]
    mesh = [issuer(f"M{i}", mesh_keys[i], f"M{j}", mesh_keys[j]) for i in range(5) for j in range(5) if i != j]
    yield case("chain-mesh", cost, "CertificatePathVerifier.maximumSignatureChecks",
               "five CAs that issued one another: factorially many paths", "signatureCheckLimitReached", COUNT,
               leaf=LEAF.change(issuer=name("M0"), signer=mesh_keys[0]), intermediates=mesh, maximumSignatureChecks=100)
    # 1,000 certificates with the issuer's name, an untrusted key and different serial numbers.
    decoy = CA.change(key=OTHER_KEY, serial=b"\x02\x02\x10\x00", extensions=CA_EXTENSIONS[:1] + CA_EXTENSIONS[3:])
    encoded = decoy.encode()
    at = encoded.index(b"\x02\x02\x10\x00") + 2
    decoys = {"certificate": [repeated(encoded[:at], 1, 2, encoded[at + 2:], 4096)], "count": 1_000}
    yield case("chain-1000-intermediates", cost, "CertificatePathVerifier.maximumSignatureChecks",
               "1,000 certificates with the issuer's name and another key", "signatureCheckLimitReached", COUNT,
               intermediates=[], decoys=decoys, maximumSignatureChecks=100)
    yield case("chain-1000-intermediates-identified", cost, "RFC 5280 4.2.1.1: key identifiers order candidates",
               "the same, the issuer among them, and the leaf says which key", None, COUNT,
               leaf=LEAF.change(extensions=[*LEAF_EXTENSIONS, authority_key_identifier(CA_KEY)]), decoys=decoys,
               maximumSignatureChecks=2)
    keys = [Key(f"adversarial line {number}") for number in range(12)]
    line = [issuer("L0", keys[0], "Adversarial Root CA", ROOT_KEY)]
    line += [issuer(f"L{n}", keys[n], f"L{n - 1}", keys[n - 1]) for n in range(1, 12)]
    yield case("chain-line-12", cost, "CertificatePathVerifier.defaultMaximumPathLength", "12 intermediates in a line",
               "pathTooLong", COUNT, leaf=LEAF.change(issuer=name("L11"), signer=keys[11]),
               intermediates=line, maximumSignatureChecks=7)
    yield case("control-line-6", [], "CertificatePathVerifier.defaultMaximumPathLength",
               "6 intermediates in a line, in the wrong order", None, COUNT,
               leaf=LEAF.change(issuer=name("L5"), signer=keys[5]), intermediates=line[:6], maximumSignatureChecks=7)


def cases():
    yield from role_cases()
    yield from chain_cases()
