import DebugSampling
import Foundation
import Testing
import VectorSupport

/// Runs `Vectors/ecdsa-edge`: signatures with chosen numbers, in Wycheproof's JSON. OpenSSL confirms the verdicts.
struct EdgeSignatureFileTests {
    static let counts = [
        "ecdsa_secp256r1_sha256_test": 186, "ecdsa_secp256r1_sha256_p1363_test": 138,
        "ecdsa_secp256r1_sha384_test": 192, "ecdsa_secp256r1_sha384_p1363_test": 52,
        "ecdsa_secp256r1_sha512_test": 192, "ecdsa_secp256r1_sha512_p1363_test": 52,
        "ecdsa_secp384r1_sha256_test": 186, "ecdsa_secp384r1_sha256_p1363_test": 46,
        "ecdsa_secp384r1_sha384_test": 186, "ecdsa_secp384r1_sha384_p1363_test": 138,
        "ecdsa_secp384r1_sha512_test": 192, "ecdsa_secp384r1_sha512_p1363_test": 52,
    ]

    private static func contents(_ name: String) throws -> Data {
        try VectorDirectory.committedFile("ecdsa-edge/\(name).json")
    }

    /// A debug build runs only one file for each curve and form of signature.
    @Test(arguments: debugSample(counts.keys.sorted(), every: 5, of: "files of edge signatures"))
    func everySignature(_ name: String) throws {
        let file = try VectorFile(running: Self.contents(name))
        #expect(file.form == "Wycheproof ECDSA")
        #expect(file.outcome.failures == [])
        #expect(file.outcome.passed == Self.counts[name] && file.outcome.total == file.outcome.passed)
    }

    /// With all expected results inverted, no case passes.
    @Test func turnedResults() throws {
        let text = String(decoding: try Self.contents("ecdsa_secp256r1_sha256_p1363_test"), as: UTF8.self)
        let turned = text.replacing(#""result": "valid""#, with: #""result": "?""#)
            .replacing(#""result": "invalid""#, with: #""result": "valid""#)
            .replacing(#""result": "?""#, with: #""result": "invalid""#)
        let outcome = try VectorFile(running: Data(turned.utf8)).outcome
        #expect(outcome.passed == 0 && outcome.failures.count == 138)
    }

    /// The files of both curves contain the flags that the list of known failures names.
    @Test func flagsOfTheKnownFailures() throws {
        struct File: Decodable {
            struct Group: Decodable { let tests: [Case] }
            struct Case: Decodable { let flags: [String] }
            let testGroups: [Group]
        }
        let named = Set(try AdversarialCorpusTests.KnownFailures.committed().flatMap { $0.wycheproofFlags ?? [] })
        #expect(named.count == 16)
        for curve in ["secp256r1_sha512", "secp384r1_sha512"] {
            let file = try JSONDecoder().decode(File.self, from: Self.contents("ecdsa_\(curve)_test"))
            let flags = Set(file.testGroups.flatMap(\.tests).flatMap(\.flags))
            #expect(named.subtracting(flags) == [], "\(curve)")
        }
    }
}
