import Foundation
import PureAttest
import PureAttestServer
import PureBytes
import Synchronization

/// A store that only runs the statements of ``StoreSQL``, using the SQLite module of Python's standard library.
final class PythonSQLiteStore: RelyingPartyStore, PurchaseStore {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    enum Value {
        case null
        case integer(Int64)
        case bytes([UInt8])
        case text(String)

        init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
        init(_ time: UnixTime?) { self = time.map { .integer($0.secondsSince1970) } ?? .null }

        var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
        var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    }

    /// The process that runs the statements of all stores, because starting Python takes longer than most tests. It
    /// ends with the tests, which closes its input.
    private final class Interpreter: Sendable {
        private struct Pipes {
            let input: FileHandle
            let output: FileHandle
            var buffer = Data()
            var databaseCount = 0
        }

        static let shared = Result { try Interpreter() }

        private let process = Process()
        private let pipes: Mutex<Pipes>

        init() throws {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", PythonSQLiteStore.script]
            let (input, output) = (Pipe(), Pipe())
            process.standardInput = input
            process.standardOutput = output
            pipes = Mutex(Pipes(input: input.fileHandleForWriting, output: output.fileHandleForReading))
            try process.run()
        }

        /// Returns a number that no other database has.
        func newDatabase() -> Int {
            pipes.withLock {
                $0.databaseCount += 1
                return $0.databaseCount
            }
        }

        /// Sends a line, and returns the answer without its line break.
        func answer(_ line: Data) throws -> Data {
            try pipes.withLock { pipes -> Data in
                try pipes.input.write(contentsOf: line)
                while true {
                    if let end = pipes.buffer.firstIndex(of: UInt8(ascii: "\n")) {
                        defer { pipes.buffer = Data(pipes.buffer[(end + 1)...]) }
                        return Data(pipes.buffer[..<end])
                    }
                    let more = pipes.output.availableData
                    guard !more.isEmpty else { throw Failure(description: "python3 ended") }
                    pipes.buffer += more
                }
            }
        }
    }

    private let sql = StoreSQL(.sqlite)
    private let interpreter: Interpreter
    private let database: Int

