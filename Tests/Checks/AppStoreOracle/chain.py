"""Checks the certificates of App Store data.

Uses `cryptography` only to parse the certificates and to verify their signatures.
"""

from __future__ import annotations

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from strict_encodings import Rejected

LEAF_OID = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")
INTERMEDIATE_OID = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")
# Apple's CA keys are on P-384. The mock chains in Apple's libraries use P-256.
CA_CURVES = ("secp384r1", "secp256r1")
HASHES: dict[str, hashes.HashAlgorithm] = {
    "1.2.840.10045.4.3.2": hashes.SHA256(),
    "1.2.840.10045.4.3.3": hashes.SHA384(),
    "1.2.840.10045.4.3.4": hashes.SHA512(),
}
# The critical extensions that this file accepts. The file checks the contents of basicConstraints and keyUsage, and
# only the presence of Apple's two marker extensions.
KNOWN_CRITICAL = {
    "2.5.29.19", "2.5.29.15", LEAF_OID.dotted_string, INTERMEDIATE_OID.dotted_string}


def identity(certificate: x509.Certificate) -> tuple[bytes, bytes]:
    """Returns the subject and the public key, which together identify a trust anchor (RFC 5280 6.1.1 d)."""
    key = certificate.public_key()
    return (certificate.subject.public_bytes(),
            key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


def marks(certificate: x509.Certificate) -> set[str]:
    """Returns the object identifiers of the extensions."""
    return {item.oid.dotted_string for item in certificate.extensions}


def is_authority(certificate: x509.Certificate) -> bool:
    return any(isinstance(item.value, x509.BasicConstraints) and item.value.ca
               for item in certificate.extensions)


def check_signed_by(
        child: x509.Certificate, parent: x509.Certificate, name: str) -> None:
    """Checks that `parent` issued `child`: the issuer's name, the curve of the parent's key, and the signature."""
    if child.issuer.public_bytes() != parent.subject.public_bytes():
        raise Rejected(f"{name}-issuer-name")
    key = parent.public_key()
    if (not isinstance(key, ec.EllipticCurvePublicKey)
            or key.curve.name not in CA_CURVES):
        raise Rejected(f"{name}-issuer-key")
    digest = HASHES.get(child.signature_algorithm_oid.dotted_string)
    if digest is None:
        raise Rejected(f"{name}-signature-algorithm")
    try:
        key.verify(child.signature, child.tbs_certificate_bytes, ec.ECDSA(digest))
    except InvalidSignature:
        raise Rejected(f"{name}-certificate-signature") from None


def check_profile(certificate: x509.Certificate, is_leaf: bool) -> None:
    """Checks the version and, if present, keyUsage. Rejects unknown critical extensions."""
    name = "leaf" if is_leaf else "intermediate"
    if certificate.version != x509.Version.v3:
        raise Rejected(f"{name}-version")
    for item in certificate.extensions:
        if item.critical and item.oid.dotted_string not in KNOWN_CRITICAL:
            raise Rejected(f"{name}-critical-extension")
        if isinstance(item.value, x509.KeyUsage):
            usage = item.value
            if not (usage.digital_signature if is_leaf else usage.key_cert_sign):
                raise Rejected(f"{name}-key-usage")


def check_chain(ders: list[bytes], roots: list[bytes]) -> list[x509.Certificate]:
    """Performs every check that does not depend on the time. Returns the certificates."""
    try:
        chain = [x509.load_der_x509_certificate(der) for der in ders]
        leaf, intermediate, root = chain
        trusted = [identity(x509.load_der_x509_certificate(der)) for der in roots]
        if identity(root) not in trusted:
            raise Rejected("root-not-trusted")
        if LEAF_OID.dotted_string not in marks(leaf):
            raise Rejected("leaf-oid")
        if INTERMEDIATE_OID.dotted_string not in marks(intermediate):
            raise Rejected("intermediate-oid")
        if is_authority(leaf):
            raise Rejected("leaf-is-ca")
        if not is_authority(intermediate):
            raise Rejected("intermediate-not-ca")
        check_signed_by(intermediate, root, "intermediate")
        check_signed_by(leaf, intermediate, "leaf")
        check_profile(leaf, is_leaf=True)
        check_profile(intermediate, is_leaf=False)
        key = leaf.public_key()
        if (not isinstance(key, ec.EllipticCurvePublicKey)
                or key.curve.name != "secp256r1"):
            raise Rejected("leaf-key")
    except Rejected:
        raise
    except Exception:  # noqa: BLE001 - the X.509 parser raises many types of exceptions
        raise Rejected("certificate-malformed") from None
    return chain


def check_validity(chain: list[x509.Certificate], at: float) -> None:
    """Checks that the leaf and the intermediate are valid at the time `at` (seconds since 1970). Ignores the root's
    validity period, because the root is a trust anchor.
    """
    for name, certificate in zip(("leaf", "intermediate"), chain, strict=False):
        if at < int(certificate.not_valid_before_utc.timestamp()):
            raise Rejected(f"{name}-not-yet-valid")
        if at > int(certificate.not_valid_after_utc.timestamp()):
            raise Rejected(f"{name}-expired")
