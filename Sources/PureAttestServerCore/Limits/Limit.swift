/// A limit of a relying party, which a shell counts by name.
public enum Limit: Hashable, Sendable, CaseIterable {
    /// ``RelyingPartyConfiguration/Limits/requestsPerClientAddress``
    case requestsPerClientAddress
    /// ``RelyingPartyConfiguration/Limits/enrolmentsPerAccount``
    case enrolmentsPerAccount
    /// ``RelyingPartyConfiguration/Limits/enrolmentsPerClientAddress``
    case enrolmentsPerClientAddress
    /// ``Enrolment/keysPerSecond``, which has one name without bytes.
    case enrolmentRate
    /// ``RelyingPartyConfiguration/Limits/failuresPerAccount``
    case failuresPerAccount
    /// ``RelyingPartyConfiguration/Limits/authenticationsPerKey``
    case authenticationsPerKey
    /// ``RelyingPartyConfiguration/Limits/sessionRequestsPerKey``
    case sessionRequestsPerKey
    /// ``RelyingPartyConfiguration/Limits/unattestedRequestsPerClientAddress``
    case unattestedRequestsPerClientAddress

    /// Returns the error for a request over this limit. A device over an enrolment limit is told to enrol later.
    func refusal(retryAfter seconds: Int64) -> Refusal {
        switch self {
        case .enrolmentsPerClientAddress, .enrolmentRate: .enrolmentDeferred(retryAfter: seconds)
        default: .rateLimited(retryAfter: seconds)
        }
    }
}

extension RelyingPartyConfiguration {
    /// Returns the rate of a limit; `nil` if it is unlimited.
    public func rate(of limit: Limit) -> RateLimit? {
        switch limit {
        case .requestsPerClientAddress: limits.requestsPerClientAddress
        case .enrolmentsPerAccount: limits.enrolmentsPerAccount
        case .enrolmentsPerClientAddress: limits.enrolmentsPerClientAddress
        case .enrolmentRate: enrolment.limit
        case .failuresPerAccount: limits.failuresPerAccount
        case .authenticationsPerKey: limits.authenticationsPerKey
        case .sessionRequestsPerKey: limits.sessionRequestsPerKey
        case .unattestedRequestsPerClientAddress: limits.unattestedRequestsPerClientAddress
        }
    }
}
