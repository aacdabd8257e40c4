import PureBytes

/// Creates the contents of an ACVP response file (`response.json`) for an ACVP question file (`prompt.json`).
package enum ACVPResponse {
    /// The package cannot answer a question. No response is created, because the server accepts only complete ones.
    package struct Unanswerable: Error, Hashable {
        /// One line that names the question and the unsupported part.
        package let reason: String
    }

    /// Answers one vector set, or all vector sets in a session file. Copies the header of a session file unchanged.
    ///
    /// - Throws: ``Unanswerable``, ``VectorFileError/tooManyValues``, or a decoding error.
    package static func answering(_ prompt: Data) throws -> Data {
        guard !VectorFile.hasTooManyValues(prompt) else { throw VectorFileError.tooManyValues }
        let answers = try JSONDecoder().decode(Prompt.self, from: prompt).parts.map { try $0.answered() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try answers.count == 1 ? encoder.encode(answers[0]) : encoder.encode(answers)
    }

    private struct Prompt: Decodable {
        let parts: [Part]

        init(from decoder: any Decoder) throws {
            let isList = (try? decoder.unkeyedContainer()) != nil
            parts = try isList ? [Part](from: decoder) : [Part(from: decoder)]
            let hasSet = parts.contains { if case .set = $0 { true } else { false } }
            guard hasSet else { throw Unanswerable(reason: "the file has no vector set") }
        }
    }

    private enum Part: Decodable {
        case set(ACVPVectorSet)
        case header(JSONValue)

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: MemberName.self)
            self =
                members.contains(MemberName(stringValue: "testGroups"))
                ? .set(try ACVPVectorSet(from: decoder)) : .header(try JSONValue(from: decoder))
        }

        func answered() throws -> AnsweredPart {
            switch self {
            case .set(let set): .answers(try Answers(set))
            case .header(let value): .header(value)
            }
        }
    }

    private enum AnsweredPart: Encodable {
        case answers(Answers)
        case header(JSONValue)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .answers(let answers): try answers.encode(to: encoder)
            case .header(let value): try value.encode(to: encoder)
            }
        }
    }

    private struct Answers: Encodable {
        struct Group: Encodable {
            let tgId: Int?
            let tests: [Test]
        }

        /// Encoding omits `nil` members.
        struct Test: Encodable {
            struct Checkpoint: Encodable { let md: String }

            let tcId: Int
            var md: String?
            var resultsArray: [Checkpoint]?
            var mac: String?
            var testPassed: Bool?
        }

        let vsId: Int?
        let algorithm: String
        let mode: String?
        let revision: String?
        let testGroups: [Group]

        init(_ set: ACVPVectorSet) throws {
            (vsId, algorithm, mode, revision) = (set.vsId, set.algorithm, set.mode, set.revision)
            testGroups = try set.testGroups.map { group in
                Group(tgId: group.tgId, tests: try (group.tests ?? []).map { try Self.answer(to: $0, group, set) })
            }
        }

        private static func answer(
            to test: ACVPVectorSet.Test, _ group: ACVPVectorSet.Group, _ set: ACVPVectorSet
        ) throws -> Test {
            func unanswerable(_ reason: String) -> Unanswerable {
                let name = [set.algorithm, set.mode].compactMap { $0 }.joined(separator: " ")
                return Unanswerable(reason: "\(name), group \(group.tgId ?? 0), test \(test.tcId): \(reason)")
            }
            var answer = Test(tcId: test.tcId)
            do {
                switch try set.answer(to: test, of: group) {
                case .digest(let digest): answer.md = text(digest)
                case .chain(let digests): answer.resultsArray = digests.map { Test.Checkpoint(md: text($0)) }
                case .code(let code): answer.mac = text(code)
                case .verdict(let isValid): answer.testPassed = isValid
                }
            } catch let error as ACVPUnsupported {
                throw unanswerable("not implemented: \(error.reason)")
            } catch VectorFileError.missingMember {
                throw unanswerable("a member is missing, or shorter than its length")
            }
            return answer
        }

        private static func text(_ bytes: [UInt8]) -> String { String(decoding: Hex.encode(bytes), as: UTF8.self) }
    }
}
