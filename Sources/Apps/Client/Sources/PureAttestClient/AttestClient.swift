import Foundation

/// A session of the app with the server. Most requests carry the session's token instead of an assertion.
public struct AttestSession: Hashable, Sendable {
    /// The value after "Bearer " in the header `Authorization`.
    public let token: String
    /// The expiry by the server's clock.
    public let expiresAt: Date
    /// The key that opened the session; `nil` for a device without App Attest.
    public let keyID: String?
}

/// Omits the token from logs, because anyone who has the token can use the session.
extension AttestSession: CustomStringConvertible, CustomReflectable {
    /// The key and the expiry, without the token.
    public var description: String { "session of \(keyID ?? "no key") until \(expiresAt)" }

    /// The key and the expiry, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID as Any, "expiresAt": expiresAt]) }
}

/// Manages one App Attest key of the app, with its sessions and signed requests. Create one client for each server, and
/// use this client for all requests to that server.
///
/// Concurrent calls are safe, and share one attestation. The client sends assertions one at a time, because a server
/// rejects an assertion if it has already accepted a higher counter.
///
/// The client replaces a lost key at most once per call. It requests a new challenge if the server has consumed the
/// challenge or no longer accepts it. If the server or Apple's service is unreachable, the client retries with the same
/// key and client data hash. It resends an app's request only if the server has not executed the first delivery and
/// never will.
public actor AttestClient {
    let keyService: any AttestKeyService
    let storage: any AttestStorage
    let transport: any AttestTransport
    let clock: any AttestClock
    let configuration: AttestConfiguration
    let sha256: @Sendable (Data) -> Data

    /// `nil` until the storage has been read, and after a failed ``save(_:)``. A failed ``keep(_:)`` does not reset it.
    var stored: StoredState?
    var registration: Task<String, any Error>?
    private var next: (keyID: String, challenge: Data, since: Date)?
    private var current: OpenSession?
    /// Whether a signed request got `refused` under uniform answers. Then the key is lost, the server accepted an
    /// earlier delivery of the request, or the server rejected the request for another reason.
    private var keyIsInDoubt = false
    private var isSigning = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - keyService: the device.
    ///   - storage: persistent state.
    ///   - transport: the connection to the server.
    ///   - sha256: the SHA-256 function. On Apple's systems, a second initialiser provides this function.
    ///   - configuration: the server's routes, and the client's waits and pauses.
    ///   - clock: the time.
    public init(
        keyService: any AttestKeyService, storage: any AttestStorage, transport: any AttestTransport,
        sha256: @escaping @Sendable (Data) -> Data, configuration: AttestConfiguration = AttestConfiguration(),
        clock: any AttestClock = SystemClock()
    ) {
        self.keyService = keyService
        self.storage = storage
        self.transport = transport
        self.sha256 = sha256
        self.configuration = configuration
        self.clock = clock
    }

    /// Whether this device has App Attest. If not, use ``unattestedSession()``.
    public nonisolated var isSupported: Bool { keyService.isSupported }

    // MARK: Sessions

    /// `usableUntil` is a time by the device's clock, or `nil` if unknown. Before this time, no server process
    /// considers the token expired.
    private struct OpenSession {
        let session: AttestSession
        let usableUntil: Date?
    }

    /// Returns the open session, or opens one. If ``AttestConfiguration/sessionsAreUsedOnce`` is set, always opens a
    /// new session.
    public func session() async throws -> AttestSession { try await openSession().session }

    private func openSession() async throws -> OpenSession {
        try await inTurn {
            if let current, current.usableUntil.map({ clock.now < $0 }) ?? true { return current }
            var start = clock.now
            let (answer, signer) = try await withAssertion(isHarmless: true) { _, challenge in
                challenge
            } send: { keyID, challenge, assertion in
                start = clock.now
                return try await self.call(
                    configuration.sessionPath,
                    [
                        "keyID": keyID, "challenge": challenge.base64EncodedString(),
                        "assertion": assertion.base64EncodedString(),
                    ]
                ).response
            }
            let session = try Self.session(in: answer, of: signer)
            let end = usableUntil(session, openedBy: answer, after: start)
            // If the device's clock is ahead, `end` may already have passed. Use such a session until the server
            // answers 401, because otherwise each request would open a session.
            let opened = OpenSession(session: session, usableUntil: end > clock.now ? end : nil)
            // The app may have called `forgetKey` in the meantime.
            if !configuration.sessionsAreUsedOnce, try state().key?.keyID == signer { current = opened }
            return opened
        }
    }

    /// Returns a time before which no server process considers the token expired.
    ///
    /// Let o = `start`, a time before the server issued the token. Let D = the answer's `Date`, which is at or after
    /// that issue and truncated to whole seconds. Let E = `expiresAt`. When the device's clock shows o, the server's
    /// clock shows at most D + 1. So at any device time t < o + (E − D) − 30, the server's clock shows less than
    /// D + 1 + (t − o) < E − 29. Processes whose clocks are up to 29 s ahead of the server's clock therefore still
    /// accept the token. This holds even if the device's clock is wrong, unless that clock is set in the meantime.
    /// Without a `Date`, the device's clock replaces D, and may be at most 29 s behind.
    private func usableUntil(_ session: AttestSession, openedBy answer: AttestResponse, after start: Date) -> Date {
        start.addingTimeInterval(session.expiresAt.timeIntervalSince(answer.date ?? start) - 30)
    }

    /// Sends a request in a session. Opens a session first if none is open.
    ///
    /// The client sends the request a second time, in a new session, only if the server rejected a token that could not
    /// have expired. Then the server has also rejected any earlier delivery of the request, except in three cases:
    ///
    /// - Between the two deliveries, a different request ended the session, or the session's key was revoked.
    /// - The clock skew between processes exceeds 29 seconds.
    /// - During a rolling change of session keys, one process accepts the token and another does not.
    ///
    /// The client throws ``AttestError/outcomeUnknown`` if the server might execute the request twice. This can happen
    /// if the token was consumed or may have expired, or if answers are uniform and tokens are used once.
    ///
    /// If the network duplicates a request, the server executes both copies. It executes only one copy if it accepts
    /// each token only once (``AttestConfiguration/sessionsAreUsedOnce``) or if the request is signed
    /// (``sendSigned(_:)``).
    ///
    /// - Returns: the answer of the server, whatever its status.
    public func send(_ request: AttestRequest) async throws -> AttestResponse {
        var isFirst = true
        while true {
            let open = try await openSession()
            let answer = try await sendOnce(request, ["Authorization": "Bearer \(open.session.token)"])
            if let keyID = open.session.keyID { note(answer, for: keyID) }
            guard answer.word == .refused || answer.word == .consumed else { return answer }
            if current?.session == open.session { current = nil }
            guard answer.word == .refused, !(configuration.sessionsAreUsedOnce && configuration.answersAreUniform)
            else {
                throw AttestError.outcomeUnknown
            }
            guard isFirst else { return answer }
            // The token does not expire before `end` (see `usableUntil`). The server rejected this delivery before
            // `end`, and received all earlier deliveries sooner still. So it has also rejected all earlier deliveries,
            // except in the cases listed above.
            guard let end = open.usableUntil, clock.now < end else { throw AttestError.outcomeUnknown }
            isFirst = false
        }
    }

    /// Opens a session for a device without App Attest. The server decides which routes accept such a session.
    public func unattestedSession() async throws -> AttestSession {
        try await Self.session(in: call(configuration.unattestedPath, nil).response, of: nil)
    }

    private static func session(in answer: AttestResponse, of keyID: String?) throws -> AttestSession {
        struct Body: Decodable {
            let token: String
            let expiresAt: Int64
        }
        let body = try decoded(Body.self, from: answer)
        return AttestSession(
            token: body.token, expiresAt: Date(timeIntervalSince1970: TimeInterval(body.expiresAt)), keyID: keyID)
    }

    // MARK: Signed requests

    /// Sends a signed request. The key signs the method, the target, the body and a challenge
    /// (`SignedContent.request`).
    ///
    /// The server executes a signed request at most once. The client re-signs and resends a request at most twice, and
    /// only if the answer proves that the server has not executed the earlier copy and never will:
    ///
    /// - `overtaken` proves this: the challenge was not yet consumed, and the server has accepted a higher counter of
    ///   the key. Counters only rise, so it cannot accept the earlier copy later.
    /// - `consumed` proves the opposite: the server accepted a delivery of this request.
    /// - `replay` proves nothing: the challenge may have expired between two deliveries.
    /// - `unknownKey` proves nothing: the server may have accepted a delivery first, and then lost the key or found the
    ///   key too old. Under uniform answers, `refused` may replace any of these words.
    ///
    /// After every answer in this list except `overtaken`, the client throws ``AttestError/outcomeUnknown``. After
    /// `unknownKey` it also discards the key. After `refused` under uniform answers, the client opens a session before
    /// it sends the next signed request. Opening a session repeats no request of the app, and replaces the key if the
    /// key is lost.
    ///
    /// If no answer arrives, the client does not resend the request. It throws the transport's error as
    /// ``AttestError/unreachable(_:)``, and the app must find out whether the server executed the request.
    ///
    /// - Returns: the answer of the requested route, whatever its status.
    public func sendSigned(_ request: AttestRequest) async throws -> AttestResponse {
        guard request.target.utf8.first == UInt8(ascii: "/") else { throw AttestError.invalidTarget }
        if keyIsInDoubt {
            // Try this only once, so that signed requests still work if the server has no session route.
            keyIsInDoubt = false
            _ = try await openSession()
        }
        return try await inTurn {
            try await withAssertion(isHarmless: false) { keyID, challenge in
                guard let key = Data(base64Encoded: keyID) else { throw KeyServiceError.invalidKey }
                return signedBytes(
                    method: request.method, target: request.target, bodyHash: sha256(request.body),
                    challenge: challenge,
                    keyID: key)
            } send: { keyID, challenge, assertion in
                try await self.sendOnce(
                    request,
                    [
                        "Attest-Key": keyID, "Attest-Challenge": challenge.base64EncodedString(),
                        "Attest-Assertion": assertion.base64EncodedString(),
                    ])
            }.answer
        }
    }

    /// Replaces a lost key at most once, and a used challenge at most twice.
    ///
    /// - Parameter isHarmless: whether executing the request twice does no harm. If `false`, the client retries only in
    ///   the cases that ``sendSigned(_:)`` lists.
    private func withAssertion(
        isHarmless: Bool, signing clientData: (_ keyID: String, _ challenge: Data) throws -> Data,
        send: (_ keyID: String, _ challenge: Data, _ assertion: Data) async throws -> AttestResponse
    ) async throws -> (answer: AttestResponse, keyID: String) {
        var (mayReplace, repetitions) = (true, 2)
        while true {
            let keyID = try await register()
            let challenge = try await assertionChallenge(keyID)
            let assertion: Data
            do {
                assertion = try await assert(keyID, sha256(clientData(keyID, challenge)))
            } catch KeyServiceError.invalidKey {
                guard mayReplace else { throw AttestError.keyLost }
                try replace(keyID)
                mayReplace = false
                continue
            } catch let error as KeyServiceError { throw AttestError(error) }
            let answer = try await send(keyID, challenge, assertion)
            note(answer, for: keyID)
            switch answer.word {
            // The server may have accepted an earlier delivery, so find out with a new challenge whether the server
            // knows the key.
            case .refused where configuration.answersAreUniform && isHarmless && repetitions > 0: repetitions -= 1
            case .unknownKey,
                .refused where configuration.answersAreUniform:
                guard isHarmless else {
                    if answer.word == .unknownKey {
                        // Ignore the error that `replace` throws within the replacement interval, because the app must
                        // learn that the outcome is unknown.
                        try? replace(keyID)
                    } else {
                        (current, keyIsInDoubt) = (nil, true)
                    }
                    throw AttestError.outcomeUnknown
                }
                guard mayReplace else { throw AttestError.keyLost }
                try replace(keyID)
                mayReplace = false
            case .consumed where !isHarmless, .replay where !isHarmless: throw AttestError.outcomeUnknown
            case .overtaken where repetitions > 0, .consumed where repetitions > 0, .replay where repetitions > 0:
                repetitions -= 1
            case .some(let word) where answer.status == 401 || answer.status == 409:
                throw AttestError.refused(status: answer.status, word: word.rawValue)
            default:
                if (200..<300).contains(answer.status) { noteAcceptance() }
                return (answer, keyID)
            }
        }
    }

    private func assert(_ keyID: String, _ hash: Data) async throws -> Data {
        for attempt in 1... {
            do { return try await keyService.generateAssertion(keyID, clientDataHash: hash) } catch KeyServiceError
                .serverUnavailable
            {
                guard attempt < configuration.attempts else {
                    throw AttestError.retryLater(seconds: configuration.firstPause)
                }
                try await clock.sleep(seconds: wait(after: attempt))
            }
        }
        throw AttestError.keyLost
    }

    // MARK: Challenges

    private func assertionChallenge(_ keyID: String) async throws -> Data {
        defer { next = nil }
        if let next, next.keyID == keyID,
            (0..<configuration.challengeLifetime).contains(clock.now.timeIntervalSince(next.since))
        {
            return next.challenge
        }
        return try await requestChallenge("assertion", keyID)
    }

    func note(_ answer: AttestResponse, for keyID: String) {
        if let value = answer.headers["attest-challenge"].flatMap({ Data(base64Encoded: $0) }) {
            next = (keyID, value, clock.now)
        }
    }

    // MARK: Lost keys

    /// Discards a lost key, unless another call has already discarded the key.
    private func replace(_ keyID: String) throws {
        var state = try state()
        guard state.key?.keyID == keyID else { return }
        let replacements = state.replacements ?? 0
        let base = configuration.replacementInterval
        let interval = min(base * pow(2, Double(min(max(replacements - 1, 0), 16))), max(base, Self.week))
        if let last = state.replacedAt, abs(clock.now.timeIntervalSince(last)) < interval { throw AttestError.keyLost }
        state.key = nil
        state.replacedAt = clock.now
        state.replacements = replacements + 1
        try save(state)
        (next, current) = (nil, nil)
    }

    private func noteAcceptance() {
        guard var state = try? state(), state.replacements != nil else { return }
        state.replacements = nil
        keep(state)
    }

    /// Discards the key and the session, for a user who wants to start over. The next call registers a new key. A
    /// registration in progress ends with `CancellationError`.
    public func forgetKey() async throws {
        // A registration in progress would otherwise still save its key.
        while let registration {
            registration.cancel()
            _ = try? await registration.value
        }
        var state = try state()
        state.key = nil
        try save(state)
        (next, current) = (nil, nil)
    }

    // MARK: In sequence

    private func inTurn<T>(_ body: () async throws -> T) async rethrows -> T {
        while isSigning { await withCheckedContinuation { waiting.append($0) } }
        isSigning = true
        defer {
            isSigning = false
            if !waiting.isEmpty { waiting.removeFirst().resume() }
        }
        return try await body()
    }
}
