import Hummingbird
import PureAttestServer

/// The bodies of requests and responses, in JSON; bytes are in standard Base64.
struct ChallengeRequest: Decodable {
    enum Purpose: String, Decodable { case attestation, assertion }
    let purpose: Purpose
    let keyID: String
}

struct ChallengeResponse: ResponseEncodable {
    let id: String
    let challenge: String
    let expiresAt: Int64
}

struct AttestRequest: Decodable {
    let keyID: String
    let challengeID: String
    let attestation: String
}

struct AttestResponse: ResponseEncodable {
    let keyID: String
    let isNew: Bool
}

struct SessionRequest: Decodable {
    let keyID: String
    let challengeID: String
    let assertion: String
}

struct SessionResponse: ResponseEncodable {
    let token: String
    let expiresAt: Int64

    init(_ session: IssuedSession) {
        token = String(decoding: session.token, as: UTF8.self)
        expiresAt = session.expiresAt.secondsSince1970
    }
}

struct ProtectedResponse: ResponseEncodable {
    let keyID: String
}

struct OpenResponse: ResponseEncodable {
    let expiresAt: Int64
}

struct ErrorResponse: ResponseEncodable {
    let error: String
}
