"""Yields cases of certificate policies: the structure of PKITS §4.8 to §4.12, and failures of other implementations."""

from chains import (
    ANY, P1, P2, P3, P4, ROOT, UNREADABLE, Link, ca, case, chain, common, constraints, extension, inhibit_any, mappings, oid, policies,
    self_issued, sequence, tlv,
)

MISSING = "policyMissing(certificate: 0)"
EXPLICIT = {"initial_explicit_policy": True}


def given(*identifiers):
    return {"user_initial_policy_set": list(identifiers), "initial_explicit_policy": True}


def expects(*identifiers):
    return {"expected_user_constrained_policy_set": list(identifiers)}


def end(*extensions):
    return Link(common("EE"), list(extensions))


def run(label, rule, links, *runs, root=ROOT):
    """Yields cases that have the same chain. `runs` contains the name, expected error and inputs of each case."""
    certificates = chain(*links, root=root)
    for name, error, inputs in runs:
        yield case(f"policy-{label}-{name}", rule, label.replace("-", " "), certificates, error, **inputs)


def certificate_policies():
    rule = "RFC 5280 §6.1.3 (d) to (f), PKITS 4.8"
    one = policies(P1)
    yield from run("all-the-same", rule, [ca("CA", one), end(one)],
                   ("default", None, expects(P1)), ("explicit", None, EXPLICIT | expects(P1)),
                   ("p1", None, given(P1) | expects(P1)), ("p2", MISSING, given(P2)), ("p1-p2", None, given(P1, P2) | expects(P1)))
    yield from run("none", rule, [ca("CA"), end()], ("default", None, {}), ("explicit", "policyMissing(certificate: 1)", EXPLICIT))
    yield from run("none-in-leaf", rule, [ca("CA", one), end()], ("default", None, {}), ("explicit", MISSING, EXPLICIT))
    yield from run("none-in-ca", rule, [ca("CA"), end(one)], ("default", None, {}),
                   ("explicit", "policyMissing(certificate: 1)", EXPLICIT))
    yield from run("different", rule, [ca("CA", one), ca("Sub", policies(P2)), end(policies(P2))],
                   ("default", None, {}), ("explicit", "policyMissing(certificate: 1)", EXPLICIT),
                   ("p1-p2", "policyMissing(certificate: 1)", given(P1, P2)))
    yield from run("different-leaf", rule, [ca("CA", one), end(policies(P2))], ("default", None, {}), ("explicit", MISSING, EXPLICIT))
    yield from run("overlapping", rule, [ca("CA", policies(P1, P2)), ca("Sub", policies(P1, P2, P3)), end(policies(P2, P3))],
                   ("default", None, expects(P2)), ("p2", None, given(P2)), ("p1", MISSING, given(P1)), ("p3", MISSING, given(P3)))
    yield from run("two", rule, [ca("CA", policies(P1, P2)), end(policies(P1, P2))],
                   ("default", None, expects(P1, P2)), ("p1", None, given(P1) | expects(P1)), ("p2", None, given(P2)), ("p3", MISSING, given(P3)))
    yield from run("any", rule, [ca("CA", policies(ANY)), end(policies(ANY))],
                   ("default", None, expects(ANY)), ("p1", None, given(P1) | expects(P1)), ("p1-p2", None, given(P1, P2) | expects(P1, P2)),
                   ("inhibited", "policyMissing(certificate: 1)", EXPLICIT | {"initial_any_policy_inhibit": True}))
    yield from run("any-in-ca", rule, [ca("CA", policies(ANY)), end(one)],
                   ("default", None, expects(P1)), ("p1", None, given(P1)), ("p2", MISSING, given(P2)))
    yield from run("any-in-leaf", rule, [ca("CA", one), end(policies(ANY))],
                   ("default", None, expects(P1)), ("p1", None, given(P1)), ("p2", MISSING, given(P2)),
                   ("inhibited", MISSING, EXPLICIT | {"initial_any_policy_inhibit": True}))
    yield from run("any-and-one", rule, [ca("CA", policies(P1, ANY)), end(policies(P2))],
                   ("p1", MISSING, given(P1)), ("p2", None, given(P2) | expects(P2)))
    yield from run("any-and-one-leaf", rule, [ca("CA", policies(P1)), end(policies(P2, ANY))], ("p1", None, given(P1)), ("p2", MISSING, given(P2)))
    yield from run("any-between", rule, [ca("CA", one), ca("Sub", policies(ANY)), end(one)],
                   ("p1", None, given(P1)), ("p2", MISSING, given(P2)))
    qualifier = sequence(oid("1.3.6.1.5.5.7.2.1"), tlv(0x16, b"http://example.com/cps"))
    with_qualifier = extension("2.5.29.32", sequence(sequence(oid(P1), sequence(qualifier))), True)
    yield from run("qualifier", rule, [ca("CA", with_qualifier), end(with_qualifier)], ("explicit", None, EXPLICIT | expects(P1)))
    yield case("policy-twice", "RFC 5280 §4.2.1.4: not more than once", "a policy twice",
               chain(ca("CA", one), end(policies(P1, P2, P1))), "invalidValue(certificatePolicies)")


