import PureDER
import PureX509

// Path requirements that App Attest chains do not have. `position` is the certificate's number in errors.
extension Certificate {
    /// Whether this certificate's authorityKeyIdentifier equals `issuer`'s subjectKeyIdentifier.
    func names(keyOf issuer: Certificate) -> Bool {
        guard let named = authorityKeyIdentifier?.keyIdentifier else { return false }
        return named == issuer.subjectKeyIdentifier
    }

    /// Checks `purpose`, if not `nil`, by RFC 5280 §4.2.1.12. An absent extension allows every purpose.
    func checkPurpose(_ purpose: ASN1ObjectIdentifier?, position: Int) throws(X509Error) {
        guard let purpose, let extendedKeyUsage else { return }
        guard extendedKeyUsage.allows(purpose) else { throw .extendedKeyUsageMissing(certificate: position) }
    }
}
