package import PureX509

/// A certificate in which a test may replace each part with a different encoding, well-formed or malformed.
package struct TestCertificate {
    /// Returns the `AlgorithmIdentifier` of ecdsa-with-SHA256, SHA384 or SHA512.
    package static func algorithm(_ hash: TestKey.Hash, parameters: [UInt8] = []) -> [UInt8] {
        let last: UInt8 =
            switch hash {
            case .sha256: 2
            case .sha384: 3
            case .sha512: 4
            }
        return DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, last), parameters)
    }

    package var version = DER.context(0, DER.integer(2))
    package var serial = DER.integer(1)
    package var hash = TestKey.Hash.sha256
    /// The inner field `signature`, or `nil` for the algorithm of `hash`.
    package var innerAlgorithm: [UInt8]?
    /// The outer field `signatureAlgorithm`, or `nil` for the algorithm of `hash`.
    package var outerAlgorithm: [UInt8]?
    package var issuer: [UInt8]
    package var validity = DER.sequence(DER.utcTime("200101000000Z"), DER.utcTime("300101000000Z"))
    package var subject: [UInt8]
    package var publicKeyInfo: [UInt8]
    package var uniqueIDs: [UInt8] = []
    /// The encoded extensions, or `nil` to omit the list.
    package var extensions: [[UInt8]]? = []
    /// Octets after the last field of the signed part.
    package var tail: [UInt8] = []
    package var outerTail: [UInt8] = []
    /// The encoded BIT STRING of the signature, or `nil` for a valid signature.
    package var signature: [UInt8]?
    package var signer: TestKey

    package init(_ subject: String, _ key: TestKey, issuer: String, signer: TestKey, extensions: [[UInt8]]? = []) {
        self.subject = DER.name(subject)
        self.issuer = DER.name(issuer)
        publicKeyInfo = key.subjectPublicKeyInfo
        self.signer = signer
        self.extensions = extensions
    }

    package var toBeSigned: [UInt8] {
        let list = extensions.map { $0.isEmpty ? [] : DER.context(3, DER.element(0x30, $0.flatMap { $0 })) } ?? []
        return DER.sequence(
            version, serial, innerAlgorithm ?? Self.algorithm(hash), issuer, validity, subject, publicKeyInfo,
            uniqueIDs, list,
            tail)
    }

    package var encoded: [UInt8] {
        let toBeSigned = toBeSigned
        return DER.sequence(
            toBeSigned, outerAlgorithm ?? Self.algorithm(hash),
            signature ?? DER.bits(signer.sign(toBeSigned, hash)), outerTail)
    }

    package func certificate() throws(X509Error) -> Certificate { try Certificate(derEncoded: encoded) }

    package func changing(_ change: (inout TestCertificate) -> Void) -> TestCertificate {
        var copy = self
        change(&copy)
        return copy
    }
}

package enum TestExtension {
    /// Returns an extension whose identifier is `id-ce` followed by `arc`. If the extension is not critical, the field
    /// `critical` is omitted.
    package static func standard(_ arc: UInt8, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        custom(DER.oid(0x55, 0x1D, arc), critical: critical, value)
    }

    package static func custom(_ identifier: [UInt8], critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        DER.sequence(identifier, critical ? DER.boolean(0xFF) : [], DER.octets(value))
    }

    package static func basicConstraints(ca: Bool, pathLength: UInt8? = nil, critical: Bool = true) -> [UInt8] {
        standard(
            0x13, critical: critical,
            DER.sequence(ca ? DER.boolean(0xFF) : [], pathLength.map { DER.integer($0) } ?? []))
    }

    /// keyCertSign and cRLSign.
    package static let certificateSigning = standard(0x0F, critical: true, DER.bits([0x06], unused: 1))
    package static let digitalSignature = standard(0x0F, critical: true, DER.bits([0x80], unused: 7))
    package static let authority = [basicConstraints(ca: true), certificateSigning]

    package static func subjectKeyIdentifier(_ value: [UInt8], critical: Bool = false) -> [UInt8] {
        standard(0x0E, critical: critical, DER.octets(value))
    }

    package static func authorityKeyIdentifier(_ value: [UInt8], critical: Bool = false) -> [UInt8] {
        standard(0x23, critical: critical, DER.sequence(DER.implicit(0, value)))
    }

    package static func extendedKeyUsage(_ purposes: [UInt8]..., critical: Bool = false) -> [UInt8] {
        standard(0x25, critical: critical, DER.element(0x30, purposes.flatMap { $0 }))
    }
}
