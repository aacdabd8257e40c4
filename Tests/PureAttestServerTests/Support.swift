import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureSHA2

/// 2026-09-15T12:00:00Z.
let now = UnixTime(secondsSince1970: 1_789_473_600)

func time(_ seconds: Int64) -> UnixTime { UnixTime(secondsSince1970: now.secondsSince1970 + seconds) }

func at(_ seconds: Int64) -> UnixTime { UnixTime(secondsSince1970: seconds) }

let day: Int64 = 86_400

let authority = TestCertificateAuthority(seed: 1)
let app = AppID(teamID: "TEST123456", bundleID: "com.example.app")
let otherApp = AppID(teamID: "TEST123456", bundleID: "com.example.other")

func verifier(
    _ environment: Environment = .production, apps: [AppID] = [app], counterPolicy: CounterPolicy = .strict
) -> AppAttestVerifier {
    .trustingTestDevices(
        of: authority, apps: apps, environment: environment, launchPolicy: .reportOnly, counterPolicy: counterPolicy)
}

func makeDevice(
    seed: UInt64 = 7, _ environment: Environment = .production, app: AppID = app
) -> VirtualDevice {
    VirtualDevice(app: app, environment: environment, authority: authority, seed: seed, time: now)
}

let sessionKey = SessionKey(id: "2026-09", secret: [UInt8](repeating: 0x5A, count: 32))!
let formerSessionKey = SessionKey(id: "2026-08", secret: [UInt8](repeating: 0xA5, count: 40))!

typealias TestParty = RelyingParty<InMemoryStore>

func relyingParty<Store: RelyingPartyStore>(
    store: Store = InMemoryStore(), verifier: AppAttestVerifier = verifier(),
    keys: SessionKeys = SessionKeys(current: sessionKey), android: AndroidVerification? = nil,
    _ change: (inout RelyingPartyConfiguration) -> Void = { _ in }
) -> RelyingParty<Store> {
    var configuration = RelyingPartyConfiguration()
    change(&configuration)
    return RelyingParty(
        verifier: verifier, store: store, sessionKeys: keys, configuration: configuration, android: android)
}

extension RelyingPartyConfiguration {
    mutating func removeLimits() {
        limits.authenticationsPerKey = nil
        limits.enrolmentsPerAccount = nil
        limits.sessionRequestsPerKey = nil
        limits.unattestedRequestsPerClientAddress = nil
    }
}

func registered(
    verifier: AppAttestVerifier = verifier(), keys: SessionKeys = SessionKeys(current: sessionKey),
    _ change: (inout RelyingPartyConfiguration) -> Void = { _ in }
) async throws -> (TestParty, Client) {
    let party = relyingParty(verifier: verifier, keys: keys, change)
    let client = Client()
    try await client.register(with: party)
    return (party, client)
}

/// A key on a device, as seen by a client.
struct Client: Sendable {
    let device: VirtualDevice
    let name: String
    let keyID: [UInt8]

    init(_ device: VirtualDevice = makeDevice()) {
        self.device = device
        name = device.generateKey()
        keyID = try! Base64.decode(Array(name.utf8))
    }

    func attestation(_ challenge: [UInt8]) throws -> [UInt8] {
        try device.attestKey(name, clientDataHash: SHA256.hash(data: challenge))
    }

    func assertion(_ clientData: [UInt8]) throws -> [UInt8] {
        try device.generateAssertion(name, clientDataHash: SHA256.hash(data: clientData))
    }

    @discardableResult
    func register(
        with party: TestParty, account: AccountID? = nil, at time: UnixTime = now
    ) async throws -> Registration<VerifiedAttestation> {
        let challenge = try party.issueChallenge(purpose: .attestation, keyID: keyID, account: account, at: time)
        return try await party.register(
            attestation: attestation(challenge.value), keyID: keyID, challenge: challenge.value, account: account,
            at: time)
    }

    /// Sends an attestation. Returns why the party rejects it, or `nil` if the party accepts it.
    func refusal(
        ofAttestation attestation: [UInt8], _ challenge: [UInt8], by party: TestParty, account: AccountID? = nil,
        at time: UnixTime = now
    ) async -> Refusal? {
        await rejection {
            _ = try await party.register(
                attestation: attestation, keyID: keyID, challenge: challenge, account: account, at: time)
        }
    }

    /// Sends an assertion. Returns why the party rejects it, or `nil` if the party accepts it.
    func refusal(
        of assertion: [UInt8], _ challenge: [UInt8], by party: TestParty, signed: SignedContent = .challenge,
        account: AccountID? = nil, at time: UnixTime = now
    ) async -> Refusal? {
        await rejection {
            _ = try await party.authenticate(
                assertion: assertion, keyID: keyID, challenge: challenge, signed: signed, account: account, at: time)
        }
    }

    func authenticate(
        with party: TestParty, account: AccountID? = nil, at time: UnixTime = now
    ) async throws -> Authentication<VerifiedAssertion> {
        let challenge = try party.issueChallenge(purpose: .assertion, keyID: keyID, account: account, at: time)
        return try await party.authenticate(
            assertion: assertion(challenge.value), keyID: keyID, challenge: challenge.value, account: account, at: time)
    }
}
