/// The reason why bytes were rejected as CBOR (RFC 8949).
@nonexhaustive
public enum CBORError: Error, Hashable, Sendable {
    /// The input ends inside a data item (RFC 8949 §5.3.1, "too little data").
    case unexpectedEnd
    /// Bytes follow the data item (RFC 8949 §5.3.1, "too much data").
    case trailingBytes
    /// The additional information is 28–30, or 31 in a major type without indefinite lengths (RFC 8949 §3).
    case reservedAdditionalInformation(UInt8)
    /// The argument fits into a shorter head (RFC 8949 §4.2.1), and the options do not allow longer heads.
    case nonMinimalHead
    /// A length is indefinite (RFC 8949 §3.2), and the options do not allow it.
    case indefiniteLength
    /// A "break" occurs outside an indefinite-length item, or between a key and its value (RFC 8949 §3.2.1).
    case unexpectedBreak
    /// A chunk is not a definite-length string of the enclosing string's major type (RFC 8949 §3.2.3).
    case invalidChunk
    /// A simple value below 32 has the two-byte form (RFC 8949 §3.3).
    case invalidSimpleValue(UInt8)
    /// A text string, or a chunk of one, is not UTF-8 (RFC 8949 §5.3.1, RFC 3629 §4).
    case invalidUTF8
    /// Two keys of a map are the same value (RFC 8949 §5.6).
    case duplicateMapKey
    /// Arrays, maps and tags nest deeper than ``CBORLimits/maximumDepth``.
    case depthLimitExceeded
    /// The input has more data items than ``CBORLimits/maximumItems``.
    case itemLimitExceeded
    /// The input is longer than ``CBORLimits/maximumSize``.
    case sizeLimitExceeded
}
