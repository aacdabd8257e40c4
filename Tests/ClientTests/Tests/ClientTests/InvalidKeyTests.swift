import Foundation
import Testing

@testable import PureAttestClient

/// Xcode 27: a Mac that cannot enforce the access control policy of a key returns `invalidKey` for every key.
@Suite struct InvalidKeyTests {
    /// A device that returns `invalidKey` from attestation, from signing, or from both, for every key.
    final class InvalidKeys: AttestKeyService {
        struct State {
            var (keys, attestations, assertions) = (0, 0, 0)
        }

        let state = Locked(State())
        let (failsToAttest, failsToSign): (Bool, Bool)
        init(attest: Bool, sign: Bool) { (failsToAttest, failsToSign) = (attest, sign) }

        let isSupported = true
        func generateKey() async throws -> String {
            state.change {
                $0.keys += 1
                return hash(Data("\($0.keys)".utf8)).base64EncodedString()
            }
        }

        func attestKey(_ keyID: String, clientDataHash: Data) async throws -> Data {
            state.change { $0.attestations += 1 }
            if failsToAttest { throw KeyServiceError.invalidKey }
            return Data("attestation".utf8)
        }

        func generateAssertion(_ keyID: String, clientDataHash: Data) async throws -> Data {
            state.change { $0.assertions += 1 }
            if failsToSign { throw KeyServiceError.invalidKey }
            return Data("assertion".utf8)
        }
    }

    /// A server that accepts every request.
    final class Server: AttestTransport {
        let attested = Locked(0)
        func send(_ request: AttestRequest) async throws -> AttestResponse {
            if request.target == "/attest" { attested.change { $0 += 1 } }
            let body = #"{"challenge":"\#(hash(request.body).base64EncodedString())","token":"t","expiresAt":0}"#
            return AttestResponse(status: 200, headers: [:], body: Data(body.utf8))
        }
    }

    /// Simulates an app that is relaunched and tries to open a session every minute for a week.
    private func week(of device: InvalidKeys, storage: Memory = Memory()) async throws -> (Server, failures: Int) {
        let (server, clock) = (Server(), TestClock())
        var failures = 0
        for _ in 0..<7 * 24 * 60 {
            let client = AttestClient(
                keyService: device, storage: storage, transport: server, sha256: hash, clock: clock)
            do { _ = try await client.session() } catch { failures += 1 }
            clock.time.change { $0 += 60 }
        }
        return (server, failures)
    }

    @Test func aDeviceThatAttestsNoKeyPausesTwiceAsLongEachTime() async throws {
        let device = InvalidKeys(attest: true, sign: false)
        let (server, failures) = try await week(of: device)
        // The client replaces the first key at once, so two keys are generated at time 0. Each further key is generated
        // after a pause: 30 s, and then 1, 2, 4, … minutes.
        #expect(device.state.value.keys == 16 && device.state.value.attestations == 16)
        #expect(server.attested.value == 0 && device.state.value.assertions == 0 && failures == 10_080)
    }

    @Test func aDeviceThatSignsWithNoKeyIsGivenOneAfterTwiceAsLongEachTime() async throws {
        let device = InvalidKeys(attest: false, sign: true)
        let (server, failures) = try await week(of: device)
        // The device generates two keys at 0, and further keys after 1, 2, 4, … hours.
        #expect(device.state.value.keys == 9 && device.state.value.attestations == 9)
        #expect(server.attested.value == 9 && failures == 10_080)
    }

    /// A system update invalidates a working key and all later keys.
    @Test func aDeviceThatLosesItsKeyAndAttestsNoOther() async throws {
        let storage = Memory()
        let good = InvalidKeys(attest: false, sign: false)
        let client = AttestClient(
            keyService: good, storage: storage, transport: Server(), sha256: hash, clock: TestClock())
        _ = try await client.session()
        let device = InvalidKeys(attest: true, sign: true)
        let (server, failures) = try await week(of: device, storage: storage)
        #expect(device.state.value.keys == 16 && device.state.value.attestations == 16)
        #expect(server.attested.value == 0 && device.state.value.assertions == 1 && failures == 10_080)
    }

    /// A working key resets the pause, which doubles after each failure. The client can read the state that an earlier
    /// version stored.
    @Test func aKeyThatWorksEndsTheDoubling() async throws {
        let (storage, clock, server) = (Memory(), TestClock(), Server())
        func session(_ device: InvalidKeys) async throws -> AttestSession {
            try await AttestClient(
                keyService: device, storage: storage, transport: server, sha256: hash, clock: clock
            ).session()
        }
        let bad = InvalidKeys(attest: false, sign: true)
        for _ in 0..<5 {
            _ = try? await session(bad)
            clock.time.change { $0 += 3_601 * 16 }
        }
        let state = try #require(storage.data.value)
        #expect(try JSONDecoder().decode(StoredState.self, from: state).replacements == 5)
        _ = try await session(InvalidKeys(attest: false, sign: false))
        let reset = try #require(storage.data.value)
        #expect(try JSONDecoder().decode(StoredState.self, from: reset).replacements == nil)

        let former = #"{"failures":2,"pause":{"until":0,"isEnrolment":false}}"#
        let read = try JSONDecoder().decode(StoredState.self, from: Data(former.utf8))
        #expect(read.failures == 2 && read.pause?.seconds == nil && read.replacements == nil)
    }
}
