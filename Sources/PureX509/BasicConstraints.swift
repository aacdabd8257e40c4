import PureDER

/// basicConstraints (RFC 5280 §4.2.1.9): whether the subject issues certificates, and how long a path from it may be.
public struct BasicConstraints: Hashable, Sendable {
    /// The largest path length that is read, 255, as in BoringSSL (`ParsedBasicConstraints`). The RFC sets no limit; no path
    /// that `CertificatePathVerifier` of PureX509Paths builds is as long.
    public static var maximumPathLength: Int64 { 255 }

    /// Whether the key may verify certificates.
    public let isCertificationAuthority: Bool

    /// How many intermediate certificates that are not self-issued may follow, 0 to 255; `nil` for any number. It means
    /// nothing unless ``isCertificationAuthority``; a CA must not write it then, but RFC 5280 §6.1 does not look at it.
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
