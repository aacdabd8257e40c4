import DebugSampling
import PureAppStore
import PureAttest
import PureAttestPurchases
import PureAttestServer
import PureDER
import PureJWS
import PureX509
import ReferenceModel
import Testing

@testable import PureAttestPurchasesMessages
@testable import PureAttestServerMessages

/// A shell like `purchases.mjs` gets the same results as ``Purchases``. Node tests cover `purchases.mjs` itself.
@Suite struct MessageTests {
    private static func settings(_ changes: [WireValue] = []) -> [WireValue] {
        [
            WireValue("bundleID"), .bytes(Array(bundleID.utf8)), WireValue("appAttestEnvironment"), .number(1),
            WireValue("maximumKeys"), .number(2), WireValue("environment"), .number(0), .number(42),
            WireValue("product"), .bytes(Array("com.example.monthly".utf8)), .number(1), .number(100), .number(1_000),
            WireValue("environment"), .number(1), .none, WireValue("product"),
            .bytes(Array("com.example.monthly".utf8)), .number(1), .number(10), .number(20),
        ] + changes
    }

    private static func messages(_ settings: [UInt8]) throws -> DecisionMessages {
        try DecisionMessages(
            purchases: settings,
            verifier: { bundleID, appAppleID, environment throws(AppStoreError) in
                #expect(bundleID == Array(PureAttestPurchasesTests.bundleID.utf8) && appAppleID ?? 42 == 42)
                do { return try signedDataVerifier(environment) } catch { throw .appAppleIDMissing }
            })
    }
    private enum Outcome: Equatable {
        case accepted([String])
        case refused(String, Int64)
    }

    /// Recognises each question of a decision by its name, and answers it with rows from a store.
    private struct Shell {
        let messages: DecisionMessages
        let store: InMemoryStore

        func run(_ request: [WireValue]) throws -> Outcome {
            var reply = try messages.begin(request.message)
            while true {
                var reader = WireReader(reply)
                let number = try reader.number()
                switch number {
                case 0:
                    var values: [String] = []
                    while !reader.isAtEnd { values.append(try Self.word(&reader)) }
                    return .accepted(values)
                case 1:
                    return .refused(String(decoding: try reader.bytes(), as: UTF8.self), try reader.number())
                default:
                    let statement = String(decoding: try reader.bytes(), as: UTF8.self)
                    let name = try reader.bytes()
                    var row: [WireValue] = []
                    switch statement {
                    case "selectPurchaseRow": row = store.purchaseRow(name).map { [.bytes($0)] } ?? []
                    case "insertPurchaseRow":
                        if try store.replacePurchaseRow(name, from: nil, to: reader.bytes()) { row = [.bytes(name)] }
                    case "replacePurchaseRow":
                        if try store.replacePurchaseRow(name, from: reader.bytes(), to: reader.bytes()) {
                            row = [.bytes(name)]
                        }
                    default: Issue.record("\(statement)")
                    }
                    #expect(reader.isAtEnd)
                    reply = try messages.answer(Int32(number), row.message)
                }
            }
        }

        private static func word(_ reader: inout WireReader) throws -> String {
            var copy = reader
            if let bytes = try? copy.optionalBytes() {
                reader = copy
                return "\(bytes)"
            }
            return try "\(reader.number())"
        }
    }

    private static func words(_ purchase: Purchase?) -> [String] {
        guard let purchase else { return [] }
        let times = [purchase.purchaseDate, purchase.signedDate, purchase.expiresDate].map {
            $0.map { "\($0.unixTime.secondsSince1970)" } ?? ""
        }
        return [purchase.environment == .production ? "0" : "1"]
            + [purchase.originalTransactionID, purchase.transactionID, purchase.productID].map { "\($0)" } + times
            + [purchase.isRevoked ? "1" : "0"]
    }

