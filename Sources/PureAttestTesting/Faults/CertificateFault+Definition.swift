import PureAttest
import PureDER
import PureECDSA
import PureX509

extension CertificateFault {
    typealias Definition = FaultDefinition<AttestationDraft>

    /// Defines faults in signatures, names, dates and roles. `time` is the time of the attestation.
    func definition(at time: UnixTime) -> Definition {
        switch self {
        // MARK: Signatures and names
        case .leafTampered:
            rule("RFC 5280 §6.1.3 (a)(1)", .invalidSignature(certificate: 0)) {
                // Flips a bit in the last byte of the last extension: the access control list or, before iOS 26.2, the
                // nonce. Only the check of this extension may read the byte.
                $0.leaf.alterSignedPart = { $0[$0.count - 1] ^= 0x01 }
            }
        case .leafSignatureTampered:
            rule("RFC 5280 §6.1.3 (a)(1)", .invalidSignature(certificate: 0)) {
                $0.leaf.alterSignature = { $0.s[47] ^= 0x01 }
            }
        case .leafSignedByStranger:
            rule("RFC 5280 §6.1.3 (a)(1)", .invalidSignature(certificate: 0)) { $0.intermediateKey = Stranger.p384 }
        case .leafSignatureZero:
            rule("FIPS 186-5 §6.4.2 step 1", .invalidSignature(certificate: 0)) {
                $0.leaf.alterSignature = { $0 = SignatureNumbers(r: [0], s: [0]) }
            }
        case .leafSignatureOutOfRange:
            rule("FIPS 186-5 §6.4.2 step 1", .invalidSignature(certificate: 0)) {
                $0.leaf.alterSignature = { $0.r = sum($0.r, P384.scalarOrder) }
            }
        case .leafSignatureNonMinimal:
            rule("X.690 §8.3.2", .invalidSignature(certificate: 0)) {
                $0.leaf.encodeSignature = {
                    der(bits: der(.sequence, der(.integer, [0, 0] + $0.r), derInteger($0.s)))
                }
            }
        case .leafSignatureTrailingByte:
            rule("X.690 §8.1.1", .invalidSignature(certificate: 0)) {
                $0.leaf.encodeSignature = { der(bits: $0.derRepresentation + [0]) }
            }
        case .leafSignatureEmpty:
            rule("RFC 3279 §2.2.3", .invalidSignature(certificate: 0)) {
                $0.leaf.encodeSignature = { _ in der(bits: []) }
            }
        case .leafHashConfused:
            rule("RFC 5758 §3.2", .invalidSignature(certificate: 0)) { $0.leaf.hash = .sha384 }
        case .leafSHA1:
            rule("Only ECDSA with SHA-2 is trusted", .unsupportedSignatureAlgorithm(certificate: 0)) {
                $0.leaf.innerAlgorithm = der(.sequence, der(.ecdsaWithSHA1))
                $0.leaf.outerAlgorithm = $0.leaf.innerAlgorithm
            }
        case .leafIssuerOther:
            rule("RFC 5280 §6.1.3 (a)(4)", .issuerNotFound(certificate: 0)) { $0.leaf.issuer = Self.otherName }
        case .rootSameName:
            rule("Apple, attestation step 1: the root is pinned by its key", .invalidSignature(certificate: 1)) {
                $0.rootKey = Stranger.p384
                $0.intermediateKey = Stranger.p384
                $0.intermediate.subjectPublicKeyInfo = Stranger.p384.subjectPublicKeyInfo
            }
        case .rootUnknown:
            rule("RFC 5280 §6.1.3 (a)(4)", .issuerNotFound(certificate: 1)) {
                $0.rootKey = Stranger.p384
                $0.intermediate.issuer = Self.otherName
            }
        case .intermediateTampered:
            rule("RFC 5280 §6.1.3 (a)(1)", .invalidSignature(certificate: 1)) {
                // Flips a bit in the second octet of the serial number. A header (4 octets), the version (5) and the
                // number's header (2) precede the number.
                $0.intermediate.alterSignedPart = { $0[4 + 5 + 2 + 1] ^= 0x01 }
            }
        case .leafAsIssuer:
            rule("RFC 5280 §6.1.4 (k)", .notCertificationAuthority(certificate: 1)) { draft in
                var issuer = draft.leaf
                issuer.subjectPublicKeyInfo = IssuerSigningKey.p256(Stranger.p256).subjectPublicKeyInfo
                let certificate = issuer.encoded(
                    signedBy: draft.intermediateKey, nonce: wrapped([UInt8](repeating: 0, count: 32), tag: 1))
                draft.leaf.issuer = draft.leaf.subject
                draft.leaf.subject = Self.otherName
                draft.intermediateKey = .p256(Stranger.p256)
                draft.alterCertificates = { $0[1] = certificate }
            }

        // MARK: Dates
        case .leafExpired:
            rule("RFC 5280 §6.1.3 (a)(2)", .expired(certificate: 0, notAfter: time.adding(-43_200), at: time)) {
                // Half a day exceeds the clock skew that servers tolerate. The leaf starts as usual, because an earlier
                // start would also break the policy on the age of attestations.
                $0.leaf.notAfter = der(time.adding(-43_200))
            }
        case .leafNotYetValid:
            rule("RFC 5280 §6.1.3 (a)(2)", .notYetValid(certificate: 0, notBefore: time.adding(86_400), at: time)) {
                $0.leaf.notBefore = der(time.adding(86_400))
            }
        case .intermediateExpired:
            rule("RFC 5280 §6.1.3 (a)(2)", .expired(certificate: 1, notAfter: time.adding(-86_400), at: time)) {
                $0.intermediate.notAfter = der(time.adding(-86_400))
            }
        case .intermediateNotYetValid:
            rule("RFC 5280 §6.1.3 (a)(2)", .notYetValid(certificate: 1, notBefore: time.adding(86_400), at: time)) {
                $0.intermediate.notBefore = der(time.adding(86_400))
            }
        case .timeWithoutSeconds:
            rule("RFC 5280 §4.1.2.5.1", .malformed(.validity, .invalidTimeForm)) {
                $0.leaf.notAfter = der(.utcTime, Array("4901010000Z".utf8))
            }
        case .timeWithOffset:
            rule("RFC 5280 §4.1.2.5.1", .malformed(.validity, .invalidTimeForm)) {
                $0.leaf.notAfter = der(.utcTime, Array("490101000000+0000".utf8))
            }
        case .timeImpossible:
            rule("RFC 5280 §4.1.2.5", .malformed(.validity, .impossibleTime)) {
                $0.leaf.notAfter = der(.utcTime, Array("490230000000Z".utf8))
            }

        // MARK: Roles
        case .leafIsAuthority:
            rule("Apple, attestation step 1", .unexpectedCertificationAuthority) {
                $0.leaf.edit(.basicConstraints) { $0.value = der(.sequence, derTrue) }
            }
        case .leafMaySignCertificates:
            rule("RFC 5280 §4.2.1.3", .notCertificationAuthority(certificate: 0)) {
                $0.leaf.edit(.keyUsage) { $0.value = der(.bitString, [2, 0x84]) }
            }
        case .intermediateWithoutBasicConstraints:
            rule("RFC 5280 §6.1.4 (k)", .notCertificationAuthority(certificate: 1)) {
                $0.intermediate.remove(.basicConstraints)
            }
        case .intermediateNotAuthority:
            rule("RFC 5280 §6.1.4 (k)", .notCertificationAuthority(certificate: 1)) {
                $0.intermediate.edit(.basicConstraints) { $0.value = der(.sequence) }
            }
        case .intermediateBasicConstraintsNotCritical:
            rule("RFC 5280 §4.2.1.9", .wrongCriticality(.basicConstraints, certificate: 1)) {
                $0.intermediate.edit(.basicConstraints) { $0.critical = [] }
            }
        case .intermediateWithoutKeyUsage:
            rule("RFC 5280 §4.2.1.3", .keyCertSignMissing(certificate: 1)) { $0.intermediate.remove(.keyUsage) }
        case .intermediateMayNotSign:
            rule("RFC 5280 §6.1.4 (n)", .keyCertSignMissing(certificate: 1)) {
                $0.intermediate.edit(.keyUsage) { $0.value = der(.bitString, [1, 0x02]) }
            }
        case .intermediateVersion1:
            rule("RFC 5280 §6.1.4 (k)", .notVersion3(certificate: 1)) {
                $0.intermediate.version = []
                $0.intermediate.hasExtensions = false
            }
        case .intermediateKeyRSA:
            rule("RFC 5280 §6.1.4 (d)", .unsupportedPublicKey(certificate: 1)) {
                $0.intermediate.subjectPublicKeyInfo = rsaPublicKeyInfo()
            }
        default: fieldDefinition
        }
    }

    static let otherName = der(name: [(.commonName, "Another Test Name")])

    func rule(
        _ rule: String, _ error: X509Error, _ apply: @escaping (inout AttestationDraft) -> Void
    ) -> Definition {
        Definition(.certificate(error), rule, apply)
    }
}

/// Returns a + b for numbers of equal length. The result includes the carry.
func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var digits: [UInt8] = []
    var carry: UInt16 = 0
    for (a, b) in zip(a, b).reversed() {
        carry += UInt16(a) + UInt16(b)
        digits.append(UInt8(truncatingIfNeeded: carry))
        carry >>= 8
    }
    return [UInt8(carry)] + digits.reversed()
}
