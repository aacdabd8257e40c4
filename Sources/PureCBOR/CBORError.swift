/// The reason why the decoder rejected its input (RFC 8949).
@nonexhaustive
public enum CBORError: Error, Hashable, Sendable {
    /// The input ends inside a data item (RFC 8949 §5.3.1, "too little data").
    case unexpectedEnd
    /// Bytes follow the data item (RFC 8949 §5.3.1, "too much data").
    case trailingBytes
    /// The additional information is 28 to 30, or is 31 in a major type that has no indefinite lengths (RFC 8949 §3).
    case reservedAdditionalInformation(UInt8)
    /// A head is longer than its argument needs (RFC 8949 §4.2.1), and the options do not allow such heads.
    case nonMinimalHead
    /// A length is indefinite (RFC 8949 §3.2), and the options do not allow indefinite lengths.
    case indefiniteLength
    /// A "break" occurs outside an indefinite-length item, or between a key and its value (RFC 8949 §3.2.1).
    case unexpectedBreak
    /// A chunk of an indefinite-length string has a different major type or no definite length (RFC 8949 §3.2.3).
    case invalidChunk
    /// A simple value below 32 is encoded in two bytes (RFC 8949 §3.3).
    case invalidSimpleValue(UInt8)
    /// A text string, or a chunk of a text string, is not valid UTF-8 (RFC 8949 §5.3.1, RFC 3629 §4).
    case invalidUTF8
    /// Two keys of the same map are equal (RFC 8949 §5.6).
    case duplicateMapKey
    /// Arrays, maps and tags nest deeper than ``CBORLimits/maximumDepth``.
    case depthLimitExceeded
    /// The input contains more than ``CBORLimits/maximumItems`` data items.
    case itemLimitExceeded
    /// The input is longer than ``CBORLimits/maximumSize`` bytes.
    case sizeLimitExceeded
}