def require_explicit():
    rule = "RFC 5280 §6.1.4 (i)(1), §6.1.5 (a), (b), PKITS 4.9"
    for skip, error in [(10, None), (5, None), (4, "policyMissing(certificate: 0)"), (3, "policyMissing(certificate: 0)"), (2, "policyMissing(certificate: 1)"),
                        (1, "policyMissing(certificate: 2)"), (0, "policyMissing(certificate: 3)")]:
        # The chain has four certificates below the CA, and no policies.
        yield from run(f"require-{skip}", rule, [ca("CA", constraints(explicit=skip)), ca("A"), ca("B"), ca("C"), end()],
                       ("default", error, {}))
    one = policies(P1)
    yield from run("require-0-satisfied", rule, [ca("CA", one, constraints(explicit=0)), end(one)], ("default", None, expects(P1)))
    yield from run("require-lowered", rule, [ca("CA", one, constraints(explicit=7)), ca("A", one, constraints(explicit=2)),
                                             ca("B", one, constraints(explicit=4)), end()], ("default", MISSING, {}))
    yield from run("require-not-lowered", rule, [ca("CA", one, constraints(explicit=7)), ca("A", one, constraints(explicit=3)),
                                                 ca("B", one, constraints(explicit=4)), end()], ("default", None, {}))
    yield from run("require-self-issued", rule, [ca("CA", constraints(explicit=2)), self_issued(), end()], ("default", None, {}))
    yield from run("require-self-issued-then", rule, [ca("CA", constraints(explicit=2)), self_issued(), ca("A"), end()], ("default", MISSING, {}))
    # §6.1.5 (a) counts the last certificate, even if it is self-issued.
    yield from run("require-1-self-issued-leaf", rule, [ca("CA", constraints(explicit=1)), self_issued()],
                   ("default", MISSING, {"openssl": "does not count a self-issued leaf"}))
    yield from run("require-in-leaf", rule, [ca("CA"), end(constraints(explicit=0))], ("default", MISSING, {}))
    yield from run("require-in-leaf-satisfied", rule, [ca("CA", one), end(one, constraints(explicit=0))], ("default", None, {}))
    yield from run("require-later-in-leaf", rule, [ca("CA"), end(constraints(explicit=1))], ("default", None, {}))
    # "MUST be critical" is a requirement on CAs, which §6.1 does not check.
    yield from run("require-not-critical", "RFC 5280 §4.2.1.11, §6.1.4 (i)", [ca("CA", one, constraints(explicit=0, critical=False)), end()],
                   ("default", MISSING, {}))
    yield from run("require-empty", "RFC 5280 §4.2.1.11: not empty", [ca("CA", one, constraints()), end(one)],
                   ("default", UNREADABLE, {}))
    yield from run("require-negative", "RFC 5280 §4.2.1.11: SkipCerts", [ca("CA", one, constraints(explicit=-1)), end(one)],
                   ("default", UNREADABLE, {}))


