import Foundation
import PureAttestClient
import Testing

func expectOutcomeUnknown(_ call: () async throws -> AttestResponse) async {
    await #expect {
        try await call()
    } throws: {
        if case .outcomeUnknown = $0 as? AttestError { true } else { false }
    }
}

@Suite struct ServerFailureTests {
    @Test func aServerThatLostAllKeysGetsANewOneOnce() async throws {
        let setting = try Setting(Service())
        let client = setting.client()
        let lost = try await client.session().keyID
        let restarted = try Service()
        setting.way.state.change { $0.service = restarted }
        // The restarted server uses the same secret, so the token is still valid, but the key is unknown to the server.
        #expect(try await client.send(AttestRequest("GET", "/protected")).status == 200)
        // The server may have lost the key after it executed this request. The client discards the key and does not
        // sign the request again.
        await expectOutcomeUnknown { try await client.sendSigned(AttestRequest("POST", "/signed")) }
        #expect(try await client.sendSigned(AttestRequest("POST", "/signed")).status == 200)
        let keyID = try await client.register()
        #expect(keyID != lost && setting.device.state.value.keys.count == 2)
        // Even if the server loses the keys again, the client does not send a flood of requests.
        let again = try Service()
        setting.way.state.change { $0.service = again }
        for _ in 0..<3 { await expectOutcomeUnknown { try await client.sendSigned(AttestRequest("POST", "/signed")) } }
        #expect(setting.device.state.value.keys.count == 2)
        setting.clock.time.change { $0 += 3_601 }
        await expectOutcomeUnknown { try await client.sendSigned(AttestRequest("POST", "/signed")) }
        #expect(try await client.sendSigned(AttestRequest("POST", "/signed")).status == 200)
        #expect(setting.device.state.value.keys.count == 3 && setting.device.noKeyMetTwoHashes)
    }

