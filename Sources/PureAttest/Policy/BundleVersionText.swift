#if !hasFeature(Embedded)
    extension BundleVersion: CustomDebugStringConvertible {
        /// The number of bytes shown, as for the digits of an object identifier.
        private static var shownSize: Int { 40 }

        /// The version as errors and logs show it: up to 40 bytes, quoted, with everything but printable ASCII escaped.
        /// A longer version is followed by its length.
        ///
        /// The app on the device chooses the text, which can contain line breaks and terminal codes.
        public var debugDescription: String {
            let shown = String(decoding: utf8.prefix(Self.shownSize), as: UTF8.self)
                .unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
            return utf8.count <= Self.shownSize ? "\"\(shown)\"" : "\"\(shown)\"... (\(utf8.count) bytes)"
        }
    }
#endif