def policy_mappings():
    rule = "RFC 5280 §6.1.4 (a), (b), PKITS 4.10"
    to_two = [ca("CA", policies(P1), mappings((P1, P2))), end(policies(P2))]
    yield from run("mapped", rule, to_two,
                   ("p1", None, given(P1) | expects(P1)), ("p2", MISSING, given(P2)), ("default", None, expects(P1)),
                   ("inhibited", MISSING, given(P1) | {"initial_policy_mapping_inhibit": True}))
    yield from run("mapped-away", rule, [ca("CA", policies(P1), mappings((P1, P2))), end(policies(P1))], ("explicit", MISSING, EXPLICIT))
    yield from run("mapped-twice", rule, [ca("CA", policies(P1), mappings((P1, P2))), ca("A", policies(P2), mappings((P2, P3))), end(policies(P3))],
                   ("p1", None, given(P1) | expects(P1)), ("p3", MISSING, given(P3)))
    yield from run("mapped-to-two", rule, [ca("CA", policies(P1), mappings((P1, P2), (P1, P3))), end(policies(P3))],
                   ("p1", None, given(P1)), ("explicit", None, EXPLICIT | expects(P1)))
    yield from run("two-mapped-to-one", rule, [ca("CA", policies(P1, P2), mappings((P1, P3), (P2, P3))), end(policies(P3))],
                   ("p1", None, given(P1) | expects(P1)), ("p2", None, given(P2)), ("default", None, expects(P1, P2)), ("p3", MISSING, given(P3)))
    yield from run("swapped", rule, [ca("CA", policies(P1, P2), mappings((P1, P2), (P2, P1))), end(policies(P1))],
                   ("p2", None, given(P2) | expects(P2)), ("p1", MISSING, given(P1)))
    yield from run("mapped-to-itself", rule, [ca("CA", policies(P1), mappings((P1, P1))), end(policies(P1))], ("p1", None, given(P1)))
    yield from run("mapped-beside-own", rule, [ca("CA", policies(P1, P2), mappings((P1, P2))), end(policies(P2))],
                   ("p1", None, given(P1)), ("p2", None, given(P2)), ("default", None, expects(P1, P2)))
    yield from run("mapped-not-asserted", rule, [ca("CA", policies(P1), mappings((P3, P2))), end(policies(P2))], ("explicit", MISSING, EXPLICIT))
    yield from run("mapped-from-any-policy-node", rule, [ca("CA", policies(ANY), mappings((P1, P2))), end(policies(P2))],
                   ("p1", None, given(P1) | expects(P1)), ("p2", MISSING, given(P2)), ("default", None, expects(P1)))
    yield from run("mapped-inherited-any", rule, [ca("CA", policies(P1), mappings((P1, P2))), ca("A", policies(ANY)), end(policies(P2))],
                   ("p1", None, given(P1)), ("p2", MISSING, given(P2)))
    yield from run("any-issuer", rule, [ca("CA", policies(ANY), mappings((ANY, P1))), end(policies(P1))],
                   ("default", "invalidValue(policyMappings)", {}))
    yield from run("any-subject", rule, [ca("CA", policies(P1), mappings((P1, ANY))), end(policies(P1))],
                   ("default", "invalidValue(policyMappings)", {}))
    yield from run("mappings-empty", "RFC 5280 §4.2.1.5", [ca("CA", policies(P1), mappings()), end(policies(P1))],
                   ("default", UNREADABLE, {}))
    yield from run("mapped-in-leaf", rule, [ca("CA", policies(P1)), end(policies(P1), mappings((P1, P2)))],
                   ("p1", None, given(P1) | expects(P1)))
    yield from run("mapped-in-leaf-inhibited", rule, [ca("CA", policies(P1)), end(policies(P1), mappings((P1, P2)))],
                   ("p1", None, given(P1) | {"initial_policy_mapping_inhibit": True, "openssl": "looks at the leaf's mappings"} | expects(P1)))
    yield from run("mapped-self-issued", rule, [ca("CA", policies(P1)), self_issued(policies(P1), mappings((P1, P2))), end(policies(P2))],
                   ("p1", None, given(P1)))


