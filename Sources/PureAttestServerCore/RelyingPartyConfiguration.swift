/// The settings of a server. The defaults suit an app whose devices open a session now and then.
public struct RelyingPartyConfiguration: Sendable {
    /// The rate limits; `nil` means unlimited. Each process counts separately.
    ///
    /// Before verification, only the client address and the logged-in account are known. A key's limit counts a request
    /// after the key's signature is verified, so nobody else can use up the key's allowance.
    public struct Limits: Sendable {
        /// Challenges, registrations and authentications per client address, if the caller passes an address. Many
        /// people may share an address.
        public var requestsPerClientAddress: RateLimit? = RateLimit(burst: 600, perMinute: 600)
        /// Challenges for attestations per account. A device creates a key when the app is installed or restored.
        public var enrolmentsPerAccount: RateLimit? = RateLimit(burst: 10, perMinute: 1)
        /// Challenges for attestations per client address, for requests without an account. The default is a
        /// twenty-fifth of ``Enrolment/keysPerSecond``, so a single address cannot use up the global enrolment rate.
        /// Clients beyond the limit are told to enrol later.
        public var enrolmentsPerClientAddress: RateLimit? = RateLimit(burst: 120, perMinute: 120)
        /// Attestations and assertions per account that fail verification. An account beyond this limit is rejected
        /// before any verification, until its allowance recovers.
        ///
        /// Overtaken assertions do not count. Under ``AnswerPolicy/uniform`` assertions of unknown keys count too.
        public var failuresPerAccount: RateLimit? = RateLimit(burst: 20, perMinute: 1)
        /// Assertions per key, counted after the signature is verified, so that nobody else consumes a key's allowance.
        public var authenticationsPerKey: RateLimit? = RateLimit(burst: 20, perMinute: 20)
        /// Requests in sessions, per key.
        public var sessionRequestsPerKey: RateLimit? = RateLimit(burst: 600, perMinute: 600)
        /// Unattested-tier tokens issued and used, per client address.
        public var unattestedRequestsPerClientAddress: RateLimit? = RateLimit(burst: 10, perMinute: 10)
        /// The most keys, accounts or client addresses that each limit tracks. All others share one allowance. A
        /// process also remembers this many denied session tokens, and rejects them without asking the store again.
        public var capacity = 65_536

        /// The defaults.
        public init() {}
    }

    /// The lifetime of a challenge in seconds, clamped to 1…``maximumChallengeLifetime``.
    public var challengeLifetime: Int64 = 60
    /// Five minutes.
    public static let maximumChallengeLifetime: Int64 = 300
    /// The lifetime of a session in seconds, clamped to 1…``maximumSessionLifetime``.
    public var sessionLifetime: Int64 = 900
    /// A day. It is short because a token cannot be revoked under ``SessionUse/untilExpiry``.
    public static let maximumSessionLifetime: Int64 = 86_400
    /// The greatest accepted clock skew between a server's processes, in seconds. Five minutes, the "few minutes" that
    /// RFC 7519 §4.1.4 permits.
    ///
    /// The store keeps a consumed token for that much longer than the token is valid. Otherwise a process with a fast
    /// clock could delete the entry while another process still accepts the token.
    public static let clockMargin: Int64 = 300
    /// How long a revoked key stays listed, in seconds.
    ///
    /// Another process may have opened sessions with the longest lifetime. An authentication in flight may still open a
    /// session after the revocation. The two requests may be reordered, so their times may differ; the longest
    /// challenge lifetime is ample for that difference.
    package static var revokedKeyListing: Int64 { maximumSessionLifetime + maximumChallengeLifetime + clockMargin }
    /// How often a session token may be used.
    public var sessionUse = SessionUse.untilRevoked
    /// The most signed bytes of a request besides the challenge, including method and target; by default 64 KiB. They
    /// are hashed, not parsed.
    public var maximumClientData = 65_536
    /// When to store the multiples of a public key that speed up its assertions
    /// (``/PureAttest/AttestedKey/withPublicKeyMultiples()``).
    public var publicKeyMultiples = PublicKeyMultiples.fromFirstAssertion
    /// Whether registration verifies the receipt in an attestation before it stores it. Each receipt that Apple sends
    /// later is verified in any case.
    public var verifiesFirstReceipt = false
    /// The most verifications of one assertion while concurrent assertions of its key win the compare-and-set; at
    /// least 1. Choose less for a store that limits the queries of a request.
    ///
    /// Each winning assertion has another counter value. After 64 of them, the counter of this assertion has left the
    /// window of `CounterPolicy.slidingWindow`, or the device sends more assertions at once than any window holds.
    public var maximumAttempts = 64
    /// The rate limits.
    public var limits = Limits()
    /// When devices may enrol new keys.
    public var enrolment = Enrolment()
    /// The budget of each key or account. If it is `nil`, `RelyingParty.spendBudget(_:by:from:at:)` rejects every request.
    public var budget: Budget?
    /// How much a client learns from a rejection.
    public var answerPolicy = AnswerPolicy.precise

    /// The defaults.
    public init() {}

    /// When to compute and store the multiples of a public key, which add 194 bytes to a record. Package versions
    /// without this feature reject such a record. Enable the feature only when no process of such a version is running.
    public enum PublicKeyMultiples: Hashable, Sendable, CaseIterable {
        /// Never. Multiples that a record already has are still used.
        case never
        /// At registration, even if the device never returns.
        case fromRegistration
        /// When the counter first advances, because a device that returned once is likely to return again.
        case fromFirstAssertion
    }
}
