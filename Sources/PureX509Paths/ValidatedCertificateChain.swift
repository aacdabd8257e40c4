public import PureX509

/// A certification path that was validated: a collection of its certificates, from the leaf on. Only a verifier makes one: having
/// it is the proof.
public struct ValidatedCertificateChain: RandomAccessCollection, Sendable {
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

    /// 0, the leaf.
    public var startIndex: Int { 0 }

    /// How many certificates there are, the trust anchor not among them.
    public var endIndex: Int { certificates.count }

    /// The certificate at `position`: it was issued by the next.
    public subscript(position: Int) -> Certificate { certificates[position] }
}
