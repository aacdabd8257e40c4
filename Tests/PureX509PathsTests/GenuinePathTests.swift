import DebugSampling
import Foundation
import PureDER
import PureX509
import PureX509Paths
import Testing
import VectorSupport

/// Validates the certificate chains of Apple's samples (`Vectors/x509`) as RFC 5280 paths.
@Suite struct GenuinePathTests {
    /// Returns the leaf, the issuer and the root of a chain.
    static func certificates(_ name: String) throws -> [ArraySlice<UInt8>] {
        let text = String(decoding: try VectorDirectory.committedFile("x509/\(name).pem"), as: UTF8.self)
        let certificates = PemFile(text).blocks.compactMap(\.bytes)
        try #require(certificates.count == 3)
        return certificates
    }

    /// The sample's creation time (its `verifyAt`).
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
        // Neither chain is valid under the root of the other chain.
        let other = try Self.verifier(name == "apple-receipt" ? "apple-app-attest" : "apple-receipt")
        #expect(throws: PathError.issuerNotFound(certificate: 1)) {
            try other.validate(leaf: certificates[0], intermediates: [certificates[1]], at: Self.time)
        }
    }

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
            }
        }
        #expect(encodings[0].count + encodings[1].count == 1_640 && tried >= 1_640 / 23)
        // Some of the changes make the encoding or a field invalid; the others only invalidate the signature.
        #expect(parsed > tried / 4 && parsed < tried)
    }

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
        }
    }

    @Test func chainsAreCollections() throws {
        let certificates = try Self.certificates("apple-app-attest").map { try Certificate(derEncoded: $0) }
        let chain = try Self.verifier("apple-app-attest").validate(
            leaf: certificates[0], intermediates: [certificates[1]], at: Self.time)
        #expect(chain.count == 2 && chain.indices == 0..<2 && Array(chain) == chain.certificates)
        #expect(chain.first == chain.leaf && chain[1] == chain.last && chain.reversed().first == certificates[1])
        #expect(chain.map(\.subjectName.description).joined(separator: " < ").contains("CN=Apple App Attestation CA 1"))
    }
}
