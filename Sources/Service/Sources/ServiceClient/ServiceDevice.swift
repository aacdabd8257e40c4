import Foundation
import PureAttest
public import PureAttestTesting
import PureBytes
import PureSHA2

/// What the service answered that was not expected.
public struct UnexpectedAnswer: Error {
    /// The status.
    public let status: Int
    /// The service's word.
    public let word: String
}

/// An app on a virtual device: does what the client in the documentation does, over a connection.
public final class ServiceDevice {
    private let device: VirtualDevice
    /// What a real client keeps in the Keychain.
    public private(set) var keyName: String?
    /// The challenge that came with the last answer. An older one has expired on the way or soon will.
    private var next: (challenge: [UInt8], received: Date)?

    /// An app that has no key yet.
    public init(_ device: VirtualDevice) { self.device = device }

    /// The key identifier as bytes.
    public var keyID: [UInt8]? { keyName.flatMap { try? [UInt8](base64Encoded: $0) } }

    /// Makes, attests and registers a key.
    public func attest(over connection: HTTPConnection) throws {
        let request = try registration(over: connection)
        noteRegistration(request, try accepted(connection.send("POST", "/attest", json: request)))
    }

    /// A registration of a new key, attested but not sent.
    public func registration(over connection: HTTPConnection) throws -> [String: String] {
        let name = device.generateKey()
        let challenge = try challenge("attestation", name, over: connection)
        let object = try device.attestKey(name, clientDataHash: SHA256.hash(data: challenge))
        return [
            "keyID": name, "challenge": base64EncodedString(challenge), "attestation": base64EncodedString(object),
        ]
    }

    /// Keeps the key of a registration that the service accepted.
    public func noteRegistration(_ request: [String: String], _ answer: HTTPAnswerReceived) {
        keyName = request["keyID"]
        note(answer)
    }

    /// Takes the next challenge from an answer, if it has one: the next signature then needs no request before it.
    public func note(_ answer: HTTPAnswerReceived) {
        let value = answer.headers["attest-challenge"].flatMap { try? [UInt8](base64Encoded: $0) }
        if let value { next = (value, Date()) }
    }

    /// A request for a session, signed but not sent.
    public func signedSessionRequest(over connection: HTTPConnection) throws -> [String: String] {
        guard let keyName else { throw UnexpectedAnswer(status: 0, word: "no key") }
        let challenge = try assertionChallenge(keyName, over: connection)
        let object = try device.generateAssertion(keyName, challenge: challenge)
        return [
            "keyID": keyName, "challenge": base64EncodedString(challenge), "assertion": base64EncodedString(object),
        ]
    }

    /// The headers by which a request is signed: this method, this path with its query, and this body.
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

    /// Opens a session; where the service does not know the key, attests a new one first, once.
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
        // Half of what a challenge lives.
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
