import PureDER
import PureX509

// Path requirements that do not apply to App Attest chains. Errors contain `position`.
extension Certificate {
    /// Whether the authorityKeyIdentifier of this certificate equals the subjectKeyIdentifier of `issuer`.
    func names(keyOf issuer: Certificate) -> Bool {
        guard let named = authorityKeyIdentifier?.keyIdentifier else { return false }
        return named == issuer.subjectKeyIdentifier
    }

    /// Checks that extKeyUsage allows `purpose` (RFC 5280 §4.2.1.12), if both are present.
    func checkPurpose(_ purpose: ASN1ObjectIdentifier?, position: Int) throws(X509Error) {
        guard let purpose, let extendedKeyUsage else { return }
        guard extendedKeyUsage.allows(purpose) else { throw .extendedKeyUsageMissing(certificate: position) }
    }
}
