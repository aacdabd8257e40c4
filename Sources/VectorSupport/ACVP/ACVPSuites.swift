/// Runs NIST's ACVP vector files that include the answers, such as `internalProjection.json` (usnistgov/ACVP-Server).
package enum ACVPSuites {
    /// Compares the package's answers with the answers in the file. Skips questions that the package cannot answer.
    package static func run(_ file: Data) throws -> SuiteOutcome {
        let set = try JSONDecoder().decode(ACVPVectorSet.self, from: file)
        var outcome = SuiteOutcome()
        for group in set.testGroups {
            for test in group.tests ?? [] {
                let answer: ACVPAnswer
                do { answer = try set.answer(to: test, of: group) } catch let error as ACVPUnsupported {
                    outcome.skip(error.reason)
                    continue
                }
                let name = "tcId \(test.tcId)"
                switch answer {
                case .digest(let digest): outcome.record(name, passed: try digest == expected(test.md?.bytes))
                case .chain(let digests):
                    let checkpoints = test.resultsArray ?? []
                    outcome.record(name, passed: !digests.isEmpty && digests == checkpoints.map(\.md.bytes))
                case .code(let code): outcome.record(name, passed: try code == expected(test.mac?.bytes))
                case .verdict(let isValid):
                    outcome.record(name, accepted: isValid, expected: try expected(test.testPassed))
                }
            }
        }
        return outcome
    }

    /// Throws if the file contains only questions, like `prompt.json`.
    private static func expected<Value>(_ value: Value?) throws(VectorFileError) -> Value {
        guard let value else { throw .missingMember }
        return value
    }
}
