/// The reason why a virtual device rejects a call.
@nonexhaustive
public enum AttestTestingError: Error, Hashable, Sendable {
    /// The key does not exist, is already attested or is not attested yet, or its counter would overflow. Corresponds
    /// to DCError.invalidKey.
    case invalidKey
    /// The client data hash is empty. Corresponds to DCError.invalidInput.
    case invalidInput
    /// This device cannot create the fault: the fault's `applies(to:)` returns `false` for the device's system or
    /// provisioning.
    case faultDoesNotApply
}

extension AttestTestingError: CustomStringConvertible {
    /// Describes the error in one sentence.
    public var description: String {
        switch self {
        case .invalidKey:
            "the device has no such key, or the key is not in the required state (attested or not attested)"
        case .invalidInput: "the client data hash is empty"
        case .faultDoesNotApply: "the fault cannot be made with this device"
        }
    }
}
