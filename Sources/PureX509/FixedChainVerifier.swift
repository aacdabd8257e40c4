import PureBytes
import PureDER
package import PureX509

/// A verifier for the chains of attestations and receipt signers: a leaf and one intermediate certificate, in this
/// order, under one of the anchors.
///
/// It is stricter than RFC 5280's path validation:
///
/// - It searches for no path, and no certificate constrains names or policies.
/// - The intermediate has a keyUsage. The intermediate and the anchor have critical basicConstraints.
/// - The leaf is not a CA certificate and may sign data.
///
/// It verifies two signatures, or one if the intermediate was prepared.
package struct AppAttestChainVerifier: Sendable {
    /// The anchors at which chains may end.
    package let trustAnchors: [TrustAnchor]
    /// See ``preparing(_:)``.
    private(set) var preparedIntermediates: [PreparedIntermediate] = []

    /// Creates a verifier for chains to `trustAnchors`. Without anchors it rejects every chain.
    package init(trustAnchors: [TrustAnchor]) {
        self.trustAnchors = trustAnchors
    }

    /// Verifies the chain of an attestation.
    package func verify(
        _ leaf: Certificate, issuedBy intermediate: Certificate, at time: UnixTime
    ) throws(X509Error) {
        try leaf.checkProfile(position: 0)
        try leaf.checkValidity(at: time, position: 0)
        guard leaf.basicConstraints?.isCertificationAuthority != true else {
            throw .unexpectedCertificationAuthority
        }
        try leaf.checkSignsForAppAttest(position: 0)
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

    /// Verifies the chain of a receipt's signer, whose intermediate is one of `certificates`.
    package func verify(signer: Certificate, among certificates: [Certificate], at time: UnixTime) throws(X509Error) {
        var refusal = X509Error.issuerNotFound(certificate: 0)
        for candidate in certificates where candidate.subject == signer.issuer {
            do { return try verify(signer, issuedBy: candidate, at: time) } catch { refusal = error }
        }
        throw refusal
    }

    /// Returns the key of an intermediate, after checking that an anchor issued it. Does not check dates.
    private func issuerKey(of intermediate: Certificate) throws(X509Error) -> IssuerKey {
        try intermediate.checkProfile(position: 1)
        try intermediate.checkIssues(requiresKeyUsage: true, position: 1)
        try intermediate.checkBasicConstraintsAreCritical(position: 1)
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
                try certificate.checkBasicConstraintsAreCritical(position: 2)
                try certificate.checkPathLength(following: 1, position: 2)
            }
            return
        }
        throw isNameKnown ? .invalidSignature(certificate: 1) : .issuerNotFound(certificate: 1)
    }
}

extension AppAttestChainVerifier {
    /// Returns this verifier with `intermediate` prepared. This call checks the whole intermediate except its dates,
    /// and computes a table of its key. The table costs about as much as a verification.
    package func preparing(_ intermediate: Certificate) throws(X509Error) -> AppAttestChainVerifier {
        adding(PreparedIntermediate(certificate: intermediate, key: try issuerKey(of: intermediate).precomputed()))
    }

    /// Returns this verifier with an embedded `intermediate` prepared, whose key may have an embedded table.
    ///
    /// This call does not verify the certificate's signature; a test does. If `key` is `nil`, its type is not
    /// supported, and the verifier is returned unchanged.
    package func preparing(embedded intermediate: Certificate, key: IssuerKey?) -> AppAttestChainVerifier {
        guard let key else { return self }
        return adding(PreparedIntermediate(certificate: intermediate, key: key))
    }

    /// Returns the prepared certificate with this encoding, which saves parsing it again.
    package func preparedCertificate(_ derEncoded: ArraySlice<UInt8>) -> Certificate? {
        prepared(derEncoded)?.certificate
    }

    private func prepared(_ derEncoded: ArraySlice<UInt8>) -> PreparedIntermediate? {
        preparedIntermediates.first { areEqual($0.certificate.derEncoded, derEncoded) }
    }

    private func adding(_ prepared: PreparedIntermediate) -> AppAttestChainVerifier {
        var verifier = self
        verifier.preparedIntermediates.append(prepared)
        return verifier
    }
}

/// An intermediate certificate that an anchor is known to have issued, and its key, usually as a table.
///
/// If a chain contains exactly this certificate, the certificate's own signature is not verified again. Its dates are
/// checked each time.
struct PreparedIntermediate: Sendable {
    let certificate: Certificate
    let key: IssuerKey
}
