public import PureX509

/// A validated certification path, as a collection that starts at the leaf. Only a verifier creates instances.
public struct ValidatedCertificateChain: RandomAccessCollection, Sendable {
    /// The certificates, leaf first. Each certificate was issued by the next one, and the last by ``trustAnchor``.
    public let certificates: [Certificate]
    /// The trust anchor at which the path ends.
    public let trustAnchor: TrustAnchor

    /// The validated certificate.
    public var leaf: Certificate { certificates[0] }

    init(_ certificates: [Certificate], _ trustAnchor: TrustAnchor) {
        self.certificates = certificates
        self.trustAnchor = trustAnchor
    }

    /// The leaf's position, 0.
    public var startIndex: Int { 0 }

    /// The number of certificates, excluding the trust anchor.
    public var endIndex: Int { certificates.count }

    /// The certificate at `position`, which was issued by the next certificate or by the trust anchor.
    public subscript(position: Int) -> Certificate { certificates[position] }
}
