import Foundation
import Testing
import VectorSupport

/// Tests the runs of `pure-attest vectors`: recognizing files, counting cases, and detecting wrong expectations.
struct VectorFileTests {
    @Test(
        arguments: [
            ("nist-cavp/sha2/SHA256ShortMsg.rsp", "CAVP SHA-2", 65, 0),
            ("nist-cavp/sha2/SHA384ShortMsg.rsp", "CAVP SHA-2", 129, 0),
            ("nist-cavp/sha2/SHA512ShortMsg.rsp", "CAVP SHA-2", 129, 0),
            ("nist-cavp/ecdsa/CAVP_186-3_SigVer.rsp", "CAVP ECDSA signatures", 90, 1035),
            ("nist-cavp/ec/CAVP_186-3_PKV.rsp", "CAVP public keys", 24, 156),
            ("nist-cavp/ec/CAVP_186-3_KeyPair.rsp", "CAVP key pairs", 20, 130),
            ("nist-cavp/rsa/SigVer15_186-3.rsp", "CAVP RSASSA-PKCS1-v1_5 signatures", 162, 288),
            ("app-attest/apple-guide-2026.json", "App Attest objects", 2, 0),
        ])
    func recognizesCommittedFiles(_ path: String, _ form: String, _ passed: Int, _ skipped: Int) throws {
        let file = try VectorFile(running: VectorDirectory.committedFile(path))
        #expect(file.form == form)
        #expect(file.outcome.failures == [])
        #expect(file.outcome.passed == passed)
        #expect(file.outcome.total - file.outcome.ran == skipped)
    }

    /// A changed digest, curve or expectation in a file causes at least one failure.
    @Test(
        arguments: [
            ("nist-cavp/sha2/SHA256ShortMsg.rsp", "MD = 28969cdf", "MD = 28969cde"),
            ("nist-cavp/ec/CAVP_186-3_PKV.rsp", "[P-256]", "[P-384]"),
            ("app-attest/apple-guide-2026.json", "\"verifies\": true", "\"verifies\": false"),
        ])
    func showsAFlippedExpectation(_ path: String, _ text: String, _ replacement: String) throws {
        var contents = try String(decoding: VectorDirectory.committedFile(path), as: UTF8.self)
        let range = try #require(contents.range(of: text))
        contents.replaceSubrange(range, with: replacement)
        #expect(try VectorFile(running: Data(contents.utf8)).outcome.failures.count >= 1)
    }

    /// RFC 6979 A.2.5, "sample" with SHA-256, in ACVP's form: valid, another message, keys on and off the curve.
    @Test func runsACVP() throws {
        let (qx, qy, _, r, s) = SuiteInputTests.key
        func signatures(_ curve: String, _ second: Bool) -> Data {
            let key = "\"qx\":\"\(qx)\",\"qy\":\"\(qy)\",\"r\":\"\(r)\",\"s\":\"\(s)\""
            return Data(
                """
                {"vsId":0,"algorithm":"ECDSA","mode":"sigVer","testGroups":[{"curve":"\(curve)","hashAlg":"SHA2-256","tests":[
                {"tcId":1,"message":"73616D706C65",\(key),"testPassed":true},
                {"tcId":2,"message":"73616D706C66",\(key),"testPassed":\(second)}]}]}
                """.utf8)
        }
        #expect(try VectorFile(running: signatures("P-256", false)).outcome.passed == 2)
        #expect(try VectorFile(running: signatures("P-256", true)).outcome.failures == ["tcId 2"])
        #expect(try VectorFile(running: signatures("P-521", false)).outcome.skipped == ["curve P-521": 2])

        let keys = """
            {"vsId":0,"algorithm":"ECDSA","mode":"keyVer","testGroups":[{"curve":"P-256","tests":[
            {"tcId":1,"qx":"\(qx)","qy":"\(qy)","testPassed":true},
            {"tcId":2,"qx":"\(qy)","qy":"\(qx)","testPassed":false},
            {"tcId":3,"qx":"00\(qx)","qy":"\(qy)","testPassed":false}]}]}
            """
        #expect(try VectorFile(running: Data(keys.utf8)).outcome.passed == 3)

        // The example "abc" of FIPS 180-4, and a message with a partial byte.
        let digests = """
            {"vsId":0,"algorithm":"SHA2-256","testGroups":[{"testType":"AFT","tests":[
            {"tcId":1,"msg":"616263","len":24,"md":"BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"},
            {"tcId":2,"msg":"80","len":1,"md":"00"}]}]}
            """
        let outcome = try VectorFile(running: Data(digests.utf8)).outcome
        #expect(outcome.passed == 1)
        #expect(outcome.skipped == ["message with a partial byte": 1])
    }

    @Test(arguments: [
        "", " ", "{}", "[]", "[1]", "{\"cases\":[]}", "{\"testGroups\":[]}", "no = vectors", "\u{0}", "{",
        "{\"testGroups\":1,\"cases\":{}}", "{\"testGroups\":[1]}", "[[{\"cbor\":1}]]", "[{\"cbor\":1}]",
        "{\"attestation\":null}", String(repeating: "[", count: 100_000),
        String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
    ])
    func rejectsMalformedFiles(_ text: String) {
        #expect(throws: (any Error).self) { try VectorFile(running: Data(text.utf8)) }
    }
}
