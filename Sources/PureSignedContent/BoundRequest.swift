import PureSHA2

/// A request as server and client both see it, in a form that an assertion can sign.
///
/// The client makes the same bytes of the request it sends and signs their SHA-256; the server makes them of the request it
/// received and of the challenge in its store. Nothing is extracted and nothing compared: a request that differs in any part
/// has another signature.
public struct BoundRequest: Hashable, Sendable {
    private let fields: [[UInt8]]

    /// A request.
    ///
    /// - Parameters:
    ///   - method: the HTTP method, as sent ("POST").
    ///   - path: the path and query, as sent, not decoded or normalised.
    ///   - body: the body, as sent; it is hashed.
    ///   - challenge: the one that the server issued.
    public init(
        method: some Collection<UInt8>, path: some Collection<UInt8>, body: some Collection<UInt8>,
        challenge: some Collection<UInt8>
    ) {
        fields = [[UInt8](method), [UInt8](path), [UInt8](SHA256.hash(data: body)), [UInt8](challenge)]
    }

    package var challengeIsEmpty: Bool { fields[3].isEmpty }

    /// The bytes to sign: `PureAttest request 1` in ASCII and a zero byte; then method, path, SHA-256 of the body,
    /// challenge and key identifier, each after its length in bytes as four bytes, big-endian. No two requests share them.
    public func clientData(keyID: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = BoundRequest.label
        for field in fields + [[UInt8](keyID)] {
            for shift in stride(from: 24, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: field.count >> shift))
            }
            bytes += field
        }
        return bytes
    }

    /// `printf 'PureAttest request 1\0' | xxd -i`: what is signed here is taken for nothing else.
    private static let label: [UInt8] = [
        0x50, 0x75, 0x72, 0x65, 0x41, 0x74, 0x74, 0x65, 0x73, 0x74, 0x20, 0x72, 0x65, 0x71, 0x75, 0x65, 0x73, 0x74,
        0x20,
        0x31, 0x00,
    ]
}

#if !hasFeature(Embedded)
    extension BoundRequest {
        /// A request with method and path as text.
        public init(
            method: String, path: String, body: some Collection<UInt8>, challenge: some Collection<UInt8>
        ) {
            self.init(method: method.utf8, path: path.utf8, body: body, challenge: challenge)
        }
    }
#endif
