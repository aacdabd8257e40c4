/// Why bytes were refused as CBOR (RFC 8949).
@nonexhaustive
public enum CBORError: Error, Hashable, Sendable {
    /// The input ends inside a data item (RFC 8949 §5.3.1, "too little data").
    case unexpectedEnd
    /// Bytes follow the data item (RFC 8949 §5.3.1, "too much data").
    case trailingBytes
    /// Additional information 28–30, or 31 where the major type has no indefinite length (RFC 8949 §3).
    case reservedAdditionalInformation(UInt8)
    /// An argument that a shorter head could carry (RFC 8949 §4.2.1), and the options do not allow it.
    case nonMinimalHead
    /// An indefinite length (RFC 8949 §3.2), and the options do not allow it.
    case indefiniteLength
    /// A "break" outside an indefinite-length item, or between a key and its value (RFC 8949 §3.2.1).
    case unexpectedBreak
    /// A chunk that is not a definite-length string of the major type it is a chunk of (RFC 8949 §3.2.3).
    case invalidChunk
    /// A simple value below 32 in the two-byte form (RFC 8949 §3.3).
    case invalidSimpleValue(UInt8)
    /// A text string, or a chunk of one, that is not UTF-8 (RFC 8949 §5.3.1, RFC 3629 §4).
    case invalidUTF8
    /// Two keys of one map are the same value (RFC 8949 §5.6).
    case duplicateMapKey
    /// Arrays, maps and tags are nested deeper than ``CBORLimits/maximumDepth``.
    case depthLimitExceeded
    /// There are more data items than ``CBORLimits/maximumItems``.
    case itemLimitExceeded
    /// The input is longer than ``CBORLimits/maximumSize``.
    case sizeLimitExceeded
}
