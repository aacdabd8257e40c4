/// A certification path that was validated. Only a verifier makes one: having it is the proof.
public struct ValidatedCertificateChain: Sendable {
    /// The certificates from the leaf on; each was issued by the next, and the last by ``trustAnchor``.
    public let certificates: [Certificate]
    /// Where the path ends.
    public let trustAnchor: TrustAnchor

    /// The certificate that was to be validated.
    public var leaf: Certificate { certificates[0] }

    init(_ certificates: [Certificate], _ trustAnchor: TrustAnchor) {
        self.certificates = certificates
        self.trustAnchor = trustAnchor
    }
}