def inhibit_mapping():
    rule = "RFC 5280 §6.1.4 (h)(2), (i)(2), PKITS 4.11"
    steps = [ca("A", policies(P1), mappings((P1, P2))), ca("B", policies(P2), mappings((P2, P3))), end(policies(P3))]
    yield from run("inhibit-mapping-0", rule, [ca("CA", policies(P1), constraints(mapping=0)), *steps],
                   ("explicit", "policyMissing(certificate: 1)", EXPLICIT), ("default", None, {}))
    yield from run("inhibit-mapping-1", rule, [ca("CA", policies(P1), constraints(mapping=1)), *steps], ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-mapping-2", rule, [ca("CA", policies(P1), constraints(mapping=2)), *steps], ("explicit", None, EXPLICIT | expects(P1)))
    yield from run("inhibit-mapping-itself", rule, [ca("CA", policies(P1), constraints(mapping=0), mappings((P1, P2))), end(policies(P2))],
                   ("p1", None, given(P1)))
    yield from run("inhibit-mapping-lowered", rule, [ca("CA", policies(P1), constraints(mapping=5)), ca("X", policies(P1), constraints(mapping=1)),
                                                     *steps], ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-mapping-not-raised", rule, [ca("CA", policies(P1), constraints(mapping=0)), ca("X", policies(P1), constraints(mapping=5)),
                                                        *steps], ("explicit", "policyMissing(certificate: 1)", EXPLICIT))
    yield from run("inhibit-mapping-self-issued", rule, [ca("CA", policies(P1), constraints(mapping=1)), self_issued(policies(P1)),
                                                         ca("A", policies(P1), mappings((P1, P2))), end(policies(P2))],
                   ("explicit", None, EXPLICIT))
    yield from run("inhibit-mapping-others-stay", rule, [ca("CA", policies(P1, P4), constraints(mapping=0)),
                                                         ca("A", policies(P1, P4), mappings((P1, P2))), end(policies(P4, P2))],
                   ("p4", None, given(P4) | expects(P4)), ("p1", MISSING, given(P1)))


