import DebugSampling
import Foundation
import Testing

@testable import VectorSupport

/// Tests the inputs of path cases in x509-limbo's format. Each test changes inputs of the corpus's valid chain.
struct PathInputTests {
    private let chain: [String: Any]

    init() throws {
        let contents = try VectorDirectory.committedFile("adversarial/certificates.json")
        let file = try #require(try JSONSerialization.jsonObject(with: contents) as? [String: Any])
        chain = [
            "id": "case", "expected_result": "SUCCESS", "validation_time": "2026-07-01T00:00:00Z",
            "trusted_certs": try #require(file["anchors"]),
            "untrusted_intermediates": try #require(file["intermediates"]),
            "peer_certificate": try #require(file["leaf"]),
        ]
    }

    private func outcome(_ changes: [String: Any], informational: [String] = []) throws -> SuiteOutcome {
        let test = chain.merging(changes) { $1 }
        let file: [String: Any] = ["version": 1, "testcases": [test]]
        return try VectorFile(
            running: JSONSerialization.data(withJSONObject: file),
            informational: try InformationalMembers(informational)
        ).outcome
    }

    /// RFC 5280 §6.1.1 (c), (e), (f) and (g): a case is skipped if a policy input has a value of a wrong type.
    @Test(arguments: [
        "user_initial_policy_set", "initial_policy_set", "initial_explicit_policy", "initial_policy_mapping_inhibit",
        "initial_any_policy_inhibit", "policies", "acceptable_policy",
    ])
    func unreadablePolicyInputsAreAReasonToSkip(_ name: String) throws {
        let values: [Any] = [["no policy"], ["set": ["x"]], "1", 2, ["a": ["1.2"], "b": ["1.3"]]]
        for value in values {
            for result in ["SUCCESS", "FAILURE"] {
                let outcome = try outcome([name: value, "expected_result": result])
                #expect(outcome.skipped == ["needs initial policy inputs (RFC 5280 §6.1.1)": 1], "\(value), \(result)")
            }
        }
        // The value null selects the default of RFC 5280's algorithm.
        #expect(try outcome([name: NSNull()]).passed == 1)
    }

