public import PureAttest
import PureDER
import PureECDSA
import PureX509

extension CertificateFault {
    var fieldDefinition: Definition {
        switch self {
        // MARK: Extensions
        case .leafUnknownCriticalExtension:
            rule("RFC 5280 §6.1.5 (f)", .unhandledCriticalExtension(Self.unknownIdentifier, certificate: 0)) {
                $0.leaf.extensions.append(ExtensionDraft(Self.unknownIdentifier, critical: true, derNull))
            }
        case .intermediateUnknownCriticalExtension:
            rule("RFC 5280 §6.1.4 (o)", .unhandledCriticalExtension(Self.unknownIdentifier, certificate: 1)) {
                $0.intermediate.extensions.append(ExtensionDraft(Self.unknownIdentifier, critical: true, derNull))
            }
        case .intermediateNameConstraints:
            // permittedSubtrees: dNSName "test".
            rule("RFC 5280 §4.2.1.10", .unsupportedConstraint(.nameConstraints, certificate: 1)) {
                let subtree = der(.sequence, der(.contextPrimitive(2), Array("test".utf8)))
                $0.intermediate.extensions.append(
                    ExtensionDraft(.nameConstraints, critical: true, der(.sequence, der(.context(0), subtree))))
            }
        case .authorityKeyIdentifierCritical:
            rule("RFC 5280 §4.2.1.1", .wrongCriticality(.authorityKeyIdentifier, certificate: 1)) {
                $0.intermediate.edit(.authorityKeyIdentifier) { $0.critical = derTrue }
            }
        case .extensionTwice:
            rule("RFC 5280 §4.2", .duplicateExtension(.keyUsage)) { $0.leaf.extensions.append($0.leaf.extensions[1]) }
        case .extensionsEmpty:
            rule("RFC 5280 §4.1", .emptyList(.extensions)) { $0.leaf.extensions = [] }
        case .extensionsTooMany:
            rule("Work is bounded; Apple's leaves have up to 9", .tooManyExtensions) { draft in
                draft.leaf.extensions += (0..<65).map {
                    // 2.999.0 to 2.999.64.
                    ExtensionDraft(ASN1ObjectIdentifier(encodedAs: 0x88_37_00 + $0), derNull)
                }
            }
        case .criticalFalse:
            rule("X.690 §11.5", .encodedDefault(.extensions)) {
                $0.leaf.edit(.nonce) { $0.critical = [0x01, 0x01, 0x00] }
            }
        case .criticalOne:
            rule("X.690 §11.1", .malformed(.extensions, .invalidBoolean)) {
                $0.leaf.edit(.keyUsage) { $0.critical = [0x01, 0x01, 0x01] }
            }
        case .keyUsagePadded:
            rule("X.690 §11.2.2", .invalidValue(.keyUsage)) {
                $0.leaf.edit(.keyUsage) { $0.value = der(.bitString, [0, 0xF0]) }
            }
        case .keyUsageEmpty:
            rule("RFC 5280 §4.2.1.3", .invalidValue(.keyUsage)) {
                $0.leaf.edit(.keyUsage) { $0.value = der(.bitString, [0]) }
            }
        case .pathLengthNegative:
            rule("RFC 5280 §4.2.1.9", .invalidValue(.basicConstraints)) {
                $0.intermediate.edit(.basicConstraints) { $0.value = der(.sequence, derTrue, der(.integer, [0xFF])) }
            }
        case .basicConstraintsTrailingByte:
            rule("X.690 §8.1.1", .malformed(.basicConstraints, .trailingBytes)) {
                $0.leaf.edit(.basicConstraints) { $0.value = der(.sequence) + [0] }
            }

        // MARK: Fields
        case .versionUnknown:
            rule("RFC 5280 §4.1.2.1", .unknownVersion) { $0.leaf.version = der(.context(0), der(3)) }
        case .versionDefault:
            rule("X.690 §11.5", .encodedDefault(.version)) { $0.leaf.version = der(.context(0), der(0)) }
        case .versionWithoutExtensions:
            rule("RFC 5280 §4.1.2.9", .fieldNotAllowedInVersion(.extensions)) { $0.leaf.version = [] }
        case .serialNumberZero:
            rule("RFC 5280 §4.1.2.2", .serialNumberNotPositive) { $0.leaf.serialNumber = der(0) }
        case .serialNumberNegative:
            rule("RFC 5280 §4.1.2.2", .serialNumberNotPositive) { $0.leaf.serialNumber = der(.integer, [0x80, 0x01]) }
        case .serialNumberTooLong:
            rule("RFC 5280 §4.1.2.2", .serialNumberTooLong) {
                $0.leaf.serialNumber = der(.integer, [UInt8](repeating: 0x7F, count: 21))
            }
        case .algorithmMismatch:
            rule("RFC 5280 §4.1.1.2", .signatureAlgorithmMismatch) {
                $0.leaf.outerAlgorithm = SignatureHash.sha384.algorithmIdentifier
            }
        case .algorithmParameters:
            rule("RFC 5758 §3.2", .unexpectedAlgorithmParameters) {
                $0.leaf.innerAlgorithm = der(.sequence, der(.ecdsaWithSHA256), derNull)
                $0.leaf.outerAlgorithm = $0.leaf.innerAlgorithm
            }
        case .issuerEmpty:
            rule("RFC 5280 §4.1.2.4", .emptyList(.issuer)) { $0.leaf.issuer = der(.sequence) }
        case .subjectEmpty:
            rule("RFC 5280 §4.1.2.6", .noSubject) { $0.leaf.subject = der(.sequence) }
        case .subjectInvalidUTF8:
            rule("RFC 3629 §3", .invalidCharacters(.subject)) {
                $0.leaf.subject = Self.name([der(.sequence, der(.commonName), der(.utf8String, [0xC0, 0x80]))])
            }
        case .subjectUnsorted:
            rule("X.690 §11.6", .unsortedSet(.subject)) {
                $0.leaf.subject = Self.name(["b", "a"].map { der(.sequence, der(.commonName), der(utf8: $0)) })
            }
        case .leafKeyNotOnCurve:
            rule("SEC 1 §3.2.2.1", .invalidPublicKey(.pointNotOnCurve)) {
                $0.leaf.subjectPublicKeyInfo = Self.p256Key([4] + [UInt8](repeating: 1, count: 64))
            }
        case .leafKeyOutOfRange:
            rule("SEC 1 §3.2.2.1", .invalidPublicKey(.coordinateOutOfRange)) {
                $0.leaf.subjectPublicKeyInfo = Self.p256Key([4] + Self.p256Prime + Self.p256Prime)
            }
        case .leafKeyInfinity:
            rule("SEC 1 §3.2.2.1", .invalidPublicKey(.invalidLength)) {
                $0.leaf.subjectPublicKeyInfo = Self.p256Key([0])
            }
        case .leafCurveImplicit:
            rule("RFC 5480 §2.1.1", .curveNotNamed) {
                $0.leaf.subjectPublicKeyInfo = der(
                    .sequence, der(.sequence, der(.ecPublicKey), derNull), der(bits: Stranger.p256.x963))
            }
        case .leafCurveExplicit:
            rule("RFC 5480 §2.1.1", .curveNotNamed) {
                $0.leaf.subjectPublicKeyInfo = der(
                    .sequence, der(.sequence, der(.ecPublicKey), Self.explicitP256), der(bits: Stranger.p256.x963))
            }

        // MARK: Encoding
        case .leafTruncated:
            rule("X.690 §8.1.3", .malformed(.certificate, .unexpectedEnd)) {
                $0.alterCertificates = { $0[0].removeLast() }
            }
        case .leafTrailingByte:
            rule("X.690 §8.1.1", .malformed(.certificate, .trailingBytes)) {
                $0.alterCertificates = { $0[0].append(0) }
            }
        case .leafIndefiniteLength:
            rule("X.690 §10.1", .malformed(.certificate, .indefiniteLength)) {
                $0.alterCertificates = { $0[0] = [0x30, 0x80] + $0[0][4...] + [0, 0] }
            }
        case .leafNonMinimalLength:
            rule("X.690 §10.1", .malformed(.certificate, .nonMinimalLength)) {
                $0.alterCertificates = { $0[0].replaceSubrange(1..<2, with: [0x83, 0x00]) }
            }
        case .leafLengthBomb:
            rule("A declared length allocates nothing", .malformed(.certificate, .lengthTooLarge)) {
                $0.alterCertificates = {
                    $0[0].replaceSubrange(1..<4, with: [0x88, 0x80] + [UInt8](repeating: 0, count: 7))
                }
            }
        case .signatureUnusedBits:
            rule("RFC 5280 §4.1.1.3", .notWholeOctets(.signatureValue)) {
                // The BIT STRING of the signature has an extra bit.
                $0.leaf.encodeSignature = { der(.bitString, [7] + $0.derRepresentation + [0x80]) }
            }
        case .leafEmpty:
            rule("X.690 §8.1.1", .malformed(.certificate, .unexpectedEnd)) { $0.alterCertificates = { $0[0] = [] } }
        default: preconditionFailure("\(self) has no definition")
        }
    }

