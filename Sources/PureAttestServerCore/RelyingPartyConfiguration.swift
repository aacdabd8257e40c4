/// The settings of a server. The defaults suit an app whose devices occasionally open a session.
public struct RelyingPartyConfiguration: Sendable {
    /// The rate limits; `nil` means unlimited. Each process counts separately.
    ///
    /// Before verification, the server knows only the client address and the logged-in account. A limit per key counts
    /// a request only after the key's signature is verified, so nobody else can use up the key's allowance.
    public struct Limits: Sendable {
        /// Challenges, registrations and authentications per client address, if the caller passes an address. Many
        /// people may share an address.
        public var requestsPerClientAddress: RateLimit? = RateLimit(burst: 600, perMinute: 600)
        /// Attestation challenges per account. A device creates a key when the app is installed or restored.
        public var enrolmentsPerAccount: RateLimit? = RateLimit(burst: 10, perMinute: 1)
        /// Attestation challenges per client address, counted only for requests without an account. The default is a
        /// twenty-fifth of ``Enrolment/keysPerSecond``, so a single address cannot use up the global enrolment rate.
        /// The server tells clients over this limit to enrol later.
        public var enrolmentsPerClientAddress: RateLimit? = RateLimit(burst: 120, perMinute: 120)
        /// Attestations and assertions per account that fail verification. An account beyond this limit is rejected
        /// before any verification, until its allowance recovers. An overtaken assertion
        /// (``HTTPAnswer/Code/overtaken``) is counted only if it does not sign the request's challenge. Assertions by
        /// unknown keys are counted only under ``AnswerPolicy/uniform``.
        public var failuresPerAccount: RateLimit? = RateLimit(burst: 20, perMinute: 1)
        /// Assertions per key.
        public var authenticationsPerKey: RateLimit? = RateLimit(burst: 20, perMinute: 20)
        /// Requests with a session token, per key.
        public var sessionRequestsPerKey: RateLimit? = RateLimit(burst: 600, perMinute: 600)
        /// Issued unattested-tier tokens, and requests with such tokens, per client address.
        public var unattestedRequestsPerClientAddress: RateLimit? = RateLimit(burst: 10, perMinute: 10)
        /// The maximum number of keys, accounts or client addresses that each limit tracks. All others share one
        /// allowance. Each process also caches at most this many denied session tokens, and rejects a cached token
        /// without asking the store.
        public var capacity = 65_536

        /// The defaults.
        public init() {}
    }

    /// The lifetime of a challenge in seconds, clamped to 1…``maximumChallengeLifetime``.
    public var challengeLifetime: Int64 = 60
    /// The maximum lifetime of a challenge in seconds: five minutes.
    public static let maximumChallengeLifetime: Int64 = 300
    /// The lifetime of a session in seconds, clamped to 1…``maximumSessionLifetime``.
    public var sessionLifetime: Int64 = 900
    /// The maximum lifetime of a session in seconds: one day, because ``SessionUse/untilExpiry`` permits no revocation.
    public static let maximumSessionLifetime: Int64 = 86_400
    /// The maximum clock skew between processes in seconds: five minutes, the "few minutes" of RFC 7519 §4.1.4. The
    /// store keeps a consumed token for this time after the token expires. Otherwise a process whose clock is ahead
    /// could delete the entry while another process still accepts the token.
    public static let clockMargin: Int64 = 300
    /// How long a revoked key stays in the list of consumed tokens, in seconds. Another process may have opened a
    /// session with the maximum lifetime. An authentication that is in flight during the revocation may still open a
    /// session, which then starts later than the revocation. The maximum challenge lifetime is ample for this delay.
    package static var revokedKeyListing: Int64 { maximumSessionLifetime + maximumChallengeLifetime + clockMargin }
    /// How often a session token may be used.
    public var sessionUse = SessionUse.untilRevoked
    /// The maximum number of signed bytes, including method and target but not the challenge; by default 64 KiB. The
    /// bytes are hashed, not parsed.
    public var maximumClientData = 65_536
    /// When to store the multiples of a public key, which speed up the verification of assertions
    /// (``/PureAttest/AttestedKey/withPublicKeyMultiples()``).
    public var publicKeyMultiples = PublicKeyMultiples.fromFirstAssertion
    /// Whether registration verifies the attestation's receipt before storing it. Later receipts are always verified.
    public var verifiesFirstReceipt = false
    /// The maximum number of verifications of one assertion, at least 1. An assertion is verified again if a concurrent
    /// assertion by the same key wins the compare-and-set. Choose a lower number if your store limits the number of
    /// queries per request.
    ///
    /// The default equals the length of the window of `CounterPolicy.slidingWindow`. Each winning assertion has a
    /// different counter value. After 64 winners, this assertion's counter is therefore outside the window, unless the
    /// device sends more concurrent assertions than the window holds.
    public var maximumAttempts = 64
    /// The rate limits.
    public var limits = Limits()
    /// When devices may enrol new keys.
    public var enrolment = Enrolment()
    /// The budget of each key or account. If it is `nil`, `RelyingParty.spendBudget(_:by:from:at:)` accepts only
    /// requests for which the caller passes the allowance of a purchase.
    public var budget: Budget?
    /// How much a client learns from a rejection.
    public var answerPolicy = AnswerPolicy.precise

    /// The defaults.
    public init() {}

    /// When to compute and store the multiples of a public key, which add 194 bytes to a record. Package versions
    /// without this feature reject such records, so enable this feature only when no process of such a version is
    /// running.
    public enum PublicKeyMultiples: Hashable, Sendable, CaseIterable {
        /// Never. Multiples that a record already contains are still used.
        case never
        /// At registration, even if the device never returns.
        case fromRegistration
        /// When the counter first advances, because a device that returned once is likely to return again.
        case fromFirstAssertion
    }
}
