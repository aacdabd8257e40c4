import DebugSampling
import Foundation
import PureDER
import Testing
import VectorSupport

@testable import PureX509

/// Apple's certificates, from the attestation and the receipt that Apple publishes as samples (`Vectors/x509`).
@Suite struct GenuineCertificateTests {
    /// Leaf, issuer and root of one of the two chains.
    static func certificates(_ name: String) throws -> [ArraySlice<UInt8>] {
        let text = String(decoding: try VectorDirectory.committedFile("x509/\(name).pem"), as: UTF8.self)
        let certificates = PemFile(text).blocks.compactMap(\.bytes)
        try #require(certificates.count == 3)
        return certificates
    }

    /// When the sample was made (its `verifyAt`).
    static let time = UnixTime(secondsSince1970: 1_776_795_192)

    static func verifier(_ name: String) throws -> CertificatePathVerifier {
        let root = try Certificate(derEncoded: certificates(name)[2])
        return CertificatePathVerifier(trustAnchors: [try TrustAnchor(root)])
    }

    @Test(arguments: ["apple-app-attest", "apple-receipt"]) func chain(_ name: String) throws {
        let certificates = try Self.certificates(name).map { try Certificate(derEncoded: $0) }
        let verifier = try Self.verifier(name)
        let chain = try verifier.validate(
            leaf: certificates[0], intermediates: [certificates[1]], at: Self.time)
        #expect(chain.certificates == Array(certificates[0...1]))
        _ = try verifier.validateAppAttestChain(Array(certificates[0...1]), at: Self.time)
        // Each of the roots is the other's no anchor.
        let other = try Self.verifier(name == "apple-receipt" ? "apple-app-attest" : "apple-receipt")
        #expect(throws: X509Error.issuerNotFound(certificate: 1)) {
            try other.validate(leaf: certificates[0], intermediates: [certificates[1]], at: Self.time)
        }
        // A root's own signature is that of its key.
        #expect(IssuerKey(certificates[2].publicKey)?.hasSigned(certificates[2]) == true)
    }

    @Test func attestationLeaf() throws {
        let leaf = try Certificate(derEncoded: Self.certificates("apple-app-attest")[0])
        #expect(leaf.signatureAlgorithm == .ecdsaWithSHA256)
        #expect(leaf.basicConstraints?.isCertificationAuthority == false)
        #expect(leaf.keyUsage == [.digitalSignature, .contentCommitment, .keyEncipherment, .dataEncipherment])
        #expect(leaf.authorityKeyIdentifier == nil && leaf.subjectKeyIdentifier == nil)
        // 1.2.840.113635.100.4.24, and not serverAuth.
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

    /// One bit changed at any place of leaf or intermediate: never accepted.
    @Test func everyByteChanged() throws {
        let encodings = try Self.certificates("apple-app-attest")
        let verifier = try Self.verifier("apple-app-attest")
        let certificates = try encodings.map { try Certificate(derEncoded: $0) }
        var tried = 0
        var parsed = 0
        for position in 0...1 {
            let encoded = encodings[position]
            for index in debugSample(Array(encoded.indices), every: 23, of: "bytes of a certificate") {
                tried += 1
                var changed = encoded
                changed[index] ^= 1 << UInt8(index % 8)
                guard let certificate = try? Certificate(derEncoded: changed) else { continue }
                parsed += 1
                var chain = certificates
                chain[position] = certificate
                let found = try? verifier.validate(leaf: chain[0], intermediates: [chain[1]], at: Self.time)
                #expect(found == nil, "byte \(index) of certificate \(position)")
                let narrow = try? verifier.validateAppAttestChain(Array(chain[0...1]), at: Self.time)
                #expect(narrow == nil, "byte \(index) of certificate \(position)")
            }
        }
        #expect(encodings[0].count + encodings[1].count == 1_640 && tried >= 1_640 / 23)
        // Some changes break a rule of the encoding or of a field before any signature is looked at, some do not.
        #expect(parsed > tried / 4 && parsed < tried)
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

    /// Bytes that are no certificate at all, and certificates with several bytes of noise.
    @Test func noise() throws {
        var random = SystemRandomNumberGenerator()
        let encoded = try Self.certificates("apple-app-attest")[0]
        for _ in debugSample(Array(0..<2_000), every: 13, of: "noisy certificates") {
            var noisy = encoded
            for _ in 0..<UInt8.random(in: 2...8, using: &random) {
                noisy[Int.random(in: noisy.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let certificate = try? Certificate(derEncoded: noisy), certificate.derEncoded != encoded {
                #expect(
                    (try? Self.verifier("apple-app-attest").validate(
                        leaf: certificate,
                        intermediates: [Certificate(derEncoded: Self.certificates("apple-app-attest")[1])],
                        at: Self.time)) == nil)
            }
            let bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect((try? Certificate(derEncoded: bytes)) == nil)
        }
    }

    /// Any start index gives the same certificate.
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
