import PureAttest
import PureAttestTesting
import PureBytes

// MARK: In the function
let example = try Example()
let verifier = Example.verifier
let (object, keyID, challenge, now, key) =
    (example.attestation, example.keyID, Example.challenge, Example.now, example.verified.key)
let stored = [UInt8](example.verified.unverifiedReceipt.unverifiedBytes)
func sign(_ input: [UInt8]) -> [UInt8] { [UInt8](repeating: 1, count: 64) }
func store(_ receipt: ArraySlice<UInt8>, under keyID: [UInt8]) {}
func decide(_ risk: UInt32) {}
let status = 200
let body = try Array(base64EncodedString(example.device.assessedReceipt(for: example.name, riskMetric: 2)).utf8)
