import PureAttest
import PureECDSA
import PureKeyAttestation
import PureKeyAttestationTesting
import PureSHA2
import Testing

@testable import PureAttestServer
@testable import PureAttestServerCore

/// Under uniform answers, every rejection that depends on stored data takes as long as a signature verification.
@Suite(.serialized) struct UniformTimeTests {
    /// A request that the relying party rejects with `refusal`.
    private struct RejectedRequest {
        let refusal: Refusal
        let send: () async throws -> Void

        /// Returns the processor time of the request, in nanoseconds.
        func time(_ executor: MeasuringExecutor) async -> Double {
            let start = executor.processorTime
            let refused = await rejection(send)
            let time = executor.processorTime - start
            #expect(refused == refusal)
            return Double(time)
        }
    }

    /// Expects processor times that differ by at most a quarter. Without the verification, a request takes only a
    /// tenth of the time.
    ///
    /// On a busy machine, the speed of a processor changes by a factor of two. It rarely changes within a pair of runs.
    /// So the test takes the median of the ratios of pairs, and more pairs if the first ones differ.
    private func expectEqualTimes(_ name: String, _ known: RejectedRequest, _ other: RejectedRequest) async {
        let executor = MeasuringExecutor()
        await withTaskExecutorPreference(executor) {
            var ratios: [Double] = []
            for _ in 0..<16 {
                for _ in 0..<9 { ratios.append(await other.time(executor) / known.time(executor)) }
                let median = ratios.sorted()[ratios.count / 2]
                if median > 0.75 && median < 1 / 0.75 { return }
            }
            Issue.record("\(name): \(ratios)")
        }
    }

    /// Signs with the decoy key, whose private key is 1. The nonce is also 1, so r is the x-coordinate of the base
    /// point and s = e + r mod n (FIPS 186-5 §6.4.1).
    private func signatureOfDecoy(_ message: [UInt8]) -> [UInt8] {
        // SP 800-186 §3.2.1.3.
        let n: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [
                0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
            ]
        let r = Array(basePoint[1...32])
        var s = [UInt8](repeating: 0, count: 33)
        func add(_ number: [UInt8], _ sign: Int) {
            var carry = 0
            for index in (0..<33).reversed() {
                let sum = Int(s[index]) + (index > 0 ? sign * Int(number[index - 1]) : 0) + carry
                s[index] = UInt8(truncatingIfNeeded: sum)
                carry = sum >> 8
            }
        }
        add(Array(SHA256.hash(data: message)), 1)
        add(r, 1)
        while s[0] > 0 || !Array(s.dropFirst()).lexicographicallyPrecedes(n) { add(n, -1) }
        func integer(_ number: [UInt8]) -> [UInt8] {
            let digits = [UInt8](number.drop { $0 == 0 })
            let content = digits[0] >= 0x80 ? [0] + digits : digits
            return [0x02, UInt8(content.count)] + content
        }
        let integers = integer(r) + integer(s)
        return [0x30, UInt8(integers.count)] + integers
    }

    private func party(
        on store: InMemoryStore, _ environment: Environment = .production, _ android: AndroidVerification? = nil
    )
        -> TestParty
    {
        relyingParty(store: store, verifier: verifier(environment), android: android) {
            $0.removeLimits()
            $0.answerPolicy = .uniform
        }
    }

    @Test func appAttestKeysTakeAsLong() async throws {
        let store = InMemoryStore()
        let production = party(on: store, .production, androidKeys())
        let (known, elsewhere, revoked) = (
            Client(), Client(makeDevice(seed: 8, .development)), Client(makeDevice(seed: 9))
        )
        for client in [known, revoked] {
            try await client.register(with: production)
            _ = try await client.authenticate(with: production)
        }
        try await elsewhere.register(with: party(on: store, .development))
        try await production.revoke(keyID: revoked.keyID, at: now)
        let android = AndroidClient()
        try await android.register(with: production)
        // The assertion is well formed, but its key is not the key that the request names.
        let stranger = Client(makeDevice(seed: 10))
        try await stranger.register(with: relyingParty())
        func request(_ keyID: [UInt8], _ refusal: Refusal) throws -> RejectedRequest {
            let challenge = try production.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
            let assertion = try stranger.assertion(challenge)
            return RejectedRequest(refusal: refusal) {
                _ = try await production.authenticate(
                    assertion: assertion, keyID: keyID, challenge: challenge, at: now)
            }
        }
        let cases: [(String, [UInt8], Refusal)] = [
            ("unknown", [UInt8](repeating: 1, count: 32), .unknownKey),
            ("other platform", android.keyID, .unknownKey),
            ("other environment", elsewhere.keyID, .verification(.keyOfOtherEnvironment(.development))),
            ("revoked", revoked.keyID, .verification(.invalidSignature)),
        ]
        let reference = try request(known.keyID, .verification(.invalidSignature))
        for (name, keyID, refusal) in cases { await expectEqualTimes(name, reference, try request(keyID, refusal)) }
    }

