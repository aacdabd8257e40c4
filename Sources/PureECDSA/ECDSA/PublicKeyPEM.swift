import PureBytes

// Reads and writes a SubjectPublicKeyInfo as a PEM block (RFC 7468 §13). Skips text around the block (§5.2).

#if !hasFeature(Embedded)
    extension P256.Signing.PublicKey {
        /// Reads the only PEM block of `text`: label PUBLIC KEY, content as for ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(ECDSAError) {
            try self.init(derRepresentation: subjectPublicKeyInfo(ofPEM: text))
        }

        /// ``derRepresentation`` as PEM. As in CryptoKit, LF separates the lines, and the last line has no LF.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }

    extension P384.Signing.PublicKey {
        /// Reads the only PEM block of `text`: label PUBLIC KEY, content as for ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(ECDSAError) {
            try self.init(derRepresentation: subjectPublicKeyInfo(ofPEM: text))
        }

        /// ``derRepresentation`` as PEM. As in CryptoKit, LF separates the lines, and the last line has no LF.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }

    private func subjectPublicKeyInfo(ofPEM text: String) throws(ECDSAError) -> [UInt8] {
        do { return try PEM.decode(text.utf8, label: .publicKey) } catch { throw .malformedPEM(error) }
    }
#endif
