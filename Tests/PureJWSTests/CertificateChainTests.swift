import PureAttestTesting
import PureBytes
import PureDER
import PureECDSA
import PureSHA2
import PureX509
import Testing

@testable import PureJWS

/// Tests signatures by the leaf of the chain in the header (`x5c`, RFC 7515 §4.1.6).
@Suite struct CertificateChainTests {
    private static let chain = Chain()
    private static let time = UnixTime(secondsSince1970: 1_700_000_000)

    private func verify(
        _ text: [UInt8], _ algorithm: JWSAlgorithm = .es256, roots: [[UInt8]] = [chain.root], at time: UnixTime = time
    ) throws -> VerifiedJWS {
        let anchors = try roots.map { try TrustAnchor(Certificate(derEncoded: $0)) }
        return try JSONWebSignature(compactSerialization: text).verify(algorithm, trustAnchors: anchors, at: time)
    }

    @Test func twoOrThreeCertificatesAreAccepted() throws {
        for count in 2...3 {
            let certificates = Array(Self.chain.certificates.prefix(count))
            let verified = try verify(Self.chain.sign(certificates))
            #expect(verified.payload == Array("{}".utf8))
            #expect(verified.certificates.map { [UInt8]($0.derEncoded) } == certificates)
        }
        #expect(throws: JWSError.certificateCount(1)) {
            try verify(Self.chain.sign(Array(Self.chain.certificates.prefix(1))))
        }
        #expect(throws: JWSError.certificatesMissing) { try verify(Self.chain.sign(nil)) }
    }

    @Test func theLeafSigns() throws {
        let chain = Self.chain
        #expect(throws: JWSError.invalidSignature) {
            try verify(chain.sign(chain.certificates, key: chain.otherKey))
        }
        #expect(throws: JWSError.invalidSignature) { try verify(chain.sign(chain.certificates, signed: "e30x")) }
        // The remaining 84 characters of the signature encode only 63 bytes.
        #expect(throws: JWSError.malformedSignature(.invalidLength)) {
            try verify(chain.sign(chain.certificates).dropLast(2))
        }
    }

    /// RFC 8725 §3.1.
    @Test func theAlgorithmIsTheCallers() throws {
        let chain = Self.chain
        for header in [#""alg":"ES384""#, #""alg":"none""#, #""alg":"es256""#, #""typ":"JWT""#] {
            #expect(throws: JWSError.algorithmMismatch(expected: .es256)) {
                try verify(chain.sign(chain.certificates, header: header))
            }
        }
        #expect(throws: JWSError.algorithmMismatch(expected: .es384)) {
            try verify(chain.sign(chain.certificates), .es384)
        }
        #expect(throws: JWSError.keyOfOtherAlgorithm(expected: .es384)) {
            try verify(chain.sign(chain.certificates, header: #""alg":"ES384""#), .es384)
        }
        // A P-384 key is valid only for ES384.
        let other = try Certificate(derEncoded: chain.certificates[1])
        #expect(try JSONWebSignature.key(of: other, .es384).algorithm == .es384)
        #expect(throws: JWSError.keyOfOtherAlgorithm(expected: .es256)) { try JSONWebSignature.key(of: other, .es256) }
    }

    @Test func theChainIsVerified() throws {
        let text = Self.chain.sign(Array(Self.chain.certificates.prefix(2)))
        #expect(throws: JWSError.certificateChain(.issuerNotFound(certificate: 1))) { try verify(text, roots: []) }
        #expect(throws: JWSError.certificateChain(.invalidSignature(certificate: 1))) {
            try verify(text, roots: [Self.chain.root(key: Self.chain.intermediateKey)])
        }
        let end = TestCertificateAuthority.end
        let late = UnixTime(secondsSince1970: end.secondsSince1970 + 1)
        _ = try verify(text, at: end)
        #expect(throws: JWSError.certificateChain(.expired(certificate: 0, notAfter: end, at: late))) {
            try verify(text, at: late)
        }
        var chain = Self.chain
        chain.leaf.edit(.keyUsage) { $0.value = der(.bitString, [5, 0x20]) }
        #expect(throws: JWSError.certificateChain(.digitalSignatureMissing(certificate: 0))) {
            try verify(chain.sign(chain.certificates))
        }
        // keyUsage may be absent.
        chain.leaf.remove(.keyUsage)
        _ = try verify(chain.sign(chain.certificates))
    }

    /// RFC 5280 §6.1.1 d: a trust anchor consists of a name and a key.
    @Test func theThirdCertificateIsAnAnchor() throws {
        let chain = Self.chain
        for root in [chain.root(name: "Other"), chain.root(key: chain.intermediateKey), chain.certificates[1]] {
            #expect(throws: JWSError.untrustedRoot) { try verify(chain.sign(chain.certificates.dropLast() + [root])) }
        }
        let renewed = chain.root(serialNumber: 2)
        #expect(renewed != chain.root)
        _ = try verify(chain.sign(chain.certificates.dropLast() + [renewed]))
    }

    @Test func aMalformedCertificateIsNamed() throws {
        let chain = Self.chain
        for position in 0...2 {
            var certificates = chain.certificates
            certificates[position].append(0)
            #expect(throws: JWSError.malformedCertificate(position, .malformed(.certificate, .trailingBytes))) {
                try verify(chain.sign(certificates))
            }
        }
    }
}

