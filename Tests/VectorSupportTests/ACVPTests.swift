import DebugSampling
import Foundation
import PureBytes
import Testing

@testable import VectorSupport

/// Runs `Vectors/acvp`: OpenSSL's answers in the form of `internalProjection.json`, and prompts without answers.
@Suite struct ACVPTests {
    private static let counts = [
        "SHA2-256": 14, "SHA2-384": 14, "SHA2-512": 14, "HMAC-SHA2-256": 18, "HMAC-SHA2-384": 18, "HMAC-SHA2-512": 18,
        "ECDSA-keyVer": 30, "ECDSA-sigVer": 72,
    ]

    private static let names = debugSample(counts.keys.sorted(), every: 6, of: "files of ACVP")

    private typealias Object = [String: Any]

    private static func object(_ json: Data) throws -> Object {
        try #require(JSONSerialization.jsonObject(with: json) as? Object)
    }

    private static func json(_ value: Any) throws -> Data { try JSONSerialization.data(withJSONObject: value) }

    private static func set(_ set: Object, keeping isKept: (String) -> Bool) throws -> Object {
        var set = set
        set["testGroups"] = try #require(set["testGroups"] as? [Object]).map { group in
            var group = group
            group["tests"] = try #require(group["tests"] as? [Object]).map { $0.filter { isKept($0.key) } }
            return group
        }
        return set
    }

    private static let answers: Set = ["md", "resultsArray", "mac", "testPassed"]

    private static func prompt(_ name: String) throws -> Object {
        try set(object(VectorDirectory.committedFile("acvp/\(name).json"))) { !answers.contains($0) }
    }

    /// In a debug build, removes the Monte Carlo groups, which consist of 100,000 digests each.
    private static func withoutChains(_ set: Object) throws -> Object {
        var set = set
        let groups = try #require(set["testGroups"] as? [Object])
        let chains = groups.filter { $0["testType"] as? String == "MCT" }
        set["testGroups"] =
            groups.filter { $0["testType"] as? String != "MCT" }
            + debugSample(chains, every: 2, from: 1, of: "Monte Carlo groups to answer")
        return set
    }

    @Test(arguments: names)
    func answersMatchOpenSSL(_ name: String) throws {
        let file = try VectorDirectory.committedFile("acvp/\(name).json")
        let outcome = try ACVPSuites.run(file)
        #expect(outcome.passed == Self.counts[name] && outcome.ran == Self.counts[name] && outcome.failures.isEmpty)

        let prompt = try Self.withoutChains(Self.prompt(name))
        let response = try Self.object(ACVPResponse.answering(Self.json(prompt)))
        // The response repeats the identifiers of the vector set, its groups and its tests, and contains the answers.
        var expected = try Self.set(Self.withoutChains(Self.object(file))) { $0 == "tcId" || Self.answers.contains($0) }
        expected = expected.filter { ["vsId", "algorithm", "mode", "revision", "testGroups"].contains($0.key) }
        expected["testGroups"] = try #require(expected["testGroups"] as? [Object]).map { group in
            group.filter { ["tgId", "tests"].contains($0.key) }
        }
        let found = String(decoding: try Self.json(response), as: UTF8.self).lowercased()
        let wanted = String(decoding: try Self.json(expected), as: UTF8.self).lowercased()
        #expect(
            try NSDictionary(dictionary: Self.object(Data(found.utf8)))
                == NSDictionary(dictionary: Self.object(Data(wanted.utf8))))
    }

    @Test(arguments: [
        ("SHA2-256", "md"), ("HMAC-SHA2-256", "mac"), ("ECDSA-keyVer", "testPassed"), ("SHA2-256", "resultsArray"),
    ])
    func wrongAnswersFail(_ name: String, _ member: String) throws {
        var file = try Self.object(VectorDirectory.committedFile("acvp/\(name).json"))
        let groups = try #require(file["testGroups"] as? [Object])
        var group = try #require(groups.first { ($0["tests"] as? [Object])?.first?[member] != nil })
        var test = try #require((group["tests"] as? [Object])?.first)
        switch test[member] {
        case let isPassed as Bool where member == "testPassed": test[member] = !isPassed
        case is [Any]: test[member] = [["md": String(repeating: "00", count: 32)]]
        default: test[member] = "00"
        }
        group["tests"] = [test]
        file["testGroups"] = [group]
        let outcome = try ACVPSuites.run(Self.json(file))
        #expect(outcome.ran == 1 && outcome.failures.count == 1)
    }

    /// A session consists of a header, which the response repeats, and vector sets. A group whose tests are null has no
    /// tests.
    @Test func sessions() throws {
        let header: Object = ["acvVersion": "1.0", "isSample": true, "none": NSNull(), "list": [1, 2.5, "x"]]
        var empty = try Self.prompt("HMAC-SHA2-384")
        empty["testGroups"] = [["tgId": 3, "tests": NSNull()] as Object]
        let response = try ACVPResponse.answering(Self.json([header, Self.prompt("ECDSA-keyVer"), empty]))
        let parts = try #require(JSONSerialization.jsonObject(with: response) as? [Object])
        #expect(parts.count == 3 && NSDictionary(dictionary: parts[0]) == NSDictionary(dictionary: header))
        #expect(parts[1]["mode"] as? String == "keyVer" && parts[2]["mode"] == nil)
        let groups = try #require(parts[2]["testGroups"] as? [Object])
        #expect(groups.count == 1 && groups[0]["tgId"] as? Int == 3 && (groups[0]["tests"] as? [Any])?.isEmpty == true)
    }

    /// If a test of a set has no answer, there is no response for the set.
    @Test(arguments: [
        (
            #""algorithm":"SHA3-256","testGroups":[{"tgId":2,"testType":"AFT","tests":[{"tcId":5,"msg":"00","len":8}]}]"#,
            "SHA3-256, group 2, test 5: not implemented: algorithm SHA3-256 "
        ),
        (
            #""algorithm":"SHA2-256","testGroups":[{"tgId":2,"testType":"AFT","tests":[{"tcId":5,"msg":"80","len":1}]}]"#,
            "SHA2-256, group 2, test 5: not implemented: message with a partial byte"
        ),
        (
            #""algorithm":"SHA2-256","testGroups":[{"tgId":2,"testType":"AFT","tests":[{"tcId":5,"msg":"80","len":-8}]}]"#,
            "SHA2-256, group 2, test 5: not implemented: message with a partial byte"
        ),
        (
            #""algorithm":"SHA2-256","testGroups":[{"tgId":2,"testType":"AFT","tests":[{"tcId":5,"msg":"80","len":16}]}]"#,
            "SHA2-256, group 2, test 5: a member is missing, or shorter than its length"
        ),
        (
            #""algorithm":"SHA2-256","testGroups":[{"tgId":2,"testType":"MCT","mctVersion":"alternate","tests":[{"tcId":5,"msg":"80","len":8}]}]"#,
            "SHA2-256, group 2, test 5: not implemented: test type MCT"
        ),
        (
            #""algorithm":"SHA2-256","testGroups":[{"testType":"LDT","tests":[{"tcId":5,"largeMsg":{"content":"","contentLength":0,"fullLength":8,"expansionTechnique":"repeating"}}]}]"#,
            "SHA2-256, group 0, test 5: a member is missing, or shorter than its length"
        ),
        (
            #""algorithm":"SHA2-256","testGroups":[{"testType":"LDT","tests":[{"tcId":5,"largeMsg":{"content":"00","contentLength":8,"fullLength":8,"expansionTechnique":"x"}}]}]"#,
            "SHA2-256, group 0, test 5: not implemented: expansion technique x"
        ),
        (
            #""algorithm":"HMAC-SHA2-256","testGroups":[{"macLen":264,"tests":[{"tcId":5,"msg":"","key":"00"}]}]"#,
            "HMAC-SHA2-256, group 0, test 5: not implemented: code of 264 bits"
        ),
        (
            #""algorithm":"HMAC-SHA2-256","testGroups":[{"macLen":0,"tests":[{"tcId":5,"msg":"","key":"00"}]}]"#,
            "HMAC-SHA2-256, group 0, test 5: not implemented: code of 0 bits"
        ),
        (
            #""algorithm":"ECDSA","mode":"sigVer","testGroups":[{"curve":"P-521","hashAlg":"SHA2-256","tests":[{"tcId":5}]}]"#,
            "ECDSA sigVer, group 0, test 5: not implemented: curve P-521"
        ),
        (
            #""algorithm":"ECDSA","mode":"sigVer","testGroups":[{"curve":"P-256","hashAlg":"SHA2-224","tests":[{"tcId":5}]}]"#,
            "ECDSA sigVer, group 0, test 5: not implemented: hash SHA2-224"
        ),
        (
            #""algorithm":"ECDSA","mode":"sigGen","testGroups":[{"curve":"P-256","tests":[{"tcId":5}]}]"#,
            "ECDSA sigGen, group 0, test 5: not implemented: algorithm ECDSA sigGen"
        ),
    ])
    func unanswerable(_ members: String, _ reason: String) {
        #expect(throws: ACVPResponse.Unanswerable(reason: reason)) {
            try ACVPResponse.answering(Data("{\(members)}".utf8))
        }
    }

    @Test(arguments: ["", "{}", "[]", "[{}]", "[1]", "null", #"{"testGroups":1}"#, #"[{"testGroups":[]}]"#])
    func noPrompt(_ text: String) {
        #expect(throws: (any Error).self) { try ACVPResponse.answering(Data(text.utf8)) }
    }
}
