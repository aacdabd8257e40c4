import Foundation

/// The server's routes, and the client's waits and pauses.
public struct AttestConfiguration: Sendable {
    /// The path of the route that issues challenges. All default paths are routes of `Sources/Apps/Service`.
    public var challengePath = "/challenge"
    /// The path of the route that registers a key.
    public var attestPath = "/attest"
    /// The path of the route that opens a session.
    public var sessionPath = "/session"
    /// The path of the route that opens a session for a device without App Attest.
    public var unattestedPath = "/unattested"
    /// Whether the server answers every rejection with `refused` (`AnswerPolicy.uniform`). With uniform answers,
    /// `refused` may also mean that the server does not know the key.
    public var answersAreUniform = false
    /// Whether the server accepts each session token once (`SessionUse.once`). If set, each ``AttestClient/send(_:)``
    /// opens a session. Set this for such a server, because only the first of several calls with one token succeeds.
    public var sessionsAreUsedOnce = false
    /// The time for which the client uses a challenge, in seconds. Must be shorter than the server's challenge lifetime
    /// (by default 60 s).
    public var challengeLifetime = 45.0
    /// The maximum number of attempts per call while Apple's service or the server is unreachable.
    public var attempts = 4
    /// The wait before the second attempt, in seconds. The wait doubles for each further attempt, and is multiplied by
    /// a random factor from 0.5 to 1.
    public var firstWait = 1.0
    /// The longest wait within a call, in seconds. If a longer wait is needed, the call throws
    /// ``AttestError/retryLater(seconds:)``.
    public var longestWait = 10.0
    /// The length of the first pause in attestation, in seconds. A pause begins if Apple's service stays unreachable,
    /// if the client discards a useless key, or if the server fails or rejects a key. The length doubles after each
    /// further failure, up to an hour, or up to a week if the device reports its keys as invalid.
    public var firstPause = 30.0
    /// The minimum interval between replacements of lost keys, in seconds. Without it, a server that has lost all keys
    /// would receive a flood of registrations. The interval doubles after each further replacement, up to a week, until
    /// the server accepts an assertion.
    public var replacementInterval = 3_600.0

    /// The defaults.
    public init() {}
}

/// The reason why a call of the client failed.
public enum AttestError: Error {
    /// This device does not support App Attest. Use ``AttestClient/unattestedSession()``.
    case unsupported
    /// Apple's service or the server is unavailable, or attestation pauses after a failure. Call again after this
    /// number of seconds.
    case retryLater(seconds: Double)
    /// The server admits new keys gradually. Call again after this number of seconds, and use the unattested tier until
    /// then.
    case enrolLater(seconds: Double)
    /// The server rejected the request, and the client cannot fix the cause. The server may have accepted a different
    /// delivery of the request. For a signed request, only the word "overtaken" proves that the server has not executed
    /// the request. `word` is the member "error" of the answer. It is "" if the answer has no such member, for example
    /// because a proxy answered.
    case refused(status: Int, word: String)
    /// The key and its replacement were both lost. Try again another day, or inform the user.
    case keyLost
    /// The server is unreachable. Contains the transport's error. The server may have received the request.
    case unreachable(any Error)
    /// The server may have executed the request. Find out whether it did before you repeat the request. For example, a
    /// proxy may have delivered the request twice and returned only one answer. Or the token or key may have become
    /// invalid between two deliveries.
    case outcomeUnknown
    /// The storage failed, so the client makes and attests no key.
    case storage(any Error)
    /// The device's App Attest service reported an error.
    case keyService(KeyServiceError)
    /// The server's answer is malformed.
    case malformedAnswer
    /// The target does not begin with a slash, or a URL cannot represent it unchanged.
    case invalidTarget

    init(_ error: KeyServiceError) { self = error == .featureUnsupported ? .unsupported : .keyService(error) }
}
