/// What a server decides. The defaults are right for an app whose devices open a session now and then.
public struct RelyingPartyConfiguration: Sendable {
    /// How many requests are admitted; `nil`: any number. Each process counts for itself.
    ///
    /// Before anything is proved only the client address of a request can be counted, and the account that its sender has logged in to; what
    /// belongs to a key is counted when the key has signed, so that nobody else can use it up.
    public struct Limits: Sendable {
        /// Challenges, registrations and authentications from one client address, where the calls are told it: many people may share an
        /// address.
        public var requestsPerClientAddress: RateLimit? = RateLimit(burst: 600, perMinute: 600)
        /// Challenges to attest with for one account. A device makes a key when the app is installed or restored.
        public var enrolmentsPerAccount: RateLimit? = RateLimit(burst: 10, perMinute: 1)
        /// Challenges to attest with for one client address, where no account is named: one address can not use up the enrolment rate of all
        /// (``Enrolment/keysPerSecond``), of which this is a twenty-fifth. Whoever is beyond it is told to enrol later.
        public var enrolmentsPerClientAddress: RateLimit? = RateLimit(burst: 120, perMinute: 120)
        /// Attestations and assertions of one account that do not verify (an assertion that another one of the same key overtook is
        /// none of them), under ``AnswerPolicy/uniform`` also those of unknown keys: whoever is beyond it is refused before anything is
        /// verified, until a while has passed.
        public var failuresPerAccount: RateLimit? = RateLimit(burst: 20, perMinute: 1)
        /// Assertions of one key, counted when the signature has been verified: nobody else takes anything from a key's allowance.
        public var authenticationsPerKey: RateLimit? = RateLimit(burst: 20, perMinute: 20)
        /// Requests in sessions of one key.
        public var sessionRequestsPerKey: RateLimit? = RateLimit(burst: 600, perMinute: 600)
        /// Requests from one client address without attestation, tokens and what is done with them.
        public var unattestedRequestsPerClientAddress: RateLimit? = RateLimit(burst: 10, perMinute: 10)
        /// How many keys, accounts or client addresses each limit tells apart at a time; further ones share one allowance. A process remembers as
        /// many denied session tokens, so that presenting one again does not ask the store.
        public var capacity = 65_536

        /// The defaults.
        public init() {}
    }

    /// How long a challenge waits, in seconds: 1 to ``maximumChallengeLifetime``; other values are moved there.
    public var challengeLifetime: Int64 = 60
    /// Five minutes.
    public static let maximumChallengeLifetime: Int64 = 300
    /// How long a session lasts, in seconds: 1 to ``maximumSessionLifetime``; other values are moved there.
    public var sessionLifetime: Int64 = 900
    /// A day: a token can't be taken back where ``SessionUse/untilExpiry`` is chosen.
    public static let maximumSessionLifetime: Int64 = 86_400
    /// How far the clocks of a server's processes may differ, in seconds: five minutes, the "few minutes" that RFC 7519 §4.1.4
    /// grants them. What a store lists of a token it keeps for that much longer than the token lives, so that no clock ahead
    /// forgets it while another one still accepts the token.
    public static let clockMargin: Int64 = 300
    /// For how long a revoked key is listed, in seconds. Another process may have opened sessions with the longest life. An
    /// authentication that is under way may still open one; its time differs from the revocation's by as much as two requests
    /// may overtake each other, for which a challenge's longest life is ample.
    package static var revokedKeyListing: Int64 { maximumSessionLifetime + maximumChallengeLifetime + clockMargin }
    /// How often a token may be used.
    public var sessionUse = SessionUse.untilRevoked
    /// The most signed bytes of a request, other than the challenge: 64 KiB with method and target. They are hashed and not parsed.
    public var maximumClientData = 65_536
    /// When a key's record gets the multiples with which its assertions verify faster
    /// (``/PureAttest/AttestedKey/withPublicKeyMultiples()``).
    public var publicKeyMultiples = PublicKeyMultiples.fromFirstAssertion
    /// How many requests are admitted.
    public var limits = Limits()
    /// When devices may make new keys.
    public var enrolment = Enrolment()
    /// What keys or accounts may use of what the server says; `nil`: there is none, and `RelyingParty.spendBudget(_:by:at:)` refuses.
    public var budget: Budget?
    /// How much clients learn of refusals.
    public var answerPolicy = AnswerPolicy.precise

    /// The defaults.
    public init() {}

    /// When the multiples of a public key are made and stored: 194 bytes of a record. A process of a version that does not know them
    /// refuses such a record, so that they are for the time when none of those is left.
    public enum PublicKeyMultiples: Hashable, Sendable, CaseIterable {
        /// Never. Those that a record has are used all the same.
        case never
        /// With the key, whether its device returns or not.
        case fromRegistration
        /// With the first advanced counter: a device that returned once is likely to return.
        case fromFirstAssertion
    }
}
