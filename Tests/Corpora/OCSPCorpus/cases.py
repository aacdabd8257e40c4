"""Yields responses that satisfy or violate each rule of RFC 6960 that the verifier checks."""

from responses import (
    DELEGATE, DELEGATE_KEY, DELEGATED, DIRECT, FIRST, FROM, GOOD, ISSUER, ISSUER_KEY, LAST, LEAF_OF_OTHER, NULL, OCSP_SIGNING, OTHER,
    OTHER_KEY, REVOKED_SECONDS, SERIAL, STRANGER, UNKNOWN, CA_USAGE, ECDSA_WITH, LEAF_USAGE, Key, basic_constraints, bits,
    by_key, by_name, case, certificate, certificate_id, context, extension, failure, implicit, integer, octets, oid, purposes, revoked,
    sequence, single, time, tlv, utc_time,
)
from chains import dns, key_usage, name_constraints  # noqa: E402

LENIENT = "does not require DER everywhere"
SKIPS = "does not check this input"
NONCE = extension("1.3.6.1.5.5.7.48.1.2", octets(b"nonce"))
UNKNOWN_CRITICAL = extension("1.3.6.1.4.1.55738.666.5", NULL, True)


def statuses():
    rule = "RFC 6960 §4.2.1, §2.2"
    yield case("good", rule, DIRECT)
    yield case("unknown", rule, DIRECT.change(singles=(single(UNKNOWN),)), "unknownCertificate")
    yield case("revoked", rule, DIRECT.change(singles=(single(revoked()),)), f"revoked({REVOKED_SECONDS}, unspecified)")
    reasons = ["unspecified", "keyCompromise", "cACompromise", "affiliationChanged", "superseded", "cessationOfOperation",
               "certificateHold", None, "removeFromCRL", "privilegeWithdrawn", "aACompromise"]
    for number, name in enumerate(reasons):
        error = f"revoked({REVOKED_SECONDS}, {name})" if name else "certificate(invalidValue)"
        yield case(f"revoked-reason-{number}", rule, DIRECT.change(singles=(single(revoked(number)),)), error)
    yield case("revoked-delegated", rule, DELEGATED.change(singles=(single(revoked(1)),)), f"revoked({REVOKED_SECONDS}, keyCompromise)")
    for number, name in [(1, "malformedRequest"), (2, "internalError"), (3, "tryLater"), (5, "signatureRequired"), (6, "unauthorized")]:
        yield case(f"failure-{number}", rule, failure(number), f"unsuccessful({name})")
    yield case("failure-4", rule, failure(4), "certificate(invalidValue)")
    yield case("failure-7", rule, failure(7), "certificate(invalidValue)")
    yield case("failure-with-bytes", rule, DIRECT.change(status=tlv(0x0A, b"\x03")), "certificate(malformed)")
    yield case("success-without-bytes", rule, failure(0), "certificate(malformed)")
    yield case("other-type", rule, DIRECT.change(kind=oid("1.3.6.1.5.5.7.48.1.99")), "unsupportedResponseType")


def identifiers():
    rule = "RFC 6960 §4.1.1, §3.2 item 1"
    for name in ["sha1", "sha256", "sha384", "sha512"]:
        yield case(f"id-{name}", rule, DIRECT.change(singles=(single(identifier=certificate_id(hash_name=name)),)))
        yield case(f"id-{name}-no-parameters", rule,
                   DIRECT.change(singles=(single(identifier=certificate_id(hash_name=name, parameters=b"")),)))
    missing = {
        "sha224": certificate_id(hash_name="sha224"),
        "parameters": certificate_id(parameters=integer(1)),
        "other-issuer": certificate_id(OTHER),
        "other-name": certificate_id(name=OTHER.subject),
        "other-key": certificate_id(key=OTHER_KEY.point),
        "whole-key-info": certificate_id(key=ISSUER_KEY.info()),
        "other-serial": certificate_id(serial=SERIAL + 1),
        "negative-serial": certificate_id(serial=-SERIAL),
    }
    for name, identifier in missing.items():
        lenient = {"sha224": "knows SHA-224", "parameters": "ignores parameters"}.get(name)
        yield case(f"id-{name}", rule, DIRECT.change(singles=(single(identifier=identifier),)), "statusMissing", openssl=lenient)
    yield case("id-none", rule, DIRECT.change(singles=()), "statusMissing")
    yield case("issuer-of-same-serial", rule, DIRECT, "issuerMismatch", certificate=LEAF_OF_OTHER)
    yield case("response-of-other-issuer", rule, DIRECT, "responderNotFound", certificate=LEAF_OF_OTHER, issuer=OTHER)
    other = single(revoked(), certificate_id(serial=1))
    yield case("among-others", rule, DIRECT.change(singles=(other, single(), other)))
    yield case("good-and-revoked", rule, DIRECT.change(singles=(single(), single(revoked()))), f"revoked({REVOKED_SECONDS}, unspecified)",
               openssl="reads only the first")
    yield case("sha256-and-sha1", rule, DIRECT.change(singles=(single(identifier=certificate_id(hash_name="sha256")), single())))
    yield case("statuses-64", "OCSPResponse.maximumStatusCount", DIRECT.change(singles=(other,) * 63 + (single(),)))
    yield case("statuses-65", "OCSPResponse.maximumStatusCount", DIRECT.change(singles=(other,) * 64 + (single(),)), "tooManyStatuses",
               openssl=SKIPS)


