/// A limit of a relying party. A shell counts requests separately for each limit and name.
public enum Limit: Hashable, Sendable, CaseIterable {
    /// ``RelyingPartyConfiguration/Limits/requestsPerClientAddress``
    case requestsPerClientAddress
    /// ``RelyingPartyConfiguration/Limits/enrolmentsPerAccount``
    case enrolmentsPerAccount
    /// ``RelyingPartyConfiguration/Limits/enrolmentsPerClientAddress``
    case enrolmentsPerClientAddress
    /// ``Enrolment/keysPerSecond``. All requests are counted under the same empty name.
    case enrolmentRate
    /// ``RelyingPartyConfiguration/Limits/failuresPerAccount``
    case failuresPerAccount
    /// ``RelyingPartyConfiguration/Limits/authenticationsPerKey``
    case authenticationsPerKey
    /// ``RelyingPartyConfiguration/Limits/sessionRequestsPerKey``
    case sessionRequestsPerKey
    /// ``RelyingPartyConfiguration/Limits/unattestedRequestsPerClientAddress``
    case unattestedRequestsPerClientAddress

    /// Returns the rejection of a request over this limit. Over the global enrolment rate, or over the enrolment limit
    /// of an address, the server tells the device to enrol later.
    func refusal(retryAfter seconds: Int64) -> Refusal {
        switch self {
        case .enrolmentsPerClientAddress, .enrolmentRate: .enrolmentDeferred(retryAfter: seconds)
        default: .rateLimited(retryAfter: seconds)
        }
    }
}

extension RelyingPartyConfiguration {
    /// Returns the rate of a limit; `nil` if the limit does not apply.
    public func rate(of limit: Limit) -> RateLimit? { limit == .enrolmentRate ? enrolment.limit : limits[limit] }
}

extension RelyingPartyConfiguration.Limits {
    /// The rate of a limit; `nil` if the limit does not apply. ``Limit/enrolmentRate`` is set by
    /// ``Enrolment/keysPerSecond``, not here.
    package subscript(_ limit: Limit) -> RateLimit? {
        get {
            switch limit {
            case .requestsPerClientAddress: requestsPerClientAddress
            case .enrolmentsPerAccount: enrolmentsPerAccount
            case .enrolmentsPerClientAddress: enrolmentsPerClientAddress
            case .failuresPerAccount: failuresPerAccount
            case .authenticationsPerKey: authenticationsPerKey
            case .sessionRequestsPerKey: sessionRequestsPerKey
            case .unattestedRequestsPerClientAddress: unattestedRequestsPerClientAddress
            case .enrolmentRate: nil
            }
        }
        set {
            switch limit {
            case .requestsPerClientAddress: requestsPerClientAddress = newValue
            case .enrolmentsPerAccount: enrolmentsPerAccount = newValue
            case .enrolmentsPerClientAddress: enrolmentsPerClientAddress = newValue
            case .failuresPerAccount: failuresPerAccount = newValue
            case .authenticationsPerKey: authenticationsPerKey = newValue
            case .sessionRequestsPerKey: sessionRequestsPerKey = newValue
            case .unattestedRequestsPerClientAddress: unattestedRequestsPerClientAddress = newValue
            case .enrolmentRate: break
            }
        }
    }
}
