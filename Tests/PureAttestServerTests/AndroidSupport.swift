import PureAttest
import PureKeyAttestation
import PureKeyAttestationTesting

@testable import PureAttestServer
@testable import PureAttestServerCore

let androidAuthority = TestAndroidAuthority(seed: 1)
let androidApp = AndroidApp(packageName: "com.example.app", signingDigests: [[UInt8](repeating: 9, count: 32)])

func androidKeys(
    apps: [AndroidApp] = [androidApp], policy: KeyAttestationPolicy = .standard,
    list: RevocationStatusList? = .notChecked
) -> AndroidVerification {
    AndroidVerification(verifier: .trustingTestDevices(of: androidAuthority, apps: apps, policy: policy)) { _ in list }
}

func registeredAndroid(
    account: AccountID? = nil, _ change: (inout RelyingPartyConfiguration) -> Void = { _ in }
) async throws -> (TestParty, AndroidClient) {
    let party = relyingParty(android: androidKeys(), change)
    let client = AndroidClient()
    try await client.register(with: party, account: account)
    return (party, client)
}

/// Simulates an app on an Android device, which requests challenges, registers a key and signs.
final class AndroidClient {
    let device: VirtualAndroidDevice
    let handle: [UInt8]
    private(set) var key: VirtualAndroidKey?
    private(set) var keyID: [UInt8] = [UInt8](repeating: 0, count: 32)

    init(
        seed: UInt64 = 1, app: AndroidApp = androidApp, level: SecurityLevel = .trustedEnvironment,
        handle: [UInt8] = [UInt8](repeating: 7, count: 32)
    ) {
        device = VirtualAndroidDevice(
            app: app, authority: androidAuthority, securityLevel: level, seed: seed, time: now)
        self.handle = handle
    }

    @discardableResult
    func register(
        with party: TestParty, account: AccountID? = nil, at time: UnixTime = now
    ) async throws -> Registration<VerifiedKeyAttestation> {
        let challenge = try party.issueChallenge(
            purpose: .attestation, keyID: handle, account: account, at: time)
        return try await register(with: party, challenge: challenge.value, account: account, at: time)
    }

    @discardableResult
    func register(
        with party: TestParty, challenge: [UInt8], account: AccountID? = nil, at time: UnixTime = now
    ) async throws -> Registration<VerifiedKeyAttestation> {
        let key = device.generateKey(attestationChallenge: challenge)
        let registration = try await party.register(
            keyAttestation: key.certificateChain, handle: handle, challenge: challenge, account: account, at: time)
        self.key = key
        keyID = registration.record.key.keyID
        return registration
    }

    /// Sends a certificate chain. Returns why the party rejects it, or `nil` if the party accepts it.
    func refusal(of chain: [[UInt8]], _ challenge: [UInt8], by party: TestParty) async -> Refusal? {
        await rejection {
            _ = try await party.register(keyAttestation: chain, handle: handle, challenge: challenge, at: now)
        }
    }

    /// Sends a signature. Returns why the party rejects it, or `nil` if the party accepts it.
    func refusal(
        of signature: [UInt8], _ challenge: [UInt8], by party: TestParty, signed: SignedContent = .challenge
    ) async -> Refusal? {
        await rejection {
            _ = try await party.authenticate(
                signature: signature, keyID: keyID, challenge: challenge, signed: signed, at: now)
        }
    }

    func challenge(from party: TestParty, account: AccountID? = nil, at time: UnixTime = now) throws -> [UInt8] {
        try party.issueChallenge(purpose: .assertion, keyID: keyID, account: account, at: time).value
    }

    @discardableResult
    func authenticate(
        with party: TestParty, account: AccountID? = nil, at time: UnixTime = now
    ) async throws -> Authentication<VerifiedKeySignature> {
        let challenge = try challenge(from: party, account: account, at: time)
        return try await party.authenticate(
            signature: key?.sign(challenge) ?? [], keyID: keyID, challenge: challenge, account: account, at: time)
    }
}
