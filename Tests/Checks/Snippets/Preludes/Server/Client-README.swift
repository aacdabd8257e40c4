import Foundation
import PureAttestClient

// MARK: In the function
/// Replaces the client's initialiser, which exists only on Apple's systems.
func AttestClient(origin: String) -> PureAttestClient.AttestClient { fatalError("not run") }
