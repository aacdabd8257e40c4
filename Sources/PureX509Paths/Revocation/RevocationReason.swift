import PureDER
import PureX509

/// The reason for a revocation (RFC 5280 §5.3.1). The raw values are the numbers of CRLReason.
@nonexhaustive
public enum RevocationReason: UInt8, Hashable, Sendable {
    /// unspecified (0).
    case unspecified = 0
    /// keyCompromise (1).
    case keyCompromise = 1
    /// cACompromise (2).
    case cACompromise = 2
    /// affiliationChanged (3).
    case affiliationChanged = 3
    /// superseded (4).
    case superseded = 4
    /// cessationOfOperation (5).
    case cessationOfOperation = 5
    /// certificateHold (6): revoked until further notice.
    case certificateHold = 6
    /// removeFromCRL (8): for delta lists, which this module does not use. In a full list, the entry counts as revoked.
    case removeFromCRL = 8
    /// privilegeWithdrawn (9).
    case privilegeWithdrawn = 9
    /// aACompromise (10).
    case aACompromise = 10

    /// Reads a CRLReason, which must be the only element in `reader` (§5.3.1).
    init(_ reader: FieldReader) throws(X509Error) {
        var reader = reader
        let number = try reader.readInt64(.enumerated)
        try reader.finish()
        guard let code = UInt8(exactly: number), let reason = RevocationReason(rawValue: code) else {
            throw .invalidValue(reader.field)
        }
        self = reason
    }
}

/// ReasonFlags (RFC 5280 §4.2.1.13). Bit `n` of the BIT STRING becomes bit `n` of the raw value.
struct ReasonFlags: OptionSet {
    let rawValue: UInt16

    /// All reasons: bits 1 to 8. Bit 0 is unused.
    static var all: ReasonFlags { ReasonFlags(rawValue: 0b1_1111_1110) }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reads a BIT STRING. At least one of the nine defined bits must be set, and no other bit may be set.
    init(_ reader: inout FieldReader, _ number: UInt32) throws(X509Error) {
        rawValue = try reader.readNamedBits(.contextPrimitive(number))
    }
}
