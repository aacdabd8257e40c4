import PureBytes
package import PureDER

/// A verifier for chains of fixed order: a leaf and one intermediate certificate, issued by one of the anchors.
///
/// It is stricter than RFC 5280's path validation: it does not search for paths, it rejects name and policy
/// constraints, and the leaf must not be a CA certificate. A ``Profile`` may add rules. It verifies two signatures, or
/// one if the intermediate was prepared.
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

    /// Rules for the certificates that issue others.
    package enum Profile: Sendable {
        /// RFC 5280 §6.1: keyUsage may be absent, and basicConstraints need not be critical.
        case rfc5280
        /// Additionally, the intermediate has a keyUsage, and basicConstraints of intermediate and anchor are critical.
        case strict
    }

    /// Verifies the chain of `leaf`. `checkLeaf` checks the permitted uses of the leaf's key.
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

    /// Returns the key of an intermediate, after checking that an anchor issued it. Does not check its dates.
    private func issuerKey(of intermediate: Certificate) throws(X509Error) -> IssuerKey {
        try intermediate.checkProfile(position: 1)
        try intermediate.checkIssues(requiresKeyUsage: profile == .strict, position: 1)
        try checkBasicConstraintsAreCritical(in: intermediate, position: 1)
        try intermediate.checkPathLength(following: 0, position: 1)
        guard let key = IssuerKey(intermediate.publicKey) else { throw .unsupportedPublicKey(certificate: 1) }
        try checkAnchor(of: intermediate)
        return key
    }

    /// Checks that an anchor issued `intermediate`, and that the anchor may issue certificates.
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

    /// RFC 5280 §4.2.1.9: CAs make basicConstraints critical. §6.1.4 (k) does not check that they are.
    private func checkBasicConstraintsAreCritical(in certificate: Certificate, position: Int) throws(X509Error) {
        guard profile == .rfc5280 || certificate.extension(.basicConstraints)?.isCritical == true else {
            throw .wrongCriticality(.basicConstraints, certificate: position)
        }
    }
}

extension FixedChainVerifier {
    /// Returns this verifier with `intermediate` prepared. This call checks the whole intermediate except its dates,
    /// and computes a table for its key. The table costs about as much as one signature verification.
    package func preparing(_ intermediate: Certificate) throws(X509Error) -> FixedChainVerifier {
        adding(PreparedIntermediate(certificate: intermediate, key: try issuerKey(of: intermediate).precomputed()))
    }

    /// Returns this verifier with an embedded `intermediate` prepared. `key` may contain an embedded table.
    ///
    /// This call does not verify the certificate's signature, because a test does. If the key type is unsupported
    /// (`nil`), it returns the verifier unchanged.
    package func preparing(embedded intermediate: Certificate, key: IssuerKey?) -> FixedChainVerifier {
        guard let key else { return self }
        return adding(PreparedIntermediate(certificate: intermediate, key: key))
    }

    /// Returns the prepared certificate with this encoding, to avoid parsing it again.
    package func preparedCertificate(_ derEncoded: ArraySlice<UInt8>) -> Certificate? {
        prepared(derEncoded)?.certificate
    }

    /// Returns the anchor's certificate with this encoding.
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

/// An intermediate certificate that an anchor is known to have issued, and its key, usually as a table.
///
/// If a chain contains exactly this certificate, its signature is not verified again. Its dates are checked each time.
struct PreparedIntermediate: Sendable {
    let certificate: Certificate
    let key: IssuerKey
}
