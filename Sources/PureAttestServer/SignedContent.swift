import PureAttest

/// Which bytes a device signed with its challenge. Unlike `ChallengeBinding` it has no case without one.
public enum SignedContent: Sendable {
    /// The challenge's bytes and nothing else: to open a session.
    case challenge
    /// A whole request: its method, target, body and challenge, and the key that signs it. The server makes the bytes of the request
    /// that it received, so that one which differs in any part has another signature; nothing is extracted and nothing compared.
    case request(RequestContent)
    /// Other bytes, for clients that sign in a form of their own. The closure finds the challenge in them; it is given what was
    /// hashed, and runs only after the signature has been verified. Only ``RelyingPartyDecision/report()`` runs it also on bytes that
    /// nobody signed, and lets nothing depend on it.
    ///
    /// Nothing but these bytes is bound: where method and path are not among them, the same signature is good for any route that
    /// accepts the body. Use ``request(method:path:query:body:)`` unless the clients are there already.
    case clientData([UInt8], challengeBy: @Sendable (ArraySlice<UInt8>) -> [UInt8]?)

    /// A whole request as the server received it; the client signs `BoundRequest.clientData(keyID:)` of what it sends.
    ///
    /// The host is not among it, as what a server is called on the way to it (proxies, names of one service) is nothing that it can
    /// compare with certainty. The challenge stands for it: only the deployment whose session keys made the challenge accepts it, for
    /// its apps and its environment. So staging and production, or any two services whose requests mean different things, have
    /// different session secrets; two that share secrets and store are one server.
    ///
    /// - Parameters:
    ///   - method: the HTTP method, as received ("POST").
    ///   - path: the path, as received: not decoded, not normalised, and the one that the client sent where a proxy rewrites it.
    ///   - query: what stands after the question mark, as received; `nil` without one.
    ///   - body: the body, as received.
    public static func request(
        method: String, path: String, query: String? = nil, body: [UInt8]
    ) -> SignedContent {
        .request(RequestContent(method: method, path: path, query: query, body: body))
    }

    /// The bytes that were signed, given the challenge that the server issued and the key.
    func clientData(challenge: [UInt8], keyID: [UInt8]) -> [UInt8] {
        switch self {
        case .challenge: challenge
        case .request(let request): request.bound(to: challenge).clientData(keyID: keyID)
        case .clientData(let bytes, _): bytes
        }
    }

    /// How the challenge that the server issued stands in them, for reports; ``verify(_:challenge:key:with:at:)`` decides.
    func binding(to challenge: [UInt8]) -> ChallengeBinding {
        switch self {
        case .challenge: .clientDataIs(challenge)
        // It is in the bytes that the server made itself: there is nothing left to compare.
        case .request: .checkedByCaller
        case .clientData(_, let find): .extracted(expected: challenge, by: find)
        }
    }

    /// Verifies that `key` signed this with the challenge.
    func verify(
        _ assertion: [UInt8], challenge: [UInt8], key: AttestedKey, with verifier: AppAttestVerifier, at time: UnixTime?
    ) throws(PureAttestError) -> VerifiedAssertion {
        switch self {
        case .request(let request):
            try verifier.verifyAssertion(assertion, request: request.bound(to: challenge), key: key, at: time)
        case .challenge, .clientData:
            try verifier.verifyAssertion(
                assertion, clientData: clientData(challenge: challenge, keyID: key.keyID),
                challenge: binding(to: challenge),
                key: key, at: time)
        }
    }

    /// Whether the challenge is among the bytes that were signed; after the signature has been verified.
    func contains(_ challenge: [UInt8]) -> Bool {
        switch self {
        case .challenge, .request: true
        case .clientData(let bytes, let find): find(bytes[...]) == challenge
        }
    }

    /// How many bytes the client chose.
    var byteCount: Int {
        switch self {
        case .challenge: 0
        case .request(let request): request.byteCount
        case .clientData(let bytes, _): bytes.count
        }
    }
}

/// An HTTP request without its challenge, as ``SignedContent/request(method:path:query:body:)`` was given it.
public struct RequestContent: Hashable, Sendable {
    private let method: [UInt8]
    private let target: [UInt8]
    private let body: [UInt8]

    init(method: String, path: String, query: String?, body: [UInt8]) {
        self.method = Array(method.utf8)
        // RFC 9112 §3.2.1: what the request line has.
        target = Array(path.utf8) + (query.map { [UInt8(ascii: "?")] + $0.utf8 } ?? [])
        self.body = body
    }

    fileprivate func bound(to challenge: [UInt8]) -> BoundRequest {
        BoundRequest(method: method, path: target, body: body, challenge: challenge)
    }

    fileprivate var byteCount: Int { method.count + target.count + body.count }
}
