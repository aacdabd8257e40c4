import Foundation

/// Where the server's routes are, and how patient the client is.
public struct AttestConfiguration: Sendable {
    /// The targets of the server's routes, as in `Sources/Service`.
    public var challengePath = "/challenge"
    /// Registers a key.
    public var attestPath = "/attest"
    /// Opens a session.
    public var sessionPath = "/session"
    /// Opens a session of a device without App Attest.
    public var unattestedPath = "/unattested"
    /// Whether the server answers `refused` for everything (`AnswerPolicy.uniform`), so that this may mean an unknown key.
    public var answersAreUniform = false
    /// Whether the server accepts each session token once (`SessionUse.once`): each ``AttestClient/send(_:)`` then opens a session of its
    /// own. Has to be set for such a server: otherwise calls share a token, and all but the first fail.
    public var sessionsAreUsedOnce = false
    /// For how many seconds a challenge is used: somewhat less than it lives (60 s).
    public var challengeLifetime = 45.0
    /// How often something is tried in one call, if Apple's service or the server is out of reach.
    public var attempts = 4
    /// Seconds before the second attempt; each further wait is twice as long. From half of it to all of it, at random.
    public var firstWait = 1.0
    /// The longest wait within a call. Longer ones are the caller's: ``AttestError/retryLater(seconds:)``.
    public var longestWait = 10.0
    /// Seconds for which no key is attested after a call in which Apple's service stayed out of reach, a key was given up or the server
    /// refused one or failed; twice as long after each further one, up to an hour.
    public var firstPause = 30.0
    /// A key that is lost is replaced, and the next one not before so many seconds: a server that loses all keys gets no flood. Twice as
    /// long after each further one, up to a week, until the server accepts an assertion.
    public var replacementInterval = 3_600.0

    /// The defaults.
    public init() {}
}

/// Why the client has no answer.
public enum AttestError: Error {
    /// No App Attest here: ``AttestClient/unattestedSession()`` is what is left.
    case unsupported
    /// Apple's service or the server can't serve now, or no key is attested for a while after a failure. Call again after so many seconds.
    case retryLater(seconds: Double)
    /// The server spreads new keys out: use the unattested tier, and call again after so many seconds.
    case enrolLater(seconds: Double)
    /// The server refuses, and nothing here can repair that. It refused one delivery of the request: of a signed request only the word
    /// "overtaken" proves that no other delivery was carried out.
    case refused(status: Int, word: String)
    /// The key was lost, and its replacement too: try again another day, or tell the user.
    case keyLost
    /// The server can't be reached; what the transport says. Whether a request arrived is not known.
    case unreachable(any Error)
    /// The server may have carried out this request, and the answer does not say: ask it before repeating the request. A second delivery
    /// of the same request may have been answered, as a proxy makes them, or the token or the key may have ended meanwhile.
    case outcomeUnknown
    /// The storage fails. Without it no key is made and none is attested.
    case storage(any Error)
    /// The device fails.
    case keyService(KeyServiceError)
    /// The server's answer is none of its kind.
    case malformedAnswer
    /// The request's target does not begin with a slash, or is not what a URL carries unchanged.
    case invalidTarget

    init(_ error: KeyServiceError) { self = error == .featureUnsupported ? .unsupported : .keyService(error) }
}
