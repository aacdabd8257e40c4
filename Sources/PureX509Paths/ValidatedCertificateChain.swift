public import PureX509

/// A validated certification path, as a collection of certificates that starts at the leaf. Only a verifier can create
/// an instance, so every instance is a validated path.
public struct ValidatedCertificateChain: RandomAccessCollection, Sendable {
    /// The certificates, starting at the leaf. Each certificate was issued by the next certificate, and the last
    /// certificate was issued by ``trustAnchor``.
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
