import PureKeyAttestation
import PureKeyAttestationTesting

// MARK: In the function
let digest = [UInt8](repeating: 0xD1, count: 32), challenge = Example.challenge, nextChallenge = Array("request".utf8)
let now = Example.now