/// A root and an intermediate on P-384, and a leaf on P-256.
private struct Chain {
    let rootKey, intermediateKey: IssuerSigningKey
    let leafKey, otherKey: SigningKey<P256>
    let root: [UInt8]
    let intermediate: CertificateDraft
    var leaf: CertificateDraft

    var certificates: [[UInt8]] {
        [leaf.encoded(signedBy: intermediateKey), intermediate.encoded(signedBy: rootKey), root]
    }

    init() {
        var random = TestRandom(seed: 1, purpose: "JWS chain")
        rootKey = .p384(SigningKey(from: &random))
        intermediateKey = .p384(SigningKey(from: &random))
        leafKey = SigningKey(from: &random)
        otherKey = SigningKey(from: &random)
        root = Self.root(name: "Root", key: rootKey, serialNumber: 1)
        intermediate = Self.draft(
            issuer: "Root", subject: "Intermediate", key: intermediateKey,
            [.issuerBasicConstraints(pathLength: 0), .issuerKeyUsage])
        leaf = Self.draft(
            issuer: "Intermediate", subject: "Leaf", key: .p256(leafKey),
            [.leafBasicConstraints, ExtensionDraft(.keyUsage, critical: true, der(.bitString, [7, 0x80]))])
    }

    /// Returns the trusted root certificate, in which a test may change one value.
    func root(name: String = "Root", key: IssuerSigningKey? = nil, serialNumber: UInt8 = 1) -> [UInt8] {
        Self.root(name: name, key: key ?? rootKey, serialNumber: serialNumber)
    }

    private static func root(name: String, key: IssuerSigningKey, serialNumber: UInt8) -> [UInt8] {
        TestCertificateAuthority.root(
            name: der(name: [(.commonName, name)]), key: key, serialNumber: [serialNumber],
            extensions: [.issuerBasicConstraints(), .issuerKeyUsage])
    }

    private static func draft(
        issuer: String, subject: String, key: IssuerSigningKey, _ extensions: [ExtensionDraft]
    ) -> CertificateDraft {
        CertificateDraft(
            serialNumber: [2], issuer: der(name: [(.commonName, issuer)]), subject: der(name: [(.commonName, subject)]),
            subjectPublicKeyInfo: key.subjectPublicKeyInfo, from: TestCertificateAuthority.start,
            to: TestCertificateAuthority.end, hash: .sha384, extensions: extensions)
    }

    /// Returns a JWS with the payload `{}` and these certificates. `signed` is the encoded payload to sign.
    func sign(
        _ certificates: [[UInt8]]?, header: String = #""alg":"ES256""#, key: SigningKey<P256>? = nil,
        signed: String = "e30"
    ) -> [UInt8] {
        let texts = certificates?.map { #"""# + String(decoding: Base64.encode($0), as: UTF8.self) + #"""# }
        let list = texts.map { #","x5c":[\#($0.joined(separator: ","))]"# } ?? ""
        let start = Base64.encode(Array("{\(header)\(list)}".utf8), as: .urlSafeUnpadded) + Array(".".utf8)
        let numbers = (key ?? leafKey).sign(start + Array(signed.utf8), hash: SHA256.self)
        let raw = [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
        return start + Array("e30.".utf8) + Base64.encode(raw, as: .urlSafeUnpadded)
    }
}
