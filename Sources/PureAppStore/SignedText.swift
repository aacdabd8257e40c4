import PureBytes

/// A text that the App Store signed, as UTF-8. Texts are compared as bytes.
public struct SignedText: Hashable, Sendable {
    /// The UTF-8 bytes of the text.
    public let utf8: ArraySlice<UInt8>

    init(_ utf8: ArraySlice<UInt8>) { self.utf8 = utf8 }

    /// The first 155 bytes, for errors. No bundle ID in App Store Connect is longer.
    var bounded: SignedText { SignedText(utf8.prefix(155)) }

    /// Whether the text consists of exactly these bytes.
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
