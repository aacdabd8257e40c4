import PureBytes

// RFC 7468 §5: certificates as blocks of PEM with the label CERTIFICATE, and no other label in the text. What is around blocks is
// passed over (§5.2).

#if !hasFeature(Embedded)
    extension Certificate {
        /// From the one block of PEM in `text`, CERTIFICATE: see ``init(derEncoded:)-(Collection<UInt8>)``.
        public convenience init(pemEncoded text: String) throws(X509Error) {
            let encoded: [UInt8]
            do { encoded = try PEM.decode(text.utf8, label: .certificate) } catch { throw .malformedPEM(error) }
            try self.init(derEncoded: encoded[...])
        }

        /// The encoding as PEM, lines ended by LF.
        public var pemEncoded: String { pemEncodedString(derEncoded, label: .certificate) }
    }

    extension Array where Element == Certificate {
        /// The certificates of a file of PEM, one or more, in their order. A block with another label is refused: it may be
        /// someone's private key, or a certificate in a form that is not read here. `PEM.decodeAll(_:label:)` of PureBytes gives all blocks.
        public init(pemEncoded text: some Collection<UInt8>) throws(X509Error) {
            let blocks: [PEM.Block]
            do { blocks = try PEM.decodeAll(text, label: .certificate) } catch { throw .malformedPEM(error) }
            self = try blocks.map { (block) throws(X509Error) in try Certificate(derEncoded: block.bytes[...]) }
        }

        /// The same of text.
        public init(pemEncoded text: String) throws(X509Error) {
            try self.init(pemEncoded: text.utf8)
        }
    }
#endif
