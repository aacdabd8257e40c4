import Foundation
import PureAttest
@testable import PureAttestClient
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct LifeCycleTests {
    @Test func aKeyIsRegisteredAndOpensSessionsAndSignsRequests() async throws {
        let setting = try Setting()
        let client = setting.client()
        let keyID = try await client.register()
        #expect(try await client.session().keyID == keyID)
        // The answer to the registration contains a challenge, and each later answer contains the next challenge.
        #expect(setting.way.count("/challenge") == 1)
        let answer = try await client.send(AttestRequest("GET", "/protected"))
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains("keyID"))
        for body in ["", "{\"amount\": 7}", "é"] {
            let request = AttestRequest("POST", "/signed?id=7&to=%C3%A9", body: Data(body.utf8))
            #expect(try await client.sendSigned(request).status == 200)
        }
        #expect(setting.way.count("/challenge") == 1 && setting.way.count("/session") == 1)
        #expect(try await setting.client().session().keyID == keyID)
        #expect(setting.device.state.value.keys.count == 1 && setting.device.state.value.attested.count == 1)
    }

    @Test func aChallengeThatMayHaveExpiredIsNotUsed() async throws {
        let setting = try Setting()
        let client = setting.client()
        _ = try await client.register()
        setting.clock.time.change { $0 += 46 }
        _ = try await client.session()
        #expect(setting.way.count("/challenge") == 2)
    }

    @Test func callsAtTheSameTimeShareOneRegistrationAndNoCounterIsLate() async throws {
        let setting = try Setting()
        let client = setting.client()
        let keys = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<40 {
                group.addTask {
                    switch index % 4 {
                    case 0: return try await client.register()
                    case 1: return try await client.session().keyID ?? ""
                    case 2:
                        let answer = try await client.sendSigned(AttestRequest("POST", "/signed", body: Data([1])))
                        #expect(answer.status == 200)
                    default: #expect(try await client.send(AttestRequest("GET", "/protected")).status == 200)
                    }
                    return try await client.register()
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(keys.count == 1 && setting.device.state.value.keys.count == 1)
        #expect(setting.device.state.value.attested.count == 1 && setting.way.count("/attest") == 1)
        #expect(setting.way.count("/session") == 1 && setting.way.count("/signed") == 10)
    }

    @Test func aCallerThatGoesAwayCancelsNobodyElsesRegistration() async throws {
        let setting = try Setting()
        let client = setting.client()
        let first = Task { try await client.register() }
        await Task.yield()
        first.cancel()
        let keyID = try await client.register()
        #expect(try await client.session().keyID == keyID && setting.device.state.value.keys == [keyID])
    }

    /// Simulates an app launch that ends before or after any of its saves.
    @Test(arguments: 1...5) func aProcessThatEndsAnywhereGoesOnWithTheSameKeyAndHash(save: Int) async throws {
        let setting = try Setting()
        setting.storage.failingSaves.change { $0 = Set(save...100) }
        do { _ = try await setting.client().session() } catch AttestError.storage { #expect(save <= 3) }
        setting.storage.failingSaves.change { $0 = [] }
        let session = try await setting.client().session()
        #expect(session.keyID == setting.device.state.value.keys.last && setting.device.noKeyMetTwoHashes)
        #expect(setting.device.state.value.keys.count == [1, 2, 1, 2, 1][save - 1])
        #expect(setting.device.state.value.attested.count == [1, 1, 1, 3, 1][save - 1])
    }

    @Test func withoutItsStorageNoKeyIsMade() async throws {
        let setting = try Setting()
        setting.storage.loadFails.change { $0 = true }
        let client = setting.client()
        await #expect(throws: AttestError.self) { try await client.session() }
        #expect(setting.device.state.value.keys.isEmpty && setting.way.state.value.sent.isEmpty)
        // Once the Keychain is unlocked, the same client continues.
        setting.storage.loadFails.change { $0 = false }
        _ = try await client.session()
        setting.storage.data.change { $0 = Data("of another program".utf8) }
        _ = try await setting.client().session()
        #expect(setting.device.state.value.keys.count == 2)

        let full = try Setting()
        full.storage.failingSaves.change { $0 = Set(1...100) }
        for _ in 0..<3 { await #expect(throws: AttestError.self) { try await full.client().session() } }
        #expect(full.device.state.value.keys.isEmpty)
    }

    @Test func printedSessionsHideTheirToken() async throws {
        let session = try await Setting().client().session()
        var dumped = ""
        dump(session, to: &dumped)
        for text in ["\(session)", String(reflecting: session), dumped] { #expect(!text.contains(session.token)) }
    }

    @Test func withoutBeingToldTheTransportHasNeitherCacheNorCookies() {
        let configuration = URLSessionTransport(origin: "https://example.com").session.configuration
        #expect(configuration.urlCache == nil && configuration.httpCookieStorage == nil)
    }

    @Test func theClientSignsTheBytesThatTheServerMakes() {
        for (method, target, challenge) in [("POST", "/transfer?id=7", 92), ("GET", "/", 0), ("", "", 300)] {
            let (body, challenge, keyID) = (
                Data("é".utf8), Data(repeating: 7, count: challenge), Data(repeating: 9, count: 32)
            )
            let signed = signedBytes(
                method: method, target: target, bodyHash: hash(body), challenge: challenge, keyID: keyID)
            let request = SignedContent.request(method: method, path: target, body: body)
            #expect([UInt8](signed) == request.clientData(challenge: challenge, keyID: keyID))
        }
    }

    @Test func targetsThatAURLWouldChangeAreNotSent() async throws {
        let setting = try Setting()
        let client = setting.client()
        for target in ["", "protected", "https://example.com/", "/a b", "/é", "/a#b", "/%zz"] {
            await #expect(throws: AttestError.self, "\(target)") {
                try await client.sendSigned(AttestRequest("POST", target))
            }
        }
    }
}
