import PureBytes

// RFC 7468 §5: only PEM blocks with the label CERTIFICATE. Text around blocks is ignored (§5.2).

#if !hasFeature(Embedded)
    extension Certificate {
        /// Reads the only PEM block in `text`, labelled CERTIFICATE. See ``init(derEncoded:)-(Collection<UInt8>)``.
        public convenience init(pemEncoded text: String) throws(X509Error) {
            let encoded: [UInt8]
            do { encoded = try PEM.decode(text.utf8, label: .certificate) } catch { throw .malformedPEM(error) }
            try self.init(derEncoded: encoded[...])
        }

        /// The encoding as PEM, with LF line endings.
        public var pemEncoded: String { pemEncodedString(derEncoded, label: .certificate) }
    }

    extension Array where Element == Certificate {
        /// Reads the certificates of a PEM file, at least one, in order.
        ///
        /// Rejects blocks with other labels, because they may contain a private key or an unsupported certificate form.
        /// `PEM.decodeAll(_:label:)` of PureBytes returns all blocks.
        public init(pemEncoded text: some Collection<UInt8>) throws(X509Error) {
            let blocks: [PEM.Block]
            do { blocks = try PEM.decodeAll(text, label: .certificate) } catch { throw .malformedPEM(error) }
            self = try blocks.map { (block) throws(X509Error) in try Certificate(derEncoded: block.bytes[...]) }
        }

        /// Reads the certificates of PEM text, at least one, in order.
        public init(pemEncoded text: String) throws(X509Error) {
            try self.init(pemEncoded: text.utf8)
        }
    }
#endif
