#if !hasFeature(Embedded)
    extension BundleVersion: CustomDebugStringConvertible {
        private static var shownSize: Int { 40 }

        /// The version for errors and logs: up to 40 bytes, quoted, with everything except printable ASCII escaped. The
        /// length follows a longer version. The app chooses the text, which can contain line breaks and terminal codes.
        public var debugDescription: String {
            let shown = String(decoding: utf8.prefix(Self.shownSize), as: UTF8.self)
                .unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return utf8.count <= Self.shownSize ? "\"\(shown)\"" : "\"\(shown)\"... (\(utf8.count) bytes)"
        }
    }
#endif
