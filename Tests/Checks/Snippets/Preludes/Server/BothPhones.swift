import PureAttest
import PureAttestServer
import PureKeyAttestation
import PureKeyAttestationTesting

// MARK: In the function
let sessionKey = Example.sessionKey
let now = Example.now
let verifier = Example.verifier
let fetched = Array(#"{"entries": {}}"#.utf8)
let digest = [UInt8](repeating: 1, count: 32)
let handle = [UInt8](repeating: 2, count: 32)
let authority = TestAndroidAuthority(seed: 1)
let phone = VirtualAndroidDevice(
    app: AndroidApp(packageName: "com.example.app", signingDigests: [digest]), authority: authority,
    securityLevel: .strongBox, seed: 1, time: now)
/// Replaces the article's verifier. The replacement trusts the test authority instead of Google's roots.
func KeyAttestationVerifier(apps: [AndroidApp]) -> PureKeyAttestation.KeyAttestationVerifier {
    .trustingTestDevices(of: authority, apps: apps)
}
nonisolated(unsafe) var made: VirtualAndroidKey?
func device(_ challenge: [UInt8]) -> ([[UInt8]], [UInt8]) {
    let key = phone.generateKey(attestationChallenge: challenge)
    made = key
    return (key.certificateChain, challenge)
}
func sign(_ challenge: [UInt8]) -> [UInt8] { made?.sign(challenge) ?? [] }
enum RouteFault: Error { case notAllowed }
