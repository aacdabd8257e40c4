public import Hummingbird
public import PureAttest
public import PureAttestServer
import PureBytes

/// The routes of a service. What it knows of App Attest is the calls of a ``PureAttestServer/RelyingParty``.
public struct AttestRoutes<Store: RelyingPartyStore>: Sendable {
    let party: RelyingParty<Store>
    let now: @Sendable () -> UnixTime

    /// - Parameter now: the clock.
    public init(_ party: RelyingParty<Store>, now: @escaping @Sendable () -> UnixTime) {
        self.party = party
        self.now = now
    }

    /// Adds the routes.
    public func add(to router: Router<AttestContext>) {
        router.post("challenge") { request, context in
            let body = try await request.decode(as: ChallengeRequest.self, context: context)
            return try await answer(request, context) {
                let challenge = try await party.issueChallenge(
                    purpose: body.purpose == .attestation ? .attestation : .assertion, keyID: bytes(body.keyID),
                    at: now())
                return ChallengeResponse(
                    id: base64EncodedString(challenge.id), challenge: base64EncodedString(challenge.value),
                    expiresAt: challenge.expiresAt.secondsSince1970)
            }
        }
        router.post("attest") { request, context in
            let body = try await request.decode(as: AttestRequest.self, context: context)
            return try await answer(request, context) {
                let registration = try await party.register(
                    attestation: bytes(body.attestation), keyID: bytes(body.keyID),
                    challengeID: bytes(body.challengeID),
                    at: now())
                return AttestResponse(
                    keyID: base64EncodedString(registration.record.key.keyID), isNew: registration.isNew)
            }
        }
        router.post("session") { request, context in
            let body = try await request.decode(as: SessionRequest.self, context: context)
            return try await answer(request, context) {
                let authentication = try await party.authenticate(
                    assertion: bytes(body.assertion), keyID: bytes(body.keyID), challengeID: bytes(body.challengeID),
                    at: now())
                return SessionResponse(party.session(from: authentication))
            }
        }
        router.get("protected") { request, context in
            try await answer(request, context) {
                let session = try await party.verifySession(bearerToken(of: request), at: now())
                return ProtectedResponse(keyID: base64EncodedString(session.keyID))
            }
        }
        addUnattestedTier(to: router)
    }

    /// For devices without App Attest: a token for whoever asks, and what it opens. Nothing leads from here to `/protected`.
    private func addUnattestedTier(to router: Router<AttestContext>) {
        router.post("unattested") { request, context in
            try await answer(request, context) {
                SessionResponse(try party.unattestedSession(for: Array(context.address.utf8), at: now()))
            }
        }
        router.get("open") { request, context in
            try await answer(request, context) {
                let session = try party.verifyUnattestedSession(bearerToken(of: request), at: now())
                return OpenResponse(expiresAt: session.expiresAt.secondsSince1970)
            }
        }
    }

    /// Bytes that are not Base64 are as good as bytes of the wrong length: the relying party refuses both alike.
    private func bytes(_ text: String) -> [UInt8] { (try? [UInt8](base64Encoded: text)) ?? [] }

    /// RFC 6750 §2.1; no token is an invalid one.
    private func bearerToken(of request: Request) -> [UInt8] {
        let scheme = "Bearer "
        guard let value = request.headers[.authorization], value.hasPrefix(scheme) else { return [] }
        return Array(value.utf8.dropFirst(scheme.utf8.count))
    }

    /// The response of `body`, or the client's answer to why there is none; the reason goes to the log.
    private func answer<Message: ResponseEncodable>(
        _ request: Request, _ context: AttestContext, _ body: () async throws -> Message
    ) async throws -> Response {
        do {
            return try await body().response(from: request, context: context)
        } catch let error as AttestServerError<Store.Failure> {
            context.logger.info("Refused", metadata: ["reason": "\(error)"])
            let answer = error.answer(party.configuration.answers)
            var response = try ErrorResponse(error: answer.code.rawValue).response(from: request, context: context)
            response.status = HTTPResponse.Status(code: answer.status)
            if let seconds = answer.retryAfter { response.headers[.retryAfter] = String(seconds) }
            return response
        }
    }
}

/// A request's context with its source and the cap on bodies: an attestation of the largest size in Base64, and the JSON around it.
public struct AttestContext: RequestContext {
    /// Hummingbird's own.
    public var coreContext: CoreRequestContextStorage
    /// The network address of the connection's other end. Behind a proxy that is the proxy, and its header has to be read.
    let address: String

    /// The context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }

    /// 96 KiB.
    public var maxUploadSize: Int { 98_304 }
}
