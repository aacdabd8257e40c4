import PureBytes

/// A CBOR data item (RFC 8949 §2).
///
/// Strings are slices of the decoded bytes, so a value keeps these bytes alive. Comparing and releasing a value are
/// recursive. For decoded values, the depth of this recursion is bounded, because they nest at most
/// ``CBORLimits/maximumDepth`` deep.
public enum CBORValue: Sendable {
    /// Major type 0.
    case unsignedInteger(UInt64)
    /// Major type 1: the value is −1 − n, down to −2⁶⁴.
    case negativeInteger(UInt64)
    /// Major type 2. The chunks of an indefinite-length string are joined.
    case byteString(ArraySlice<UInt8>)
    /// Major type 3: valid UTF-8, compared as bytes without normalisation.
    case textString(ArraySlice<UInt8>)
    /// Major type 4.
    case array([CBORValue])
    /// Major type 5.
    case map(CBORMap)
    /// Major type 6: a tag number and the tagged item. The decoder does not check that the tag allows this item.
    indirect case tagged(UInt64, CBORValue)
    /// Major type 7, simple values 0–23 and 32–255.
    case simple(UInt8)
    /// Major type 7: a half-, single- or double-precision number, as binary64 bits (IEEE 754). Keeps NaN payloads.
    case floatingPoint(bitPattern: UInt64)

    /// Simple value 20.
    public static let `false` = CBORValue.simple(20)
    /// Simple value 21.
    public static let `true` = CBORValue.simple(21)
    /// Simple value 22.
    public static let null = CBORValue.simple(22)
    /// Simple value 23.
    public static let undefined = CBORValue.simple(23)

    /// Decodes exactly one data item. Stores the slice without copying its bytes.
    ///
    /// - Throws: ``CBORError/trailingBytes`` if bytes follow the item, or any error of ``CBORReader``.
    public init(
        decoding bytes: ArraySlice<UInt8>, limits: CBORLimits = .default, options: CBORDecodingOptions = []
    ) throws(CBORError) {
        var reader = try CBORReader(bytes, limits: limits, options: options)
        self = try reader.readValue()
        try reader.finish()
    }

    /// Decodes exactly one data item from a copy of the bytes.
    ///
    /// - Throws: ``CBORError/sizeLimitExceeded`` before copying, or any error of the slice initialiser.
    public init(
        decoding bytes: some Collection<UInt8>, limits: CBORLimits = .default, options: CBORDecodingOptions = []
    ) throws(CBORError) {
        guard bytes.count <= limits.maximumSize else { throw .sizeLimitExceeded }
        try self.init(decoding: ArraySlice(Array(bytes)), limits: limits, options: options)
    }
}

extension CBORValue {
    /// The value of an unsigned integer (major type 0).
    public var unsignedInteger: UInt64? {
        if case .unsignedInteger(let value) = self { value } else { nil }
    }

    /// The value of an integer (major type 0 or 1), if the value fits into `Int64`.
    public var integer: Int64? {
        switch self {
        case .unsignedInteger(let value): Int64(exactly: value)
        // −1 − n is the bitwise complement of n.
        case .negativeInteger(let value): Int64(exactly: value).map { ~$0 }
        default: nil
        }
    }

    /// The bytes of a byte string. `nil` for all other items, including text strings.
    public var byteString: ArraySlice<UInt8>? {
        if case .byteString(let bytes) = self { bytes } else { nil }
    }

    /// The UTF-8 bytes of a text string.
    public var textString: ArraySlice<UInt8>? {
        if case .textString(let bytes) = self { bytes } else { nil }
    }

    /// The elements of an array.
    public var array: [CBORValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The map.
    public var map: CBORMap? {
        if case .map(let map) = self { map } else { nil }
    }

    /// The value of a floating-point number.
    public var floatingPoint: Double? {
        if case .floatingPoint(let bitPattern) = self { Double(bitPattern: bitPattern) } else { nil }
    }

    /// Returns whether this is a text string with the same bytes as `text`.
    public func isText(_ text: StaticString) -> Bool {
        guard case .textString(let textString) = self, textString.count == text.utf8CodeUnitCount else { return false }
        return isEqual(textString, text)
    }
}

extension CBORValue: Comparable {
    /// Returns whether two items are the same value of the generic data model (RFC 8949 §2).
    ///
    /// Ignores the lengths of heads and the order of map entries. `1` and `1.0` differ, and so do `0.0` and `-0.0`.
    public static func == (left: CBORValue, right: CBORValue) -> Bool { left.compare(to: right) == 0 }

    /// Orders items by the bytes of their deterministic encodings (RFC 8949 §4.2.1).
    ///
    /// However, floating-point numbers are ordered by their binary64 bits. For integers and strings, CTAP 2.1 §8
    /// requires the same order.
    public static func < (left: CBORValue, right: CBORValue) -> Bool { left.compare(to: right) < 0 }

    /// Returns a negative number if `self` is less than `other`, zero if both are equal, and a positive number
    /// otherwise. The time is linear in the size of the smaller item, because each map stores its sorted order.
    func compare(to other: CBORValue) -> Int {
        switch (self, other) {
        case (.unsignedInteger(let left), .unsignedInteger(let right)),
            (.negativeInteger(let left), .negativeInteger(let right)),
            (.floatingPoint(let left), .floatingPoint(let right)):
            return order(left, right)
        case (.simple(let left), .simple(let right)):
            return order(left, right)
        case (.byteString(let left), .byteString(let right)), (.textString(let left), .textString(let right)):
            guard left.count == right.count else { return order(left.count, right.count) }
            for (left, right) in zip(left, right) where left != right { return order(left, right) }
            return 0
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return order(left.count, right.count) }
            for (left, right) in zip(left, right) {
                let result = left.compare(to: right)
                if result != 0 { return result }
            }
            return 0
        case (.map(let left), .map(let right)):
            return left.compare(to: right)
        case (.tagged(let left, let leftContent), .tagged(let right, let rightContent)):
            guard left == right else { return order(left, right) }
            return leftContent.compare(to: rightContent)
        default:
            return order(rank, other.rank)
        }
    }

    /// Orders kinds by major type. Simple values precede floating-point numbers, whose first bytes are greater.
    private var rank: Int {
        switch self {
        case .unsignedInteger: 0
        case .negativeInteger: 1
        case .byteString: 2
        case .textString: 3
        case .array: 4
        case .map: 5
        case .tagged: 6
        case .simple: 7
        case .floatingPoint: 8
        }
    }
}

private func order<T: Comparable>(_ left: T, _ right: T) -> Int {
    left < right ? -1 : left == right ? 0 : 1
}

#if !hasFeature(Embedded)
    extension CBORValue {
        /// The text of a text string, for display. To compare, use ``textString``, because `String` treats canonically
        /// equivalent texts as equal.
        public var string: String? { textString.map { String(decoding: $0, as: UTF8.self) } }
    }
#endif
