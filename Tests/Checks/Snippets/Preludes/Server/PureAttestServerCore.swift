import PureAttest
import PureAttestServerCore

struct UnknownQuestion: Error {}

// MARK: In the function
let now = Example.now
let keyID = [UInt8](repeating: 7, count: 32)
let rules = RelyingPartyRules(
    verifier: Example.verifier, sessionKeys: SessionKeys(current: Example.sessionKey),
    configuration: RelyingPartyConfiguration(), android: nil)
var keys: Set = [keyID]
var consumed: Set<ConsumedToken> = []
