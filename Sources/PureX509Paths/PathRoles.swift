import PureDER
import PureX509

// What a path asks of a certificate, and App Attest's chains don't. `position` is its number in errors.
extension Certificate {
    /// Whether this certificate's authorityKeyIdentifier is `issuer`'s subjectKeyIdentifier.
    func names(keyOf issuer: Certificate) -> Bool {
        guard let named = authorityKeyIdentifier?.keyIdentifier else { return false }
        return named == issuer.subjectKeyIdentifier
    }

    /// RFC 5280 §4.2.1.12, if a purpose is asked for. An absent extension allows all.
    func checkPurpose(_ purpose: ASN1ObjectIdentifier?, position: Int) throws(X509Error) {
        guard let purpose, let extendedKeyUsage else { return }
        guard extendedKeyUsage.allows(purpose) else { throw .extendedKeyUsageMissing(certificate: position) }
    }
}
