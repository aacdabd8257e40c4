import PureBytes

// RFC 7468 §13: a SubjectPublicKeyInfo as a block of PEM with the label PUBLIC KEY. There is one block in the text, and what is
// around it is passed over (§5.2).

#if !hasFeature(Embedded)
    extension RSA.Signing.PublicKey {
        /// From the one block of PEM in `text`, PUBLIC KEY: see ``init(derRepresentation:)``.
        public init(pemRepresentation text: String) throws(RSAError) {
            let der: [UInt8]
            do { der = try PEM.decode(text.utf8, label: .publicKey) } catch { throw .malformedPEM(error) }
            try self.init(derRepresentation: der)
        }

        /// ``derRepresentation`` as PEM: lines separated by LF, and none after the last, as swift-crypto writes it.
        public var pemRepresentation: String {
            PureBytes.pemRepresentation(of: derRepresentation, label: .publicKey)
        }
    }
#endif
