import PureDER

/// basicConstraints (RFC 5280 §4.2.1.9): whether the subject is a CA, and how many intermediates may follow.
public struct BasicConstraints: Hashable, Sendable {
    /// The maximum path length: 255, as in BoringSSL (`ParsedBasicConstraints`). The RFC sets no limit. All paths that
    /// `CertificatePathVerifier` of PureX509Paths builds are shorter.
    public static var maximumPathLength: Int64 { 255 }

    /// Whether the subject is a CA, whose key may verify signatures of certificates.
    public let isCertificationAuthority: Bool

    /// The maximum number of intermediate certificates that may follow, not counting self-issued certificates: 0 to
    /// 255, or `nil` for no limit. The value has no meaning unless ``isCertificationAuthority`` is true. A certificate
    /// that is not a CA must omit this field, but RFC 5280 §6.1 does not check this.
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
