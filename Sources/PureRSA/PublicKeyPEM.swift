import PureBytes

// Reads and writes a SubjectPublicKeyInfo as a PEM block (RFC 7468 §13). Skips text around the block (§5.2).

#if !hasFeature(Embedded)
    extension RSA.Signing.PublicKey {
        /// Reads the only PEM block of `text`: label PUBLIC KEY, content as for ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(RSAError) {
            let der: [UInt8]
            do { der = try PEM.decode(text.utf8, label: .publicKey) } catch { throw .malformedPEM(error) }
            try self.init(derRepresentation: der)
        }

        /// ``derRepresentation`` as PEM. As in swift-crypto, LF separates the lines, and the last line has no LF.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }
#endif
