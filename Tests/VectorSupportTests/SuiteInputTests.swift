import Foundation
import Testing

@testable import VectorSupport

/// A case is skipped if it has a member that may change the verdict and that the runner does not process.
struct SuiteInputTests {
    private func outcome(_ text: String) throws -> SuiteOutcome { try VectorFile(running: Data(text.utf8)).outcome }

    // MARK: DER values

    private func derValue(_ kind: String, _ hex: String, _ value: String) throws -> SuiteOutcome {
        try outcome(
            #"{"go":[{"kind":"\#(kind)","hex":"\#(hex)","valid":true,"value":"\#(value)"}],"boringssl":[]}"#)
    }

    @Test func derValuesAreCompared() throws {
        for (kind, hex, value) in [
            ("integer-contents", "05", "5"), ("integer-contents", "ff00", "-256"),
            ("bitstring-contents", "0700", "1:00"),
        ] {
            #expect(try derValue(kind, hex, value).passed == 1)
            #expect(try derValue(kind, hex, value + "1").failures.count == 1)
        }
    }

    @Test(arguments: [127, 128, 255, 256, 70_000]) func longDERValuesAreRead(_ count: Int) throws {
        let outcome = try outcome(
            #"{"go":[{"kind":"integer-contents","hex":"01\#(String(repeating: "00", count: count - 1))","#
                + #""valid":true}],"boringssl":[]}"#)
        #expect(outcome.passed == 1)
    }

    // MARK: Recipes

    /// The expanded size of each recipe and of a case's decoys is bounded.
    @Test(arguments: [
        #""cbor":[{"repeat":"AA==","count":16777217}]"#, #""cbor":[{"repeat":"AA==","count":1,"counterBytes":256}]"#,
        #""leaf":"","decoys":{"certificate":"AA==","count":65537}"#,
    ])
    func recipesAreBounded(_ member: String) {
        #expect(throws: VectorFileError.tooManyValues) { try adversarial(member) }
    }

    @Test func countersWrapAround() throws {
        _ = try adversarial(#""cbor":[{"repeat":"AA==","count":2,"counterBytes":1,"start":18446744073709551615}]"#)
    }

    private func adversarial(_ member: String) throws -> [AdversarialCase] {
        let text = #"{"numberOfTests":1,"time":0,"leaf":"","intermediates":[],"anchors":[],"adversarialCases":["#
        return try AdversarialFile(json: Data("\(text){\"id\":\"adv::x\",\"rows\":[],\"error\":null,\(member)}]}".utf8))
            .cases
    }

    // MARK: ACVP

    /// RFC 6979 A.2.5, "sample" with SHA-256.
    static let key = (
        qx: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6",
        qy: "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
        d: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
        r: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
        s: "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
    )

    private func acvp(_ group: String, _ test: String, mode: String = "sigVer") -> String {
        let key = Self.key
        return """
            {"vsId":0,"algorithm":"ECDSA","mode":"\(mode)","testGroups":[{"curve":"P-256","hashAlg":"SHA2-256"\(group),"tests":[
            {"tcId":1,"message":"73616D706C65","qx":"\(key.qx)","qy":"\(key.qy)","r":"\(key.r)","s":"\(key.s)"\(test)}]}]}
            """
    }

    /// SP 800-106 randomizes the message before hashing, so neither an acceptance nor a rejection can be confirmed.
    @Test(arguments: ["true", "false"])
    func conformanceOfAGroupIsHonoured(_ verdict: String) throws {
        let test = #","randomValue":"00","randomValueLen":8,"testPassed":"# + verdict
        #expect(
            try outcome(acvp(#","conformance":"SP800-106""#, test)).skipped == ["conformance SP800-106": 1])
        #expect(try outcome(acvp("", test)).skipped == ["randomised message (SP 800-106)": 1])
        #expect(
            try outcome(acvp(#","componentTest":true"#, #","testPassed":"# + verdict)).skipped == ["component test": 1])
        let plain = try outcome(
            acvp(#","conformance":null,"componentTest":false"#, #","testPassed":"# + verdict, mode: "SigVer"))
        #expect(plain.ran == 1 && plain.failures == (verdict == "true" ? [] : ["tcId 1"]))
    }

    /// `prompt.json` contains tests without answers.
    @Test func questionsWithoutAnswersAreNoSuite() {
        #expect(throws: VectorFileError.missingMember) { try outcome(acvp("", "")) }
    }

    // MARK: NIST's and Wycheproof's files

    private func signatureGeneration(_ s: String, d: String?) -> String {
        let key = Self.key
        return "[P-256,SHA-256]\n\nMsg = 73616d706c65\n" + (d.map { "d = \($0)\n" } ?? "")
            + "Qx = \(key.qx)\nQy = \(key.qy)\nR = \(key.r)\nS = \(s)\n"
    }

    /// The runner distinguishes a file for signature generation from a file for key pairs, even if both begin with the
    /// same header.
    @Test func signatureGenerationIsVerified() throws {
        let key = Self.key
        for d in [key.d, nil] {
            let file = try VectorFile(running: Data(signatureGeneration(key.s, d: d).utf8))
            #expect(file.form == "CAVP ECDSA signature generation")
            #expect(file.outcome.passed == 1 && file.outcome.total == 1)
            #expect(
                try outcome(signatureGeneration(key.r, d: d)).failedCases.map(\.finding) == [.refused],
                "another signature")
        }
        #expect(try outcome(signatureGeneration(key.s, d: "02")).failures == ["[P-256,SHA-256] 1: Q is not dG"])
        // CAVS files for FIPS 186-2 name no hash in the header, because the hash is always SHA-1.
        let old = signatureGeneration(key.s, d: key.d).replacing(",SHA-256", with: "")
        #expect(try outcome(old).skipped == ["section [P-256]": 1])
    }

    /// SHA-512/256 and SHA-256 digests are equally long, so only a comment in the file distinguishes them.
    @Test func truncatedHashesAreNotTakenForOthers() throws {
        let text = "#  \"SHA-512/256 ShortMsg\" information\n\n[L = 32]\n\nLen = 0\nMsg = 00\nMD = c672\n"
        #expect(try outcome(text).skipped == ["hash SHA-512/256": 1])
        // The seed of a chain is not a case.
        let chain = "[L = 28]\n\nSeed = 00\n\nCOUNT = 0\nMD = 00\n\nCOUNT = 1\nMD = 00\n"
        #expect(try outcome(chain).skipped == ["hash with [L = 28]": 2])
    }

    @Test func aResultIsPassedOrFailed() throws {
        let text = "[P-256]\n\nQx = \(Self.key.qx)\nQy = \(Self.key.qy)\nResult = "
        #expect(try outcome(text + "P (0 )\n").passed == 1)
        #expect(try outcome(text + "F (1 )\n").failures == ["[P-256] 1"])
        #expect(throws: VectorFileError.missingMember) { try outcome(text + "?\n") }
    }

    @Test func otherFilesOfWycheproofAreSkipped() throws {
        let text = #"{"numberOfTests":2,"testGroups":[{"type":"RsassaPssVerify","sha":"SHA-256","tests":[{},{}]}]}"#
        #expect(try outcome(text).skipped == ["type RsassaPssVerify": 2])
    }

    @Test func valuesAreCountedBeforeTheyAreDecoded() {
        #expect(VectorFile.hasTooManyValues(Data(#"{"a":[1,2]}"#.utf8), maximum: 3))
        #expect(!VectorFile.hasTooManyValues(Data(#"{"a":[1,2]}"#.utf8), maximum: 4))
    }

    // MARK: Object files

    private func objectFile(_ change: (inout [String: Any]) -> Void) throws -> SuiteOutcome {
        let contents = try VectorDirectory.committedFile("app-attest/apple-guide-2026.json")
        var object = try #require(try JSONSerialization.jsonObject(with: contents) as? [String: Any])
        change(&object)
        return try VectorFile(running: JSONSerialization.data(withJSONObject: object)).outcome
    }

    @Test func anObjectWithoutItsChallengeIsSkipped() throws {
        let reasons = ["attestation without a recorded challenge": 1, "receipt of an unattested key": 1]
        #expect(try objectFile { $0["clientDataHash"] = nil }.skipped == reasons)
        let hash = Data("example_server_challenge".utf8)
        // The sample's client data hash is the challenge itself, not its SHA-256 hash.
        let hashed = try objectFile {
            $0["clientDataHash"] = nil
            $0["challenge"] = hash.base64EncodedString()
        }
        #expect(hashed.failedCases.map(\.finding) == [.refused])
    }

    /// By default, the runner does not trust a virtual device's root. Under Apple's roots, valid objects would fail,
    /// and faulty objects would be rejected for the wrong reason.
    @Test func casesThatCannotBeJudgedAreSkipped() throws {
        let anchor = ["attestationRoot": "", "receiptRoot": ""]
        #expect(try objectFile { $0["testAnchor"] = anchor }.skipped == ["made under a test root": 2])
        #expect(
            try objectFile { $0["expect"] = nil }.skipped == ["the file has no expectation": 2])
    }
}
