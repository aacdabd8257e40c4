import PureDER
import PureX509

// The rules for App Attest's certificates beyond RFC 5280. `position` is a certificate's number in errors.
extension Certificate {
    /// RFC 5280 §4.2.1.9: basicConstraints are critical in a CA certificate. Only the App Attest profile checks this.
    func checkBasicConstraintsAreCritical(position: Int) throws(X509Error) {
        guard `extension`(.basicConstraints)?.isCritical == true else {
            throw .wrongCriticality(.basicConstraints, certificate: position)
        }
    }

    /// Checks that the key of a leaf or receipt signer may sign data for App Attest.
    ///
    /// - RFC 5280 §4.2.1.3: a keyUsage is present and contains digitalSignature, as in all genuine certificates.
    /// - RFC 5280 §4.2.1.12: a critical extKeyUsage must name App Attest. anyExtendedKeyUsage is not enough, because an
    ///   application may require a particular purpose. Leaves since February 2026 have a noncritical extKeyUsage.
    ///   Signers of receipts have none.
    func checkSignsForAppAttest(position: Int) throws(X509Error) {
        guard let keyUsage, keyUsage.contains(.digitalSignature) else {
            throw .digitalSignatureMissing(certificate: position)
        }
        guard let extendedKeyUsage, `extension`(.extendedKeyUsage)?.isCritical == true else { return }
        guard extendedKeyUsage.purposes.contains(.appAttest) else {
            throw .extendedKeyUsageMissing(certificate: position)
        }
    }

    /// Whether the certificate has the extension that only Apple's signers of receipts have.
    var isForReceipts: Bool { `extension`(.receiptSigning) != nil }
}
