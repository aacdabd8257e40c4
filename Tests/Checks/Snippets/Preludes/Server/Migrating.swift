import PureAttest
import PureAttestServer
import PureECDSA

private let app = Example.appID
private let now = Example.now
private let store = InMemoryStore()
// MARK: In the function
