import Foundation
import PureAttestClient

// MARK: In the function
/// On Apple's systems, an initialiser of the client.
func AttestClient(origin: String) -> PureAttestClient.AttestClient { fatalError("not run") }
