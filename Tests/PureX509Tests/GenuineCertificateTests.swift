import DebugSampling
import Foundation
import PureDER
import Testing
import VectorSupport

@testable import PureX509

/// Tests the certificates in Apple's sample attestation and receipt (`Vectors/x509`).
@Suite struct GenuineCertificateTests {
    /// Returns a leaf, its issuer and the root.
    static func certificates(_ name: String) throws -> [ArraySlice<UInt8>] {
        let text = String(decoding: try VectorDirectory.committedFile("x509/\(name).pem"), as: UTF8.self)
        let certificates = PemFile(text).blocks.compactMap(\.bytes)
        try #require(certificates.count == 3)
        return certificates
    }

    @Test func attestationLeaf() throws {
        let leaf = try Certificate(derEncoded: Self.certificates("apple-app-attest")[0])
        #expect(leaf.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(leaf.basicConstraints?.isCertificationAuthority == false)
        #expect(leaf.keyUsage == [.digitalSignature, .contentCommitment, .keyEncipherment, .dataEncipherment])
        #expect(leaf.authorityKeyIdentifier == nil && leaf.subjectKeyIdentifier == nil)
        // The only purpose is 1.2.840.113635.100.4.24, not serverAuth.
        let purpose = ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_63_64_04_18)
        #expect(leaf.extendedKeyUsage?.purposes == [purpose])
        // 1.2.840.113635.100.8.2, the nonce.
        let nonce = leaf.extension(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_63_64_08_02))
        #expect(nonce?.isCritical == false && nonce?.value.count == 38)
        let issuer = try Certificate(derEncoded: Self.certificates("apple-app-attest")[1])
        #expect(issuer.basicConstraints?.pathLength == 0 && issuer.keyUsage == [.keyCertSign, .cRLSign])
        // 2020-03-18T18:39:55Z.
        #expect(issuer.notBefore.secondsSince1970 == 1_584_556_795)
    }

    @Test func everyTruncation() throws {
        for encoded in try Self.certificates("apple-app-attest") + Self.certificates("apple-receipt") {
            for count in 0..<encoded.count {
                #expect(throws: X509Error.self) { try Certificate(derEncoded: encoded.prefix(count)) }
                #expect(throws: X509Error.self) { try Certificate(derEncoded: Array(encoded.suffix(count))) }
            }
            #expect(throws: X509Error.malformed(.certificate, .trailingBytes)) {
                try Certificate(derEncoded: Array(encoded) + [0])
            }
        }
    }

    @Test(arguments: ["apple-app-attest", "apple-receipt"]) func selfSignatures(_ name: String) throws {
        let root = try Certificate(derEncoded: Self.certificates(name)[2])
        #expect(IssuerKey(root.publicKey)?.hasSigned(root) == true)
    }

    @Test func noise() throws {
        var random = SystemRandomNumberGenerator()
        for _ in debugSample(Array(0..<2_000), every: 13, of: "noise") {
            let bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect((try? Certificate(derEncoded: bytes)) == nil)
        }
    }

    @Test func slices() throws {
        for encoded in try Self.certificates("apple-app-attest") {
            let plain = try Certificate(derEncoded: Array(encoded))
            for padding in [1, 7, 4_096] {
                let padded = [UInt8](repeating: 0x30, count: padding) + encoded + [0x30]
                let slice = try Certificate(derEncoded: padded[padding..<padding + encoded.count])
                #expect(slice == plain && slice.extensions.map(\.identifier) == plain.extensions.map(\.identifier))
                #expect(slice.keyUsage == plain.keyUsage && slice.publicKey == plain.publicKey)
            }
        }
    }
}
