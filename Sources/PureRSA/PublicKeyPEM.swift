import PureBytes

// RFC 7468 §13: a SubjectPublicKeyInfo as a PEM block. Text around the block is skipped (§5.2).

#if !hasFeature(Embedded)
    extension RSA.Signing.PublicKey {
        /// Reads the only PEM block of `text`, which must have the label PUBLIC KEY; see ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(RSAError) {
            let der: [UInt8]
            do { der = try PEM.decode(text.utf8, label: .publicKey) } catch { throw .malformedPEM(error) }
            try self.init(derRepresentation: der)
        }

        /// ``derRepresentation`` as PEM with LF between lines and none after the last, as swift-crypto writes it.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }
#endif
