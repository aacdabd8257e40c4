import Foundation
import PureAttest
import PureBytes
import PureX509
import Testing

@testable import PureAttestServerMessages

/// The native build must give the same replies that the WebAssembly module gave in Node.
///
/// Vectors/decisions/decisions.json contains the messages to the relying party and the replies.
/// `Sources/Bindings/JavaScript/Test/decisions.mjs` writes the file and describes its encoding.
@Suite struct RecordedDecisionTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors/decisions/decisions.json")

    private struct Recording {
        let object: [String: Any]
        let blobs: [[UInt8]]

        init() throws {
            object = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: RecordedDecisionTests.file)) as? [String: Any])
            blobs = try #require(object["blobs"] as? [String]).map { try Base64.decode(Array($0.utf8)) }
        }

        func root(_ name: String) throws -> TrustAnchor {
            let text = try #require(object[name] as? String)
            return try TrustAnchor(Certificate(derEncoded: Base64.decode(Array(text.utf8))))
        }

        func message(_ values: Any) throws -> [UInt8] {
            try #require(values as? [Any]).map { value -> WireValue in
                if value is NSNull { return .none }
                if let number = value as? NSNumber { return .number(number.int64Value) }
                let text = Array(try #require(value as? String).utf8)
                switch text[0] {
                case UInt8(ascii: "="): return .bytes(Array(text.dropFirst()))
                case UInt8(ascii: "#"): return .bytes(try Hex.decode(text.dropFirst()))
                default: return .bytes(blobs[try #require(Int(String(decoding: text.dropFirst(), as: UTF8.self)))])
                }
            }.message
        }
    }

    /// Returns the number with which the WebAssembly module reports the error.
    private static func number(of error: PureAttestError) -> Int32 {
        switch error {
        case .malformedCBOR: 9
        case .malformedAssertionObject: 12
        case .certificate(.malformed): 18 | 1 << 8
        case .malformedSignature: 32
        case .invalidSignature: 33
        case .counterNotIncreased: 34
        case .receiptSignature(.malformed): 41 | 1 << 8
        default: 0
        }
    }

    @Test func theSameQuestionsAndAnswers() throws {
        let recording = try Recording()
        let parties = try #require(recording.object["parties"] as? [[String: Any]])
        var decisions = 0
        for party in parties {
            let verifier = AppAttestVerifier(
                apps: [AppID(bytes: Array(try #require(party["app"] as? String).utf8))],
                environment: party["environment"] as? String == "production" ? .production : .development,
                launchPolicy: .onlyOrMissing(nil)
            ).trusting(
                testAnchors: [try recording.root("attestationRoot")],
                testReceiptAnchors: [try recording.root("receiptRoot")])
            let messages = try DecisionMessages(
                verifier: verifier, settings: recording.message(try #require(party["settings"])),
                reasonNumber: Self.number)
            for event in try #require(party["events"] as? [[Any]]) {
                let number = try #require(event[0] as? Int32)
                guard number >= 0 else {
                    messages.drop(-number)
                    continue
                }
                let input = try recording.message(event[1])
                let reply =
                    number == 0 ? try? messages.begin(input) : try? messages.answer(number, input)
                let recorded = event.count > 2 && !(event[2] is NSNull) ? try recording.message(event[2]) : nil
                #expect(reply == recorded)
                decisions += number == 0 ? 1 : 0
            }
            #expect(messages.waitingCount == 0)
        }
        #expect(parties.count == 54 && decisions == 427)
    }

    /// Defective messages and damaged stored data cause errors, and never a trap or a verdict.
    @Test func malformedMessagesAreErrors() throws {
        let recording = try Recording()
        let party = try #require((recording.object["parties"] as? [[String: Any]])?.first)
        let settings = try recording.message(try #require(party["settings"]))
        func messages(_ settings: [UInt8]) throws -> DecisionMessages {
            try DecisionMessages(verifier: verifier(), settings: settings, reasonNumber: { _ in 0 })
        }
        #expect(throws: MessageError.self) { try messages([]) }
        for count in 0..<settings.count { _ = try? messages(Array(settings.prefix(count))) }
        for index in settings.indices {
            var damaged = settings
            damaged[index] ^= 0x81
            _ = try? messages(damaged)
        }
        let sut = try messages(settings)
        let events = try #require(party["events"] as? [[Any]])
        for event in events where event[0] as? Int == 0 {
            let request = try recording.message(event[1])
            #expect(throws: MessageError.self) { try sut.begin(Array(request.prefix(8))) }
            for index in stride(from: 0, to: request.count, by: max(request.count / 64, 1)) {
                _ = try? sut.begin(Array(request.prefix(index)))
                var damaged = request
                damaged[index] ^= 0xFF
                _ = try? sut.begin(damaged)
            }
        }
        // Every answer, even a malformed answer, removes the decision that waits for it.
        for number in 2..<2_000 as Range<Int32> { _ = try? sut.answer(number, [9]) }
        #expect(sut.waitingCount == 0)
        #expect(throws: MessageError.self) { try sut.answer(2, []) }
    }
}
