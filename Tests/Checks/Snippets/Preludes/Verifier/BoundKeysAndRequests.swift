import PureAttest
import PureSHA2

// MARK: In the function
let challenge = Example.challenge
let clientData = challenge + [1, 2, 3]
let example = try Example(clientData)
let (attestation, keyID, now, key) = (example.attestation, example.keyID, Example.now, example.verified.key)
let verifier = Example.verifier
let body: [UInt8] = [7]
let sent = SignedContent.request(method: "POST", path: "/transfer", query: "id=7", body: body)
let assertion = try example.assertion(sent.clientData(challenge: challenge, keyID: keyID))
