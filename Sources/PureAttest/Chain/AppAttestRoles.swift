import PureDER
import PureX509

// What App Attest's certificates are beyond RFC 5280. `position` is a certificate's number in errors.
extension Certificate {
    /// RFC 5280 §4.2.1.9: critical in a CA certificate. Asked in the App Attest profile only.
    func checkBasicConstraintsAreCritical(position: Int) throws(X509Error) {
        guard `extension`(.basicConstraints)?.isCritical == true else {
            throw .wrongCriticality(.basicConstraints, certificate: position)
        }
    }

    /// What a certificate of App Attest says whose key signs data: a leaf's, or a receipt signer's.
    ///
    /// RFC 5280 §4.2.1.3: digitalSignature, in a keyUsage that is there: all genuine ones have it. §4.2.1.12: an extKeyUsage that is
    /// critical names App Attest, which an application may require; anyExtendedKeyUsage does not name it. Leaves have one that
    /// is not critical, and since February 2026 only; signers of receipts have none.
    func checkSignsForAppAttest(position: Int) throws(X509Error) {
        guard let keyUsage, keyUsage.contains(.digitalSignature) else {
            throw .digitalSignatureMissing(certificate: position)
        }
        guard let extendedKeyUsage, `extension`(.extendedKeyUsage)?.isCritical == true else { return }
        guard extendedKeyUsage.purposes.contains(.appAttest) else {
            throw .extendedKeyUsageMissing(certificate: position)
        }
    }
}

extension ASN1ObjectIdentifier {
    /// App Attest, the purpose that Apple's leaves name: 1.2.840.113635.100.4.24.
    @inline(__always) fileprivate static var appAttest: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_04_18) }
}
