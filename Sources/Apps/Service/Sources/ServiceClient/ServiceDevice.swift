import Foundation
import PureAttest
public import PureAttestTesting
import PureBytes
import PureSHA2

/// An unexpected answer of the service.
public struct UnexpectedAnswer: Error {
    /// The status.
    public let status: Int
    /// The service's word.
    public let word: String
}

/// An app on a virtual device. It sends the same requests as the client in the documentation.
public final class ServiceDevice {
    private let device: VirtualDevice
    /// The key identifier in Base64, which a real client keeps in the Keychain.
    public private(set) var keyName: String?
    /// The challenge of the last answer. Earlier challenges are dropped, because they expire sooner.
    private var next: (challenge: [UInt8], received: Date)?

    /// Creates an app without a key.
    public init(_ device: VirtualDevice) { self.device = device }

    /// The key identifier as bytes.
    public var keyID: [UInt8]? { keyName.flatMap { try? [UInt8](base64Encoded: $0) } }

    /// Makes, attests and registers a key.
    public func attest(over connection: HTTPConnection) throws {
        let request = try registration(over: connection)
        noteRegistration(request, try accepted(connection.send("POST", "/attest", json: request)))
    }

    /// Makes and attests a key, and returns the body of its registration request, which the caller can send.
    public func registration(over connection: HTTPConnection) throws -> [String: String] {
        let name = device.generateKey()
        let challenge = try challenge("attestation", name, over: connection)
        let object = try device.attestKey(name, clientDataHash: SHA256.hash(data: challenge))
        return [
            "keyID": name, "challenge": base64EncodedString(challenge), "attestation": base64EncodedString(object),
        ]
    }

    /// Stores the key of an accepted registration.
    public func noteRegistration(_ request: [String: String], _ answer: HTTPAnswerReceived) {
        keyName = request["keyID"]
        note(answer)
    }

    /// Stores the next challenge that an answer may contain, so that the next signature needs no request for a
    /// challenge.
    public func note(_ answer: HTTPAnswerReceived) {
        let value = answer.headers["attest-challenge"].flatMap { try? [UInt8](base64Encoded: $0) }
        if let value { next = (value, Date()) }
    }

    /// Returns the signed body of a session request, which the caller can send.
    public func signedSessionRequest(over connection: HTTPConnection) throws -> [String: String] {
        guard let keyName else { throw UnexpectedAnswer(status: 0, word: "no key") }
        let challenge = try assertionChallenge(keyName, over: connection)
        let object = try device.generateAssertion(keyName, challenge: challenge)
        return [
            "keyID": keyName, "challenge": base64EncodedString(challenge), "assertion": base64EncodedString(object),
        ]
    }

    /// Returns the headers that sign a request with this method, path, query and body.
    public func signature(
        of method: String, _ path: String, body: [UInt8], over connection: HTTPConnection
    ) throws -> [String: String] {
        guard let keyName else { throw UnexpectedAnswer(status: 0, word: "no key") }
        let challenge = try assertionChallenge(keyName, over: connection)
        let object = try device.generateAssertion(
            keyName, challenge: challenge, signed: .request(method: method, path: path, body: body))
        return [
            "Attest-Key": keyName, "Attest-Challenge": base64EncodedString(challenge),
            "Attest-Assertion": base64EncodedString(object),
        ]
    }

    /// Opens a session.
    public func session(over connection: HTTPConnection) throws -> String {
        let answer = try accepted(connection.send("POST", "/session", json: signedSessionRequest(over: connection)))
        note(answer)
        return answer.body["token"] ?? ""
    }

    /// Opens a session. If the service does not know the key, attests a new key and tries once more.
    public func sessionAttestingIfUnknown(over connection: HTTPConnection) throws -> String {
        do { return try session(over: connection) } catch let answer as UnexpectedAnswer
            where answer.word == "unknownKey"
        {
            (keyName, next) = (nil, nil)
            try attest(over: connection)
            return try session(over: connection)
        }
    }

    private func assertionChallenge(_ name: String, over connection: HTTPConnection) throws -> [UInt8] {
        defer { next = nil }
        // Half a challenge's lifetime.
        if let next, Date().timeIntervalSince(next.received) < 30 { return next.challenge }
        return try challenge("assertion", name, over: connection)
    }

    private func challenge(
        _ purpose: String, _ name: String, over connection: HTTPConnection
    ) throws -> [UInt8] {
        let answer = try accepted(connection.send("POST", "/challenge", json: ["purpose": purpose, "keyID": name]))
        guard let value = try? [UInt8](base64Encoded: answer.body["challenge"] ?? "") else {
            throw UnexpectedAnswer(status: answer.status, word: "no challenge")
        }
        return value
    }

    private func accepted(_ answer: HTTPAnswerReceived) throws -> HTTPAnswerReceived {
        guard answer.status == 200 else {
            throw UnexpectedAnswer(status: answer.status, word: answer.body["error"] ?? "")
        }
        return answer
    }
}
