import AttestMiddleware
import Hummingbird
import PureAttest
import PureAttestServer
import PureBytes
import PureDER

/// Sessions of Android devices give access to the same routes as sessions of Apple devices.
extension AttestRoutes {
    func addAndroid(to router: Router<AttestContext>) {
        let android = router.group("android")
        android.post("attest") { request, context in
            let body = try await request.message("handle", "challenge", "chain", upTo: Self.maximumBody)
            let registration = try await party.register(
                keyAttestation: certificates(body.bytes("chain")),
                handle: body.bytes("handle", count: 32), challenge: body.bytes("challenge"),
                clientAddress: context.attest.clientAddress, at: now())
            let keyID = registration.record.key.keyID
            return EditedResponse(
                headers: party.nextChallenge(for: keyID, at: now()),
                response: AttestResponse(
                    keyID: base64EncodedString(keyID), isNew: registration.isNew,
                    SessionResponse(party.session(from: registration))))
        }
        android.post("session") { request, context in
            let body = try await request.message("keyID", "challenge", "signature", upTo: 8_192)
            let authentication = try await party.authenticate(
                signature: body.bytes("signature"), keyID: body.bytes("keyID", count: 32),
                challenge: body.bytes("challenge"), clientAddress: context.attest.clientAddress, at: now())
            return EditedResponse(
                headers: party.nextChallenge(for: authentication.record.key.keyID, at: now()),
                response: SessionResponse(party.session(from: authentication)))
        }
    }

    /// Splits concatenated DER certificates, at most 5. The verifier checks that the chain is complete.
    private func certificates(_ bytes: [UInt8]) throws(RequestFault) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        var reader = DERReader(bytes[...])
        do {
            while !reader.isAtEnd {
                guard certificates.count < 5 else { throw RequestFault.malformed("chain") }
                certificates.append([UInt8](try reader.readElement(.sequence).encoded))
            }
        } catch { throw .malformed("chain") }
        return certificates
    }
}
