import PureBytes
import PureSHA2

/// Specifies which bytes a device signed and where the server's challenge is in them.
///
/// Pass the challenge separately to each verification, from the server's own store. Verifiers reject an empty challenge
/// before they check the signature. Afterwards they compare the challenge with the signed bytes only, in constant time.
public struct SignedContent: Sendable {
    private enum Form {
        case challenge
        /// A closure, so that programs that sign no requests do not link the code that builds the bytes.
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

    /// A whole HTTP request: method, request target, body and challenge, and the signing key.
    ///
    /// The client builds the bytes from the request that it sends, and the server from the request that it receives. A
    /// request that differs in any part has another signature. ``clientData(challenge:keyID:)`` documents the layout.
    ///
    /// The host is not bound, because proxies and aliases change it. The challenge binds the deployment: use different
    /// session secrets for services whose requests mean different things, such as staging and production.
    ///
    /// - Parameters:
    ///   - method: the HTTP method, as sent ("POST").
    ///   - target: the path and query, as sent: not decoded, not normalized (RFC 9112 §3.2.1).
    ///   - body: the body, as sent. Only its SHA-256 is signed.
    public static func request(
        method: some Collection<UInt8>, target: some Collection<UInt8>, body: some Collection<UInt8>
    ) -> SignedContent {
        let (method, target, body) = ([UInt8](method), [UInt8](target), [UInt8](body))
        return SignedContent(
            form: .request(byteCount: method.count + target.count + body.count) { challenge, keyID in
                var bytes = requestLabel
                for field in [method, target, [UInt8](SHA256.hash(data: body)), [UInt8](challenge), keyID] {
                    bytes += bigEndian(UInt32(truncatingIfNeeded: field.count)) + field
                }
                return bytes
            })
    }

    /// Bytes in a form that the client defines. They must contain the challenge.
    ///
    /// Only these bytes are bound. If they lack method and path, the same signature is valid for every route that
    /// accepts the body. Use ``request(method:target:body:)`` unless existing clients need another form.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that the client signed.
    ///   - find: returns the challenge in the signed bytes, or `nil`. Verification calls it after verifying the
    ///     signature; only reports call it with unverified bytes. Without `find`, the bytes must equal the challenge.
    public static func clientData(
        _ bytes: some Collection<UInt8>, challengeBy find: (@Sendable (ArraySlice<UInt8>) -> [UInt8]?)? = nil
    ) -> SignedContent {
        SignedContent(form: .clientData(ArraySlice(bytes), find: find))
    }

    /// Bytes whose challenge the caller compares: verifiers ignore their challenge argument. SPI (`@_spi`) for this
    /// package and for language bindings, so that no server passes this value by mistake and skips the comparison.
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
        ///   - path: the path, as received: not decoded, not normalized, and not rewritten by a proxy.
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
    /// For a request, these are `PureAttest request 1` in ASCII and a zero byte. Then follow method, target, SHA-256 of
    /// the body, challenge and key identifier, each after its length in bytes as a four-byte big-endian number. No two
    /// requests have the same bytes.
    public func clientData(challenge: some Collection<UInt8>, keyID: some Collection<UInt8>) -> [UInt8] {
        [UInt8](signedBytes(challenge: ArraySlice(challenge), keyID: [UInt8](keyID)))
    }

    /// Returns the bytes whose signature a verifier checks. Verifiers compare the challenge with these bytes only.
    package func signedBytes(challenge: ArraySlice<UInt8>, keyID: @autoclosure () -> [UInt8]) -> ArraySlice<UInt8> {
        switch form {
        case .challenge: return challenge
        case .request(_, let signedBytes): return signedBytes(challenge, keyID())[...]
        case .clientData(let bytes, _), .clientDataCheckedByCaller(let bytes): return bytes
        }
    }

    /// `printf 'PureAttest request 1\0' | xxd -i`: the prefix separates requests from everything else that keys sign.
    private static let requestLabel: [UInt8] = [
        0x50, 0x75, 0x72, 0x65, 0x41, 0x74, 0x74, 0x65, 0x73, 0x74, 0x20, 0x72, 0x65, 0x71, 0x75, 0x65, 0x73, 0x74,
        0x20,
        0x31, 0x00,
    ]

    /// The number of bytes that the client chose.
    package var byteCount: Int {
        switch form {
        case .challenge: 0
        case .request(let byteCount, _): byteCount
        case .clientData(let bytes, _), .clientDataCheckedByCaller(let bytes): bytes.count
        }
    }
}

/// The reason why the challenge is not the signed challenge. Each verifier maps it to an error of its own.
package enum ChallengeFault {
    /// The challenge is empty, so every content would contain it.
    case empty
    /// The closure found no challenge in the signed bytes.
    case notFound
    /// The signed bytes contain another challenge.
    case different
}

extension SignedContent {
    /// Whether the challenge is empty but required. Verifiers call this before they check the signature.
    package func isMissing(_ challenge: ArraySlice<UInt8>) -> Bool {
        if case .clientDataCheckedByCaller = form { false } else { challenge.isEmpty }
    }

    /// Compares the challenge with the signed bytes, after the signature is verified. The comparison is in constant
    /// time, because a challenge may be secret until it is consumed.
    ///
    /// - Returns: `nil` if the signed bytes contain the challenge.
    package func fault(of challenge: ArraySlice<UInt8>) -> ChallengeFault? {
        if isMissing(challenge) { return .empty }
        switch form {
        // `signedBytes` built the bytes from this challenge, so nothing is left to compare.
        case .challenge, .request, .clientDataCheckedByCaller: return nil
        case .clientData(let bytes, nil): return constantTimeEquals(challenge, bytes) ? nil : .different
        case .clientData(let bytes, let find?):
            guard let found = find(bytes) else { return .notFound }
            return constantTimeEquals(challenge, found) ? nil : .different
        }
    }

    /// Whether the bytes must equal the challenge, for reports.
    package var isComparedAsWhole: Bool {
        if case .clientData(_, nil) = form { true } else { false }
    }
}
