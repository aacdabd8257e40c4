import DebugSampling
import Foundation
import PureDER
import PureX509
import Testing
import VectorSupport

@testable import PureAttest

/// Applies the App Attest profile to the chains of the Apple samples (`Vectors/x509`).
@Suite struct GenuineChainTests {
    /// Returns the leaf, the intermediate and the root of a chain, in this order.
    static func certificates(_ name: String) throws -> [ArraySlice<UInt8>] {
        let text = String(decoding: try VectorDirectory.committedFile("x509/\(name).pem"), as: UTF8.self)
        let certificates = PemFile(text).blocks.compactMap(\.bytes)
        try #require(certificates.count == 3)
        return certificates
    }

    /// The creation time of the sample (its `verifyAt`).
    static let time = UnixTime(secondsSince1970: 1_776_795_192)

    static func verifier(_ name: String) throws -> FixedChainVerifier {
        let root = try Certificate(derEncoded: certificates(name)[2])
        return FixedChainVerifier(trustAnchors: [try TrustAnchor(root)])
    }

    @Test(arguments: ["apple-app-attest", "apple-receipt"]) func chain(_ name: String) throws {
        let certificates = try Self.certificates(name).map { try Certificate(derEncoded: $0) }
        try Self.verifier(name).verify(certificates[0], issuedBy: certificates[1], at: Self.time)
        // The certificates may be in any order, and may include certificates that the chain does not need.
        for among in [certificates, certificates.reversed(), [certificates[1]]] {
            try Self.verifier(name).verify(signer: certificates[0], among: among, at: Self.time)
        }
        #expect(throws: X509Error.issuerNotFound(certificate: 0)) {
            try Self.verifier(name).verify(
                signer: certificates[0], among: [certificates[0], certificates[2]], at: Self.time)
        }
        // Neither chain is accepted under the root of the other chain.
        let other = try Self.verifier(name == "apple-receipt" ? "apple-app-attest" : "apple-receipt")
        #expect(throws: X509Error.issuerNotFound(certificate: 1)) {
            try other.verify(certificates[0], issuedBy: certificates[1], at: Self.time)
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
                #expect(throws: X509Error.self, "byte \(index) of certificate \(position)") {
                    try verifier.verify(chain[0], issuedBy: chain[1], at: Self.time)
                }
            }
        }
        #expect(encodings[0].count + encodings[1].count == 1_640 && tried >= 1_640 / 23)
        // Some of the changes make the encoding or a field invalid; the others only invalidate the signature.
        #expect(parsed > tried / 4 && parsed < tried)
    }
}
