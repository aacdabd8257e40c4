import PureAttest

// MARK: In the function
let example = try Example()
let verifier = Example.verifier
let (attestation, keyID, challenge, now) = (example.attestation, example.keyID, Example.challenge, Example.now)
func log(_ text: String) {}
