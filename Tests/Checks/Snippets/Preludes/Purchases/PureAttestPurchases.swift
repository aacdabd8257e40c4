import PureAppStore
import PureAttest
import PureAttestPurchases
import PureAttestServer

// MARK: In the function
let now = Example.now
let store = InMemoryStore()
let party = RelyingParty(
    verifier: Example.verifier, store: store, sessionKeys: SessionKeys(current: Example.sessionKey))
func answer() async -> Int64 { 300 }
