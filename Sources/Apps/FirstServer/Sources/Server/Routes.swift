import AttestMiddleware
import Hummingbird
import PureAttest
import PureAttestServer
import PureBytes

/// The routes of the server, over any store: SQLite in production, memory in tests.
struct Routes<Store: RelyingPartyStore> {
    let party: RelyingParty<Store>
    let now: @Sendable () -> UnixTime

    var router: Router<AttestContext> {
        let router = Router(context: AttestContext.self)
        // Answers every error with a status and a word, and tells a client nothing else.
        router.add(middleware: ErrorMiddleware(party.configuration.answerPolicy))

        router.post("challenge") { request, context in
            let body = try await request.message("purpose", "keyID", upTo: 1_024)
            let challenge = try party.issueChallenge(
                purpose: body["purpose"] == "attestation" ? .attestation : .assertion,
                keyID: body.bytes("keyID"), clientAddress: context.attest.clientAddress, at: now())
            return ChallengeResponse(challenge: base64EncodedString(challenge.value))
        }

        router.post("attest") { request, context in
            let body = try await request.message("keyID", "challenge", "attestation", upTo: 98_304)
            let registration = try await party.register(
                attestation: body.bytes("attestation"), keyID: body.bytes("keyID"),
                challenge: body.bytes("challenge"), clientAddress: context.attest.clientAddress, at: now())
            return SessionResponse(party.session(from: registration))
        }

        router.post("session") { request, context in
            let body = try await request.message("keyID", "challenge", "assertion", upTo: 8_192)
            let authentication = try await party.authenticate(
                assertion: body.bytes("assertion"), keyID: body.bytes("keyID"),
                challenge: body.bytes("challenge"), clientAddress: context.attest.clientAddress, at: now())
            return SessionResponse(party.session(from: authentication))
        }

        // Only a genuine copy of the app on a genuine device gets here.
        let inSession = router.group().add(middleware: SessionMiddleware(party, now: now))
        inSession.get("hello") { _, _ in "Hello, genuine app!" }
        return router
    }
}

struct ChallengeResponse: ResponseCodable {
    let challenge: String
}

struct SessionResponse: ResponseCodable {
    let token: String
    let expiresAt: Int64
}

extension SessionResponse {
    init(_ session: IssuedSession) {
        self.init(token: session.text, expiresAt: session.expiresAt.secondsSince1970)
    }
}
