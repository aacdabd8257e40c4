import PureAppStore
import PureAttestTesting
import PureBytes
import PureDER
import PureECDSA
import PureJSON
import PureJWS
import PureSHA2
import PureX509

/// The definition of a fault: the error that a correct verifier reports, the broken rule, and how to break the rule.
struct SignedDataFaultDefinition {
    let error: AppStoreError
    let rule: String
    let apply: (inout SignedDataDraft) -> Void

    init(_ error: AppStoreError, _ rule: String, _ apply: @escaping (inout SignedDataDraft) -> Void) {
        (self.error, self.rule, self.apply) = (error, rule, apply)
    }
}

/// Keys that no verifier trusts.
private enum Stranger {
    static let p256 = key(P256.self, "App Store stranger, P-256")
    static let p384 = IssuerSigningKey.p384(key(P384.self, "App Store stranger, P-384"))
    static let leafP384 = key(P384.self, "App Store leaf, P-384")

    private static func key<Curve: ScalarOperations>(_: Curve.Type, _ purpose: String) -> SigningKey<Curve> {
        var random = TestRandom(seed: 0, purpose: purpose)
        return SigningKey<Curve>(from: &random)
    }
}

extension SignedDataFault {
    var definition: SignedDataFaultDefinition {
        switch self {
        case .algorithmNone, .algorithmMissing, .algorithmHS256, .algorithmES384, .algorithmLowercase,
            .criticalExtension, .unencodedPayload, .keySetURL, .embeddedKey, .certificateURL,
            .headerDuplicateMember, .headerTrailingComma:
            header
        case .twoParts, .fourParts, .payloadPadded, .signatureSpareBits, .signatureWhiteSpace: form
        case .signatureOfOtherKey, .signatureDER, .signatureSwapped, .signatureZero, .signatureTruncated,
            .signatureLong, .signatureOfOtherPayload, .signatureEmpty:
            signature
        case .contentNotJSON, .contentNull, .contentDuplicateMember, .contentTrailingBytes: content
        case .certificatesMissing, .leafOnly, .rootOmitted, .fourthCertificate, .certificatesReversed,
            .intermediatesSwapped, .certificateBase64URL, .otherRoot, .rootOfOtherKey, .leafTrailingByte:
            certificateList
        default: certificate
        }
    }

    // MARK: Header

