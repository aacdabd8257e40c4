package import PureDER
package import PureX509

// Rules for App Attest certificates beyond RFC 5280. Errors identify a certificate by its `position` in the chain.
extension Certificate {
    /// Checks that the key of a leaf or receipt signer may sign data for App Attest.
    ///
    /// - RFC 5280 §4.2.1.3: keyUsage must be present. All genuine certificates contain this extension.
    /// - RFC 5280 §4.2.1.12: a critical extKeyUsage must name App Attest. anyExtendedKeyUsage is not enough, because an
    ///   application may require a particular purpose. Leaves since February 2026 have a noncritical extKeyUsage.
    ///   Receipt signers have no extKeyUsage.
    func checkSignsForAppAttest(position: Int) throws(X509Error) {
        try checkSignsData(requiresKeyUsage: true, position: position)
        guard let extendedKeyUsage, `extension`(.extendedKeyUsage)?.isCritical == true else { return }
        guard extendedKeyUsage.purposes.contains(.appAttest) else {
            throw .extendedKeyUsageMissing(certificate: position)
        }
    }

    var isForReceipts: Bool { `extension`(.receiptSigning) != nil }
}

extension FixedChainVerifier {
    package func verify(
        _ leaf: Certificate, issuedBy intermediate: Certificate, at time: UnixTime
    ) throws(X509Error) {
        try verify(leaf, issuedBy: intermediate, at: time) { (leaf) throws(X509Error) in
            try leaf.checkSignsForAppAttest(position: 0)
        }
    }

    /// Verifies the chain of a receipt signer. The issuer must be one of `certificates`.
    package func verify(signer: Certificate, among certificates: [Certificate], at time: UnixTime) throws(X509Error) {
        var refusal = X509Error.issuerNotFound(certificate: 0)
        for candidate in certificates where candidate.subject == signer.issuer {
            do { return try verify(signer, issuedBy: candidate, at: time) } catch { refusal = error }
        }
        throw refusal
    }
}
