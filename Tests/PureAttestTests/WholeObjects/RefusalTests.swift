import PureDER
import PureX509
import Testing
import VectorSupport

@testable import PureAttest

/// Each test makes one circumstance wrong. Every genuine object must then be rejected for exactly this reason.
@Suite struct RefusalTests {
    private func flipped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var bytes = [UInt8](bytes)
        bytes[bytes.count / 2] ^= 1
        return bytes
    }

    /// Apple, attestation steps 2 and 3.
    @Test(arguments: objects)
    func wrongChallenge(_ object: ObjectFile) throws {
        let verifier = object.verifier()
        #expect(throws: PureAttestError.nonceMismatch) {
            try verifier.verifyAttestation(
                object.attestation, keyID: object.keyID, challenge: [UInt8]("another".utf8), at: object.time)
        }
        #expect(throws: PureAttestError.nonceMismatch) {
            try verifier.verifyAttestation(
                object.attestation, keyID: object.keyID, clientDataHash: flipped(object.clientDataHash), at: object.time
            )
        }
        // The verifier hashes the client data hash, but the device used it without hashing.
        #expect(throws: PureAttestError.nonceMismatch) {
            try verifier.verifyAttestation(
                object.attestation, keyID: object.keyID, challenge: object.clientDataHash, at: object.time)
        }
        #expect(throws: PureAttestError.emptyChallenge) {
            try verifier.verifyAttestation(object.attestation, keyID: object.keyID, challenge: [], at: object.time)
        }
        #expect(throws: PureAttestError.emptyClientDataHash) {
            try verifier.verifyAttestation(object.attestation, keyID: object.keyID, clientDataHash: [], at: object.time)
        }
    }

    /// Apple, attestation step 5.
    @Test(arguments: objects)
    func wrongKeyID(_ object: ObjectFile) {
        for keyID in [flipped(object.keyID), [], object.keyID.dropLast() + [], object.keyID + [0]] {
            #expect(throws: PureAttestError.keyIDMismatch) {
                try object.verifier().verifyAttestation(
                    object.attestation, keyID: keyID, clientDataHash: object.clientDataHash, at: object.time)
            }
        }
    }

    /// Apple, attestation step 6.
    @Test(arguments: objects)
    func wrongApp(_ object: ObjectFile) {
        let others = [object.appID + "x", String(object.appID.dropLast()), object.appID.uppercased() + ".", ""]
        for other in others {
            #expect(throws: PureAttestError.appIDMismatch) {
                try object.verify(object.verifier(apps: [AppID(bytes: other.utf8)]))
            }
        }
    }

    /// Apple, attestation step 8.
    @Test(arguments: objects)
    func wrongEnvironment(_ object: ObjectFile) {
        #expect(throws: PureAttestError.environmentMismatch(object.environmentValue)) {
            try object.verify(object.verifier(environment: object.otherEnvironment))
        }
    }

    /// The validity period includes its first and last seconds, and no time causes a trap. Apple, attestation step 1.
    @Test(arguments: objects)
    func wrongTime(_ object: ObjectFile) throws {
        let (first, last) = (object.expect.leafNotBefore, object.expect.leafNotAfter)
        func verify(_ seconds: Int64, clockSkew: UInt32 = 0) throws {
            _ = try object.verify(
                object.verifier(clockSkew: clockSkew), at: UnixTime(secondsSince1970: seconds))
        }
        try verify(first)
        try verify(last)
        func rejects(before time: Int64, clockSkew: UInt32 = 0) {
            let (notBefore, time) = (UnixTime(secondsSince1970: first), UnixTime(secondsSince1970: time))
            #expect(throws: PureAttestError.certificate(.notYetValid(certificate: 0, notBefore: notBefore, at: time))) {
                try verify(time.secondsSince1970, clockSkew: clockSkew)
            }
        }
        func rejects(after time: Int64, clockSkew: UInt32 = 0) {
            let (notAfter, time) = (UnixTime(secondsSince1970: last), UnixTime(secondsSince1970: time))
            #expect(throws: PureAttestError.certificate(.expired(certificate: 0, notAfter: notAfter, at: time))) {
                try verify(time.secondsSince1970, clockSkew: clockSkew)
            }
        }
        for time in [first - 1, Int64.min, -1, 0] { rejects(before: time) }
        for time in [last + 1, Int64.max] { rejects(after: time) }
        try verify(first - 60, clockSkew: 60)
        try verify(last + 60, clockSkew: 60)
        rejects(before: first - 61, clockSkew: 60)
        rejects(before: .min, clockSkew: .max)
        rejects(after: last + 61, clockSkew: 60)
        rejects(after: .max, clockSkew: .max)
    }

    /// The verifier trusts a different root, such as Apple's receipt root. Apple, attestation step 1.
    @Test(arguments: objects)
    func foreignRoot(_ object: ObjectFile) throws {
        for anchors in [try TestAuthority.anchors, [AppleRootCAG3.trustAnchor], []] {
            #expect(throws: PureAttestError.certificate(.issuerNotFound(certificate: 1))) {
                try object.verify(object.verifier().trusting(testAnchors: anchors))
            }
        }
        let apple = AppleRoots.attestation
        let impostor = try TrustAnchor(
            name: apple.name, subjectPublicKeyInfo: TestKey(7).subjectPublicKeyInfo[...])
        let verifier = object.verifier().trusting(testAnchors: [impostor])
        #expect(throws: PureAttestError.certificate(.invalidSignature(certificate: 1))) { try object.verify(verifier) }
    }

    /// Apple, assertion steps 1 and 3, assertion steps 4 and 5, assertion step 6.
    @Test(arguments: objects.filter { !$0.assertions.isEmpty })
    func assertions(_ object: ObjectFile) throws {
        let verifier = object.verifier()
        for assertion in object.assertions {
            let key = try object.key(before: assertion)
            func verify(
                _ verifier: AppAttestVerifier = verifier, clientData: [UInt8]? = nil,
                challenge: [UInt8]? = nil, key: AttestedKey = key
            ) throws {
                let clientData = clientData ?? [UInt8](assertion.clientData)
                if let challenge {
                    _ = try verifier.verifyAssertion(
                        assertion.assertion, challenge: challenge, signed: .clientData(clientData), key: key)
                } else {
                    _ = try verifier.assertionVerifier.verifyAssertion(
                        assertion.assertion, clientDataCheckedByCaller: clientData, key: key)
                }
            }
            try verify()
            #expect(throws: PureAttestError.invalidSignature) { try verify(clientData: flipped(assertion.clientData)) }
            #expect(throws: PureAttestError.invalidSignature) { try verify(clientData: []) }
            #expect(throws: PureAttestError.challengeMismatch) { try verify(challenge: [1]) }
            let replay = try object.storedKey(counter: assertion.counter)
            #expect(
                throws: PureAttestError.counterNotIncreased(
                    previous: assertion.counter, received: assertion.counter)
            ) { try verify(key: replay) }
            #expect(throws: PureAttestError.keyOfOtherEnvironment(object.environmentValue)) {
                try verify(object.verifier(environment: object.otherEnvironment))
            }
            #expect(throws: PureAttestError.keyOfUnknownApp) {
                try verify(object.verifier(apps: [AppID(teamID: "A", bundleID: "b")]))
            }
            let otherApp = AppID(teamID: "A", bundleID: "b")
            let keyOfOtherApp = try object.storedKey(of: otherApp)
            #expect(throws: PureAttestError.appIDMismatch) {
                try verify(object.verifier(apps: [object.app, otherApp]), key: keyOfOtherApp)
            }
            let otherKey = try object.storedKey(TestDevice.key.x963)
            #expect(throws: PureAttestError.invalidSignature) { try verify(key: otherKey) }
        }
    }
}
