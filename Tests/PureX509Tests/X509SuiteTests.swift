import Foundation
import PureBytes
import PureX509
import Testing
import VectorSupport

/// Runs published suites. A test fails if the set of skipped cases changes, or if a listed deviation is stale.
@Suite(
    .enabled(
        if: VectorDirectory.extra != nil,
        "PUREATTEST_EXTRA_VECTORS is not set: BoringSSL's certificates and Wycheproof's keys did not run"))
struct X509SuiteTests {
    private func folder() throws -> URL { try #require(VectorDirectory.extra) }

    @Test func boringSSLCertificates() throws {
        let outcome = try X509ParseSuites.runParse(folder: folder().appending(path: "x509/bssl_parse"))
        #expect(outcome.failures == [])
        #expect(outcome.total == 103 && outcome.passed == 92)
        #expect(outcome.skipped["no such PEM block"] == 1)
        #expect(outcome.deviationCount == 10)
    }

    @Test func boringSSLSignatures() throws {
        let outcome = try X509ParseSuites.runSignedData(
            folder: folder().appending(path: "ecdsa/bssl_verify_signed_data"))
        #expect(outcome.failures == [])
        #expect(outcome.total == 10 && outcome.passed == 10)
    }

    /// Of Wycheproof's keys, only the valid P-256 keys and the compressed key are accepted. The other "acceptable" keys
    /// are not DER (222) or do not name a curve (7).
    @Test func wycheproofKeys() throws {
        struct File: Decodable {
            struct Group: Decodable { let tests: [Case] }
            struct Case: Decodable {
                let tcId: Int
                let `public`: String
                let result: String
                let flags: [String]
            }
            let testGroups: [Group]
        }
        let data = try Data(contentsOf: folder().appending(path: "der/wycheproof_spki_secp256r1_ecdh_test.json"))
        let tests = try JSONDecoder().decode(File.self, from: data).testGroups.flatMap(\.tests)
        var accepted = 0
        for test in tests {
            let bytes = try [UInt8](hexEncoded: test.public)
            var isKey = false
            if case .p256? = try? CertificatePublicKey(subjectPublicKeyInfo: bytes[...]) { isKey = true }
            #expect(isKey == (test.result == "valid" || test.flags.contains("CompressedPublic")), "tcId \(test.tcId)")
            accepted += isKey ? 1 : 0
        }
        #expect(tests.count == 612 && accepted == 331)
    }
}
