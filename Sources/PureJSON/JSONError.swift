/// The reason why bytes were rejected as JSON (RFC 8259). Offsets are in bytes from the start of the text.
@nonexhaustive
public enum JSONError: Error, Hashable, Sendable {
    /// The text violates the grammar at this offset.
    case malformed(offset: Int)
    /// The text is not UTF-8 (RFC 8259 §8.1).
    case invalidUTF8
    /// The string before this offset has an escape that is half of a surrogate pair (RFC 7493 §2.1).
    case unpairedSurrogate(offset: Int)
    /// The object that ends before this offset has two members of the same name (RFC 7493 §2.3).
    case duplicateName(offset: Int)
    /// Arrays and objects nest deeper than ``JSONLimits/maximumDepth``.
    case depthLimitExceeded
    /// The text has more values than ``JSONLimits/maximumValues``.
    case valueLimitExceeded
    /// The text is longer than ``JSONLimits/maximumSize``.
    case sizeLimitExceeded
}

#if !hasFeature(Embedded)
    extension JSONError: CustomStringConvertible {
        /// The reason in a sentence.
        public var description: String {
            switch self {
            case .malformed(let offset): "invalid JSON at byte \(offset)"
            case .invalidUTF8: "the JSON text is not UTF-8"
            case .unpairedSurrogate(let offset): "the JSON string before byte \(offset) has half of a surrogate pair"
            case .duplicateName(let offset): "the JSON object before byte \(offset) has two members of one name"
            case .depthLimitExceeded: "the JSON text nests too deeply"
            case .valueLimitExceeded: "the JSON text has too many values"
            case .sizeLimitExceeded: "the JSON text is too large"
            }
        }
    }
#endif
