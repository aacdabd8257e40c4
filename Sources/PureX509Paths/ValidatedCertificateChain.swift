public import PureX509

/// A validated certification path: a collection of its certificates, starting at the leaf. Only a verifier creates a
/// chain, so an instance proves the validation.
public struct ValidatedCertificateChain: RandomAccessCollection, Sendable {
    /// The certificates, starting at the leaf. The next one issued each, and ``trustAnchor`` issued the last.
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

    /// The certificate at `position`. The next certificate is its issuer.
    public subscript(position: Int) -> Certificate { certificates[position] }
}
