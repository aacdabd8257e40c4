import Foundation
import PureAttest
import PureBytes
import PureSHA2
import Testing
import VectorSupport

/// Tests that an App Attest key can vouch for a second key and for requests.
@Suite struct BindingTests {
    /// Parses `{"purpose":…,"publicKey":…,"challenge":…}` in base64url, the format of the Warden client.
    private static func claims(_ signed: ArraySlice<UInt8>) -> BoundKeyClaims? {
        func bytes(_ value: Any?) -> [UInt8]? {
            (value as? String).flatMap { try? Base64.decode($0.utf8, as: .urlSafeUnpadded) }
        }
        guard let json = try? JSONSerialization.jsonObject(with: Data(signed)) as? [String: Any],
            let challenge = bytes(json["challenge"]), let publicKey = bytes(json["publicKey"])
        else { return nil }
        return BoundKeyClaims(challenge: challenge, publicKey: publicKey)
    }

    @Test(
        .enabled(
            if: objects.contains { $0.name == "warden-supreme-keyattestation" },
            "PUREATTEST_EXTRA_VECTORS is not set: the genuine bound key was not verified"))
    func genuineBoundKey() throws {
        let object = try #require(objects.first { $0.name == "warden-supreme-keyattestation" })
        let clientData = [UInt8](try #require(object.challenge))
        let challenge = try #require(Data(base64Encoded: "1L2e/CoaseI1EUOk5nu5Hw==")).map { $0 }
        func verify(
            clientData: [UInt8] = clientData, challenge: [UInt8] = challenge,
            claims: (ArraySlice<UInt8>) -> BoundKeyClaims? = Self.claims
        ) throws -> VerifiedBoundKey {
            try object.verifier().verifyBoundKey(
                object.attestation, keyID: object.keyID, clientData: clientData, challenge: challenge, at: object.time,
                claims: claims)
        }
        let bound = try verify()
        #expect(bound.publicKey.count == 65 && bound.publicKey[0] == 4)
        #expect(bound.publicKey != bound.attestation.key.publicKeyX963)
        #expect(try bound.attestation.key == object.verify().key)
        let other = Data(clientData).base64EncodedString()
        #expect(throws: PureAttestError.nonceMismatch) { try verify(clientData: [UInt8](other.utf8)) }
        for index in clientData.indices {
            var changed = clientData
            changed[index] ^= 1
            if index % 16 > 0 { continue }
            #expect(throws: PureAttestError.nonceMismatch) { try verify(clientData: changed) }
        }
        #expect(throws: PureAttestError.challengeMismatch) { try verify(challenge: [1]) }
        #expect(throws: PureAttestError.emptyChallenge) { try verify(challenge: []) }
        #expect(throws: PureAttestError.challengeNotFound) { try verify { _ in nil } }
        #expect(throws: PureAttestError.boundKeyMissing) {
            try verify { _ in BoundKeyClaims(challenge: challenge, publicKey: []) }
        }
    }

    @Test func closureSeesOnlyBoundBytes() throws {
        let device = TestDevice()
        let verifier = try device.verifier()
        func verify(_ clientData: [UInt8], _ claims: (ArraySlice<UInt8>) -> BoundKeyClaims?) throws -> VerifiedBoundKey
        {
            try verifier.verifyBoundKey(
                device.attestation, keyID: TestDevice.key.keyID, clientData: clientData, challenge: [7],
                at: TestAuthority.time, claims: claims)
        }
        let bound = try verify(device.challenge) { signed in
            #expect(signed.elementsEqual(device.challenge))
            return BoundKeyClaims(challenge: [7], publicKey: Array(signed.prefix(4)))
        }
        #expect(bound.publicKey == Array(device.challenge.prefix(4)))
        #expect(throws: PureAttestError.nonceMismatch) {
            try verify(device.challenge + [0]) { _ in
                Issue.record("called with unbound bytes")
                return nil
            }
        }
    }

    @Test func requestLayout() {
        let request = SignedContent.request(method: "POST", path: "/a", query: "b", body: [UInt8]("body".utf8))
        let bytes = SignedContent.request(method: "POST".utf8, target: "/a?b".utf8, body: "body".utf8)
        var expected = [UInt8]("PureAttest request 1\0".utf8)
        expected += [0, 0, 0, 4] + "POST".utf8 + [0, 0, 0, 4] + "/a?b".utf8
        expected += [0, 0, 0, 32] + SHA256.hash(data: [UInt8]("body".utf8))
        expected += [0, 0, 0, 2, 1, 2] + [0, 0, 0, 1, 9]
        #expect(request.clientData(challenge: [1, 2], keyID: [9]) == expected)
        #expect(bytes.clientData(challenge: [1, 2], keyID: [9]) == expected)
    }

    @Test func requests() throws {
        var device = TestDevice()
        device.counter = 1
        let request = SignedContent.request(method: "POST", path: "/pay", body: [1, 2, 3])
        device.challenge = request.clientData(challenge: [4, 5, 6], keyID: TestDevice.key.keyID)
        let verifier = try device.verifier()
        let assertion = device.assertion
        let key = try device.storedKey()
        func verify(
            _ assertion: [UInt8] = assertion, _ signed: SignedContent = request, challenge: [UInt8] = [4, 5, 6]
        ) throws -> UInt32 {
            try verifier.verifyAssertion(assertion, challenge: challenge, signed: signed, key: key).counter
        }
        #expect(try verify() == 1)
        for other: SignedContent in [
            .request(method: "PUT", path: "/pay", body: [1, 2, 3]),
            .request(method: "POST", path: "/Pay", body: [1, 2, 3]),
            .request(method: "POST", path: "/pay", body: [1, 2]),
            .request(method: "POST/", path: "pay", body: [1, 2, 3]),
        ] {
            #expect(throws: PureAttestError.invalidSignature) { try verify(assertion, other) }
        }
        #expect(throws: PureAttestError.invalidSignature) { try verify(challenge: [4, 5]) }
        #expect(throws: PureAttestError.emptyChallenge) { try verify(challenge: []) }
        // A request that is signed for one key of the device is rejected for the device's other key.
        device.challenge = request.clientData(challenge: [4, 5, 6], keyID: TestKey(3).keyID)
        #expect(throws: PureAttestError.invalidSignature) { try verify(device.assertion) }
    }
}