    /// Without policies in the chain, only a required policy makes the case fail. Other policy inputs change nothing.
    @Test func policyInputs() throws {
        for name in ["initial_explicit_policy", "require_explicit_policy"] {
            for (value, result): (Any, String) in [
                (true, "FAILURE"), (1, "FAILURE"), (false, "SUCCESS"), (0, "SUCCESS"),
            ] {
                #expect(try outcome([name: value, "expected_result": result]).passed == 1)
            }
        }
        for name in ["user_initial_policy_set", "initial_policy_set", "policies"] {
            let values: [Any] = [
                ["2.16.840.1.101.3.2.1.48.1"], "NIST-test-policy-1", ["set": ["NIST-test-policy-1"]], "any-policy",
                ["anyPolicy"], [String](),
            ]
            for value in values {
                #expect(try outcome([name: value]).passed == 1, "\(value)")
                #expect(
                    try outcome([name: value, "initial_explicit_policy": true, "expected_result": "FAILURE"]).passed
                        == 1)
            }
        }
        for name in ["initial_policy_mapping_inhibit", "initial_any_policy_inhibit"] {
            #expect(try outcome([name: true]).passed == 1)
        }
    }

    @Test func unprocessedInputsAreAReasonToSkip() throws {
        for name in ["initial_permitted_subtrees", "initialExcludedSubtrees"] {
            #expect(try outcome([name: ["x"]]).skipped == ["needs initial subtrees (RFC 5280 §6.1.1)": 1])
        }
        #expect(try outcome(["features": ["new"]]).skipped == ["unknown feature new": 1])
        #expect(try outcome(["features": ["max-chain-depth"], "max_chain_depth": 1]).passed == 1)
        #expect(try outcome(["max_chain_depth": 0, "expected_result": "FAILURE"]).passed == 1)
    }

    @Test(arguments: [
        "description", "importance", "conflicts_with", "validation_kind", "peer_certificate_key", "expected_errors",
        "rule",
        "number", "section", "title", "name", "names", "family", "related", "note", "notes", "comment", "author_note",
        "AuthorNotes", "policy-comment", "source", "references",
    ])
    func informationalMembers(_ name: String) throws {
        let values: [Any] = ["text", ["a", "b"], ["a": ["b": 1]], 7, true]
        // In a debug build, the length of the name selects the sample.
        for value in debugSample(values, every: 5, from: name.utf8.count, of: "values of a member") {
            #expect(try outcome([name: value]).passed == 1)
            #expect(try outcome([name: value, "expected_result": "FAILURE"]).failedCases.map(\.finding) == [.accepted])
        }
        #expect(try outcome([name: "text", "weather": "wet"]).skipped == ["has the unknown member weather": 1])
    }

    /// A case with an unknown member is skipped, because this member may change the verdict.
    @Test func unknownMembers() throws {
        let changes: [String: Any] = ["weather": "wet", "anote": ["x"], "keynotes": 0]
        let reason = "has the unknown members "
        #expect(try outcome(changes).skipped == [reason + "anote, keynotes, weather": 1])
        #expect(
            try outcome(changes, informational: ["weather"]).skipped == [reason + "anote, keynotes": 1])
        #expect(try outcome(changes, informational: ["weather", "anote", "keynotes", "absent"]).passed == 1)
        // Empty values require nothing.
        #expect(try outcome(["weather": [String](), "wind": false, "rain": NSNull()]).passed == 1)
    }

    /// The option for informational members rejects the name of every input, even if the runner does not process the
    /// input.
    @Test(arguments: [
        "id", "expected_result", "expected_error", "validation_time", "trusted_certs", "untrusted_intermediates",
        "peer_certificate", "features", "max_chain_depth", "extended_key_usage", "expected_peer_name",
        "expected_peer_names", "crls", "key_usage", "signature_algorithms", "last_cert_trust", "key_purpose",
        "expected_user_constrained_policy_set", "user_initial_policy_set", "policies", "initial_explicit_policy",
        "inhibit_any_policy", "acceptable_policy", "InitialPolicySet", "initial_permitted_subtrees",
        "EXCLUDED-SUBTREES",
    ])
    func membersThatChangeVerdictsAreNotInformational(_ name: String) throws {
        #expect(throws: VectorFileError.memberChangesVerdict(name)) { try InformationalMembers(["weather", name]) }
    }

    /// An unknown purpose must not count as a rejection, because a case that expects a failure would then pass.
    @Test(arguments: ["SUCCESS", "FAILURE"])
    func unknownPurposesAndTrustAreAReasonToSkip(_ result: String) throws {
        for purpose in [["extended_key_usage": ["1.2.3"]], ["extended_key_usage": ["serverAuth", "clientAuth"]]] {
            let outcome = try outcome(["expected_result": result].merging(purpose as [String: Any]) { $1 })
            #expect(outcome.skipped == ["needs another extended key usage": 1])
        }
        #expect(
            try outcome(["last_cert_trust": "DISTRUSTED", "expected_result": result]).skipped
                == ["unsupported kind of trust DISTRUSTED": 1])
    }

    /// The runner does not restrict algorithms, and a restriction can only add rejections. So a rejection without the
    /// restriction is a valid result, but an acceptance is not.
    @Test func restrictionsOnlyAddRejections() throws {
        for result in ["SUCCESS", "FAILURE"] {
            #expect(
                try outcome(["signature_algorithms": ["x"], "expected_result": result]).skipped
                    == ["needs a choice of signature algorithms": 1])
        }
        let late = try outcome([
            "signature_algorithms": ["x"], "validation_time": "2099-01-01T00:00:00Z", "expected_result": "FAILURE",
        ])
        #expect(late.passed == 1)
    }

    /// The leaf's key usage allows signing, the leaf has no server name, and no revocation list covers the chain.
    @Test func inputsThatCount() throws {
        for (changes, result): ([String: Any], String) in [
            (["key_usage": ["digitalSignature"]], "SUCCESS"), (["key_usage": ["cRLSign"]], "FAILURE"),
            (["expected_peer_name": ["kind": "DNS", "value": "example.com"]], "FAILURE"),
            (["expected_peer_name": ["kind": "IP", "value": "192.0.2.1"]], "FAILURE"),
            (["expected_peer_name": ["kind": "RFC822", "value": "a@example.com"]], "FAILURE"),
            (["crls": ["AAAA"]], "FAILURE"),
        ] {
            #expect(try outcome(changes.merging(["expected_result": result]) { $1 }).passed == 1, "\(changes)")
        }
        #expect(try outcome(["key_usage": ["flying"]]).failures == ["case: the case is malformed"])
        #expect(try outcome(["crls": ["%"]]).failures == ["case: the case is malformed"])
    }

    @Test func anotherErrorThanTheExpectedOneFails() throws {
        let changes: [String: Any] = ["validation_time": "2099-01-01T00:00:00Z", "expected_result": "FAILURE"]
        #expect(try outcome(changes.merging(["expected_error": "expired(certificate: 0)"]) { $1 }).passed == 1)
        #expect(try outcome(changes.merging(["expected_error": "expired(certificate: 1)"]) { $1 }).failures.count == 1)
    }

    @Test(arguments: ["SUCCESS", "FAILURE"])
    func unreadableCasesFail(_ result: String) throws {
        for change in [["peer_certificate": "%"], ["validation_time": "tomorrow"], ["expected_result": "MAYBE"]] {
            let outcome = try outcome(["expected_result": result].merging(change) { $1 })
            #expect(outcome.failures == ["case: the case is malformed"], "\(change)")
        }
    }
}
