import PureAttest
import PureAttestServer
import PureSHA2

// MARK: In the function
let sessionKey = Example.sessionKey
let now = Example.now
/// Replaces the article's verifier. The replacement trusts the test authority instead of Apple's root.
func AppAttestVerifier(apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy)
    -> PureAttest.AppAttestVerifier
{
    Example.trusting(apps: apps, launchPolicy: launchPolicy)
}
/// The test client uses the relying party `other`. `other` and the article's relying party have the same store and
/// keys, so both accept the same challenges.
let store = PureAttestServer.InMemoryStore()
func InMemoryStore() -> PureAttestServer.InMemoryStore { store }
let other = RelyingParty(
    verifier: Example.verifier, store: store, sessionKeys: SessionKeys(current: sessionKey))
let (device, name, keyID) = try await Example.register(at: other)
let received = try other.issueChallenge(purpose: .assertion, keyID: keyID, at: now).value
let assertion = try await device.generateAssertion(name, clientDataHash: SHA256.hash(data: received))