def responders():
    rule = "RFC 6960 §4.2.2.2, §4.2.1 ResponderID"
    yield case("direct-by-name", rule, DIRECT.change(responder=by_name(ISSUER)))
    yield case("direct-with-no-certificates", rule, DIRECT.change(certificates=[]))
    yield case("direct-with-issuer", rule, DIRECT.change(certificates=[ISSUER]))
    yield case("delegated-by-name", rule, DELEGATED)
    yield case("delegated-by-key", rule, DELEGATED.change(responder=by_key(DELEGATE)))
    for name in ["sha384", "sha512"]:
        yield case(f"signed-with-{name}", rule, DELEGATED.change(hash_name=name))
    yield case("delegated-beside-issuer", rule, DELEGATED.change(certificates=[ISSUER, DELEGATE]))
    other_key = DELEGATE.change(key=STRANGER)
    for label, listed in [("first", [other_key, DELEGATE]), ("last", [DELEGATE, other_key])]:
        yield case(f"two-delegates-{label}", rule, DELEGATED.change(certificates=listed),
                   openssl="tries only the first of the name" if label == "first" else None)
    namesake = DELEGATE.change(subject=ISSUER.subject)
    yield case("delegate-of-issuers-name", rule, DELEGATED.change(responder=by_name(ISSUER), certificates=[namesake]),
               openssl="tries only the issuer for its name")
    yield case("not-named", rule, DELEGATED.change(responder=by_name(OTHER)), "responderNotFound")
    yield case("key-not-named", rule, DELEGATED.change(responder=by_key(OTHER)), "responderNotFound")
    yield case("delegate-not-included", rule, DELEGATED.change(certificates=None), "responderNotFound")
    yield case("empty-name", rule, DIRECT.change(responder=context(1, sequence())), "responderNotFound")
    yield case("signed-by-stranger", rule, DIRECT.change(signer=STRANGER), "invalidSignature")
    yield case("signed-by-other-issuer", rule, DIRECT.change(signer=OTHER_KEY), "invalidSignature")
    yield case("delegated-signed-by-stranger", rule, DELEGATED.change(signer=STRANGER), "invalidSignature")
    yield case("delegated-signed-by-issuer", rule, DELEGATED.change(signer=ISSUER_KEY), "invalidSignature")
    yield case("status-changed", rule, DIRECT.change(singles=(single(UNKNOWN),), alter=lambda signed: signed.replace(UNKNOWN, GOOD)),
               "invalidSignature")
    yield case("signed-with-sha1", rule, DIRECT.change(hash_name="sha1"), "unsupportedSignatureAlgorithm", openssl="accepts SHA-1")
    yield case("certificates-8", "OCSPResponse.maximumCertificateCount", DELEGATED.change(certificates=[ISSUER] * 7 + [DELEGATE]))
    yield case("certificates-9", "OCSPResponse.maximumCertificateCount", DELEGATED.change(certificates=[ISSUER] * 8 + [DELEGATE]),
               "tooManyCertificates", openssl=SKIPS)


