import PureDER
import PureX509

// Path requirements that do not apply to App Attest chains. `position` is the number of the certificate in errors.
extension Certificate {
    /// Whether the authorityKeyIdentifier of this certificate equals the subjectKeyIdentifier of `issuer`.
    func names(keyOf issuer: Certificate) -> Bool {
        guard let named = authorityKeyIdentifier?.keyIdentifier else { return false }
        return named == issuer.subjectKeyIdentifier
    }

    /// Checks that extKeyUsage allows `purpose`, unless `purpose` is `nil` (RFC 5280 §4.2.1.12). An absent extension
    /// allows every purpose.
    func checkPurpose(_ purpose: ASN1ObjectIdentifier?, position: Int) throws(X509Error) {
        guard let purpose, let extendedKeyUsage else { return }
        guard extendedKeyUsage.allows(purpose) else { throw .extendedKeyUsageMissing(certificate: position) }
    }
}
