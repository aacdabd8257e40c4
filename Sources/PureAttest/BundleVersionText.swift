#if !hasFeature(Embedded)
    extension BundleVersion: CustomDebugStringConvertible {
        /// How many bytes of a version are shown; as many as of an object identifier are written in digits.
        private static var shownSize: Int { 40 }

        /// The version as errors and logs show it: up to 40 bytes of it, quoted, all but printable ASCII escaped, and the length
        /// if it is longer. The app on the device chooses the text, line breaks and terminal codes included.
        public var debugDescription: String {
            let shown = String(decoding: utf8.prefix(Self.shownSize), as: UTF8.self)
                .unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return utf8.count <= Self.shownSize ? "\"\(shown)\"" : "\"\(shown)\"... (\(utf8.count) bytes)"
        }
    }
#endif