    /// The identifier 2.999.1, which is below the arc for examples (X.660 §A.1.3: 2.999).
    static let unknownIdentifier = ASN1ObjectIdentifier(encodedAs: 0x88_37_01)

    private static func name(_ attributes: [[UInt8]]) -> [UInt8] {
        der(.sequence, der(.set, attributes.flatMap { $0 }))
    }

    private static func p256Key(_ point: [UInt8]) -> [UInt8] { subjectPublicKeyInfo(.secp256r1, point: point) }

    /// p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1 (SP 800-186 §3.2.1.3).
    private static let p256Prime =
        [UInt8](repeating: 0xFF, count: 4) + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
        + [UInt8](repeating: 0xFF, count: 12)

    /// SpecifiedECDomain (RFC 3279 §2.3.5) of P-256 with an untrusted key as the generator. An attacker can choose any
    /// public key as the generator, and then the private key for this public key is 1.
    private static let explicitP256: [UInt8] = {
        // a = p − 3, and b of SP 800-186 §3.2.1.3.
        var a = p256Prime
        a[31] = 0xFC
        let b: [UInt8] = [
            0x5a, 0xc6, 0x35, 0xd8, 0xaa, 0x3a, 0x93, 0xe7, 0xb3, 0xeb, 0xbd, 0x55, 0x76, 0x98, 0x86, 0xbc,
            0x65, 0x1d, 0x06, 0xb0, 0xcc, 0x53, 0xb0, 0xf6, 0x3b, 0xce, 0x3c, 0x3e, 0x27, 0xd2, 0x60, 0x4b,
        ]
        // id-prime-field, 1.2.840.10045.1.1.
        let field = der(.sequence, der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_CE_3D_01_01)), derInteger(p256Prime))
        let curve = der(.sequence, der(.octetString, a), der(.octetString, b))
        return der(
            .sequence, der(1), field, curve, der(.octetString, Stranger.p256.x963), derInteger(P256.scalarOrder),
            der(1))
    }()
}

// MARK: - The list for servers

extension CertificateFault {
    /// Returns the error that a correct verifier reports.
    ///
    /// - Parameter time: the time of the attestation. Only the errors of date faults depend on the time.
    public func expectedError(at time: UnixTime = Corpus.defaultTime) -> PureAttestError { definition(at: time).error }
}
