import Foundation
import PureAttestServer
import Testing

@testable import PureAttestClient

/// The server executes a request at most once, whatever the number of deliveries and whatever answer the client sees.
@Suite struct DeliveryTests {
    enum Outcome: Hashable {
        case status(Int), unknown, unreachable, refused(String), keyLost
    }

    struct Call {
        let deliveries: Deliveries
        let client: AttestClient
        let device = Device()
        let clock = TestClock()
        let storage = Memory()

        init(
            _ answers: AnswerPolicy = .precise, _ use: SessionUse = .untilRevoked, to target: String,
            ahead: Double = 0, _ plan: Deliveries.Plan?
        ) {
            deliveries = Deliveries(PartyServer(answers, use, clock: clock), device, to: target, plan)
            var configuration = AttestConfiguration()
            configuration.answersAreUniform = answers == .uniform
            configuration.sessionsAreUsedOnce = use == .once
            client = AttestClient(
                keyService: device, storage: storage, transport: deliveries, sha256: hash, configuration: configuration,
                clock: DeviceClock(clock: clock, ahead: ahead))
        }

        func outcome(isSigned: Bool) async throws -> Outcome {
            let request = AttestRequest("POST", deliveries.target, body: Data("7".utf8))
            let outcome: Outcome
            do {
                let answer = isSigned ? try await client.sendSigned(request) : try await client.send(request)
                outcome = .status(answer.status)
            } catch AttestError.outcomeUnknown { outcome = .unknown } catch AttestError.unreachable {
                outcome = .unreachable
            } catch AttestError.refused(_, let word) { outcome = .refused(word) } catch AttestError.keyLost {
                outcome = .keyLost
            }
            try await deliveries.deliverWhatIsLate()
            return outcome
        }
    }

    /// Returns plans with up to three deliveries. In each plan, at most one of `events` happens before, between or
    /// after the deliveries. The client sees one of the answers, or no answer. In every second plan, only the first
    /// request follows the plan, and a late copy of this request arrives after the client's next step. In the other
    /// plans, all requests follow the plan.
    static func plans(_ events: [Deliveries.Event]) -> [Deliveries.Plan] {
        let plans = (1...3).flatMap { copies in
            let deliveries = Array(repeating: Deliveries.Event.deliver, count: copies)
            let disturbed = events.flatMap { event in
                (0...copies).map { Array(deliveries.prefix($0)) + [event] + deliveries.dropFirst($0) }
            }
            return ([deliveries] + disturbed).flatMap { events in
                ([nil] + (0..<copies).map(Optional.some)).map { Deliveries.Plan(events: events, seen: $0) }
            }
        }
        return plans.enumerated().map { index, plan in
            var plan = plan
            if index % 2 == 1 { (plan.late, plan.sendings) = (1, 1) }
            return plan
        }
    }

    @Test(arguments: [AnswerPolicy.precise, .uniform])
    func aSignedRequestIsCarriedOutOnce(answers: AnswerPolicy) async throws {
        let plans = Self.plans([.wait(61), .overtake, .revoke, .loseEverything])
        #expect(plans.count == 125)
        var outcomes: [Outcome: Int] = [:]
        for plan in plans {
            let call = Call(answers, to: "/signed", plan)
            let outcome = try await call.outcome(isSigned: true)
            outcomes[outcome, default: 0] += 1
            let count = call.deliveries.executions.values.reduce(0, +)
            switch outcome {
            case .status(200): #expect(count == 1, "\(plan)")
            case .refused("overtaken"): #expect(count == 0, "\(plan)")
            default: #expect(count <= 1, "\(plan)")
            }
            if plan.seen == nil { #expect(outcome == .unreachable, "\(plan)") }
            if plan.events.allSatisfy({ $0 == .deliver }), plan.seen == 0 {
                #expect(outcome == .status(200), "\(plan)")
            }
        }
        #expect(
            outcomes
                == (answers == .precise
                    ? [
                        .status(200): 30, .refused("overtaken"): 3, .refused("refused"): 6, .unknown: 47,
                        .unreachable: 39,
                    ]
                    : [.status(200): 27, .unknown: 59, .unreachable: 39]))
    }