    @Test func callsAtTheSameTimeReplaceALostKeyOnce() async throws {
        let setting = try Setting(Service())
        let client = setting.client()
        _ = try await client.session()
        let restarted = try Service()
        setting.way.state.change { $0.service = restarted }
        await withTaskGroup(of: Int?.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let isSigned = index.isMultiple(of: 2)
                    return isSigned
                        ? try? await client.sendSigned(AttestRequest("POST", "/signed")).status
                        : try? await client.send(AttestRequest("GET", "/protected")).status
                }
            }
            let statuses = await group.reduce(into: []) { $0.append($1) }
            // The client does not re-sign the request whose answer revealed that the server had lost the keys.
            #expect(statuses.count { $0 == 200 } == 19 && statuses.count { $0 == nil } == 1)
        }
        #expect(setting.device.state.value.keys.count == 2)
    }

    @Test func aKeyThatAlwaysIsUnknownEndsAfterOneReplacement() async throws {
        let setting = try Setting()
        setting.way.state.change { $0.faults["/session"] = Array(repeating: .answer(401, "unknownKey"), count: 100) }
        let client = setting.client()
        for _ in 0..<3 { await #expect(throws: AttestError.self) { try await client.session() } }
        #expect(setting.device.state.value.keys.count == 2)
    }

    @Test func whereAnswersAreUniformARefusalMayBeAnUnknownKey() async throws {
        let setting = try Setting(Service(["ATTEST_ANSWERS": "uniform"]))
        let client = setting.client { $0.answersAreUniform = true }
        let lost = try await client.register()
        let restarted = try Service(["ATTEST_ANSWERS": "uniform"])
        setting.way.state.change { $0.service = restarted }
        #expect(try await client.session().keyID != lost)
        // With precise answers, the client can distinguish an unknown key from other rejections.
        let precise = try Setting()
        precise.way.state.change { $0.faults["/session"] = [.answer(401, "refused")] }
        await #expect(throws: AttestError.self) { try await precise.client().session() }
        #expect(precise.device.state.value.keys.count == 1)
    }

    /// The client cannot know whether the registration arrived, so it sends the registration again. The answer "replay"
    /// means that the first registration may have arrived.
    @Test func aRegistrationWhoseAnswerWasLostIsNotMadeTwice() async throws {
        for fault in [Way.Fault.answerLost, .requestLost, .answer(503, "serverUnavailable")] {
            let setting = try Setting()
            setting.way.state.change { $0.faults["/attest"] = [fault] }
            let client = setting.client()
            let keyID = try await client.session().keyID
            #expect(setting.device.state.value.keys == [keyID] && setting.device.state.value.attested.count == 1)
            #expect(setting.way.count("/attest") == 2)
        }
    }

    @Test func aRegistrationThatNeverArrivedGoesOnInTheNextLaunch() async throws {
        for fault in [Way.Fault.answerLost, .requestLost] {
            let setting = try Setting()
            setting.way.state.change { $0.faults["/attest"] = Array(repeating: fault, count: 4) }
            await #expect {
                try await setting.client().session()
            } throws: {
                if case .unreachable = $0 as? AttestError { true } else { false }
            }
            #expect(setting.clock.slept.value.count == 3)
            let keyID = try await setting.client().session().keyID
            #expect(setting.device.state.value.keys == [keyID] && setting.device.state.value.attested.count == 1)
        }
    }

    @Test func anExpiredChallengeCostsOneKeyAndNotMore() async throws {
        let setting = try Setting()
        setting.way.state.change { $0.faults["/attest"] = [.answer(409, "replay")] }
        _ = try await setting.client().session()
        #expect(setting.device.state.value.keys.count == 2 && setting.device.noKeyMetTwoHashes)

        let hopeless = try Setting()
        hopeless.way.state.change { $0.faults["/attest"] = Array(repeating: .answer(409, "replay"), count: 100) }
        await #expect(throws: AttestError.self) { try await hopeless.client().session() }
        await #expect { try await hopeless.client().session() } throws: { isRetryLater($0, 29...30) }
        #expect(hopeless.device.state.value.keys.count == 2)
    }

    @Test(arguments: ["refused", "unknownKey"]) func waitsAfterARejectedAttestation(word: String) async throws {
        let setting = try Setting()
        setting.way.state.change { $0.faults["/attest"] = [.answer(401, word)] }
        await #expect { try await setting.client().session() } throws: { isRejection($0, 401, word) }
        await #expect { try await setting.client().session() } throws: { isRetryLater($0, 29...30) }
        setting.clock.time.change { $0 += 31 }
        _ = try await setting.client().session()
        #expect(setting.device.state.value.keys.count == 2 && setting.device.noKeyMetTwoHashes)
    }

    /// Answers from a proxy and login pages from a network say nothing about the key.
    @Test(arguments: [302, 307, 500, 502, 504]) func aServerThatFailsDoesNotCostTheKey(status: Int) async throws {
        let setting = try Setting()
        setting.way.state.change { $0.faults["/attest"] = [.page(status)] }
        await #expect { try await setting.client().session() } throws: { isRetryLater($0, 30...30) }
        setting.clock.time.change { $0 += 31 }
        let keyID = try await setting.client().session().keyID
        #expect(setting.device.state.value.keys == [keyID] && setting.device.state.value.attested.count == 1)
    }

    /// The first three answers come from proxies, the others from the service.
    @Test(arguments: [
        (403, ""), (413, ""), (404, "Not Found"), (404, "notFound"), (408, "timeout"), (400, "malformedRequest"),
    ])
    func answersThatDoNotConcernTheKeyDoNotCostIt(status: Int, word: String) async throws {
        let setting = try Setting()
        setting.way.state.change { $0.faults["/attest"] = [word.isEmpty ? .page(status) : .answer(status, word)] }
        await #expect { try await setting.client().session() } throws: { isRejection($0, status, word) }
        setting.clock.time.change { $0 += 31 }
        let keyID = try await setting.client().session().keyID
        #expect(setting.device.state.value.keys == [keyID] && setting.device.state.value.attested.count == 1)
    }

    @Test func theNinthOfSuchAnswersCostsTheKey() async throws {
        let setting = try Setting()
        setting.way.state.change { $0.faults["/attest"] = Array(repeating: .page(400), count: 9) }
        for _ in 0..<9 {
            await #expect { try await setting.client().session() } throws: { isRejection($0, 400, "") }
            #expect(setting.device.state.value.keys.count == 1)
            setting.clock.time.change { $0 += 3_601 }
        }
        _ = try await setting.client().session()
        #expect(setting.device.state.value.keys.count == 2 && setting.way.count("/attest") == 10)
    }

    @Test func keepsTheKeyUntilItMayEnrol() async throws {
        for (seconds, expected) in [(Optional(600), 600.0), (nil, 86_400)] {
            let setting = try Setting()
            setting.way.state.change { $0.faults["/challenge"] = [.answer(429, "enrolLater", retryAfter: seconds)] }
            for _ in 0..<2 {
                await #expect {
                    try await setting.client().session()
                } throws: {
                    if case .enrolLater(let after) = $0 as? AttestError { abs(after - expected) < 1 } else { false }
                }
            }
            #expect(setting.way.count("/challenge") == 1)
            setting.clock.time.change { $0 += expected + 1 }
            let keyID = try await setting.client().session().keyID
            #expect(setting.device.state.value.keys == [keyID])
        }
    }

    @Test func waitsForRetryAfterOrPassesItOn() async throws {
        let setting = try Setting()
        setting.way.state.change {
            $0.faults["/challenge"] = [
                .answer(429, "tooManyRequests", retryAfter: 3), nil, .answer(429, "tooManyRequests", retryAfter: 300),
            ]
        }
        let client = setting.client()
        _ = try await client.register()
        #expect(setting.clock.slept.value == [3])
        setting.clock.time.change { $0 += 46 }
        await #expect { try await client.session() } throws: { isRetryLater($0, 300...300) }
        _ = try await client.session()
        #expect(setting.device.state.value.keys.count == 1)
    }

    @Test func aUsedChallengeIsAskedForAnew() async throws {
        let setting = try Setting()
        let client = setting.client()
        _ = try await client.register()
        setting.way.state.change { $0.faults["/session"] = [.answer(409, "replay"), .answer(409, "replay"), nil] }
        _ = try await client.session()
        #expect(setting.device.state.value.assertions == 3 && setting.way.count("/challenge") == 3)
        setting.way.state.change { $0.faults["/signed"] = Array(repeating: .answer(409, "replay"), count: 100) }
        await expectOutcomeUnknown { try await client.sendSigned(AttestRequest("POST", "/signed")) }
        #expect(setting.way.count("/signed") == 1)
    }

    /// If a request gets no answer, the client does not repeat the request, because it may have taken effect.
    @Test func aSignedRequestWithoutAnAnswerIsNotSentAgain() async throws {
        for fault in [Way.Fault.answerLost, .requestLost] {
            let setting = try Setting()
            let client = setting.client()
            setting.way.state.change { $0.faults["/signed"] = [fault] }
            await #expect {
                try await client.sendSigned(AttestRequest("POST", "/signed"))
            } throws: {
                if case .unreachable(let reason) = $0 as? AttestError { reason is Way.Lost } else { false }
            }
            #expect(setting.way.count("/signed") == 1)
            #expect(try await client.sendSigned(AttestRequest("POST", "/signed")).status == 200)
        }
    }

    @Test func anEndedSessionIsOpenedAnewOnce() async throws {
        let setting = try Setting()
        let client = setting.client()
        #expect(try await client.send(AttestRequest("POST", "/logout")).status == 204)
        #expect(try await client.send(AttestRequest("GET", "/protected")).status == 200)
        #expect(setting.way.count("/session") == 2)
        setting.way.state.change { $0.faults["/protected"] = Array(repeating: .answer(401, "refused"), count: 100) }
        #expect(try await client.send(AttestRequest("GET", "/protected")).status == 401)
        #expect(setting.way.count("/session") == 3)
        #expect(try await client.send(AttestRequest("GET", "/nowhere")).status == 404)
    }

    /// The client clock says that the token has expired, but only the server clock matters.
    @Test func aClockThatIsAheadOpensNoSessionForEachRequest() async throws {
        let setting = try Setting()
        setting.clock.time.change { $0 += 1_000_000 }
        let client = setting.client()
        for _ in 0..<3 { #expect(try await client.send(AttestRequest("GET", "/protected")).status == 200) }
        #expect(setting.way.count("/session") == 1)
    }

    @Test func aKeyThatTheAppForgetsIsReplaced() async throws {
        let setting = try Setting()
        let client = setting.client()
        let first = try await client.session().keyID
        try await client.forgetKey()
        #expect(try await client.session().keyID != first)
    }

    @Test func aKeyThatIsForgottenWhileItIsRegisteredStaysForgotten() async throws {
        let setting = try Setting()
        let client = setting.client()
        let first = Task { try await client.register() }
        while setting.device.state.value.attested.isEmpty { await Task.yield() }
        try await client.forgetKey()
        await #expect(throws: CancellationError.self) { try await first.value }
        let keyID = try await client.register()
        #expect(setting.device.state.value.keys.count == 2 && setting.device.state.value.keys.last == keyID)
    }

    @Test func aSessionOfAForgottenKeyIsNotKept() async throws {
        let setting = try Setting()
        let client = setting.client()
        let lost = try await client.register()
        let opening = Task { try await client.session() }
        while setting.way.count("/session") == 0 { await Task.yield() }
        try await client.forgetKey()
        _ = try? await opening.value
        #expect(try await client.session().keyID != lost)
    }

    @Test func answersOfNoKindAreErrors() async throws {
        let setting = try Setting()
        let client = setting.client()
        _ = try await client.register()
        for fault in [Way.Fault.answer(200, "?"), .answer(302, "?"), .answer(500, "?")] {
            setting.way.state.change { $0.faults["/session"] = [fault] }
            await #expect(throws: AttestError.self) { try await client.session() }
        }
        _ = try await client.session()
        #expect(setting.device.state.value.keys.count == 1)
    }
}
