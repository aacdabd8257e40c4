import PureBytes
public import PureKeyAttestationTesting

/// An app on a virtual Android device. It sends the same requests as the Kotlin client in the documentation.
public final class AndroidServiceDevice {
    private let device: VirtualAndroidDevice
    private let handle: [UInt8]
    private var key: (signing: VirtualAndroidKey, id: String)?

    /// Creates an app without a key. A real client generates its 32-byte handle at random.
    public init(_ device: VirtualAndroidDevice, handle: [UInt8] = [UInt8](repeating: 7, count: 32)) {
        (self.device, self.handle) = (device, handle)
    }

    /// The key identifier from the service, in Base64.
    public var keyID: String? { key?.id }

    /// Makes a key, and returns it with the body of its registration request, which the caller can send.
    public func registration(over connection: HTTPConnection) throws -> (
        request: [String: String], key: VirtualAndroidKey
    ) {
        let challenge = try challenge("attestation", base64EncodedString(handle), over: connection)
        let key = device.generateKey(attestationChallenge: challenge)
        return (
            [
                "handle": base64EncodedString(handle), "challenge": base64EncodedString(challenge),
                "chain": base64EncodedString(key.certificateChain.flatMap { $0 }),
            ], key
        )
    }

    /// Makes and registers a key.
    public func attest(over connection: HTTPConnection) throws {
        let registration = try registration(over: connection)
        let answer = try accepted(connection.send("POST", "/android/attest", json: registration.request))
        key = (registration.key, answer.body["keyID"] ?? "")
    }

    /// Returns the signed body of a session request, which the caller can send. Uses the challenge of an earlier
    /// answer, or a new challenge.
    public func signedSessionRequest(
        challenge given: [UInt8]? = nil, over connection: HTTPConnection
    ) throws -> [String: String] {
        guard let key else { throw UnexpectedAnswer(status: 0, word: "no key") }
        let challenge = try given ?? challenge("assertion", key.id, over: connection)
        return [
            "keyID": key.id, "challenge": base64EncodedString(challenge),
            "signature": base64EncodedString(key.signing.sign(challenge)),
        ]
    }

    /// Opens a session.
    public func session(over connection: HTTPConnection) throws -> String {
        let request = try signedSessionRequest(over: connection)
        return try accepted(connection.send("POST", "/android/session", json: request)).body["token"] ?? ""
    }

    private func challenge(
        _ purpose: String, _ name: String, over connection: HTTPConnection
    ) throws -> [UInt8] {
        let answer = try accepted(connection.send("POST", "/challenge", json: ["purpose": purpose, "keyID": name]))
        return try [UInt8](base64Encoded: answer.body["challenge"] ?? "")
    }

    private func accepted(_ answer: HTTPAnswerReceived) throws -> HTTPAnswerReceived {
        guard answer.status == 200 else {
            throw UnexpectedAnswer(status: answer.status, word: answer.body["error"] ?? "")
        }
        return answer
    }
}