    /// If tokens can be used more than once, the server executes a request twice when the network duplicates the
    /// request. The client itself causes no duplicates: of all attempts that the client sends, the server executes at
    /// most one.
    @Test(arguments: [(AnswerPolicy.precise, SessionUse.untilRevoked), (.uniform, .untilExpiry)])
    func aRequestInASessionIsSentOnce(answers: AnswerPolicy, use: SessionUse) async throws {
        let plans = Self.plans([.wait(31), .wait(900), .loseEverything])
        #expect(plans.count == 96)
        var outcomes: [Outcome: Int] = [:]
        for (index, plan) in plans.enumerated() {
            // The device clock is right, ahead or behind, and the session is new or nearly expired.
            let call = Call(answers, use, to: "/protected", ahead: [0, 1_000_000, -5_000][index % 3], plan)
            _ = try await call.client.session()
            if index % 4 >= 2 { call.clock.time.change { $0 += 869 } }
            let outcome = try await call.outcome(isSigned: false)
            outcomes[outcome, default: 0] += 1
            #expect(call.deliveries.executions.count <= 1, "\(plan)")
            if outcome == .status(200) { #expect(call.deliveries.executions.count == 1, "\(plan)") }
        }
        #expect(outcomes == [.status(200): 47, .unknown: 19, .unreachable: 30])
    }

    @Test(arguments: [AnswerPolicy.precise, .uniform])
    func aRequestWithATokenThatCountsOnceIsCarriedOutOnce(answers: AnswerPolicy) async throws {
        let plans = Self.plans([.wait(31), .wait(900), .revoke])
        #expect(plans.count == 96)
        var outcomes: [Outcome: Int] = [:]
        for (index, plan) in plans.enumerated() {
            let call = Call(answers, .once, to: "/protected", ahead: [0, 1_000_000, -5_000][index % 3], plan)
            let outcome = try await call.outcome(isSigned: false)
            outcomes[outcome, default: 0] += 1
            let count = call.deliveries.executions.values.reduce(0, +)
            #expect(count <= 1, "\(plan)")
            if outcome == .status(200) { #expect(count == 1, "\(plan)") }
        }
        #expect(
            outcomes
                == (answers == .precise
                    ? [.status(200): 24, .refused("refused"): 9, .unknown: 33, .unreachable: 30]
                    : [.status(200): 24, .unknown: 42, .unreachable: 30]))
    }

    /// Concurrent requests use separate sessions, and never a session that the app requested.
    @Test func tokensThatCountOnceAreNotShared() async throws {
        let call = Call(.precise, .once, to: "/protected", nil)
        let own = try await call.client.session()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask { try await call.client.send(AttestRequest("POST", "/protected")).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(call.deliveries.count("/session") == 11 && call.deliveries.count("/protected") == 10)
        let tokens = call.deliveries.sent.value.compactMap { $0.headers["Authorization"] }
        #expect(Set(tokens).count == 10 && !tokens.contains("Bearer \(own.token)"))
        #expect(call.deliveries.executions.values.reduce(0, +) == 10)
    }

    // MARK: Answers

    @Test(arguments: [
        ((409, "consumed"), false, Outcome.unknown, 1, 1), ((409, "replay"), false, .unknown, 1, 1),
        ((409, "overtaken"), false, .refused("overtaken"), 3, 1), ((401, "unknownKey"), false, .unknown, 1, 2),
        ((401, "refused"), false, .refused("refused"), 1, 1), ((401, "refused"), true, .unknown, 1, 1),
        ((500, "internalError"), false, .status(500), 1, 1), ((503, "serverUnavailable"), false, .status(503), 1, 1),
        ((429, "tooManyRequests"), false, .status(429), 1, 1),
    ])
    func wordsForASignedRequest(
        answer: (Int, String), isUniform: Bool, outcome: Outcome, sendings: Int, keys: Int
    ) async throws {
        let plan = Deliveries.Plan(events: [.answer(answer.0, answer.1)], seen: 0)
        let call = Call(isUniform ? .uniform : .precise, to: "/signed", plan)
        #expect(try await call.outcome(isSigned: true) == outcome)
        #expect(call.deliveries.count("/signed") == sendings)
        // The next request uses a new challenge, and a new key if the client has discarded the old key.
        call.deliveries.plan.change { $0 = nil }
        #expect(try await call.outcome(isSigned: true) == .status(200))
        #expect(call.device.state.value.keys.count == keys && call.deliveries.executions.values.reduce(0, +) == 1)
        #expect(Set(call.deliveries.sent.value.compactMap { $0.headers["Attest-Challenge"] }).count == sendings + 1)
    }

    /// A client that has recently replaced its key keeps the new key. The outcome of the request stays unknown.
    @Test func theReplacementIntervalDoesNotChangeTheOutcome() async throws {
        let call = Call(to: "/signed", Deliveries.Plan(events: [.answer(401, "unknownKey")], seen: 0))
        for _ in 0..<3 { #expect(try await call.outcome(isSigned: true) == .unknown) }
        #expect(call.device.state.value.keys.count == 2 && call.deliveries.count("/signed") == 3)
    }

    /// Under uniform answers, a rejected signed request does not discard the key. Instead, the client opens a session
    /// to learn whether the server has lost the key. Opening a session does not repeat the request.
    @Test func aDoubtfulKeyIsTriedBySession() async throws {
        let call = Call(.uniform, to: "/signed", Deliveries.Plan(events: [.answer(401, "refused")], seen: 0))
        for _ in 0..<3 { #expect(try await call.outcome(isSigned: true) == .unknown) }
        #expect(call.device.state.value.keys.count == 1 && call.deliveries.count("/signed") == 3)
        #expect(call.deliveries.count("/session") == 2)
    }

    /// Under uniform answers, one lost or duplicated delivery does not discard the key.
    @Test(arguments: [
        ("/session", [Deliveries.Event.deliver], nil as Int?, 3), ("/session", [.deliver, .deliver], 1, 2),
        ("/attest", [.deliver], nil, 2),
    ])
    func aDisturbedDeliveryCostsNoKey(
        target: String, events: [Deliveries.Event], seen: Int?, sendings: Int
    ) async throws {
        let call = Call(.uniform, to: target, Deliveries.Plan(events: events, seen: seen, sendings: 1))
        _ = try await call.client.session()
        #expect(call.device.state.value.keys.count == 1)
        #expect(call.deliveries.count(target) == sendings)
    }

    /// The client retries opening a session at most twice, each time with a new challenge.
    @Test(arguments: ["consumed", "overtaken", "replay"]) func wordsForASession(word: String) async throws {
        for (failures, isOpened) in [(2, true), (3, false)] {
            let call = Call(
                to: "/session", Deliveries.Plan(events: [.answer(409, word)], seen: 0, sendings: failures))
            let session = try? await call.client.session()
            #expect((session != nil) == isOpened && call.deliveries.count("/session") == 3)
            #expect(call.device.state.value.keys.count == 1)
        }
    }

    /// The client does not repeat a registration that arrived at the server. The answer `consumed` always shows that
    /// the registration arrived. The answer `replay` shows this only if the client got no answer to an earlier attempt.
    @Test func wordsForARegistration() async throws {
        for (events, keys) in [
            ([Deliveries.Event.deliver, .deliver], 1), ([.deliver, .wait(61), .deliver], 2),
        ] {
            let call = Call(to: "/attest", Deliveries.Plan(events: events, seen: 1, sendings: 1))
            let keyID = try await call.client.session().keyID
            #expect(call.device.state.value.keys.count == keys && keyID == call.device.state.value.keys.last)
        }
        let call = Call(to: "/attest", Deliveries.Plan(events: [.deliver, .wait(61)], seen: nil, sendings: 1))
        let keyID = try await call.client.session().keyID
        #expect(call.device.state.value.keys == [keyID] && call.deliveries.count("/attest") == 2)
    }
    @Test(arguments: [
        (AnswerPolicy.precise, SessionUse.once, (409, "consumed"), Outcome.unknown, 1),
        (.precise, .untilRevoked, (409, "consumed"), .unknown, 1), (.uniform, .once, (401, "refused"), .unknown, 1),
        (.precise, .once, (401, "refused"), .status(401), 2),
        (.precise, .untilRevoked, (401, "refused"), .status(401), 2),
        (.uniform, .untilRevoked, (401, "refused"), .status(401), 2), (.precise, .once, (500, "?"), .status(500), 1),
    ])
    func wordsForAToken(
        answers: AnswerPolicy, use: SessionUse, answer: (Int, String), outcome: Outcome, sendings: Int
    ) async throws {
        let call = Call(
            answers, use, to: "/protected", Deliveries.Plan(events: [.answer(answer.0, answer.1)], seen: 0))
        #expect(try await call.outcome(isSigned: false) == outcome)
        #expect(call.deliveries.count("/protected") == sendings)
        call.deliveries.plan.change { $0 = nil }
        #expect(try await call.outcome(isSigned: false) == .status(200))
        #expect(call.deliveries.executions.values.reduce(0, +) == 1 && call.device.state.value.keys.count == 1)
    }

    /// The client replaces a rejected token only if the token had more than 30 seconds left by the server clock. With
    /// less time left, the server may have rejected the token because it had expired.
    @Test(arguments: [0, 1_000_000, -5_000])
    func onlyATokenThatHasNotRunOutIsReplaced(ahead: Double) async throws {
        for (seconds, outcome) in [(868.0, Outcome.status(200)), (871, .unknown)] {
            let call = Call(
                to: "/protected", ahead: ahead,
                Deliveries.Plan(events: [.wait(seconds), .answer(401, "refused")], seen: 0, sendings: 1))
            #expect(try await call.outcome(isSigned: false) == outcome, "\(seconds)")
        }
    }
}
