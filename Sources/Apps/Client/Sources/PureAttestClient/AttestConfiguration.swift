import Foundation

/// The server's routes, and the client's waits and pauses.
public struct AttestConfiguration: Sendable {
    /// The target that issues challenges; defaults are the routes of `Sources/Apps/Service`.
    public var challengePath = "/challenge"
    /// The target that registers a key.
    public var attestPath = "/attest"
    /// The target that opens a session.
    public var sessionPath = "/session"
    /// The target that opens a session for a device without App Attest.
    public var unattestedPath = "/unattested"
    /// Whether the server answers every rejection with `refused` (`AnswerPolicy.uniform`), which may then mean an
    /// unknown key.
    public var answersAreUniform = false
    /// Whether the server accepts each session token once (`SessionUse.once`), so that each ``AttestClient/send(_:)``
    /// opens a session. Required for such a server: otherwise calls share a token, and all but the first fail.
    public var sessionsAreUsedOnce = false
    /// The seconds for which a challenge is used: less than its lifetime (60 s).
    public var challengeLifetime = 45.0
    /// The maximum attempts in one call, if Apple's service or the server is unreachable.
    public var attempts = 4
    /// The wait before the second attempt, in seconds. It doubles each time, with a random factor from 0.5 to 1.
    public var firstWait = 1.0
    /// The longest wait within a call. Longer waits are left to the caller: ``AttestError/retryLater(seconds:)``.
    public var longestWait = 10.0
    /// The seconds without attestation after Apple's service stayed unreachable, a key was given up, or the server
    /// rejected a key or failed. They double after each further failure, up to an hour.
    public var firstPause = 30.0
    /// The minimum seconds between replacements of lost keys, which protect a server that lost all keys from a flood.
    /// They double after each further replacement, up to a week, until the server accepts an assertion.
    public var replacementInterval = 3_600.0

    /// The defaults.
    public init() {}
}

/// The reason why the client has no answer.
public enum AttestError: Error {
    /// This device has no App Attest: use ``AttestClient/unattestedSession()``.
    case unsupported
    /// Apple's service or the server is unavailable, or attestation pauses after a failure. Call again after these
    /// seconds.
    case retryLater(seconds: Double)
    /// The server admits new keys gradually. Use the unattested tier, and call again after these seconds.
    case enrolLater(seconds: Double)
    /// The server rejected the request, and the client cannot fix that. Other deliveries may have been accepted: for a
    /// signed request, only the word "overtaken" proves that none was carried out.
    case refused(status: Int, word: String)
    /// The key and its replacement were lost. Try again another day, or inform the user.
    case keyLost
    /// The server is unreachable. Contains the transport's error. The request may have arrived.
    case unreachable(any Error)
    /// The server may have executed the request: find out before you repeat it. For example, a proxy delivered the
    /// request twice and answered another delivery, or the token or key became invalid between two deliveries.
    case outcomeUnknown
    /// The storage failed, so no key is made or attested.
    case storage(any Error)
    /// The device failed.
    case keyService(KeyServiceError)
    /// The server's answer is malformed.
    case malformedAnswer
    /// The target does not begin with a slash, or a URL would change it.
    case invalidTarget

    init(_ error: KeyServiceError) { self = error == .featureUnsupported ? .unsupported : .keyService(error) }
}
