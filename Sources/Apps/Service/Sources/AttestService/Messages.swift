import Hummingbird
import PureAppStore
import PureAttestPurchases
import PureAttestServer
import PureBytes

// JSON bodies of responses, with bytes in standard Base64.

struct ChallengeResponse: ResponseEncodable {
    let challenge: String
    let expiresAt: Int64

    init(_ challenge: Challenge) {
        self.challenge = base64EncodedString(challenge.value)
        expiresAt = challenge.expiresAt.secondsSince1970
    }
}

struct AttestResponse: ResponseEncodable {
    let keyID: String
    let isNew: Bool
    let token: String
    let expiresAt: Int64

    init(keyID: String, isNew: Bool, _ session: SessionResponse) {
        (self.keyID, self.isNew) = (keyID, isNew)
        (token, expiresAt) = (session.token, session.expiresAt)
    }
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
    let open = true
}

struct StatusResponse: ResponseEncodable {
    let status: String
}

struct PurchaseResponse: ResponseEncodable {
    let productID: String
    /// `nil` if the purchase never expires.
    let expiresAt: Int64?

    init(_ purchase: Purchase) {
        productID = String(decoding: purchase.productID, as: UTF8.self)
        expiresAt = purchase.expiresDate?.unixTime.secondsSince1970
    }
}