def delegates():
    rule = "RFC 6960 §4.2.2.2"

    def made(*extensions, **fields):
        return DELEGATE.change(extensions=list(extensions), **fields)

    signing = purposes(OCSP_SIGNING)
    accepted = {
        "no-usage": made(signing), "several-purposes": made(LEAF_USAGE, purposes("1.3.6.1.5.5.7.3.1", OCSP_SIGNING)),
        "critical-purpose": made(LEAF_USAGE, purposes(OCSP_SIGNING, critical=True)),
        "not-authority": made(LEAF_USAGE, signing, extension("2.5.29.19", sequence(), True)),
        "p384": made(LEAF_USAGE, signing, key=Key("ocsp delegate", "secp384r1")),
    }
    for label, delegate in accepted.items():
        yield case(f"delegate-{label}", rule, DELEGATED.change(signer=delegate.key, certificates=[delegate]))
    middle = certificate("Middle CA", STRANGER, "OCSP CA", ISSUER_KEY, basic_constraints(True), CA_USAGE, serial=8)
    rejected = {
        "without-purpose": (made(LEAF_USAGE), "extendedKeyUsageMissing", None),
        "any-purpose": (made(LEAF_USAGE, purposes("2.5.29.37.0")), "extendedKeyUsageMissing", None),
        "other-purpose": (made(LEAF_USAGE, purposes("1.3.6.1.5.5.7.3.1")), "extendedKeyUsageMissing", None),
        "authority": (made(basic_constraints(True), key_usage(bits(b"\x86", 1)), signing), "unexpectedCertificationAuthority",
                      "accepts CAs as delegates"),
        "key-signs-lists-only": (made(key_usage(bits(b"\x02", 1)), signing), "digitalSignatureMissing", "ignores keyUsage"),
        "expired": (DELEGATE.change(not_after=utc_time("260630235959Z")), "expired", None),
        "not-yet-valid": (DELEGATE.change(not_before=utc_time("260701000001Z")), "notYetValid", None),
        "of-other-issuer": (DELEGATE.change(issuer=OTHER.subject, signer=OTHER_KEY), "issuerNotFound", None),
        "of-issuers-namesake": (DELEGATE.change(signer=OTHER_KEY), "invalidSignature", None),
        "unknown-critical": (made(LEAF_USAGE, signing, UNKNOWN_CRITICAL), "unhandledCriticalExtension", None),
        "constrained": (made(LEAF_USAGE, signing, name_constraints([dns("example.com")])), "unsupportedConstraint",
                        "accepts constraints in a leaf"),
        "version-1": (DELEGATE.change(version=b"", extensions=None), "extendedKeyUsageMissing", None),
        "signed-with-sha1": (DELEGATE.change(hash_name="sha1"), "unsupportedSignatureAlgorithm", "accepts SHA-1"),
        "other-curve": (DELEGATE.change(info=DELEGATE_KEY.info(parameters=oid("1.3.132.0.10"))), "unsupportedPublicKey", None),
    }
    for label, (delegate, error, openssl) in rejected.items():
        yield case(f"delegate-{label}", rule, DELEGATED.change(certificates=[delegate]), f"delegate({error})", openssl=openssl)
    indirect = DELEGATE.change(issuer=middle.subject, signer=STRANGER)
    yield case("delegate-of-delegate", rule, DELEGATED.change(certificates=[indirect, middle]), "delegate(issuerNotFound)")


def times():
    rule = "RFC 6960 §3.2 items 5 and 6, §4.2.2.1"
    for label, at, skew, error in [
        ("first", FIRST, 0, None), ("before-first", FIRST - 1, 0, "notYetValid"), ("skew-before-first", FIRST - 60, 60, None),
        ("beyond-skew-before-first", FIRST - 61, 60, "notYetValid"), ("last", LAST, 0, None), ("after-last", LAST + 1, 0, "expired"),
        ("skew-after-last", LAST + 60, 60, None), ("beyond-skew-after-last", LAST + 61, 60, "expired"),
    ]:
        # Uses only a direct response, because a delegate's certificate would expire too.
        yield case(f"time-{label}", rule, DIRECT, error, at=at, skew=skew, openssl="")
    yield case("next-update-missing", "RFC 5019 §4", DIRECT.change(singles=(single(next_update=None),)), "nextUpdateMissing", openssl="does not require nextUpdate")
    yield case("stale", rule, DIRECT.change(singles=(single(next_update=time("20250102000000Z")),)), "expired")
    yield case("stale-and-revoked", rule, DIRECT.change(singles=(single(revoked(), next_update=time("20250102000000Z")),)), "expired")
    yield case("future", rule, DIRECT.change(singles=(single(this_update=time("20490101000000Z")),)), "notYetValid")


