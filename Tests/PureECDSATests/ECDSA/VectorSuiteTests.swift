import Foundation
import Testing
import VectorSupport

struct CAVPTests {
    /// Runs 2 curves × 3 hashes × 15 cases. The other 24 sections of 15 cases use curves and hashes that the package
    /// does not support. FIPS 186-5 §6.4.2 steps 2–8.
    @Test func verifiesSignatures() throws {
        let file = try ResponseFile(committed: "nist-cavp/ecdsa/CAVP_186-3_SigVer.rsp")
        let outcome = try CAVPSuites.runSignatureVerification(file)
        #expect(outcome.failures == [])
        #expect(outcome.passed == 90)
        #expect(outcome.total == file.records.count)
    }

    @Test func validatesPublicKeys() throws {
        let file = try ResponseFile(committed: "nist-cavp/ec/CAVP_186-3_PKV.rsp")
        let outcome = try CAVPSuites.runPublicKeyValidation(file)
        #expect(outcome.failures == [])
        #expect(outcome.passed == 24)
        #expect(outcome.total == file.records.count)
    }

    @Test func derivesKeyPairs() throws {
        let file = try ResponseFile(committed: "nist-cavp/ec/CAVP_186-3_KeyPair.rsp")
        let outcome = try CAVPSuites.runKeyPairs(file, multiply: multiply)
        #expect(outcome.failures == [])
        #expect(outcome.passed == 20)
        #expect(outcome.total == 150)
    }
}

private let hasExtraVectors = VectorDirectory.extra != nil

/// Runs test suites that are not part of the repository. `Vectors/README.md` names their sources.
@Suite(.enabled(if: hasExtraVectors, "PUREATTEST_EXTRA_VECTORS is not set: these suites did not run"))
struct ExtraVectorTests {
    private func data(_ path: String) throws -> Data {
        try Data(contentsOf: #require(VectorDirectory.extra).appending(path: path))
    }

    @Test(
        arguments: [
            ("ecdsa_secp256r1_sha256_test", 484), ("ecdsa_secp384r1_sha384_test", 504),
            ("ecdsa_secp384r1_sha256_test", 472),
        ])
    func verifiesWycheproofSignatures(_ name: String, _ count: Int) throws {
        let outcome = try Wycheproof.runECDSA(data("ecdsa/\(name).json"))
        #expect(outcome.failures == [])
        #expect(outcome.passed == count)
        #expect(outcome.skipped == [:])
    }

    @Test(
        arguments: [
            ("ec/ecdh_secp256r1_ecpoint_test", 355), ("der/wycheproof_spki_secp256r1_ecdh_test", 612),
        ])
    func decodesWycheproofPublicKeys(_ name: String, _ count: Int) throws {
        let outcome = try Wycheproof.runECDH(data("\(name).json"), agreement: agree)
        #expect(outcome.failures == [])
        #expect(outcome.passed == count)
        #expect(outcome.skipped == [:])
    }

    @Test func multipliesTheBasePoint() throws {
        let file = try ResponseFile(contents: data("ec/ec_scalar_base_mult_tests.txt"))
        let outcome = try CAVPSuites.runBaseMultiplication(file, multiply: multiply)
        #expect(outcome.failures == [])
        #expect(outcome.passed == 258)
        #expect(outcome.skipped == ["curve P-224": 129, "curve P-521": 129])
    }

    @Test func agreesOnKeys() throws {
        let file = try ResponseFile(contents: data("ec/bssl_cavp_ecdh_primitive.txt"))
        let outcome = try CAVPSuites.runKeyAgreement(file, multiply: multiply)
        #expect(outcome.failures == [])
        #expect(outcome.passed == 50)
        #expect(outcome.skipped == ["curve P-224": 25, "curve P-521": 25])
    }
}
