import PostgreSQLStore
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

/// Tests connections to PostgreSQL that end when only the server knows the outcome of a call. The store reports an
/// outage and does not retry, because the second answer would only reflect the effect of the first call.
@Suite(.withPostgreSQL) struct LostAnswerTests {
    private let now = UnixTime(secondsSince1970: 1_789_473_600)

    /// A relying party with a registered device. Its store has one connection, through a proxy, on which all statements
    /// are prepared.
    private struct Scene {
        let proxy: LossyProxy
        let party: RelyingParty<PostgreSQLStore>
        let direct: PostgreSQLStore
        let device: VirtualDevice
        let name: String

        var keyID: [UInt8] { get throws { try [UInt8](base64Encoded: name) } }
    }

    private func scene() async throws -> Scene {
        let server = try PostgreSQLServer.shared.get()
        let proxy = try LossyProxy(server)
        let string = try server.newSchema()
        let key = try #require(SessionKey(id: "1", secret: RunningService.sessionSecret))
        let party = RelyingParty(
            verifier: .trustingTestDevices(
                of: RunningService.authority, apps: [RunningService.app], environment: .production,
                launchPolicy: .reportOnly),
            store: try PostgreSQLStore(proxy.connectionString(string), connections: 1),
            sessionKeys: SessionKeys(current: key))
        let device = VirtualDevice(app: RunningService.app, authority: RunningService.authority, seed: 1, time: now)
        let scene = Scene(
            proxy: proxy, party: party, direct: try PostgreSQLStore(string, connections: 1), device: device,
            name: await device.generateKey())
        let (attestation, challenge) = try attestation(scene, scene.name)
        _ = try await party.register(
            attestation: attestation, keyID: scene.keyID, challenge: challenge, at: now)
        try await prepare(scene)
        return scene
    }

    /// A connection prepares each statement at first use, so run each statement under test once.
    private func prepare(_ scene: Scene) async throws {
        let (assertion, challenge) = try assertion(scene)
        _ = try await send(scene, assertion, challenge)
        #expect(try await !scene.party.store.isConsumed([1]))
    }

    private func attestation(_ scene: Scene, _ name: String) throws -> (object: [UInt8], challenge: [UInt8]) {
        let keyID = try [UInt8](base64Encoded: name)
        let challenge = try scene.party.issueChallenge(purpose: .attestation, keyID: keyID, at: now).value
        return (try scene.device.attestKey(name, clientDataHash: SHA256.hash(data: challenge)), challenge)
    }

    private func assertion(_ scene: Scene) throws -> (object: [UInt8], challenge: [UInt8]) {
        let challenge = try scene.party.issueChallenge(purpose: .assertion, keyID: scene.keyID, at: now).value
        let object = try scene.device.generateAssertion(scene.name, clientDataHash: SHA256.hash(data: challenge))
        return (object, challenge)
    }

    private func send(_ scene: Scene, _ object: [UInt8], _ challenge: [UInt8]) async throws -> Authentication<
        VerifiedAssertion
    > {
        try await scene.party.authenticate(assertion: object, keyID: scene.keyID, challenge: challenge, at: now)
    }

    private typealias Failure = RelyingParty<PostgreSQLStore>.Failure

    /// The counter has advanced, but the answer was lost. The device gets 503 and not 401. If it repeats the request,
    /// it gets 409 `consumed`.
    @Test func anAdvanceWhoseAnswerIsLostIsAnOutage() async throws {
        let scene = try await scene()
        let request = try assertion(scene)
        // Lose the second answer, after the store has read the key.
        scene.proxy.lose(.answer, after: 1)
        await #expect(throws: Failure.store(.connectionLost)) {
            try await send(scene, request.object, request.challenge)
        }
        #expect(scene.proxy.losses == 1)
        #expect(try await scene.direct.key(scene.keyID)?.key.counter == 2)
        let again = await #expect(throws: Failure.refused(.challengeConsumed)) {
            try await send(scene, request.object, request.challenge)
        }
        #expect(again?.answer(.precise).code == .consumed)
        try await prepare(scene)
        #expect(try await scene.direct.key(scene.keyID)?.key.counter == 3)
    }

    @Test(arguments: [0, 1]) func aRequestThatIsLostIsGoodLater(after: Int) async throws {
        let scene = try await scene()
        let request = try assertion(scene)
        scene.proxy.lose(.request, after: after)
        await #expect(throws: Failure.store(.connectionLost)) {
            try await send(scene, request.object, request.challenge)
        }
        #expect(scene.proxy.losses == 1)
        #expect(try await scene.direct.key(scene.keyID)?.key.counter == 1)
        _ = try await send(scene, request.object, request.challenge)
        #expect(try await scene.direct.key(scene.keyID)?.key.counter == 2)
    }

    /// The server has registered the key, but the device does not know. A second registration is a replay, but
    /// signatures of the key are accepted.
    @Test func aRegistrationWhoseAnswerIsLostIsAnOutage() async throws {
        let scene = try await scene()
        let name = await scene.device.generateKey()
        let keyID = try [UInt8](base64Encoded: name)
        let request = try attestation(scene, name)
        func register() async throws {
            _ = try await scene.party.register(
                attestation: request.object, keyID: keyID, challenge: request.challenge, at: now)
        }
        scene.proxy.lose(.answer)
        await #expect(throws: Failure.store(.connectionLost)) { try await register() }
        await #expect(throws: Failure.refused(.challengeConsumed)) { try await register() }
        let challenge = try scene.party.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        let assertion = try await scene.device.generateAssertion(name, clientDataHash: SHA256.hash(data: challenge))
        _ = try await scene.party.authenticate(assertion: assertion, keyID: keyID, challenge: challenge, at: now)
    }

    /// The store does not retry a consumption, because the retry would report a replay.
    @Test func consumingIsNotTriedTwice() async throws {
        let scene = try await scene()
        let store = scene.party.store
        func consumed(_ id: UInt8) -> ConsumedToken { ConsumedToken(id: [id], until: now) }
        #expect(try await store.consume(consumed(2)))
        scene.proxy.lose(.answer)
        await #expect(throws: PostgreSQLFailure.connectionLost) { try await store.consume(consumed(3)) }
        #expect(try await scene.direct.isConsumed([3]))
        #expect(try await !store.consume(consumed(3)))
    }

    /// The store must not treat an answer without results as an answer with no rows. Otherwise the service would report
    /// a key as unknown, or accept a consumed token.
    @Test func anAnswerWithoutResultsIsNotNoRows() async throws {
        let scene = try await scene()
        let store = scene.party.store
        for _ in 0..<2 {
            scene.proxy.lose(.results)
            await #expect(throws: PostgreSQLFailure.connectionLost) { try await store.key(scene.keyID) }
            #expect(try await store.key(scene.keyID) != nil)
            scene.proxy.lose(.results)
            await #expect(throws: PostgreSQLFailure.connectionLost) { try await store.isConsumed([9]) }
            #expect(try await !store.isConsumed([9]))
        }
        let request = try assertion(scene)
        scene.proxy.lose(.results)
        await #expect(throws: Failure.store(.connectionLost)) {
            try await send(scene, request.object, request.challenge)
        }
        _ = try await send(scene, request.object, request.challenge)
    }
}
