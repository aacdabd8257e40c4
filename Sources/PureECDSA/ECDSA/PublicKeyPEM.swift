import PureBytes

// RFC 7468 §13: a SubjectPublicKeyInfo as a PEM block. Text around the block is skipped (§5.2).

#if !hasFeature(Embedded)
    extension P256.Signing.PublicKey {
        /// Reads the only PEM block of `text`, which must have the label PUBLIC KEY; see ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(ECDSAError) {
            try self.init(derRepresentation: subjectPublicKeyInfo(ofPEM: text))
        }

        /// ``derRepresentation`` as PEM with LF between lines and none after the last, as CryptoKit writes it.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }

    extension P384.Signing.PublicKey {
        /// Reads the only PEM block of `text`, which must have the label PUBLIC KEY; see ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(ECDSAError) {
            try self.init(derRepresentation: subjectPublicKeyInfo(ofPEM: text))
        }

        /// ``derRepresentation`` as PEM with LF between lines and none after the last, as CryptoKit writes it.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }

    private func subjectPublicKeyInfo(ofPEM text: String) throws(ECDSAError) -> [UInt8] {
        do { return try PEM.decode(text.utf8, label: .publicKey) } catch { throw .malformedPEM(error) }
    }
#endif