    @Test func androidKeysTakeAsLong() async throws {
        let store = InMemoryStore()
        let otherApp = AndroidApp(packageName: "com.example.other", signingDigests: [[UInt8](repeating: 9, count: 32)])
        let lenient = party(on: store, .production, androidKeys(apps: [androidApp, otherApp]))
        var policy = KeyAttestationPolicy.standard
        policy.minimumSecurityLevel = .strongBox
        let strict = party(on: store, .production, androidKeys(policy: policy))
        let apple = Client()
        try await apple.register(with: lenient)
        let known = AndroidClient(seed: 1, level: .strongBox)
        let weak = AndroidClient(seed: 2, handle: [UInt8](repeating: 8, count: 32))
        let foreign = AndroidClient(seed: 3, app: otherApp, level: .strongBox, handle: [UInt8](repeating: 9, count: 32))
        let elsewhere = AndroidClient(seed: 4, level: .strongBox, handle: [UInt8](repeating: 10, count: 32))
        for client in [known, weak, foreign] { try await client.register(with: lenient) }
        try await elsewhere.register(with: party(on: store, .development, androidKeys()))
        let key = try #require(weak.key)
        func request(_ keyID: [UInt8], _ refusal: Refusal) throws -> RejectedRequest {
            let challenge = try strict.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
            // The signature covers different bytes, so it is invalid for every key.
            let signature = key.sign(challenge + [0])
            return RejectedRequest(refusal: refusal) {
                _ = try await strict.authenticate(signature: signature, keyID: keyID, challenge: challenge, at: now)
            }
        }
        let cases: [(String, [UInt8], Refusal)] = [
            ("unknown", [UInt8](repeating: 1, count: 32), .unknownKey),
            ("other platform", apple.keyID, .unknownKey),
            ("other environment", elsewhere.keyID, .keyAttestation(.invalidKeySignature)),
            ("other app", foreign.keyID, .keyAttestation(.keyOfUnknownApp)),
            ("security level", weak.keyID, .keyAttestation(.securityLevelNotAllowed(.trustedEnvironment))),
        ]
        let reference = try request(known.keyID, .keyAttestation(.invalidKeySignature))
        for (name, keyID, refusal) in cases { await expectEqualTimes(name, reference, try request(keyID, refusal)) }
    }

    /// Only the decoy key signed these bytes. Anyone can sign with this key, so the party must not search the bytes for
    /// the challenge.
    @Test func theDecoySearchesNoBytes() async throws {
        let party = party(on: InMemoryStore(), .production, androidKeys())
        let keyID = [UInt8](repeating: 1, count: 32)
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
        let signature = signatureOfDecoy([0] + challenge)
        let searches = Counter()
        let refused = await rejection {
            _ = try await party.authenticate(
                signature: signature, keyID: keyID, challenge: challenge,
                signed: .clientData([0] + challenge) {
                    searches.add()
                    return Array($0.dropFirst())
                }, at: now)
        }
        #expect(refused == .unknownKey && searches.count == 0)
        // The signature is valid under the decoy key, so only a special rule keeps the party from searching the bytes.
        let decoy = try P256.Signing.PublicKey(x963Representation: basePoint)
        let decoded = try P256.Signing.ECDSASignature(derRepresentation: signature)
        #expect(decoy.isValidSignature(decoded, for: [0] + challenge))
    }
}
