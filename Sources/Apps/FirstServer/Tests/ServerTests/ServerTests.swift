import Foundation
import Hummingbird
import HummingbirdTesting
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

@testable import Server

struct ServerTests {
    let app = AppID(teamID: "A1B2C3D4E5", bundleID: "com.example.app")
    let authority = TestCertificateAuthority(seed: 1)
    let time = UnixTime(secondsSince1970: 1_800_000_000)

    /// The server of production with two changes: it trusts virtual devices and forgets its keys at the end.
    var application: some ApplicationProtocol {
        let party = RelyingParty(
            verifier: AppAttestVerifier(apps: [app], environment: .production, launchPolicy: .reportOnly)
                .trustingTestDevices(of: authority),
            store: InMemoryStore(),
            sessionKeys: SessionKeys(current: SessionKey(id: "1", secret: [UInt8](repeating: 7, count: 32))!))
        return Application(router: Routes(party: party) { [time] in time }.router)
    }

    @Test func genuineDeviceGetsThrough() async throws {
        let device = VirtualDevice(app: app, authority: authority, seed: 2, time: time)
        let keyID = await device.generateKey()
        try await application.test(.router) { client in
            // Once for each installation: the device attests its key.
            var challenge = try await challenge("attestation", keyID, client)
            let attestation = try await device.attestKey(keyID, clientDataHash: SHA256.hash(data: challenge))
            _ = try await session("/attest", ["attestation": attestation], keyID, challenge, client)

            // From then on the key signs challenges.
            challenge = try await self.challenge("assertion", keyID, client)
            let assertion = try await device.generateAssertion(keyID, clientDataHash: SHA256.hash(data: challenge))
            let token = try await session("/session", ["assertion": assertion], keyID, challenge, client)

            let answer = try await client.execute(
                uri: "/hello", method: .get, headers: [.authorization: "Bearer \(token)"])
            #expect(String(buffer: answer.body) == "Hello, genuine app!")
        }
    }

    @Test func requestsWithoutSessionAreRejected() async throws {
        try await application.test(.router) { client in
            let answer = try await client.execute(uri: "/hello", method: .get)
            #expect(answer.status == .unauthorized)
        }
    }

    private func challenge(
        _ purpose: String, _ keyID: String, _ client: some TestClientProtocol
    ) async throws -> [UInt8] {
        let answer = try await post("/challenge", ["purpose": purpose, "keyID": keyID], client)
        return try [UInt8](base64Encoded: JSONDecoder().decode(ChallengeResponse.self, from: answer).challenge)
    }

    private func session(
        _ path: String, _ object: [String: [UInt8]], _ keyID: String, _ challenge: [UInt8],
        _ client: some TestClientProtocol
    ) async throws -> String {
        var body = object.mapValues { base64EncodedString($0) }
        body["keyID"] = keyID
        body["challenge"] = base64EncodedString(challenge)
        return try await JSONDecoder().decode(SessionResponse.self, from: post(path, body, client)).token
    }

    private func post(
        _ path: String, _ body: [String: String], _ client: some TestClientProtocol
    ) async throws -> Data {
        let answer = try await client.execute(
            uri: path, method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(data: JSONEncoder().encode(body)))
        #expect(answer.status == .ok)
        return Data(buffer: answer.body)
    }
}
