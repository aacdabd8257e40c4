import PureDER

/// basicConstraints (RFC 5280 §4.2.1.9): whether the subject may issue certificates, and the longest path below it.
public struct BasicConstraints: Hashable, Sendable {
    /// The maximum path length: 255, as in BoringSSL (`ParsedBasicConstraints`). The RFC sets no limit.
    /// `CertificatePathVerifier` of PureX509Paths builds only shorter paths.
    public static var maximumPathLength: Int64 { 255 }

    /// Whether the key may verify other certificates' signatures.
    public let isCertificationAuthority: Bool

    /// The maximum number of intermediate certificates, without self-issued ones, that may follow: 0 to 255, or `nil`
    /// for no limit. Meaningless unless ``isCertificationAuthority``: others must omit it, which RFC 5280 §6.1 does not
    /// check.
    public let pathLength: Int?

    init(_ value: ArraySlice<UInt8>) throws(X509Error) {
        var reader = try FieldReader.entering(.sequence, of: value, .basicConstraints)
        isCertificationAuthority = try reader.readFlag()
        if reader.isAtEnd {
            pathLength = nil
        } else {
            let length = try reader.readInt64()
            try reader.finish()
            guard 0...Self.maximumPathLength ~= length else { throw .invalidValue(.basicConstraints) }
            pathLength = Int(truncatingIfNeeded: length)
        }
    }
}