    private var header: SignedDataFaultDefinition {
        func algorithm(_ members: String) -> SignedDataFaultDefinition {
            .init(.signature(.algorithmMismatch(expected: .es256)), "RFC 8725 §3.1") { $0.headerMembers = members }
        }
        func member(_ parameter: JWSParameter, _ rule: String, _ text: String) -> SignedDataFaultDefinition {
            .init(.signature(.unsupportedParameter(parameter)), rule) { $0.moreHeaderMembers = "," + text }
        }
        switch self {
        case .algorithmNone:
            return .init(.signature(.algorithmMismatch(expected: .es256)), "RFC 8725 §3.2") {
                $0.headerMembers = #""alg":"none""#
                $0.sign = { _, _ in [] }
            }
        case .algorithmMissing: return algorithm(#""typ":"JWT""#)
        case .algorithmES384: return algorithm(#""alg":"ES384""#)
        case .algorithmLowercase: return algorithm(#""alg":"es256""#)
        case .algorithmHS256:
            // Uses the public key, which everybody has, as the secret key of a MAC.
            return .init(.signature(.algorithmMismatch(expected: .es256)), "RFC 8725 §2.1") { draft in
                draft.headerMembers = #""alg":"HS256""#
                draft.sign = { key, input in
                    [UInt8](HMAC<SHA256>.authenticationCode(for: input, using: key.x963))
                }
            }
        case .criticalExtension: return member(.critical, "RFC 7515 §4.1.11", #""crit":["exp"],"exp":1"#)
        case .unencodedPayload: return member(.unencodedPayload, "RFC 7797 §3", #""b64":true"#)
        case .keySetURL: return member(.keySetURL, "RFC 8725 §3.10", #""jku":"https://example.com/keys""#)
        case .certificateURL: return member(.certificateURL, "RFC 8725 §3.10", #""x5u":"https://example.com/c""#)
        case .embeddedKey: return member(.embeddedKey, "RFC 8725 §2.1", #""jwk":{"kty":"EC"}"#)
        case .headerDuplicateMember:
            return .init(.signature(.malformedHeader(.duplicateName(offset: 0))), "RFC 7515 §4") {
                $0.moreHeaderMembers = #","\u0061lg":"ES256""#
            }
        default:
            return .init(.signature(.malformedHeader(.malformed(offset: 0))), "RFC 8259 §4") {
                $0.moreHeaderMembers = ","
            }
        }
    }

    // MARK: Form

    private var form: SignedDataFaultDefinition {
        switch self {
        case .twoParts:
            return .init(.signature(.notCompactSerialization), "RFC 7515 §7.1") { $0.alterParts = { $0.removeLast() } }
        case .fourParts:
            return .init(.signature(.notCompactSerialization), "RFC 7515 §7.1") { $0.alterParts = { $0.append([]) } }
        case .payloadPadded:
            return .init(.signature(.malformedBase64(.payload, .invalidLength)), "RFC 7515 §2") {
                $0.alterParts = { parts in
                    while parts[1].count % 4 != 1 { parts[1].append(UInt8(ascii: "=")) }
                }
            }
        case .signatureSpareBits:
            // In Base64 without padding, 64 bytes are 86 characters, and the last character is A, Q, g or w. The next
            // letter of the alphabet sets the lowest unused bit.
            return .init(.signature(.malformedBase64(.signature, .nonZeroPaddingBits)), "RFC 4648 §3.5") {
                $0.alterParts = { parts in parts[2].append(parts[2].removeLast() + 1) }
            }
        default:
            return .init(.signature(.malformedBase64(.signature, .invalidCharacter(offset: 86))), "RFC 7515 §2") {
                $0.alterParts = { $0[2].append(UInt8(ascii: "\n")) }
            }
        }
    }

    // MARK: Signature

    private var signature: SignedDataFaultDefinition {
        func invalid(
            _ sign: @escaping (SigningKey<P256>, [UInt8]) -> [UInt8]
        ) -> SignedDataFaultDefinition {
            .init(.signature(.invalidSignature), "RFC 7518 §3.4") { $0.sign = sign }
        }
        func malformed(
            _ error: ECDSAError, _ sign: @escaping (SigningKey<P256>, [UInt8]) -> [UInt8]
        ) -> SignedDataFaultDefinition {
            .init(.signature(.malformedSignature(error)), "RFC 7518 §3.4") { $0.sign = sign }
        }
        switch self {
        case .signatureOfOtherKey: return invalid { _, input in Stranger.p256.rawSignature(of: input) }
        case .signatureOfOtherPayload: return invalid { key, input in key.rawSignature(of: input + [0]) }
        case .signatureSwapped:
            return invalid { key, input in
                let raw = key.rawSignature(of: input)
                return Array(raw[32...] + raw[..<32])
            }
        case .signatureDER:
            return malformed(.invalidLength) { key, input in
                key.sign(input, hash: SHA256.self).derRepresentation
            }
        case .signatureZero:
            return malformed(.scalarOutOfRange) { _, _ in [UInt8](repeating: 0, count: 64) }
        case .signatureTruncated:
            return malformed(.invalidLength) { key, input in key.rawSignature(of: input).dropLast() }
        case .signatureLong:
            return malformed(.invalidLength) { key, input in key.rawSignature(of: input) + [0] }
        default: return malformed(.invalidLength) { _, _ in [] }
        }
    }

    // MARK: Content

    private var content: SignedDataFaultDefinition {
        switch self {
        case .contentNotJSON:
            return .init(.malformedContent(.malformed(offset: 0)), "RFC 8259 §2") { $0.payload = Array("no".utf8) }
        case .contentNull:
            return .init(.contentNotObject, "Apple, JWSTransactionDecodedPayload") { $0.payload = Array("null".utf8) }
        case .contentDuplicateMember:
            return .init(.malformedContent(.duplicateName(offset: 0)), "RFC 7493 §2.3") {
                // Repeats the first member, because the kinds of data have different members. Escapes the first letter
                // of the repeated name.
                let name = (try? JSONValue(decoding: $0.payload))?.object?.members.first?.name ?? []
                let letter = Hex.encode(name.prefix(1))
                $0.payload = $0.payload.dropLast() + Array(",\"\\u00".utf8) + letter + name.dropFirst()
                $0.payload += Array(#"":"other"}"#.utf8)
            }
        default:
            return .init(.malformedContent(.malformed(offset: 0)), "RFC 8259 §2") { $0.payload += Array("{}".utf8) }
        }
    }

    // MARK: Certificates

    private var certificateList: SignedDataFaultDefinition {
        func list(
            _ error: AppStoreError, _ rule: String, _ alter: @escaping (inout [[UInt8]]) -> Void
        ) -> SignedDataFaultDefinition {
            .init(error, rule) { $0.alterCertificates = alter }
        }
        let order = "RFC 7515 §4.1.6"
        switch self {
        case .certificatesMissing: return list(.signature(.certificatesMissing), order) { $0 = [] }
        case .leafOnly: return list(.signature(.certificateCount(1)), order) { $0.removeLast(2) }
        case .rootOmitted: return list(.rootMissing, "Apple, JWSDecodedHeader") { $0.removeLast() }
        case .fourthCertificate: return list(.signature(.certificateCount(4)), order) { $0.append($0[2]) }
        case .certificatesReversed: return list(.signature(.untrustedRoot), order) { $0.reverse() }
        case .intermediatesSwapped:
            return list(.signature(.certificateChain(.unexpectedCertificationAuthority)), order) { $0.swapAt(0, 1) }
        case .certificateBase64URL:
            return .init(.signature(.malformedBase64(.certificate(0), .invalidCharacter(offset: 0))), order) {
                $0.encodeCertificate = { Base64.encode($0, as: .urlSafe) }
            }
        case .otherRoot:
            return .init(.signature(.untrustedRoot), "Apple, JWSDecodedHeader") {
                $0.root = TestAppStore(seed: 0xFFFF_FFFF).root
            }
        case .rootOfOtherKey:
            return .init(.signature(.untrustedRoot), "RFC 5280 §6.1.1 d") { draft in
                draft.root = TestCertificateAuthority.root(
                    name: TestAppStore.rootName, key: Stranger.p384, serialNumber: [1],
                    extensions: [.issuerBasicConstraints(), .issuerKeyUsage])
            }
        default:
            return list(
                .signature(.malformedCertificate(0, .malformed(.certificate, .trailingBytes))), "RFC 5280 §4.1"
            ) { $0[0].append(0) }
        }
    }

    private var certificate: SignedDataFaultDefinition {
        func chain(
            _ error: X509Error, _ rule: String, _ apply: @escaping (inout SignedDataDraft) -> Void
        ) -> SignedDataFaultDefinition {
            .init(.signature(.certificateChain(error)), rule, apply)
        }
        let early = UnixTime(secondsSince1970: 1_000_000_000)
        let late = UnixTime(secondsSince1970: 4_000_000_000)
        let end = TestCertificateAuthority.end
        switch self {
        case .leafOfOtherKey:
            return chain(.invalidSignature(certificate: 0), "RFC 5280 §6.1.3 (a)(1)") {
                $0.intermediateKey = Stranger.p384
            }
        case .intermediateOfOtherKey:
            return chain(.invalidSignature(certificate: 1), "RFC 5280 §6.1.3 (a)(1)") { $0.rootKey = Stranger.p384 }
        case .leafExpired:
            return chain(.expired(certificate: 0, notAfter: early, at: end), "RFC 5280 §6.1.3 (a)(2)") {
                $0.leaf.notAfter = der(early)
            }
        case .leafNotYetValid:
            return chain(.notYetValid(certificate: 0, notBefore: late, at: end), "RFC 5280 §6.1.3 (a)(2)") {
                $0.leaf.notBefore = der(late)
                $0.leaf.notAfter = der(late)
            }
        case .intermediateExpired:
            return chain(.expired(certificate: 1, notAfter: early, at: end), "RFC 5280 §6.1.3 (a)(2)") {
                $0.intermediate.notAfter = der(early)
            }
        case .leafIsAuthority:
            return chain(.unexpectedCertificationAuthority, "RFC 5280 §4.2.1.9") {
                $0.leaf.edit(.basicConstraints) { $0.value = der(.sequence, derTrue) }
            }
        case .leafMayNotSign:
            return chain(.digitalSignatureMissing(certificate: 0), "RFC 5280 §4.2.1.3") {
                // keyEncipherment.
                $0.leaf.edit(.keyUsage) { $0.value = der(.bitString, [5, 0x20]) }
            }
        case .intermediateMayNotIssue:
            return chain(.keyCertSignMissing(certificate: 1), "RFC 5280 §4.2.1.3") {
                $0.intermediate.edit(.keyUsage) { $0.value = der(.bitString, [1, 0x02]) }
            }
        case .intermediateNotAuthority:
            return chain(.notCertificationAuthority(certificate: 1), "RFC 5280 §4.2.1.9") {
                $0.intermediate.remove(.basicConstraints)
            }
        case .issuerNameDiffers:
            return chain(.issuerNotFound(certificate: 0), "RFC 5280 §6.1.3 (a)(4)") {
                $0.leaf.issuer = TestAppStore.rootName
            }
        case .leafWithoutMark:
            return .init(.leafOfOtherService, "Apple, certificate extension 6.11.1") {
                $0.leaf.remove(TestAppStore.leafMark)
            }
        case .leafOfAppAttest:
            return .init(.leafOfOtherService, "Apple, certificate extension 6.11.1") {
                $0.leaf.edit(TestAppStore.leafMark) { $0.identifier = .apple(8, 2) }
            }
        case .leafOfApplePay:
            return .init(.leafOfOtherService, "Apple, certificate extension 6.11.1") {
                $0.leaf.edit(TestAppStore.leafMark) { $0.identifier = .apple(6, 29) }
            }
        case .intermediateWithoutMark:
            return .init(.intermediateOfOtherService, "Apple, certificate extension 6.2.1") {
                $0.intermediate.remove(TestAppStore.intermediateMark)
            }
        default:
            return .init(.signature(.keyOfOtherAlgorithm(expected: .es256)), "RFC 7518 §3.4") {
                $0.leaf.subjectPublicKeyInfo = IssuerSigningKey.p384(Stranger.leafP384).subjectPublicKeyInfo
            }
        }
    }
}
