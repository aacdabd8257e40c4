import PureAttest

// MARK: In the function
let example = try Example()
let (challenge, clientData) = (Example.challenge, Array("request ".utf8) + Example.challenge)
let (attestationObject, keyID, now) = (example.attestation, example.keyID, Example.now)
let assertionObject = try example.assertion(clientData)
nonisolated(unsafe) var records: [[UInt8]: [UInt8]] = [:]
func store(_ record: [UInt8], under keyID: [UInt8]) { records[keyID] = record }
func load(_ keyID: [UInt8]) -> [UInt8] { records[keyID] ?? [] }
func replace(_ old: [UInt8], by new: [UInt8], under keyID: [UInt8]) throws {
    try expect(records[keyID] == old)
    records[keyID] = new
}
@Sendable func findChallenge(in signed: ArraySlice<UInt8>) -> [UInt8]? { Array(signed.suffix(32)) }
/// Replaces the article's verifier. The replacement trusts the test authority instead of Apple's root.
func AppAttestVerifier(apps: [AppID], environment: Environment, launchPolicy: LaunchPolicy)
    -> PureAttest.AppAttestVerifier
{
    Example.trusting(apps: apps, launchPolicy: launchPolicy)
}
