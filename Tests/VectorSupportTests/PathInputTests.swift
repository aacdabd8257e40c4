import Foundation
import Testing

@testable import VectorSupport

/// Inputs of path cases, in x509-limbo's form, on the corpus's chain without a defect.
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

    private func outcome(_ changes: [String: Any]) throws -> SuiteOutcome {
        let test = chain.merging(changes) { $1 }
        let file: [String: Any] = ["version": 1, "testcases": [test]]
        return try VectorFile(running: JSONSerialization.data(withJSONObject: file)).outcome
    }

    /// RFC 5280 §6.1.1 (c), (e), (f) and (g), by the names that suites have for them.
    @Test(arguments: [
        "user_initial_policy_set", "initial_policy_set", "initial_explicit_policy", "initial_policy_mapping_inhibit",
        "initial_any_policy_inhibit", "policies",
    ])
    func initialPolicyInputsAreAReasonToSkip(_ name: String) throws {
        let values: [Any] = [
            true, ["2.16.840.1.101.3.2.1.48.1"], ["set": ["NIST-test-policy-1"]], "NIST-test-policy-1", 1,
        ]
        for value in values {
            for result in ["SUCCESS", "FAILURE"] {
                let outcome = try outcome([name: value, "expected_result": result])
                #expect(outcome.skipped == ["needs initial policy inputs (RFC 5280 §6.1.1)": 1], "\(value), \(result)")
            }
        }
        // What the algorithm starts with anyway.
        let defaults: [Any] = [false, NSNull(), [String](), ["anyPolicy"], "any-policy", ["set": ["2.5.29.32.0"]]]
        for value in defaults { #expect(try outcome([name: value]).passed == 1, "\(value)") }
    }

    @Test func anyOtherUnknownInputIsAReasonToSkip() throws {
        #expect(
            try outcome(["initial_permitted_subtrees": ["x"]]).skipped
                == ["has the input initial_permitted_subtrees, which is not processed": 1])
        #expect(try outcome(["description": "text", "comment": "text", "expected_errors": "text"]).passed == 1)
        #expect(try outcome(["features": ["new"]]).skipped == ["has the feature new, which is not known": 1])
        #expect(try outcome(["features": ["max-chain-depth"], "max_chain_depth": 1]).passed == 1)
        #expect(try outcome(["max_chain_depth": 0, "expected_result": "FAILURE"]).passed == 1)
    }

    /// A purpose that is not known was a refusal, and so a pass where one was expected.
    @Test(arguments: ["SUCCESS", "FAILURE"])
    func unknownPurposesAndTrustAreAReasonToSkip(_ result: String) throws {
        for purpose in [["extended_key_usage": ["1.2.3"]], ["extended_key_usage": ["serverAuth", "clientAuth"]]] {
            let outcome = try outcome(["expected_result": result].merging(purpose as [String: Any]) { $1 })
            #expect(outcome.skipped == ["needs another extended key usage": 1])
        }
        #expect(
            try outcome(["last_cert_trust": "DISTRUSTED", "expected_result": result]).skipped
                == ["needs trust of the kind DISTRUSTED": 1])
    }

    /// CRLs, names and the like can only lead to a refusal: one without them stands, and an acceptance is no verdict.
    @Test(arguments: [
        ("crls", "needs CRLs"), ("key_usage", "needs a required key usage"),
        ("signature_algorithms", "needs a choice of signature algorithms"),
    ])
    func restrictionsLeaveARefusalWhatItIs(_ name: String, _ reason: String) throws {
        for result in ["SUCCESS", "FAILURE"] {
            #expect(try outcome([name: ["x"], "expected_result": result]).skipped == [reason: 1])
        }
        let late = try outcome([
            name: ["x"], "validation_time": "2099-01-01T00:00:00Z", "expected_result": "FAILURE",
        ])
        #expect(late.passed == 1)
    }

    @Test func namesThatTheLeafDoesNotHaveAreAReasonToSkip() throws {
        for result in ["SUCCESS", "FAILURE"] {
            let outcome = try outcome([
                "expected_peer_name": ["kind": "DNS", "value": "example.com"], "expected_result": result,
            ])
            #expect(outcome.skipped == ["needs host names": 1])
        }
    }

    /// What is no case passes for no expectation.
    @Test(arguments: ["SUCCESS", "FAILURE"])
    func unreadableCasesFail(_ result: String) throws {
        for change in [["peer_certificate": "%"], ["validation_time": "tomorrow"], ["expected_result": "MAYBE"]] {
            let outcome = try outcome(["expected_result": result].merging(change) { $1 })
            #expect(outcome.failures == ["case: the case cannot be read"], "\(change)")
        }
    }
}
