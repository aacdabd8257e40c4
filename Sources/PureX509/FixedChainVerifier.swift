import PureBytes
package import PureDER

/// Verifies chains of fixed shape: a leaf, and one intermediate certificate issued by an anchor.
///
/// This verifier is stricter than path validation by RFC 5280. It does not search for paths, rejects name and policy
/// constraints, and rejects leaves that are CA certificates. A ``Profile`` may add rules. Verification checks two
/// signatures, or only the leaf's signature if the intermediate was prepared.
package struct FixedChainVerifier: Sendable {
    package let trustAnchors: [TrustAnchor]
    private let profile: Profile
    /// Intermediates that were verified in advance. See ``preparing(_:)``.
    private(set) var preparedIntermediates: [PreparedIntermediate] = []

    /// Creates a verifier for chains to `trustAnchors`. A verifier without anchors rejects every chain.
    package init(trustAnchors: [TrustAnchor], profile: Profile = .strict) {
        self.trustAnchors = trustAnchors
        self.profile = profile
    }

    /// Rules for the intermediate and the anchor.
    package enum Profile: Sendable {
        /// As in RFC 5280 §6.1, keyUsage may be absent, and basicConstraints may be noncritical.
        case rfc5280
        /// The intermediate must also have a keyUsage. Both it and the anchor must have critical basicConstraints.
        case strict
    }

    /// Verifies the chain of `leaf`. `checkLeaf` checks that the leaf's key may be used for the caller's purpose.
    package func verify(
        _ leaf: Certificate, issuedBy intermediate: Certificate, at time: UnixTime,
        checkLeaf: (Certificate) throws(X509Error) -> Void
    ) throws(X509Error) {
        try leaf.checkProfile(position: 0)
        try leaf.checkValidity(at: time, position: 0)
        guard leaf.basicConstraints?.isCertificationAuthority != true else {
            throw .unexpectedCertificationAuthority
        }
        try checkLeaf(leaf)
        guard areEqual(leaf.issuer, intermediate.subject) else { throw .issuerNotFound(certificate: 0) }

        try intermediate.checkValidity(at: time, position: 1)
        let key: IssuerKey
        if let prepared = prepared(intermediate.derEncoded) {
            key = prepared.key
        } else {
            key = try issuerKey(of: intermediate)
        }
        try leaf.checkSignatureAlgorithm(position: 0)
        guard key.hasSigned(leaf) else { throw .invalidSignature(certificate: 0) }
    }

    /// Checks that an anchor issued the intermediate, and returns the intermediate's key. Does not check the dates.
    private func issuerKey(of intermediate: Certificate) throws(X509Error) -> IssuerKey {
        try intermediate.checkProfile(position: 1)
        try intermediate.checkIssues(requiresKeyUsage: profile == .strict, position: 1)
        try checkBasicConstraintsAreCritical(in: intermediate, position: 1)
        try intermediate.checkPathLength(following: 0, position: 1)
        guard let key = IssuerKey(intermediate.publicKey) else { throw .unsupportedPublicKey(certificate: 1) }
        try checkAnchor(of: intermediate)
        return key
    }

    /// Checks that an anchor issued `intermediate` and was allowed to issue it.
    private func checkAnchor(of intermediate: Certificate) throws(X509Error) {
        var isNameKnown = false
        for anchor in trustAnchors where anchor.name == intermediate.issuer {
            isNameKnown = true
            try intermediate.checkSignatureAlgorithm(position: 1)
            guard anchor.key.hasSigned(intermediate) else { continue }
            if let certificate = anchor.certificate {
                try certificate.checkProfile(position: 2)
                try checkBasicConstraintsAreCritical(in: certificate, position: 2)
                try certificate.checkPathLength(following: 1, position: 2)
            }
            return
        }
        throw isNameKnown ? .invalidSignature(certificate: 1) : .issuerNotFound(certificate: 1)
    }

    /// RFC 5280 §4.2.1.9 requires CAs to mark basicConstraints as critical, but §6.1.4 (k) does not check this.
    private func checkBasicConstraintsAreCritical(in certificate: Certificate, position: Int) throws(X509Error) {
        guard profile == .rfc5280 || certificate.extension(.basicConstraints)?.isCritical == true else {
            throw .wrongCriticality(.basicConstraints, certificate: position)
        }
    }
}

extension FixedChainVerifier {
    /// Returns a copy of this verifier with `intermediate` as a prepared intermediate. Checks it in advance, except for
    /// its validity period, and computes a table for its key. Computing the table takes about as long as one signature
    /// verification.
    package func preparing(_ intermediate: Certificate) throws(X509Error) -> FixedChainVerifier {
        adding(PreparedIntermediate(certificate: intermediate, key: try issuerKey(of: intermediate).precomputed()))
    }

    /// Returns a copy with a prepared intermediate that is compiled in. The table of `key` may also be compiled in.
    ///
    /// Does not verify the signature of the compiled-in certificate, because a test verifies this signature. If `key`
    /// is `nil` (unsupported type), the copy is unchanged.
    package func preparing(embedded intermediate: Certificate, key: IssuerKey?) -> FixedChainVerifier {
        guard let key else { return self }
        return adding(PreparedIntermediate(certificate: intermediate, key: key))
    }

    /// Returns the prepared certificate with this encoding, so that the caller need not parse the certificate again.
    package func preparedCertificate(_ derEncoded: ArraySlice<UInt8>) -> Certificate? {
        prepared(derEncoded)?.certificate
    }

    package func anchorCertificate(_ derEncoded: ArraySlice<UInt8>) -> Certificate? {
        for anchor in trustAnchors {
            if let certificate = anchor.certificate, areEqual(certificate.derEncoded, derEncoded) { return certificate }
        }
        return nil
    }

    private func prepared(_ derEncoded: ArraySlice<UInt8>) -> PreparedIntermediate? {
        preparedIntermediates.first { areEqual($0.certificate.derEncoded, derEncoded) }
    }

    private func adding(_ prepared: PreparedIntermediate) -> FixedChainVerifier {
        var verifier = self
        verifier.preparedIntermediates.append(prepared)
        return verifier
    }
}

/// An intermediate certificate that is known to be issued by an anchor, together with its key. The key usually has a
/// precomputed table.
///
/// For exactly this certificate, the verifier does not repeat the signature check. It still checks the validity period.
struct PreparedIntermediate: Sendable {
    let certificate: Certificate
    let key: IssuerKey
}
