import Foundation
import PureJSON
import Testing
import VectorSupport

/// JSONTestSuite: 318 texts that a parser must accept (y), must reject (n), or may accept or reject (i).
@Suite struct JSONSuiteTests {
    private struct Case: Decodable {
        let name: String
        let base64: Data
        /// The text consists of this number of repetitions of `base64`, followed by `rest`.
        let count: Int?
        let rest: Data?

        var text: [UInt8] {
            [[UInt8]](repeating: [UInt8](base64), count: count ?? 1).flatMap { $0 } + [UInt8](rest ?? Data())
        }
    }

    /// The texts of kind "i" that are accepted, because the parser stores numbers of any size as characters.
    private static let accepted: Set = [
        "i_number_double_huge_neg_exp", "i_number_huge_exp", "i_number_neg_int_huge_exp",
        "i_number_pos_double_huge_exp", "i_number_real_neg_overflow", "i_number_real_pos_overflow",
        "i_number_real_underflow", "i_number_too_big_neg_int", "i_number_too_big_pos_int",
        "i_number_very_big_negative_int",
    ]
    /// The texts of kind "y" that I-JSON (RFC 7493 §2.3) forbids because two members have the same name.
    private static let deviations: Set = ["y_object_duplicated_key", "y_object_duplicated_key_and_value"]

    private static let cases = try? JSONDecoder().decode(
        [Case].self, from: VectorDirectory.committedFile("json/json-test-suite.json"))

    /// RFC 8259 §2, §6, §7, §8.1: grammar and encoding.
    @Test func everyTextHasItsVerdict() throws {
        let cases = try #require(Self.cases)
        var counts: [Character: Int] = [:]
        var used: Set<String> = []
        for item in cases {
            let kind = try #require(item.name.first)
            counts[kind, default: 0] += 1
            let isAccepted = (try? JSONValue(decoding: item.text)) != nil
            switch kind {
            case "y":
                #expect(isAccepted != Self.deviations.contains(item.name), "\(item.name)")
                if !isAccepted { used.insert(item.name) }
            case "n": #expect(!isAccepted, "\(item.name)")
            default:
                #expect(isAccepted == Self.accepted.contains(item.name), "\(item.name)")
                if isAccepted { used.insert(item.name) }
            }
        }
        #expect(counts == ["y": 95, "n": 188, "i": 35])
        #expect(used == Self.accepted.union(Self.deviations), "a stale exception")
    }

    /// Compares the texts that Foundation accepts too: UTF-8, no duplicate names, and numbers that fit a Double.
    @Test func foundationReadsTheSameValues() throws {
        var compared = 0
        for item in try #require(Self.cases) where item.name.hasPrefix("y") {
            guard let value = try? JSONValue(decoding: item.text),
                let other = try? JSONSerialization.jsonObject(with: Data(item.text), options: .fragmentsAllowed)
            else { continue }
            compared += 1
            #expect(isEqual(value, other), "\(item.name)")
        }
        #expect(compared == 93)
    }

    private func isEqual(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let bool): (other as? NSNumber)?.boolValue == bool
        case .string(let text): (other as? String).map { Array($0.utf8) } == Array(text)
        case .number(let number):
            // Foundation rounds decimal numbers differently in the last place, so a small difference is allowed.
            (other as? NSNumber).map { other in
                let value = Double(String(decoding: number.literal, as: UTF8.self)) ?? .nan
                return abs(other.doubleValue - value) <= abs(value) * 1e-15
            } ?? false
        case .array(let values):
            (other as? [Any]).map { $0.count == values.count && zip(values, $0).allSatisfy(isEqual) } ?? false
        case .object(let object):
            (other as? [String: Any]).map { others in
                others.count == object.members.count
                    && object.members.allSatisfy { member in
                        others[String(decoding: member.name, as: UTF8.self)].map { isEqual(member.value, $0) } ?? false
                    }
            } ?? false
        }
    }
}
