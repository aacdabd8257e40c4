import Foundation

/// A session: what most requests need instead of an assertion.
public struct AttestSession: Hashable, Sendable {
    /// For the header `Authorization`, after "Bearer ".
    public let token: String
    /// By the server's clock.
    public let expiresAt: Date
    /// The key that opened it; `nil` for a device without App Attest.
    public let keyID: String?
}

/// Whoever has the token has the session: logs are not to have it.
extension AttestSession: CustomStringConvertible, CustomReflectable {
    /// Key and end, without the token.
    public var description: String { "session of \(keyID ?? "no key") until \(expiresAt)" }

    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID as Any, "expiresAt": expiresAt]) }
}

/// The app's side of App Attest: one key, its life, its sessions and its signed requests. Make one for each server and keep it.
///
/// Safe to be called from anywhere at once: one key is attested at a time, and whoever calls meanwhile gets that one; assertions are sent
/// one after the other, as a server refuses a counter that arrives after a higher one.
///
/// What goes wrong is repaired where it can be: a key that the server or the device has lost is replaced, once; a challenge that was used is
/// asked for anew; whoever is out of reach is asked again after a while, with the same key and the same client data hash. The app's own requests
/// are sent once, and a second time only if the first was not carried out and never will be.
public actor AttestClient {
    let keyService: any AttestKeyService
    let storage: any AttestStorage
    let transport: any AttestTransport
    let clock: any AttestClock
    let configuration: AttestConfiguration
    let sha256: @Sendable (Data) -> Data

    /// `nil` as long as it could not be read.
    var stored: StoredState?
    var registration: Task<String, any Error>?
    private var next: (keyID: String, challenge: Data, since: Date)?
    private var current: OpenSession?
    /// A signed request was refused under uniform answers: the key may be lost, or the request have been accepted before.
    private var keyIsInDoubt = false
    private var isSigning = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A client.
    ///
    /// - Parameters:
    ///   - keyService: the device.
    ///   - storage: what outlives the process.
    ///   - transport: the way to the server.
    ///   - sha256: the hash function; on Apple's systems there is an initialiser that has it.
    ///   - configuration: routes and patience.
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

    /// Whether this device has App Attest. If not, there is ``unattestedSession()``.
    public nonisolated var isSupported: Bool { keyService.isSupported }

    // MARK: Sessions

    /// A session, and until when by this device's clock no process of the server takes its token for expired; `nil` if that is not known.
    private struct OpenSession {
        let session: AttestSession
        let usableUntil: Date?
    }

    /// Returns the session that is open, or a new one; with ``AttestConfiguration/sessionsAreUsedOnce`` always a new one.
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
            // A device whose clock is ahead would otherwise open one for each request: there the server's 401 tells.
            let opened = OpenSession(session: session, usableUntil: end > clock.now ? end : nil)
            // The app may have had the key forgotten meanwhile.
            if !configuration.sessionsAreUsedOnce, try state().key?.keyID == signer { current = opened }
            return opened
        }
    }

    /// Returns until when a session is used: before that moment no process of the server takes its token for expired.
    ///
    /// Let o = `start`, when the token did not exist yet; D the answer's `Date`, at or after its issue and cut to whole seconds; E =
    /// `expiresAt`. The server's clock shows at most D + 1 at o, so that at the device's time t < o + (E − D) − 30 it shows less than
    /// D + 1 + (t − o) < E − 29. So all processes whose clocks are up to 29 s ahead of that one still take the token, whatever the device's clock
    /// shows, if nobody sets it meanwhile. Without a `Date` the device's own clock stands for D: it may then be at most 29 s behind.
    private func usableUntil(_ session: AttestSession, openedBy answer: AttestResponse, after start: Date) -> Date {
        start.addingTimeInterval(session.expiresAt.timeIntervalSince(answer.date ?? start) - 30)
    }

    /// Sends a request in a session, and opens one before if there is none.
    ///
    /// The client sends the request a second time, in a new session, only if the server refused the token while it could not have run out: an
    /// earlier delivery of the same request was then refused as well. The exception is a token that another request ends, or whose key is
    /// revoked, between two deliveries. In all other cases in which a second sending might repeat the request,
    /// ``AttestError/outcomeUnknown`` is thrown: if the token was consumed, if it may have run out, and under uniform answers if tokens are
    /// used once. Two further exceptions: processes whose clocks differ by more than 29 seconds, and a token that one process of a rolling
    /// change of session keys accepts and another does not. A network that doubles a request has it carried out twice, unless the server
    /// accepts each token once (``AttestConfiguration/sessionsAreUsedOnce``) or the request is signed (``sendSigned(_:)``).
    ///
    /// - Returns: the answer, whatever its status is.
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
            // See `usableUntil`: this refusal is older than that moment, and so is every earlier delivery.
            guard let end = open.usableUntil, clock.now < end else { throw AttestError.outcomeUnknown }
            isFirst = false
        }
    }

    /// A session for a device without App Attest: what it opens is up to the server, and little.
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

    /// Sends a request that the key signs itself: method, target, body and challenge (`SignedContent.request`).
    ///
    /// The server carries out at most one delivery of one signature. So the client signs the request anew, twice at most, only if the answer
    /// proves that the server never carries out the former signature:
    ///
    /// - `overtaken` proves it. The server has accepted a higher counter of the key, counters only rise, and the challenge was not consumed
    ///   by then.
    /// - `consumed` says the opposite: the server accepted a delivery of this request.
    /// - `replay` does not prove it: the challenge may have expired between two deliveries.
    /// - `unknownKey` does not prove it: the server may have accepted a delivery, and have lost the key or found it too old since. Nor does
    ///   `refused` where answers are uniform, which may be any of these.
    ///
    /// Under the last three ``AttestError/outcomeUnknown`` is thrown. After `unknownKey` the key is given up. After `refused` under uniform
    /// answers the next signed request opens a session first, which repeats nothing and replaces a key that is lost. A request without an answer is not sent again either: the transport's error is thrown as
    /// ``AttestError/unreachable(_:)``, and the app has to find out.
    ///
    /// - Returns: the answer of the route, whatever its status is.
    public func sendSigned(_ request: AttestRequest) async throws -> AttestResponse {
        guard request.target.utf8.first == UInt8(ascii: "/") else { throw AttestError.invalidTarget }
        if keyIsInDoubt {
            // Tried once, so that a server without that route does not keep requests from being sent.
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

    /// Signs with the registered key and sends; repairs a lost key once and a used challenge twice.
    ///
    /// - Parameter isHarmless: whether the request may be carried out twice. If not, only what ``sendSigned(_:)`` lists is repaired.
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
            // An earlier delivery may have been accepted; one with a new challenge tells.
            case .refused where configuration.answersAreUniform && isHarmless && repetitions > 0: repetitions -= 1
            case .unknownKey,
                .refused where configuration.answersAreUniform:
                guard isHarmless else {
                    if answer.word == .unknownKey {
                        // Not sooner than keys may be replaced; the request's fate matters more than the key's.
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

    /// Takes the challenge for the next assertion from an answer, if it has one.
    func note(_ answer: AttestResponse, for keyID: String) {
        if let value = answer.headers["attest-challenge"].flatMap({ Data(base64Encoded: $0) }) {
            next = (keyID, value, clock.now)
        }
    }

    // MARK: The key that is lost

    /// Forgets a key that the server or the device does not know, unless that was done meanwhile.
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

    /// The key works: the next one that is lost is replaced after the shortest interval again.
    private func noteAcceptance() {
        guard var state = try? state(), state.replacements != nil else { return }
        state.replacements = nil
        keep(state)
    }

    /// Forgets the key and the session: the next call registers a new one. For an app whose user wants to begin anew.
    /// A registration that is under way ends with `CancellationError`.
    public func forgetKey() async throws {
        // Its key would be saved after all.
        while let registration {
            registration.cancel()
            _ = try? await registration.value
        }
        var state = try state()
        state.key = nil
        try save(state)
        (next, current) = (nil, nil)
    }

    // MARK: One after the other

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
