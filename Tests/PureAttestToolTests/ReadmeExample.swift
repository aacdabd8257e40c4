// The example of README.md. ReadmeTests compares everything below this line with the code in README.md.
import PureAttest

let verifier = AppAttestVerifier(
    apps: [AppID(teamID: "1234567890", bundleID: "com.example.myapp")], environment: .production,
    launchPolicy: .reportOnly)

/// Returns the record to store under a new key's identifier.
func register(attestation: [UInt8], keyID: [UInt8], challenge: [UInt8], now: UnixTime) throws -> [UInt8] {
    let verified = try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: now)
    return verified.key.serialized
}

/// Verifies an assertion and returns the new record. Store it in place of `record` by compare-and-set.
func authorize(assertion: [UInt8], challenge: [UInt8], record: [UInt8]) throws -> [UInt8] {
    let key = try AttestedKey(serialized: record)
    let verified = try verifier.verifyAssertion(assertion, challenge: challenge, key: key)
    return verified.key.serialized
}