def inhibit_any_policy():
    rule = "RFC 5280 §6.1.4 (j), §6.1.3 (d)(2), PKITS 4.12"
    yield from run("inhibit-any-0", rule, [ca("CA", policies(P1), inhibit_any(0)), end(policies(ANY))],
                   ("default", None, {}), ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-any-0-one-too", rule, [ca("CA", policies(P1), inhibit_any(0)), end(policies(ANY, P1))], ("explicit", None, EXPLICIT))
    yield from run("inhibit-any-0-itself", rule, [ca("CA", policies(ANY), inhibit_any(0)), end(policies(P1))], ("p1", None, given(P1)))
    yield from run("inhibit-any-1", rule, [ca("CA", policies(P1), inhibit_any(1)), ca("A", policies(ANY)), end(policies(P1))],
                   ("explicit", None, EXPLICIT))
    yield from run("inhibit-any-1-far", rule, [ca("CA", policies(P1), inhibit_any(1)), ca("A", policies(ANY)), end(policies(ANY))],
                   ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-any-2-far", rule, [ca("CA", policies(P1), inhibit_any(2)), ca("A", policies(ANY)), end(policies(ANY))],
                   ("explicit", None, EXPLICIT | expects(P1)))
    yield from run("inhibit-any-lowered", rule, [ca("CA", policies(ANY), inhibit_any(5)), ca("A", policies(ANY), inhibit_any(0)), end(policies(ANY))],
                   ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-any-not-raised", rule, [ca("CA", policies(P1), inhibit_any(0)), ca("A", policies(P1), inhibit_any(5)), end(policies(ANY))],
                   ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-any-self-issued", rule, [ca("CA", policies(P1), inhibit_any(0)), self_issued(policies(ANY)), end(policies(P1))],
                   ("explicit", None, EXPLICIT))
    yield from run("inhibit-any-self-issued-does-not-count", rule, [ca("CA", policies(P1), inhibit_any(1)), self_issued(policies(ANY)),
                                                                    ca("A", policies(ANY)), end(policies(P1))], ("explicit", None, EXPLICIT))
    yield from run("inhibit-any-self-issued-leaf", rule, [ca("CA", policies(P1), inhibit_any(0)), self_issued(policies(ANY))],
                   ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-any-initially", rule, [ca("CA", policies(ANY)), end(policies(P1))],
                   ("explicit", "policyMissing(certificate: 1)", EXPLICIT | {"initial_any_policy_inhibit": True}),
                   ("default", None, {"initial_any_policy_inhibit": True}))
    yield from run("inhibit-any-not-critical", "RFC 5280 §4.2.1.14, §6.1.4 (j)",
                   [ca("CA", policies(P1), inhibit_any(0, critical=False)), end(policies(ANY))], ("explicit", MISSING, EXPLICIT))
    yield from run("inhibit-any-negative", "RFC 5280 §4.2.1.14", [ca("CA", policies(P1), inhibit_any(-1)), end(policies(P1))],
                   ("default", UNREADABLE, {}))


def anchor_cases():
    rule = "RFC 5937 §3.2"
    skipped = "does not look at a root's policies"

    def anchored(*extensions):
        return ROOT.change(extensions=[*ROOT.extensions, *extensions])

    yield from run("anchor", rule, [ca("CA", policies(P1, P2)), end(policies(P1, P2))],
                   ("default", None, expects(P1) | {"openssl": skipped}), ("p2", "policyMissing(certificate: 0)", given(P2) | {"openssl": skipped}),
                   root=anchored(policies(P1)))
    # initial-any-policy-inhibit applies only to the path's certificates, so anyPolicy in the anchor still allows every policy.
    yield from run("anchor-any", rule, [ca("CA", policies(P1)), end(policies(P1))],
                   ("inhibited", None, EXPLICIT | {"initial_any_policy_inhibit": True} | expects(P1)), root=anchored(policies(ANY)))
    yield from run("anchor-explicit", rule, [ca("CA"), end()], ("default", "policyMissing(certificate: 1)", {"openssl": skipped}),
                   root=anchored(constraints(explicit=0)))
    yield from run("anchor-inhibits-any", rule, [ca("CA", policies(ANY)), end(policies(P1))],
                   ("explicit", "policyMissing(certificate: 1)", EXPLICIT | {"openssl": skipped}), root=anchored(inhibit_any(0)))
    yield from run("anchor-maps", rule, [ca("CA", policies(P2)), end(policies(P2))],
                   ("p1", None, given(P1) | expects(P1) | {"openssl": skipped}), ("p2", MISSING, given(P2) | {"openssl": skipped}),
                   ("inhibited", "policyMissing(certificate: 1)",
                    EXPLICIT | {"initial_policy_mapping_inhibit": True, "openssl": skipped}),
                   root=anchored(policies(P1), mappings((P1, P2))))
    yield from run("anchor-inhibits-mapping", rule, [ca("CA", policies(P1), mappings((P1, P2))), end(policies(P2))],
                   ("explicit", MISSING, EXPLICIT | {"openssl": skipped}), root=anchored(constraints(mapping=0)))


def cost_cases():
    """Yields chains for which RFC 5280's policy tree grows exponentially, but RFC 9618's policy graph does not (CVE-2023-0464, CVE-2026-32281)."""
    rule = "RFC 9618 §2"
    two = mappings((P1, P1), (P1, P2), (P2, P1), (P2, P2))
    links = [ca(f"CA {n}", policies(P1, P2), two) for n in range(6)]
    yield from run("cost-exponential", rule, [*links, end(policies(P1, P2))], ("explicit", None, EXPLICIT | expects(P1, P2)))
    many = [f"1.2.3.{n}" for n in range(1, 2200)]
    wide = [ca(f"CA {n}", policies(*many), mappings(*((p, p) for p in many))) for n in range(6)]
    yield from run("cost-limit", "CertificatePathVerifier.maximumPolicyGraphSize", [*wide, end(policies(*many))],
                   ("explicit", "policyGraphLimitReached", EXPLICIT | {"openssl": "has another limit"}))
    few = many[:300]
    narrow = [ca(f"CA {n}", policies(*few), mappings(*((p, p) for p in few))) for n in range(6)]
    yield from run("cost-below-limit", "CertificatePathVerifier.maximumPolicyGraphSize", [*narrow, end(policies(*few))],
                   ("explicit", None, EXPLICIT | {"openssl": "has another limit"}))


def cases():
    yield from certificate_policies()
    yield from require_explicit()
    yield from policy_mappings()
    yield from inhibit_mapping()
    yield from inhibit_any_policy()
    yield from anchor_cases()
    yield from cost_cases()
