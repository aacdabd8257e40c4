"""Yields chains with several paths, including dead ends (BetterTLS' structure), self-issued certificates and path lengths."""

from chains import (
    CA_USAGE, LEAF_USAGE, P1, ROOT, ROOT_KEY, ROOT_NAME, Certificate, Key, Link, alternative_names, basic_constraints, ca, case, chain,
    common, constraints, crl, dns, entry, extension, integer, name_constraints, policies, purposes, self_issued, utc_time,
)

RULE = "RFC 5280 §6.1: a path, if there is one; RFC 4158"
ONE_WAY = "does not look for another way up"
COUNTED = "counts self-issued certificates"


def authority(name, key, issuer, signer, *extensions, serial=2, **fields):
    return Certificate(common(name) if isinstance(name, str) else name, key, common(issuer) if isinstance(issuer, str) else issuer, signer,
                       serial=integer(serial), extensions=[basic_constraints(True), CA_USAGE, *extensions]).change(**fields)


def end(issuer, signer, *extensions):
    return Certificate(common("EE"), Key("path end"), common(issuer), signer, serial=integer(99), extensions=[LEAF_USAGE, *extensions])


def alternatives():
    """Yields a leaf whose CA has one valid and one unusable certificate, in both orders."""
    key, other = Key("path A"), Key("path B")
    good = authority("A", key, ROOT_NAME, ROOT_KEY, serial=20)
    leaf = end("A", key, alternative_names(dns("www.example.com")))
    bad = {
        "expired": good.change(not_after=utc_time("260601000000Z")),
        "not-yet": good.change(not_before=utc_time("260801000000Z"), not_after=utc_time("300101000000Z")),
        "badly-signed": good.change(signer=other),
        "of-no-anchor": good.change(issuer=common("Nobody"), signer=other),
        "no-authority": good.change(extensions=[LEAF_USAGE]),
        "may-not-sign": good.change(extensions=[basic_constraints(True), LEAF_USAGE]),
        "other-key": Certificate(common("A"), other, ROOT_NAME, ROOT_KEY, serial=integer(21), extensions=[basic_constraints(True), CA_USAGE]),
        "constrained": good.change(serial=integer(22), extensions=[basic_constraints(True), CA_USAGE, name_constraints([dns("example.org")])]),
        "explicit-policy": good.change(serial=integer(23), extensions=[basic_constraints(True), CA_USAGE, constraints(explicit=0)]),
        "unknown-critical": good.change(serial=integer(24), extensions=[
            basic_constraints(True), CA_USAGE, extension("1.3.6.1.4.1.55738.666.5", b"\x05\0", True)]),
        "self-signed": good.change(issuer=common("A"), signer=key, serial=integer(25)),
    }
    for label, certificate in bad.items():
        for order, listed in [("first", [certificate, good]), ("last", [good, certificate])]:
            yield case(f"building-{label}-{order}", RULE, f"another certificate of the issuer's name: {label.replace('-', ' ')}",
                       [ROOT, *listed, leaf], None, openssl=ONE_WAY if order == "first" and label not in ("expired", "not-yet") else None)
    # Only one of the CA's two certificates allows the required purpose or policy.
    server, client = (good.change(serial=integer(25 + n), extensions=[basic_constraints(True), CA_USAGE, purposes(f"1.3.6.1.5.5.7.3.{n}")])
                      for n in (1, 2))
    yield case("building-purpose", RULE, "a certificate for clients beside one for servers", [ROOT, client, server, leaf], None,
               extended_key_usage=["serverAuth"], openssl="")
    with_policy = good.change(serial=integer(28), extensions=[basic_constraints(True), CA_USAGE, policies(P1)])
    leaf_policy = end("A", key, policies(P1))
    yield case("building-policy", RULE, "a certificate without policies beside one with", [ROOT, good, with_policy, leaf_policy], None,
               initial_explicit_policy=True, openssl=ONE_WAY)
    lists = [crl(ROOT_NAME, ROOT_KEY, entry(integer(20))), crl(common("A"), key)]
    yield case("building-revoked", RULE, "one of two certificates is revoked", [ROOT, good, with_policy, leaf_policy], None, crls=lists,
               openssl=ONE_WAY)
    yield case("building-both-revoked", RULE, "both are", [ROOT, good, with_policy, leaf_policy], "revoked(certificate: 1, unspecified)",
               crls=[crl(ROOT_NAME, ROOT_KEY, entry(integer(20)), entry(integer(28))), lists[1]])


