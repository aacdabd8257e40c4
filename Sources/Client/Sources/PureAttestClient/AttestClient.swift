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
/// asked for anew; whoever is out of reach is asked again after a while, with the same key and the same client data hash.
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
    private var current: (session: AttestSession, usableUntil: Date?)?
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

    /// The session that is open, or a new one.
    public func session() async throws -> AttestSession {
        try await inTurn {
            if let current, current.usableUntil.map({ clock.now < $0 }) ?? true { return current.session }
            let (answer, signer) = try await withAssertion { _, challenge in
                challenge
            } send: { keyID, challenge, assertion in
                try await self.call(
                    configuration.sessionPath,
                    [
                        "keyID": keyID, "challenge": challenge.base64EncodedString(),
                        "assertion": assertion.base64EncodedString(),
                    ]
                ).response
            }
            let session = try Self.session(in: answer, of: signer)
            // A device whose clock is ahead would otherwise open one for each request: there the server's 401 tells.
            let end = session.expiresAt.addingTimeInterval(-30)
            // The app may have had the key forgotten meanwhile.
            if try state().key?.keyID == signer { current = (session, end > clock.now ? end : nil) }
            return session
        }
    }

    /// Sends a request in a session, and opens one before if there is none, or if the server ended it.
    ///
    /// - Returns: the answer, whatever its status is.
    public func send(_ request: AttestRequest) async throws -> AttestResponse {
        var isFirst = true
        while true {
            let session = try await session()
            let answer = try await sendOnce(request, ["Authorization": "Bearer \(session.token)"])
            if let keyID = session.keyID { note(answer, for: keyID) }
            guard isFirst, answer.word == .refused || answer.word == .unknownKey else { return answer }
            // The server refuses a token before the route runs: nothing has happened, and a new one may open it.
            if current?.session == session { current = nil }
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

    /// Sends a request that the key signs itself: method, target, body and challenge (`BoundRequest`).
    ///
    /// A request that the server refused unseen is signed anew. One without an answer is not sent again, as it may have taken effect:
    /// the transport's error is thrown as ``AttestError/unreachable(_:)``, and the app has to find out.
    ///
    /// - Returns: the answer of the route, whatever its status is.
    public func sendSigned(_ request: AttestRequest) async throws -> AttestResponse {
        guard request.target.hasPrefix("/") else { throw AttestError.invalidTarget }
        return try await inTurn {
            try await withAssertion { keyID, challenge in
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
    private func withAssertion(
        signing clientData: (_ keyID: String, _ challenge: Data) throws -> Data,
        send: (_ keyID: String, _ challenge: Data, _ assertion: Data) async throws -> AttestResponse
    ) async throws -> (answer: AttestResponse, keyID: String) {
        var (mayReplace, replays) = (true, 2)
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
            case .unknownKey,
                .refused where configuration.answersAreUniform:
                guard mayReplace else { throw AttestError.keyLost }
                try replace(keyID)
                mayReplace = false
            case .replay where replays > 0: replays -= 1
            case .some(let word) where answer.status == 401 || answer.status == 409:
                throw AttestError.refused(status: answer.status, word: word.rawValue)
            default: return (answer, keyID)
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
        if let last = state.replacedAt, abs(clock.now.timeIntervalSince(last)) < configuration.replacementInterval {
            throw AttestError.keyLost
        }
        state.key = nil
        state.replacedAt = clock.now
        try save(state)
        (next, current) = (nil, nil)
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
