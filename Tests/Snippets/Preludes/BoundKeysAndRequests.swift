import PureAttest
import PureSHA2

// MARK: In the function
let challenge = Example.challenge
let clientData = challenge + [1, 2, 3]
let example = try Example(clientData)
let (attestation, keyID, now, key) = (example.attestation, example.keyID, Example.now, example.verified.key)
let verifier = Example.verifier
let body: [UInt8] = [7]
let signed = BoundRequest(method: "POST", path: "/transfer?id=7", body: body, challenge: challenge)
let assertion = try example.assertion(signed.clientData(keyID: keyID))
