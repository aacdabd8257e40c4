/// An app's bundle version as the system reports it.
public struct BundleVersion: Hashable, Sendable {
    /// The text's UTF-8 bytes.
    public let utf8: [UInt8]

    /// Creates a version from the UTF-8 bytes of its text.
    public init(utf8: some Collection<UInt8>) { self.utf8 = [UInt8](utf8) }

    /// Whether this version is `minimum` or later.
    ///
    /// Versions are numbers separated by dots, as Apple defines `CFBundleVersion`. The numbers are compared in order,
    /// and missing numbers are 0. If either version does not have this form, the result is `false`.
    public func isAtLeast(_ minimum: BundleVersion) -> Bool {
        guard let own = components, let other = minimum.components else { return false }
        for index in 0..<max(own.count, other.count) {
            let left = index < own.count ? own[index] : []
            let right = index < other.count ? other[index] : []
            // Without leading zeros, the number with more digits is larger. Comparing digits as text avoids overflow.
            if left.count != right.count { return left.count > right.count }
            for (left, right) in zip(left, right) where left != right { return left > right }
        }
        return true
    }

    /// The digits of each number without leading zeros, or `nil` if the text is not numbers separated by dots.
    private var components: [ArraySlice<UInt8>]? {
        let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(digits.contains) }) else { return nil }
        return parts.map { $0.drop { $0 == UInt8(ascii: "0") } }
    }
}

#if !hasFeature(Embedded)
    extension BundleVersion: CustomStringConvertible, CustomDebugStringConvertible, ExpressibleByStringLiteral {
        /// The version as text.
        public var description: String { String(decoding: utf8, as: UTF8.self) }

        /// Creates a version from its text.
        public init(stringLiteral text: String) { self.init(utf8: text.utf8) }

        private static var shownSize: Int { 40 }

        /// The version for errors and logs: at most its first 40 bytes, in quotation marks. A longer version is
        /// followed by its length. The text escapes everything except printable ASCII, because the app chooses the
        /// version and may insert line breaks and terminal codes.
        public var debugDescription: String {
            let shown = String(decoding: utf8.prefix(Self.shownSize), as: UTF8.self)
                .unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return utf8.count <= Self.shownSize ? "\"\(shown)\"" : "\"\(shown)\"... (\(utf8.count) bytes)"
        }
    }
#endif
