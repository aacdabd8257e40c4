import PureBytes

// RFC 7468 §5: PEM blocks must have the label CERTIFICATE. Text outside the blocks is ignored (§5.2).

#if !hasFeature(Embedded)
    extension Certificate {
        /// Reads a certificate from `text`, which must contain exactly one PEM block, with the label CERTIFICATE.
        public convenience init(pemEncoded text: String) throws(X509Error) {
            let encoded: [UInt8]
            do { encoded = try PEM.decode(text.utf8, label: .certificate) } catch { throw .malformedPEM(error) }
            try self.init(derEncoded: encoded[...])
        }

        /// The encoding as PEM, with LF line endings.
        public var pemEncoded: String { pemEncodedString(derEncoded, label: .certificate) }
    }

    extension Array where Element == Certificate {
        /// Reads the certificates of a PEM file in order. The file must contain at least one certificate.
        ///
        /// Rejects blocks with other labels, because such a block may contain a private key or an unsupported kind of
        /// certificate. To read all blocks, use `PEM.decodeAll(_:label:)` of PureBytes.
        public init(pemEncoded text: some Collection<UInt8>) throws(X509Error) {
            let blocks: [PEM.Block]
            do { blocks = try PEM.decodeAll(text, label: .certificate) } catch { throw .malformedPEM(error) }
            self = try blocks.map { (block) throws(X509Error) in try Certificate(derEncoded: block.bytes[...]) }
        }

        /// Reads the certificates of a PEM text in order. The text must contain at least one certificate.
        public init(pemEncoded text: String) throws(X509Error) {
            try self.init(pemEncoded: text.utf8)
        }
    }
#endif
