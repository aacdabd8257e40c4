import DebugSampling
import Foundation
import Testing

#if os(Linux)
    import AllocationCounting
#endif

@testable import VectorSupport

/// Every object in `Vectors/adversarial` causes the listed error, within a second and on a small stack.
struct AdversarialCorpusTests {
    static let counts = [
        "signatures": 95, "certificates": 125, "names": 90, "paths": 65, "objects": 167, "receipts": 24,
    ]

    private static let cases: [AdversarialCase] = {
        let cases = try? counts.keys.sorted().flatMap { try AdversarialFile(json: contents($0)).cases }
        return cases ?? []
    }()

    private static func contents(_ name: String) throws -> Data {
        try VectorDirectory.committedFile("adversarial/\(name).json")
    }

    @Test(arguments: counts.keys.sorted())
    func everyObject(_ name: String) throws {
        let sample = try debugSample(
            ofFile: Self.contents(name), list: "adversarialCases", every: 6, of: "adversarial \(name)")
        let file = try VectorFile(running: sample.json)
        #expect(file.form == "adversarial objects")
        #expect(file.outcome.failures == [])
        #expect(file.outcome.passed == sample.count && sample.total == Self.counts[name])
    }

    /// Each case fails if its expectation is inverted, so no case passes unconditionally.
    @Test func turnedExpectations() throws {
        let text = String(decoding: try Self.contents("signatures"), as: UTF8.self)
        let turned = text.replacing(/"error": (null|"[^"]*")/) { match in
            match.output.1 == "null" ? #""error": "refused""# : #""error": null"#
        }
        let outcome = try VectorFile(running: Data(turned.utf8)).outcome
        #expect(outcome.passed == 0)
        #expect(outcome.failures.count == Self.counts["signatures"])
    }

    // MARK: The known failures that the objects test

    struct KnownFailures: Decodable {
        struct Row: Decodable {
            let id: String
            let cases: [String]?
            let wycheproofFlags: [String]?
            let tests: [String]?
        }
        let rows: [Row]

        static func committed() throws -> [Row] {
            try JSONDecoder().decode(Self.self, from: contents("known-failures")).rows
        }
    }

    /// Checks the list of known failures:
    ///
    /// - Each row names cases or tests.
    /// - Every row that a case names is in the list.
    /// - All identifiers differ.
    @Test func everyKnownFailureHasAnObject() throws {
        let rows = try KnownFailures.committed()
        #expect(rows.count == 41)
        let ids = Self.cases.map(\.id)
        #expect(Set(ids).count == ids.count && ids.count == Self.counts.values.reduce(0, +))
        #expect(Set(Self.cases.flatMap(\.rows)).subtracting(rows.map(\.id)) == [])
        for row in rows {
            #expect(row.cases != nil || row.wycheproofFlags != nil || row.tests != nil, "\(row.id)")
            #expect(Set(row.cases ?? []).subtracting(ids) == [], "\(row.id)")
            if row.cases != nil { #expect(Self.cases.contains { $0.rows.contains(row.id) }, "\(row.id)") }
        }
        #expect(Self.cases.filter { $0.rows == ["times"] }.count >= 24)
        for name in rows.flatMap({ $0.tests ?? [] }) {
            #expect(try Self.isTest(name), "\(name)")
        }
        let accepted = Self.cases.filter { $0.error == nil && !$0.id.hasPrefix("adv::control-") }.map(\.id)
        #expect(accepted.count == 29, "\(accepted)")
    }

    /// Returns whether the name is a test ("Suite.function") or the path of an existing file.
    private static func isTest(_ name: String) throws -> Bool {
        let package = VectorDirectory.committed.deletingLastPathComponent()
        guard !name.contains("/") else {
            return FileManager.default.fileExists(atPath: package.appending(path: name).path)
        }
        let parts = name.split(separator: ".")
        let named = testFiles.filter { $0.hasSuffix("/\(parts[0]).swift") && $0.contains("Tests/") }
        return try named.contains { path in
            try Data(contentsOf: package.appending(path: "Tests/\(path)"))
                .range(of: Data("func \(parts[1])(".utf8)) != nil
        }
    }

    private static let testFiles: [String] = {
        let tests = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Tests")
        guard let files = FileManager.default.enumerator(atPath: tests.path) else { return [] }
        var found: [String] = []
        while let path = files.nextObject() as? String {
            if path.hasSuffix(".swift") { found.append(path) }
            // Build folders contain many files.
            if path.contains(".build") { files.skipDescendants() }
        }
        return found
    }()

    /// Whatever the size of a certificate, an error contains no text from it except object identifiers. An identifier
    /// has at most 160 characters.
    @Test func errorsHoldNoText() {
        for test in Self.cases {
            #expect((test.error?.utf8.count ?? 0) < 240, "\(test.id)")
        }
    }

    #if os(Linux)
        /// The memory that parsing allocates depends on the actual input, not on declared sizes. It is at most 64 KiB
        /// plus 256 times the input size, including freed memory. In memory, a one-byte item takes 40 bytes, and a pair
        /// takes 80 bytes for the entry plus 8 bytes for the index. Arrays double their capacity as they grow. Under
        /// the default limits, no case allocates more than 64 MiB.
        @Test func memoryIsBoundedByTheInput() {
            for test in debugSample(Self.cases, every: 9, of: "adversarial objects' memory") {
                var failure: String?
                let bytes = AllocationCounter.measure { failure = test.failure() }.bytes
                #expect(failure == nil, "\(test.id)")
                #expect(bytes <= 64 << 20 || test.raisesLimits, "\(test.id): \(bytes)")
                #expect(
                    bytes <= (64 << 10) + 256 * test.inputByteCount, "\(test.id): \(bytes) for \(test.inputByteCount)")
            }
        }
    #endif
}
