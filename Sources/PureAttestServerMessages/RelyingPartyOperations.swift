import PureAttest
import PureAttestServerCore
import PureBytes
import PureDER
import PureSignedContent

/// The operations of a relying party.
struct RelyingPartyOperations {
    let rules: RelyingPartyRules
    /// Returns the shell's number for an error of the verifier.
    let reasonNumber: (PureAttestError) -> Int32

    /// Begins the operation that a message names. The message's other values are the arguments.
    func begin(_ message: [UInt8]) throws(MessageError) -> Step {
        var reader = WireReader(message)
        let name = try reader.bytes()
        func isNamed(_ text: StaticString) -> Bool { isEqual(name[...], text) }
        let time = try reader.time()
        if isNamed("issueChallenge") { return try issueChallenge(&reader, at: time) }
        if isNamed("register") { return try register(&reader, at: time) }
        if isNamed("authenticate") { return try authenticate(&reader, at: time) }
        if isNamed("verifySession") { return try verifySession(&reader, at: time) }
        if isNamed("endSession") {
            let (id, end) = (try reader.bytes(), try reader.time())
            return step(of: { rules.endSession(tokenID: id, expiresAt: end) { [WireValue($0)] } })
        }
        if isNamed("unattestedSession") {
            let (address, random) = (ClientAddress(bytes: try reader.bytes()), try reader.random())
            return step(of: { () throws(Refusal) in
                try rules.unattestedSession(for: address, random: random, at: time) { $0.values }
            })
        }
        if isNamed("verifyUnattestedSession") {
            let token = try reader.bytes()
            return step(of: { () throws(Refusal) in
                try rules.verifyUnattestedSession(token, at: time) { session in
                    [.number(session.issuedAt.secondsSince1970), .number(session.expiresAt.secondsSince1970)]
                }
            })
        }
        if isNamed("spendBudget") {
            let (keyID, account, units) = (try reader.bytes(), try reader.account(), try reader.number())
            let allowance = reader.isAtEnd ? nil : try BudgetAllowance(&reader)
            return step(of: { () throws(Refusal) in
                try rules.spendBudget(units, keyID: keyID, account: account, from: allowance, at: time) { charged in
                    charged.balance.values + charged.row.values
                }
            })
        }
        if isNamed("settleBudget") {
            let row = BudgetPeriod(holder: try reader.bytes(), end: try reader.time())
            let (reserved, used) = (try reader.number(), try reader.optionalNumber())
            return step(of: { rules.settle(row, reserved: reserved, used: used) { [] } })
        }
        if isNamed("revoke") {
            let keyID = try reader.bytes()
            return step(of: { rules.revoke(keyID: keyID, at: time) { [WireValue($0)] } })
        }
        if isNamed("describeKey") { return .accepted(try describeKey(&reader)) }
        if isNamed("receiptScope") { return .accepted([.bytes(rules.receiptScope.bytes)]) }
        if isNamed("storeReceiptAnswer") { return try storeReceiptAnswer(&reader, at: time) }
        throw .malformed
    }

    private func issueChallenge(_ reader: inout WireReader, at time: UnixTime) throws(MessageError) -> Step {
        let purpose: Challenge.Purpose = try reader.choice()
        let (keyID, account) = (try reader.bytes(), try reader.account())
        let (address, random) = (try reader.clientAddress(), try reader.random())
        return step(of: { () throws(Refusal) in
            try rules.issueChallenge(
                purpose: purpose, keyID: keyID, account: account, clientAddress: address, random: random, at: time
            ) { [.bytes($0.value), .number($0.expiresAt.secondsSince1970)] }
        })
    }

    private func register(_ reader: inout WireReader, at time: UnixTime) throws(MessageError) -> Step {
        let (attestation, keyID, challenge) = (try reader.bytes(), try reader.bytes(), try reader.bytes())
        let (account, address, random) = (try reader.account(), try reader.clientAddress(), try reader.random())
        return step(of: { () throws(Refusal) in
            try rules.register(
                attestation: attestation, keyID: keyID, challenge: challenge, account: account, clientAddress: address,
                at: time
            ) { registration in
                [WireValue(registration.isNew), WireValue(registration.record.account?.bytes)]
                    + rules.session(from: registration, random: random).values
            }
        })
    }

