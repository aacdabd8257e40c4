#if !hasFeature(Embedded)
    extension BundleVersion: CustomDebugStringConvertible {
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