def extensions():
    rule = "RFC 6960 §4.4"
    yield case("nonce", rule, DIRECT.change(extensions=(NONCE,)))
    yield case("single-extension", rule, DIRECT.change(singles=(single(extensions=(NONCE,)),)))
    yield case("critical", rule, DIRECT.change(extensions=(NONCE, UNKNOWN_CRITICAL)), "unhandledCriticalExtension", openssl="ignores criticality")
    yield case("single-critical", rule, DIRECT.change(singles=(single(extensions=(UNKNOWN_CRITICAL,)),)), "unhandledCriticalExtension",
               openssl="ignores criticality")
    others = single(revoked(), certificate_id(serial=1), extensions=(UNKNOWN_CRITICAL,))
    yield case("critical-of-another", rule, DIRECT.change(singles=(others, single())))
    yield case("extension-twice", rule, DIRECT.change(extensions=(NONCE, NONCE)), "certificate(duplicateExtension)", openssl=LENIENT)
    yield case("extensions-empty", rule, DIRECT.change(extension_list=sequence()), "certificate(emptyList)", openssl=LENIENT)


def encodings():
    rule = "RFC 6960 §4.2.1, X.690"
    malformed = "certificate(malformed)"
    for part in ["data", "certificates", "basic", "octets", "bytes", "explicit", "outer"]:
        yield case(f"tail-{part}", rule, DELEGATED.change(tails={part: NULL}), malformed,
                   openssl=LENIENT if part == "octets" else None)
    yield case("tail-single", rule, DIRECT.change(singles=(single(tail=NULL),)), malformed)
    yield case("tail-revoked", rule, DIRECT.change(singles=(single(revoked(1, tail=NULL)),)), malformed)
    yield case("version-1", rule, DIRECT.change(version=context(0, integer(0))), "certificate(encodedDefault)", openssl=LENIENT)
    yield case("version-2", rule, DIRECT.change(version=context(0, integer(1))), "certificate(invalidValue)", openssl="ignores the version")
    yield case("produced-utc", rule, DIRECT.change(produced=FROM), malformed)
    yield case("this-update-utc", rule, DIRECT.change(singles=(single(this_update=FROM),)), malformed)
    yield case("next-update-utc", rule, DIRECT.change(singles=(single(next_update=utc_time("491231235959Z")),)), malformed)
    yield case("revoked-utc", rule, DIRECT.change(singles=(single(revoked(at=FROM)),)), malformed)
    yield case("fraction", rule, DIRECT.change(singles=(single(this_update=time("20250101000000.5Z")),)), malformed, openssl=LENIENT)
    yield case("key-hash-19", rule, DIRECT.change(responder=context(2, octets(bytes(19)))), "certificate(invalidValue)")
    yield case("responder-3", rule, DIRECT.change(responder=context(3, octets(bytes(20)))), malformed)
    yield case("responder-name-malformed", rule, DIRECT.change(responder=context(1, sequence(NULL))), malformed)
    yield case("good-with-content", rule, DIRECT.change(singles=(single(implicit(0, b"\0")),)), malformed)
    yield case("unknown-with-content", rule, DIRECT.change(singles=(single(implicit(2, b"\0")),)), malformed)
    yield case("status-3", rule, DIRECT.change(singles=(single(implicit(3, b"")),)), malformed)
    yield case("algorithm-parameters", rule, DIRECT.change(algorithm=sequence(ECDSA_WITH["sha256"], NULL)),
               "certificate(unexpectedAlgorithmParameters)", openssl=LENIENT)
    yield case("not-a-certificate", rule, DELEGATED.change(certificates=[DELEGATE, sequence()]), malformed)


def cases():
    for group in (statuses, identifiers, responders, delegates, times, extensions, encodings):
        yield from group()