    private func authenticate(_ reader: inout WireReader, at time: UnixTime) throws(MessageError) -> Step {
        let (assertion, keyID, challenge) = (try reader.bytes(), try reader.bytes(), try reader.bytes())
        let (account, address, random) = (try reader.account(), try reader.clientAddress(), try reader.random())
        let signed: SignedContent
        if reader.isAtEnd {
            signed = .challenge
        } else {
            signed = .request(method: try reader.bytes(), target: try reader.bytes(), body: try reader.bytes())
        }
        return step(of: { () throws(Refusal) in
            try rules.authenticate(
                assertion: assertion, keyID: keyID, challenge: challenge, signed: signed, account: account,
                clientAddress: address, at: time
            ) { authentication in
                [.number(Int64(authentication.signature.counter)), WireValue(authentication.record.account?.bytes)]
                    + rules.session(from: authentication, random: random).values
            }
        })
    }

    private func verifySession(_ reader: inout WireReader, at time: UnixTime) throws(MessageError) -> Step {
        let token = try reader.bytes()
        return step(of: { () throws(Refusal) in
            try rules.verifySession(token, at: time) { session in
                [
                    .bytes(session.keyID), WireValue(session.account?.bytes), .bytes(session.tokenID),
                    .number(session.issuedAt.secondsSince1970), .number(session.expiresAt.secondsSince1970),
                    WireValue(session.validationCategory.map { Int64($0.rawValue) }),
                    WireValue(session.bundleVersion?.utf8), WireValue(session.codeDirectoryHash?.bytes),
                ]
            }
        })
    }

    private func describeKey(_ reader: inout WireReader) throws(MessageError) -> [WireValue] {
        let record = try KeyRecord(row: &reader)
        return [
            .bytes(record.key.keyID), .number(Int64(record.key.environment.rawValue)),
            WireValue(record.key.platform == .appAttest),
        ]
    }

    /// Reads a row of `selectKey`, and the status and body of Apple's answer. Reports a new receipt before it is stored.
    private func storeReceiptAnswer(_ reader: inout WireReader, at time: UnixTime) throws(MessageError) -> Step {
        guard let due = DueReceipt(record: try KeyRecord(row: &reader)) else { throw .malformed }
        guard let status = Int(exactly: try reader.number()) else { throw .malformed }
        let answer = ReceiptRefreshAnswer(status: status, body: try reader.bytes())
        var receipt: VerifiedReceipt?
        let stored = step(of: { rules.storeAnswer(answer, for: due, at: time, risk: { receipt = $0 }) { $0.values } })
        guard let payload = receipt?.payload else { return stored }
        let values: [WireValue] = [
            WireValue("receipt"), WireValue(payload.riskMetric.map { Int64($0) }),
            .number(payload.creationTime.secondsSince1970), WireValue(payload.notBefore?.secondsSince1970),
            .number(payload.expirationTime.secondsSince1970),
        ]
        return .question(values) { _ in stored }
    }
}

extension IssuedSession {
    fileprivate var values: [WireValue] { [.bytes(token), .number(expiresAt.secondsSince1970)] }
}

extension BudgetBalance {
    fileprivate var values: [WireValue] {
        [.number(remaining.requests), .number(remaining.units), .number(resetsAt.secondsSince1970)]
    }
}

extension ReceiptState {
    fileprivate var values: [WireValue] {
        switch self {
        case .notYetDue(let time): [WireValue("notYetDue"), .number(time.secondsSince1970)]
        case .due(let time): [WireValue("due"), .number(time.secondsSince1970)]
        case .renewalRequired: [WireValue("renewalRequired"), .none]
        case .gone(let time): [WireValue("gone"), .number(time.secondsSince1970)]
        }
    }
}

extension WireReader {
    fileprivate mutating func account() throws(MessageError) -> AccountID? {
        try optionalBytes().map { AccountID(bytes: $0) }
    }

    /// Rejects a wrong number of bytes, because no session with such bytes would verify.
    fileprivate mutating func random() throws(MessageError) -> [UInt8] {
        let random = try bytes()
        guard random.count == RelyingPartyRules.randomByteCount else { throw .malformed }
        return random
    }

    fileprivate mutating func clientAddress() throws(MessageError) -> ClientAddress? {
        try optionalBytes().map { ClientAddress(bytes: $0) }
    }
}