    static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "sqlite.py").path

    /// - Parameter schema: the statements to run first.
    init(schema: [String] = StoreSQL(.sqlite).schema) throws {
        interpreter = try Interpreter.shared.get()
        database = interpreter.newDatabase()
        _ = try run(schema.map { ($0, []) })
    }

    /// Runs the statements in one transaction, and returns the rows of each statement.
    func run(_ statements: [(sql: String, parameters: [Value])]) throws(Failure) -> [[[Value]]] {
        do {
            let request: [[Any]] = statements.map { [$0.sql, $0.parameters.map(Self.json)] }
            let object: [String: Any] = ["database": database, "sql": request]
            var line = try JSONSerialization.data(withJSONObject: object)
            line.append(UInt8(ascii: "\n"))
            let answer = try JSONSerialization.jsonObject(with: interpreter.answer(line)) as? [String: Any]
            if let error = answer?["error"] as? String { throw Failure(description: error) }
            return (answer?["rows"] as? [[[Any]]] ?? []).map { $0.map { $0.map(Self.value) } }
        } catch let error as Failure { throw error } catch { throw Failure(description: "\(error)") }
    }

    private static func json(_ value: Value) -> Any {
        switch value {
        case .null: NSNull()
        case .integer(let integer): NSNumber(value: integer)
        case .text(let text): text
        case .bytes(let bytes): ["hex": hexEncodedString(bytes)]
        }
    }

    private static func value(_ json: Any) -> Value {
        if let hex = (json as? [String: String])?["hex"] { return Value(try? Hex.decode(hex.utf8)) }
        if let number = json as? NSNumber { return .integer(number.int64Value) }
        return .null
    }

    private func rows(_ sql: String, _ parameters: [Value]) throws(Failure) -> [[Value]] {
        try run([(sql, parameters)])[0]
    }

    private func outcome(_ statements: [StoreStatement], _ parameters: [Value]) throws(Failure) -> StoreSQL.Outcome {
        let results = try run(statements.map { ($0.sql, Array(parameters.prefix($0.parameterCount))) })
        guard let number = results.joined().last?.first?.integer, let outcome = StoreSQL.Outcome(rawValue: Int(number))
        else { throw Failure(description: "no outcome") }
        return outcome
    }

    private func record(_ row: [Value]) throws(Failure) -> KeyRecord {
        func time(_ index: Int) -> UnixTime? { row[index].integer.map { UnixTime(secondsSince1970: $0) } }
        guard row.count == 7, let record = row[0].bytes, let receipt = row[2].bytes, let registeredAt = time(4),
            let key = try? RegisteredKey(serialized: record)
        else { throw Failure(description: "\(row)") }
        return KeyRecord(
            key: key, account: row[1].bytes.map { AccountID(bytes: $0) }, receipt: receipt, receiptDueAt: time(3),
            registeredAt: registeredAt, lastUsedAt: time(5), revokedAt: time(6))
    }

    private func records(_ rows: [[Value]]) throws(Failure) -> [KeyRecord] {
        try rows.map { (row) throws(Failure) in try record(row) }
    }

    func key(_ keyID: [UInt8]) async throws(Failure) -> KeyRecord? {
        try records(rows(sql.selectKey, [.bytes(keyID)])).first
    }

    func insertKey(_ record: KeyRecord, consuming token: ConsumedToken) async throws(Failure) -> KeyInsertion {
        switch try outcome(
            sql.insertKey,
            [
                .bytes(token.id), Value(token.until), .bytes(record.key.keyID), .bytes(record.key.serialized),
                .integer(Int64(record.key.counter ?? 0)), Value(record.account?.bytes), .bytes(record.receipt),
                Value(record.receiptDueAt), Value(record.registeredAt),
            ])
        {
        case .done: return .inserted
        case .alreadyConsumed: return .alreadyConsumed
        case .otherState:
            guard let existing = try await key(record.key.keyID) else { throw Failure(description: "no key") }
            return .existing(existing)
        }
    }

    func recordUse(
        from current: RegisteredKey, to next: RegisteredKey, at time: UnixTime, consuming token: ConsumedToken
    ) async throws(Failure) -> KeyUse {
        switch try outcome(
            sql.recordUse,
            [
                .bytes(token.id), Value(token.until), .bytes(current.keyID), .bytes(current.serialized),
                .integer(Int64(next.counter ?? 0)), .bytes(next.serialized), Value(time),
            ])
        {
        case .done: .recorded
        case .alreadyConsumed: .alreadyConsumed
        case .otherState: .keyChanged
        }
    }

    func revokeKey(_ keyID: [UInt8], at time: UnixTime) async throws(Failure) -> Bool {
        try !rows(sql.revokeKey, [.bytes(keyID), Value(time)]).isEmpty
    }

    func keys(of account: AccountID, after keyID: [UInt8]?, limit: Int) async throws(Failure) -> [KeyRecord] {
        try records(
            rows(sql.selectKeys, [.bytes(account.bytes), .bytes(keyID ?? []), .integer(Int64(limit))]))
    }

    func revokeKeys(of account: AccountID, at time: UnixTime) async throws(Failure) -> Int {
        try rows(sql.revokeKeys, [.bytes(account.bytes), Value(time)]).count
    }

    func claimDueReceipts(
        of scope: ReceiptScope, at time: UnixTime, until postponed: UnixTime, limit: Int
    ) async throws(Failure) -> [KeyRecord] {
        let values = [Value(time), Value(postponed), .integer(Int64(limit)), .bytes(scope.bytes)]
        return try records(rows(sql.claimDueReceipts, values))
    }

    func replaceReceipt(
        of keyID: [UInt8], from current: [UInt8], to receipt: [UInt8], dueAt: UnixTime?
    ) async throws(Failure) -> Bool {
        try !rows(sql.replaceReceipt, [.bytes(keyID), .bytes(current), .bytes(receipt), Value(dueAt)]).isEmpty
    }

    func consume(_ token: ConsumedToken) async throws(Failure) -> Bool {
        try !rows(sql.consume, [.bytes(token.id), Value(token.until)]).isEmpty
    }

    func isConsumed(_ id: [UInt8]) async throws(Failure) -> Bool { try !rows(sql.selectConsumed, [.bytes(id)]).isEmpty }

    func removeExpired(at time: UnixTime) async throws(Failure) {
        while try rows(sql.removeSomeExpired, [Value(time), .integer(2)]).count == 2 {}
    }

    private func amount(_ row: [Value]) throws(Failure) -> BudgetAmount {
        guard row.count == 2, let requests = row[0].integer, let units = row[1].integer else {
            throw Failure(description: "\(row)")
        }
        return BudgetAmount(requests: requests, units: units)
    }

    func spendBudget(
        _ units: Int64, in period: BudgetPeriod, upTo limit: BudgetAmount, at time: UnixTime
    ) async throws(Failure) -> BudgetAmount? {
        let rows = try rows(
            sql.spendBudget,
            [
                .bytes(period.holder), Value(period.end), .integer(units), .integer(limit.requests),
                .integer(limit.units),
            ])
        return try rows.first.map { (row) throws(Failure) in try amount(row) }
    }

    func settleBudget(_ period: BudgetPeriod, reserved: Int64, used: Int64) async throws(Failure) {
        _ = try rows(
            sql.settleBudget, [.bytes(period.holder), Value(period.end), .integer(reserved), .integer(used)])
    }

    func usedBudget(in period: BudgetPeriod) async throws(Failure) -> BudgetAmount {
        let rows = try rows(sql.selectBudget, [.bytes(period.holder), Value(period.end)])
        return try rows.first.map { (row) throws(Failure) in try amount(row) } ?? BudgetAmount(requests: 0, units: 0)
    }

    func removeBudgets(endedAt time: UnixTime) async throws(Failure) {
        while try rows(sql.removeSomeBudgets, [Value(time), .integer(2)]).count == 2 {}
    }

    func purchaseRow(_ name: [UInt8]) async throws(Failure) -> [UInt8]? {
        try rows(sql.selectPurchaseRow, [.bytes(name)]).first?.first?.bytes
    }

    func replacePurchaseRow(
        _ name: [UInt8], from current: [UInt8]?, to next: [UInt8]
    ) async throws(Failure) -> Bool {
        let rows =
            if let current {
                try rows(sql.replacePurchaseRow, [.bytes(name), .bytes(current), .bytes(next)])
            } else { try rows(sql.insertPurchaseRow, [.bytes(name), .bytes(next)]) }
        return !rows.isEmpty
    }
}
