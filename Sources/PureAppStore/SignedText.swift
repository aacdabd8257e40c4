import PureBytes

/// A text that the App Store signed, as UTF-8. Comparison is by bytes.
public struct SignedText: Hashable, Sendable {
    /// The text's UTF-8.
    public let utf8: ArraySlice<UInt8>

    init(_ utf8: ArraySlice<UInt8>) { self.utf8 = utf8 }

    /// The first 155 bytes, for errors: the longest bundle ID that App Store Connect accepts.
    var bounded: SignedText { SignedText(utf8.prefix(155)) }

    /// Whether the text has exactly these bytes.
    public func isEqual(to text: StaticString) -> Bool {
        PureBytes.isEqual(utf8, text)
    }
}

#if !hasFeature(Embedded)
    extension SignedText: CustomStringConvertible {
        /// The text.
        public var description: String { String(decoding: utf8, as: UTF8.self) }
    }
#endif
