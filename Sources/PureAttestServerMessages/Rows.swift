import PureAttest
package import PureAttestServerCore
import PureBytes
package import PureDER

// The parameters and columns of StoreSQL's statements.

extension ConsumedToken {
    var values: [WireValue] { [.bytes(id), .number(until.secondsSince1970)] }
}

extension BudgetPeriod {
    var values: [WireValue] { [.bytes(holder), .number(end.secondsSince1970)] }
}

extension BudgetAmount {
    init(row reader: inout WireReader) throws(MessageError) {
        self.init(requests: try reader.number(), units: try reader.number())
    }
}

extension BudgetAllowance {
    /// The values that pass a purchase's allowance from the purchases module to the relying party's module.
    package var values: [WireValue] {
        [.number(budget.days), .number(budget.limit.requests), .number(budget.limit.units), .bytes(name)]
    }

    init(_ reader: inout WireReader) throws(MessageError) {
        let budget = Budget(days: try reader.number(), requests: try reader.number(), units: try reader.number())
        self.init(budget, purchase: try reader.bytes())
    }
}

extension KeyRecord {
    /// The parameters of `insertKey` that follow the parameters of the token.
    var values: [WireValue] {
        [
            .bytes(key.keyID), .bytes(key.serialized), .number(Int64(key.counter ?? 0)), WireValue(account?.bytes),
            .bytes(receipt), WireValue(receiptDueAt?.secondsSince1970), .number(registeredAt.secondsSince1970),
        ]
    }

    /// Reads the columns of `selectKey`, and rejects a message with further values.
    init(wholeRow reader: inout WireReader) throws(MessageError) {
        try self.init(row: &reader)
        guard reader.isAtEnd else { throw .malformed }
    }

    init(row reader: inout WireReader) throws(MessageError) {
        let bytes = try reader.bytes()
        guard let key = try? RegisteredKey(serialized: bytes) else { throw .malformed }
        self.init(
            key: key, account: try reader.optionalBytes().map { AccountID(bytes: $0) }, receipt: try reader.bytes(),
            receiptDueAt: try reader.optionalTime(), registeredAt: try reader.time(),
            lastUsedAt: try reader.optionalTime(), revokedAt: try reader.optionalTime())
    }
}

extension WireReader {
    package mutating func time() throws(MessageError) -> UnixTime { UnixTime(secondsSince1970: try number()) }

    mutating func optionalTime() throws(MessageError) -> UnixTime? {
        try optionalNumber().map { UnixTime(secondsSince1970: $0) }
    }
}

extension Limit {
    var name: StaticString {
        switch self {
        case .requestsPerClientAddress: "requestsPerClientAddress"
        case .enrolmentsPerAccount: "enrolmentsPerAccount"
        case .enrolmentsPerClientAddress: "enrolmentsPerClientAddress"
        case .enrolmentRate: "enrolmentRate"
        case .failuresPerAccount: "failuresPerAccount"
        case .authenticationsPerKey: "authenticationsPerKey"
        case .sessionRequestsPerKey: "sessionRequestsPerKey"
        case .unattestedRequestsPerClientAddress: "unattestedRequestsPerClientAddress"
        }
    }
}
