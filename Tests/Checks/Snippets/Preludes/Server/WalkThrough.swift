import Foundation
import PureAttest
import PureAttestServer
import PureSHA2

private let store = InMemoryStore()
private let keys = SessionKeys(current: Example.sessionKey)
private let verifier = Example.verifier
private let party = RelyingParty(verifier: verifier, store: store, sessionKeys: keys)
private func now() -> UnixTime { Example.now }

/// Replaces CryptoKit's `P256.Signing.PrivateKey`.
private struct PrivateKey {
    struct Signature { let rawRepresentation = [UInt8](repeating: 1, count: 64) }
    func signature(for data: Data) -> Signature { Signature() }
}
private let privateKey = PrivateKey()
private let deviceCheckKeyID = "ABC123DEFG"
private func send(_ request: ReceiptRefreshRequest) async throws -> (status: Int, body: [UInt8]) { (304, []) }
private func note(_ account: AccountID?, _ risk: UInt32?) {}

/// In an application, the middleware looks up the session by the request's token.
private func sessionOfRequest() async throws -> Session {
    let (device, name, keyID) = try await Example.register(at: party)
    let challenge = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now()).value
    let assertion = try await device.generateAssertion(name, clientDataHash: SHA256.hash(data: challenge))
    let authentication = try await party.authenticate(
        assertion: assertion, keyID: keyID, challenge: challenge, at: now())
    return try await party.verifySession(party.session(from: authentication).token, at: now())
}

private struct Model {
    func answer(_ prompt: String, maximumTokens: Int64) async throws -> (text: String, tokens: Int64?) { ("", 17) }
}
private let model = Model()
private let prompt = "Why is the sky blue?"

// MARK: In the function
let (device, name, keyID) = try await Example.register(at: party)
let challenge = try party.issueChallenge(purpose: .assertion, keyID: keyID, at: now()).value
let body: [UInt8] = [7]
let sent = SignedContent.request(method: "POST", path: "/transfer", query: "id=7", body: body)
let assertion = try device.generateAssertion(name, challenge: challenge, signed: sent)