    /// Sends random requests to both shells. Both stores contain the same rows afterwards.
    @Test func bothShellsDecideTheSame() async throws {
        let server = try Server()
        let typed = Purchases(
            of: server.party,
            environments: [
                (try signedDataVerifier(.production), [products[0]]),
                (
                    try signedDataVerifier(.sandbox),
                    [ProductBudget(productIDUTF8: products[0].productIDUTF8, Budget(days: 1, requests: 10, units: 20))]
                ),
            ], maximumKeys: 2, store: server.store)
        let other = InMemoryStore()
        let shell = Shell(messages: try Self.messages(Self.settings().message), store: other)
        func outcome(_ body: () async throws -> [String]) async throws -> Outcome {
            do { return .accepted(try await body()) } catch let error as PurchasesError<InMemoryStoreFull> {
                guard case .refused(let refusal) = error else { throw error }
                let name = Mirror(reflecting: refusal).children.first?.label ?? "\(refusal)"
                return .refused(name, Int64(refusal.answer.status))
            }
        }
        var generator = SplitMix64(seed: 1)
        var transactions: [(jws: [UInt8], notification: [UInt8], original: String)] = []
        for original in ["1", "2"] {
            for environment in ["Production", "Sandbox", "Xcode"] {
                let bought = TestTransaction(original: original, environment: environment)
                for transaction in [
                    bought, bought.renewed, bought.revoked, TestTransaction(original: original, expires: 0),
                ] {
                    transactions.append((transaction.jws, transaction.notification("X"), original))
                }
            }
        }
        transactions.append(([1], [2], "3"))
        var counts: [String: Int] = [:]
        let time = WireValue.number(now.secondsSince1970)
        for _ in 0..<150 {
            let transaction = try #require(transactions.randomElement(using: &generator))
            let session = server.session(device: .random(in: 1...4, using: &generator))
            let (expected, found): (Outcome, Outcome)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1:
                expected = try await outcome {
                    Self.words(try await typed.register(signedTransaction: transaction.jws, by: session, at: now))
                }
                found = try shell.run(
                    [WireValue("register"), time, .bytes(transaction.jws), .bytes(session.keyID)])
            case 2:
                expected = try await outcome {
                    Self.words(try await typed.receive(notification: transaction.notification, at: now))
                }
                found = try shell.run([WireValue("receiveNotification"), time, .bytes(transaction.notification)])
            case 3:
                expected = try await outcome {
                    Self.words(try await typed.receive(signedTransaction: transaction.jws, at: now))
                }
                found = try shell.run([WireValue("receiveTransaction"), time, .bytes(transaction.jws)])
            case 4:
                expected = try await outcome {
                    guard let active = try await typed.purchase(of: session, at: now) else { return [] }
                    let budget = active.allowance.budget
                    return Self.words(active.purchase)
                        + ["\(budget.days)", "\(budget.limit.requests)", "\(budget.limit.units)"]
                        + [
                            "\([active.purchase.environment == .production ? 1 : 2] + active.purchase.originalTransactionID)"
                        ]
                }
                found = try shell.run([WireValue("purchase"), time, .bytes(session.keyID)])
            case 5:
                let id = Array(transaction.original.utf8)
                expected = try await outcome { try await typed.keys(ofPurchase: id).map { "\($0)" } }
                found = try shell.run([WireValue("keys"), time, .bytes(id)])
            default:
                expected = try await outcome { [try await typed.remove(keyID: session.keyID) ? "1" : "0"] }
                found = try shell.run([WireValue("remove"), time, .bytes(session.keyID)])
            }
            switch (expected, found) {
            case (.accepted, _): #expect(found == expected)
            // If a case has no associated values, `name` is the case's description instead of its name. Therefore, a
            // `name` that contains a space is a description, and is not compared.
            case (.refused(let name, let status), .refused(let word, let other)):
                #expect(status == other && (name == word || name.utf8.contains(UInt8(ascii: " "))))
                counts[word, default: 0] += 1
            default: Issue.record("\(expected) and \(found)")
            }
        }
        #expect(shell.messages.waitingCount == 0)
        for original in ["1", "2"] {
            for environment in [1, 2] as [UInt8] {
                let name = [1, 1, environment] + Array(original.utf8)
                #expect(server.store.purchaseRow(name) == other.purchaseRow(name))
            }
        }
        #expect(
            Set(counts.keys).isSubset(of: ["signedData", "revoked", "expired", "tooManyKeys"]) && counts.count == 4)
    }
    @Test func rejectionsHaveTheNamesOfTheirCases() throws {
        let refusals: [(PurchaseRefusal, [String])] = [
            (.malformedIdentifier, ["malformedIdentifier"]), (.otherKind, ["otherKind"]),
            (.otherProduct, ["otherProduct"]), (.revoked, ["revoked"]), (.expired, ["expired"]),
            (.tooManyKeys(maximum: 6), ["tooManyKeys"]), (.contended, ["contended"]),
            (.unreadableRecord, ["unreadableRecord"]),
            (
                .signedData(.transaction(.signature(.invalidSignature))),
                ["signedData", "transaction", "signature", "invalidSignature"]
            ),
            (.signedData(.renewalInfo(.contentNotObject)), ["signedData", "renewalInfo", "contentNotObject"]),
            (
                .signedData(.appTransaction(.unknownEnvironment)),
                ["signedData", "appTransaction", "unknownEnvironment"]
            ),
            (
                .signedData(.signature(.certificateChain(.noSubject))),
                ["signedData", "signature", "certificateChain", "20"]
            ),
            (
                .signedData(.signature(.malformedCertificate(1, .noSubject))),
                ["signedData", "signature", "malformedCertificate", "20"]
            ),
        ]
        for (refusal, names) in refusals {
            var reader = WireReader(refusal.values.message)
            var words = [String(decoding: try reader.bytes(), as: UTF8.self)]
            #expect(try reader.number() == Int64(refusal.answer.status))
            #expect(try reader.bytes() == Array(refusal.answer.code.rawValue.utf8))
            #expect(try reader.optionalNumber() == refusal.answer.retryAfter)
            while !reader.isAtEnd {
                var copy = reader
                if let bytes = try? copy.bytes() {
                    words.append(String(decoding: bytes, as: UTF8.self))
                    reader = copy
                } else {
                    words.append("\(try reader.number())")
                }
            }
            #expect(words == names)
        }
    }

    /// Defective messages and damaged stored data cause errors, and never a trap or a verdict.
    @Test func malformedMessagesAreErrors() throws {
        let settings = Self.settings().message
        for wrong: [WireValue] in [
            [], [WireValue("product")], [WireValue("other")], [WireValue("appAttestEnvironment"), .number(3)],
            [WireValue("environment"), .number(9), .none], [WireValue("environment"), .number(0), .none, .number(7)],
            [WireValue("product"), .bytes([1]), .number(1), .number(1), .number(1)],
        ] { #expect(throws: MessageError.self) { try DecisionMessages(purchases: wrong.message) } }
        #expect(throws: MessageError.self) {
            // Production settings need the app's Apple ID. Xcode settings are rejected: Apple does not sign Xcode data.
            try DecisionMessages(purchases: [WireValue("environment"), .number(0), .none].message)
        }
        #expect(throws: MessageError.self) {
            try DecisionMessages(purchases: [WireValue("environment"), .number(2), .none].message)
        }
        for count in debugSample(Array(settings.indices), every: 7, of: "lengths of settings") {
            _ = try? DecisionMessages(purchases: Array(settings.prefix(count)))
        }
        for index in debugSample(Array(settings.indices), every: 7, of: "octets of settings") {
            var damaged = settings
            damaged[index] ^= 0x81
            _ = try? DecisionMessages(purchases: damaged)
        }
        let messages = try Self.messages(settings)
        let requests: [[WireValue]] = [
            [WireValue("register"), .number(0), .bytes([1, 2]), .bytes([UInt8](repeating: 1, count: 32))],
            [WireValue("receiveNotification"), .number(0), .bytes([1])],
            [WireValue("receiveTransaction"), .number(0), .bytes([1])],
            [WireValue("purchase"), .number(0), .bytes([1])],
            [WireValue("keys"), .number(0), .bytes([1])], [WireValue("remove"), .number(0), .bytes([1])],
        ]
        for request in requests {
            let message = request.message
            _ = try messages.begin(message)
            for count in 0..<message.count {
                #expect(throws: MessageError.self) { try messages.begin(Array(message.prefix(count))) }
            }
            for index in message.indices {
                var damaged = message
                damaged[index] ^= 0xFF
                _ = try? messages.begin(damaged)
            }
        }
        #expect(messages.waitingCount > 0)
        let waiting = messages.waitingCount
        messages.drop(-1)
        #expect(messages.waitingCount == waiting)
        for number in 2..<2_000 as Range<Int32> {
            if number % 2 == 0 { messages.drop(number) } else { _ = try? messages.answer(number, [9]) }
        }
        #expect(messages.waitingCount == 0)
        #expect(throws: MessageError.self) { try messages.answer(2, []) }
    }
}
