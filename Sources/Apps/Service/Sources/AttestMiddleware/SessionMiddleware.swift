public import HTTPTypes
public import Hummingbird
import NIOCore
public import PureAttest
public import PureAttestServer

/// Passes on only requests that carry a valid session token.
public struct SessionMiddleware<Store: RelyingPartyStore, Context: AttestRequestContext>: RouterMiddleware {
    private let party: RelyingParty<Store>
    private let now: @Sendable () -> UnixTime

    /// - Parameter now: the clock.
    public init(_ party: RelyingParty<Store>, now: @escaping @Sendable () -> UnixTime) {
        self.party = party
        self.now = now
    }

    /// Verifies the token and sets ``AttestFindings/session``. Responses carry the key's next challenge.
    ///
    /// If the relying party accepts Android devices, requests in their sessions pass too. A route for only one platform
    /// must check `Session.platform`.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let session = try await party.verifySession(request.bearerToken ?? [], at: now())
        context.attest.session = session
        var response = try await next(request, context)
        response.headers.append(contentsOf: party.nextChallenge(for: session.keyID, at: now()))
        return response
    }
}

/// Passes on only requests that carry a valid token of the unattested tier.
public struct UnattestedMiddleware<Store: RelyingPartyStore, Context: AttestRequestContext>: RouterMiddleware {
    private let party: RelyingParty<Store>
    private let now: @Sendable () -> UnixTime

    /// - Parameter now: the clock.
    public init(_ party: RelyingParty<Store>, now: @escaping @Sendable () -> UnixTime) {
        self.party = party
        self.now = now
    }

    /// Verifies the token, which proves only that the client once requested a token.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        _ = try party.verifyUnattestedSession(request.bearerToken ?? [], at: now())
        return try await next(request, context)
    }
}

/// Passes on only requests that a registered key has signed. The signature covers method, path, query, body and a
/// challenge (`SignedContent.request`).
///
/// The headers `Attest-Key`, `Attest-Challenge` and `Attest-Assertion` contain Base64 or base64url.
public struct SignedRequestMiddleware<Store: RelyingPartyStore, Context: AttestRequestContext>: RouterMiddleware {
    private let party: RelyingParty<Store>
    private let maximumBody: Int
    private let now: @Sendable () -> UnixTime

    /// - Parameters:
    ///   - maximumBody: the maximum length of a body in bytes. The middleware reads the whole body.
    ///     `RelyingPartyConfiguration.maximumClientData` limits method, target and body together. If either limit is
    ///     exceeded, the answer is 413.
    ///   - now: the clock.
    public init(_ party: RelyingParty<Store>, maximumBody: Int = 65_536, now: @escaping @Sendable () -> UnixTime) {
        self.party = party
        self.maximumBody = maximumBody
        self.now = now
    }

    /// Verifies the signature and sets ``AttestFindings/authentication``. Passes on exactly the body that was signed.
    /// Responses carry the key's next challenge.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let keyID = try request.headers.bytes(.attestKey, count: 32)
        let challenge = try request.headers.bytes(.attestChallenge)
        let assertion = try request.headers.bytes(.attestAssertion)
        // The target of the request line (RFC 9112 §3.2.1), neither decoded nor normalised.
        let (method, target) = (request.head.method.rawValue, request.head.path ?? "")
        // One limit covers the method, target and body, so the relying party can verify every body that this middleware
        // reads.
        let room = party.configuration.maximumClientData - method.utf8.count - target.utf8.count
        guard room >= 0 else { throw RequestFault.tooLarge }
        let body = try await request.bytes(upTo: min(maximumBody, room))
        let parts = target.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        var context = context
        context.attest.authentication = try await party.authenticate(
            assertion: assertion, keyID: keyID, challenge: challenge,
            signed: .request(
                method: method, path: parts.first ?? "", query: parts.count > 1 ? parts[1] : nil, body: body),
            clientAddress: context.attest.clientAddress, at: now())
        var request = request
        request.body = RequestBody(buffer: ByteBuffer(bytes: body))
        var response = try await next(request, context)
        response.headers.append(contentsOf: party.nextChallenge(for: keyID, at: now()))
        return response
    }
}

extension HTTPFields {
    fileprivate func bytes(_ name: HTTPField.Name, count: Int? = nil) throws(RequestFault) -> [UInt8] {
        try decodedBytes(self[name], of: name.rawName, count: count)
    }
}

extension HTTPField.Name {
    /// The header that names the signing key of a signed request.
    public static let attestKey = Self("Attest-Key")!
    fileprivate static let attestAssertion = Self("Attest-Assertion")!
}