def graphs():
    a, b, c, d = (Key(f"path {n}") for n in "ABCD")
    leaf = end("A", a)
    # A and B certify each other. Only in the second case does the root also certify B.
    cross = [authority("A", a, "B", b), authority("B", b, "A", a)]
    yield case("building-loop", RULE, "two CAs that certify each other, and no anchor", [ROOT, *cross, leaf], "repeatedCertificate(certificate: 3)")
    yield case("building-loop-and-root", RULE, "two CAs that certify each other, one of them the root's", [ROOT, *cross, authority("B", b, ROOT_NAME, ROOT_KEY), leaf],
               None, openssl=ONE_WAY)
    yield case("building-root-along", RULE, "the root is among the intermediates", [ROOT, authority("A", a, ROOT_NAME, ROOT_KEY), ROOT, leaf], None)
    # The intermediates include an older root with the same name and a different key.
    old = authority(ROOT_NAME, d, ROOT_NAME, d)
    yield case("building-other-root-along", RULE, "an untrusted root of the same name", [ROOT, old, authority("A", a, ROOT_NAME, ROOT_KEY), leaf], None)
    # A certificate for the root's new key, signed with the trusted old key.
    new = authority(ROOT_NAME, d, ROOT_NAME, ROOT_KEY)
    yield case("building-root-rolled-over", RULE, "the root's new key, certified by the trusted one", [ROOT, new, authority("A", a, ROOT_NAME, d), leaf],
               None, openssl=ONE_WAY)
    # Each CA certifies every other CA, and the root certifies only D.
    names, keys = "ABCD", [a, b, c, d]
    mesh = [authority(names[i], keys[i], names[j], keys[j], serial=10 * i + j + 2) for i in range(4) for j in range(4) if i != j]
    yield case("building-mesh", RULE, "four CAs that certify each other, the last one the root's",
               [ROOT, *mesh, authority("D", d, ROOT_NAME, ROOT_KEY, serial=90), leaf], None, openssl=ONE_WAY)
    # Only the bridge CA connects A and C.
    bridge = [authority("A", a, "Bridge", b), authority("Bridge", b, "A", a), authority("Bridge", b, "C", c), authority("C", c, "Bridge", b),
              authority("C", c, ROOT_NAME, ROOT_KEY), authority("A", a, "A", a)]
    yield case("building-bridge", RULE, "through a bridge to another root", [ROOT, *bridge, leaf], None, openssl=ONE_WAY)
    several = [authority("A", Key(f"path key {n}"), ROOT_NAME, ROOT_KEY, serial=30 + n) for n in range(20)]
    yield case("building-keys-of-one-name", RULE, "twenty keys of one name, without key identifiers; the last has signed",
               [ROOT, *several, authority("A", a, ROOT_NAME, ROOT_KEY), leaf], None, openssl=ONE_WAY)
    # Names that differ only in case and spaces are equal, so these names must not cause an endless path.
    words = [authority(text, a, other, a) for text, other in [("A", "a"), ("a", " A"), (" A", "A ")]]
    yield case("building-loop-of-words", RULE, "a CA that certifies itself under other spellings of its name", [ROOT, *words, leaf],
               "issuerNotFound(certificate: 1)")
    yield case("building-words-and-root", RULE, "and under the root", [ROOT, *words, authority("A", a, ROOT_NAME, ROOT_KEY), leaf], None, openssl=ONE_WAY)


def lengths():
    rule = "RFC 5280 §6.1.4 (l), (m): path lengths, PKITS 4.6"
    leaf = Link(common("EE"), [])

    def limited(label, description, links, limits, error=None, **more):
        """Returns a case. `limits` maps certificate numbers (0 is the root) to path length constraints."""
        made = chain(*links)
        for number, limit in limits.items():
            made[number] = made[number].change(extensions=[basic_constraints(True, limit), CA_USAGE, *made[number].extensions[1 if number == len(made) - 1 else 2:]])
        return case(f"length-{label}", rule, description, made, error, **more)

    top = ca("CA")
    yield limited("0-self-issued", "a self-issued certificate does not count", [top, self_issued(), leaf], {1: 0}, cryptography=COUNTED)
    yield limited("0-self-issued-twice", "nor do two", [top, self_issued(), self_issued(), leaf], {1: 0}, cryptography=COUNTED)
    yield limited("0-self-issued-then", "what is below it does", [top, self_issued(), ca("Sub"), leaf], {1: 0}, "pathLengthExceeded(certificate: 3)")
    yield limited("1-self-issued-between", "one that counts and two that do not", [top, self_issued(), ca("Sub"), self_issued(), leaf], {1: 1}, cryptography=COUNTED)
    yield limited("1-self-issued-lowers", "a self-issued one lowers it", [top, self_issued(), ca("Sub"), leaf], {1: 1, 2: 0},
                  "pathLengthExceeded(certificate: 2)")
    yield limited("0-self-issued-raises-nothing", "and raises nothing", [top, self_issued(), ca("Sub"), leaf], {1: 0, 2: 9},
                  "pathLengthExceeded(certificate: 3)")
    yield limited("0-leaf-is-authority", "the last certificate never counts", [top, leaf], {1: 0, 2: None})
    yield limited("0-leaf-is-self-issued-authority", "self-issued or not", [top, self_issued()], {1: 0, 2: None})
    yield limited("0-name-in-other-words", "self-issued by §7.1, as names are compared", [top, ca("ca "), leaf], {1: 0},
                  cryptography="compares octets")


def cases():
    yield from alternatives()
    yield from graphs()
    yield from lengths()
