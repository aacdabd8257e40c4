import PureBytes
import PureSHA2

/// Specifies which bytes a device signed, and where these bytes contain the server's challenge.
///
/// Take the challenge from the server's own store, and pass it to each verification as a separate argument. Verifiers
/// reject an empty challenge before they check the signature. They compare the challenge only with the signed bytes, in
/// constant time. A single verification compares it after the signature check, and a batch compares it before.
public struct SignedContent: Sendable {
    private enum Form {
        case challenge
        /// `signedBytes` is a closure, so that programs without signed requests do not link the code that builds the
        /// bytes.
        case request(
            byteCount: Int, signedBytes: @Sendable (_ challenge: ArraySlice<UInt8>, _ keyID: [UInt8]) -> [UInt8])
        case clientData(ArraySlice<UInt8>, find: (@Sendable (ArraySlice<UInt8>) -> [UInt8]?)?)
        case clientDataCheckedByCaller(ArraySlice<UInt8>)
    }

    private let form: Form
}

extension SignedContent {
    /// Only the challenge's bytes, to open a session.
    public static var challenge: SignedContent { SignedContent(form: .challenge) }

    /// A whole HTTP request: method, target and body, with the challenge and the signing key's identifier.
    ///
    /// The client builds the bytes from the request that it sends, and the server from the request that it receives. If
    /// any part of the request differs, the signature is invalid. ``clientData(challenge:keyID:)`` documents the
    /// layout.
    ///
    /// The signature does not cover the host, because proxies and aliases change it. Instead, the challenge binds the
    /// request to a deployment. If the same request has different effects on two services, such as staging and
    /// production, give each service its own session secret.
    ///
    /// - Parameters:
    ///   - method: the HTTP method, as sent ("POST").
    ///   - target: the path and query, exactly as sent, neither decoded nor normalized (RFC 9112 §3.2.1).
    ///   - body: the body, as sent. The signed bytes contain only its SHA-256.
    public static func request(
        method: some Collection<UInt8>, target: some Collection<UInt8>, body: some Collection<UInt8>
    ) -> SignedContent {
        let (method, target, body) = ([UInt8](method), [UInt8](target), [UInt8](body))
        return SignedContent(
            form: .request(byteCount: method.count + target.count + body.count) { challenge, keyID in
                // The prefix distinguishes requests from all other signed data.
                var bytes = ascii("PureAttest request 1\0")
                for field in [method, target, [UInt8](SHA256.hash(data: body)), [UInt8](challenge), keyID] {
                    bytes += bigEndian(UInt32(truncatingIfNeeded: field.count)) + field
                }
                return bytes
            })
    }

    /// Bytes in a form that the client defines. They must contain the challenge.
    ///
    /// The signature covers only these bytes. If they lack method and path, the same signature is valid for every route
    /// that accepts the body. Use ``request(method:target:body:)`` unless existing clients need a different form.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that the client signed.
    ///   - find: returns the challenge in the signed bytes, or `nil`. A single verification calls this closure only
    ///     after it has verified the signature. Reports and batches also call it with unverified bytes. Without `find`,
    ///     the bytes must equal the challenge.
    public static func clientData(
        _ bytes: some Collection<UInt8>, challengeBy find: (@Sendable (ArraySlice<UInt8>) -> [UInt8]?)? = nil
    ) -> SignedContent {
        SignedContent(form: .clientData(ArraySlice(bytes), find: find))
    }

    /// Bytes for which the caller itself compares the challenge. Verifiers ignore their challenge argument. This
    /// function is SPI (`@_spi`) for this package and for language bindings, so that no server skips the comparison by
    /// mistake.
    @_spi(CheckedByCaller)
    public static func clientDataCheckedByCaller(_ bytes: some Collection<UInt8>) -> SignedContent {
        SignedContent(form: .clientDataCheckedByCaller(ArraySlice(bytes)))
    }
}

#if !hasFeature(Embedded)
    extension SignedContent {
        /// A whole HTTP request, with its parts as text.
        ///
        /// - Parameters:
        ///   - method: the HTTP method, as received ("POST").
        ///   - path: the path, exactly as received: not decoded, not normalized, and not rewritten by a proxy.
        ///   - query: the text after the question mark, as received; `nil` without a question mark.
        ///   - body: the body, as received.
        public static func request(
            method: String, path: String, query: String? = nil, body: some Collection<UInt8>
        ) -> SignedContent {
            let query = query.map { [UInt8(ascii: "?")] + $0.utf8 } ?? []
            return .request(method: method.utf8, target: [UInt8](path.utf8) + query, body: body)
        }
    }
#endif

extension SignedContent {
    /// Returns the bytes to sign.
    ///
    /// For a request, the bytes begin with `PureAttest request 1` in ASCII and a zero byte. Five fields follow: method,
    /// target, SHA-256 of the body, challenge and key identifier. Each field is preceded by its length in bytes, as a
    /// four-byte big-endian number. Therefore, different requests have different bytes.
    public func clientData(challenge: some Collection<UInt8>, keyID: some Collection<UInt8>) -> [UInt8] {
        [UInt8](signedBytes(challenge: ArraySlice(challenge), keyID: [UInt8](keyID)))
    }

    /// Returns the bytes whose signature a verifier checks. Verifiers compare the challenge only with these bytes.
    package func signedBytes(challenge: ArraySlice<UInt8>, keyID: @autoclosure () -> [UInt8]) -> ArraySlice<UInt8> {
        switch form {
        case .challenge: return challenge
        case .request(_, let signedBytes): return signedBytes(challenge, keyID())[...]
        case .clientData(let bytes, _), .clientDataCheckedByCaller(let bytes): return bytes
        }
    }

    /// The number of bytes that the client chose.
    package var byteCount: Int {
        switch form {
        case .challenge: 0
        case .request(let byteCount, _): byteCount
        case .clientData(let bytes, _), .clientDataCheckedByCaller(let bytes): bytes.count
        }
    }
}

/// The reason why the check of the challenge failed. Each verifier maps the reason to one of its own errors.
package enum ChallengeFault {
    /// The challenge is empty, so every content would contain it.
    case empty
    /// The closure found no challenge in the signed bytes.
    case notFound
    /// The signed bytes contain a different challenge.
    case different
}

extension SignedContent {
    /// Whether the challenge is empty but required. Verifiers call this before they check the signature.
    package func isMissing(_ challenge: ArraySlice<UInt8>) -> Bool {
        if case .clientDataCheckedByCaller = form { false } else { challenge.isEmpty }
    }

    /// Compares the challenge with the signed bytes in constant time, because a challenge may be secret until it is
    /// consumed. Returns `nil` if the signed bytes contain the challenge.
    package func fault(of challenge: ArraySlice<UInt8>) -> ChallengeFault? {
        if isMissing(challenge) { return .empty }
        switch form {
        // There is nothing to compare: `signedBytes` built the bytes from this challenge, or the caller compares it.
        case .challenge, .request, .clientDataCheckedByCaller: return nil
        case .clientData(let bytes, nil): return constantTimeEquals(challenge, bytes) ? nil : .different
        case .clientData(let bytes, let find?):
            guard let found = find(bytes) else { return .notFound }
            return constantTimeEquals(challenge, found) ? nil : .different
        }
    }

    /// Whether the bytes must equal the challenge. Reports use this property.
    package var isComparedAsWhole: Bool {
        if case .clientData(_, nil) = form { true } else { false }
    }
}
