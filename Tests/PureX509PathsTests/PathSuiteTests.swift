import DebugSampling
import Foundation
import Testing
import VectorSupport

/// Runs published suites. A test fails if the set of skipped cases changes, or if a listed deviation is stale.
@Suite(
    .enabled(
        if: VectorDirectory.extra != nil,
        "PUREATTEST_EXTRA_VECTORS is not set: x509-limbo and BoringSSL's chains did not run"))
struct PathSuiteTests {
    private func folder() throws -> URL { try #require(VectorDirectory.extra) }

    @Test func limbo() throws {
        let outcome = try X509ChainSuites.run(Data(contentsOf: folder().appending(path: "x509/limbo_shared.json")))
        #expect(outcome.failures == [])
        #expect(outcome.total == 106 && outcome.passed == 85)
        #expect(outcome.skipped["needs an algorithm other than ECDSA with P-256 or P-384"] == 6)
        #expect(outcome.skipped["marked as pedantic"] == 4)
        #expect(outcome.deviationCount == 11)
    }

    @Test func boringSSLChains() throws {
        let outcome = try X509ChainSuites.run(Data(contentsOf: folder().appending(path: "x509/bssl_chain_ec.json")))
        #expect(outcome.failures == [])
        #expect(outcome.total == 114 && outcome.passed == 107)
        #expect(outcome.skipped == [:])
        #expect(outcome.deviationCount == 7)
    }

    private func identifiers() throws -> Set<String> {
        struct File: Decodable {
            struct Case: Decodable { let id: String }
            let testcases: [Case]
        }
        var cases: Set<String> = []
        for name in ["limbo_shared", "bssl_chain_ec"] {
            let data = try Data(contentsOf: folder().appending(path: "x509/\(name).json"))
            cases.formUnion(try JSONDecoder().decode(File.self, from: data).testcases.map(\.id))
        }
        return cases
    }

    /// Every case prefix in the list of known failures matches at least one case.
    @Test func casesOfTheKnownFailures() throws {
        struct KnownFailures: Decodable {
            struct Row: Decodable { let suites: [String]? }
            let rows: [Row]
        }
        let rows = try JSONDecoder().decode(
            KnownFailures.self, from: VectorDirectory.committedFile("adversarial/known-failures.json")
        ).rows
        let cases = try identifiers()
        let named = rows.flatMap { $0.suites ?? [] }
        #expect(named.count == 9)
        for prefix in named { #expect(cases.contains { $0.hasPrefix(prefix) }, "\(prefix)") }
    }

    /// One half of x509-limbo is not run here, so the runner cannot detect stale deviations of this half.
    @Test func deviationsThatNoCaseTests() throws {
        let cases = try identifiers()
        let untested = X509Deviation.all.keys.filter { !cases.contains($0) && !$0.hasPrefix("bssl-parse::") }
        #expect(untested.count == 12)
        #expect(untested.allSatisfy { $0.hasPrefix("rfc5280::") || $0.hasPrefix("webpki::") })
    }

    /// With all expectations inverted, every case that passed and every deviation fails.
    @Test func turnedExpectations() throws {
        let file = try String(contentsOf: folder().appending(path: "x509/bssl_chain_ec.json"), encoding: .utf8)
        let turned = file.replacing(#""expected_result": "SUCCESS""#, with: #""expected_result": "?""#)
            .replacing(#""expected_result": "FAILURE""#, with: #""expected_result": "SUCCESS""#)
            .replacing(#""expected_result": "?""#, with: #""expected_result": "FAILURE""#)
        let (json, count, total) = try debugSample(
            ofFile: Data(turned.utf8), list: "testcases", every: 5, of: "inverted expectations")
        let outcome = try X509ChainSuites.run(json)
        #expect(outcome.passed == 0 && outcome.skipped == [:])
        #expect(total == 114 && outcome.failures.count == count)
    }
}
