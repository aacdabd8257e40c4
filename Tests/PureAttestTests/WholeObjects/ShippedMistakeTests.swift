import CertificateDrafts
import PureBytes
import PureECDSA
import PureSHA2
import PureX509
import Testing
import VectorSupport

@testable import PureAttest

/// Tests for mistakes in other published App Attest verifiers. The tests of PureX509 cover the chain rules (dates, CA
/// flag, keyUsage, extended key usage). These tests show that a rejected chain leads to a rejected object.
@Suite struct ShippedMistakeTests {
    private func rejects(_ error: PureAttestError, _ change: (inout TestDevice) -> Void) {
        var device = TestDevice()
        change(&device)
        #expect(throws: error) { try device.verify() }
    }

    private func chain(_ certificates: [[UInt8]]) throws -> PureAttestError? {
        let device = TestDevice()
        let object = TestDevice.object(
            certificates: certificates, receipt: device.receipt, authenticatorData: device.attestedData)
        do {
            _ = try device.verifier().verifyAttestation(
                object, keyID: TestDevice.key.keyID, challenge: device.challenge, at: TestAuthority.time)
            return nil
        } catch { return error as? PureAttestError }
    }

    private var nonce: [UInt8] {
        let device = TestDevice()
        return [UInt8](SHA256.hash(data: device.attestedData + SHA256.hash(data: device.challenge)))
    }

    private func leaf(
        issuer: TestAuthority = .intermediate, key: TestKey? = nil, _ more: [[UInt8]] = []
    ) -> [UInt8] {
        TestAuthority.certificate(
            subject: "leaf", TestDevice.key, issuer: issuer.name, key ?? issuer.key,
            extensions: [Self.digitalSignature] + TestDevice().nonceExtensions(nonce) + more)
    }

    private static let digitalSignature = DER.certificateExtension(
        [0x55, 0x1d, 0x0f], critical: true, [0x03, 0x02, 0x07, 0x80])

    @Test func validByItself() throws {
        #expect(try chain([leaf(), TestAuthority.intermediate.certificate]) == nil)
        #expect(throws: Never.self) { try TestDevice().verify() }
    }

    /// Apple, attestation step 1.
    @Test func chainResultThrownAway() throws {
        let forged = leaf(key: TestKey(5))
        #expect(
            try chain([forged, TestAuthority.intermediate.certificate])
                == .certificate(.invalidSignature(certificate: 0)))
        let impostor = TestAuthority("Test CA 1", TestKey(6), issuer: TestAuthority("Test Root", TestKey(7)))
        #expect(
            try chain([leaf(issuer: impostor), impostor.certificate])
                == .certificate(.invalidSignature(certificate: 1)))
    }

    @Test func noValidityDates() throws {
        let device = TestDevice()
        let verifier = try device.verifier()
        let first = UnixTime(secondsSince1970: TestAuthority.notBefore)
        let last = UnixTime(secondsSince1970: TestAuthority.notAfter)
        for (time, error) in [
            (first.adding(-1), X509Error.notYetValid(certificate: 0, notBefore: first, at: first.adding(-1))),
            (last.adding(1), .expired(certificate: 0, notAfter: last, at: last.adding(1))),
        ] {
            #expect(throws: PureAttestError.certificate(error)) {
                try verifier.verifyAttestation(
                    device.attestation, keyID: TestDevice.key.keyID, challenge: device.challenge,
                    at: time)
            }
        }
    }

    /// An intermediate without the CA flag or keyCertSign is rejected.
    @Test func noCAFlagOrKeyUsageCheck() throws {
        func intermediate(_ extensions: [[UInt8]]) -> [UInt8] {
            TestAuthority.certificate(
                subject: "Test CA 1", TestAuthority.intermediate.key, issuer: "Test Root", TestAuthority.root.key,
                extensions: extensions)
        }
        let basicConstraints = DER.certificateExtension(
            [0x55, 0x1d, 0x13], critical: true, DER.sequence([0x01, 0x01, 0xff]))
        let certSign = DER.certificateExtension([0x55, 0x1d, 0x0f], critical: true, [0x03, 0x02, 0x01, 0x06])
        #expect(try chain([leaf(), intermediate([basicConstraints, certSign])]) == nil)
        for (extensions, error) in [
            ([certSign], X509Error.notCertificationAuthority(certificate: 1)),
            ([basicConstraints, Self.digitalSignature], .keyCertSignMissing(certificate: 1)),
            ([basicConstraints], .keyCertSignMissing(certificate: 1)),
        ] {
            #expect(try chain([leaf(), intermediate(extensions)]) == .certificate(error))
        }
    }

    /// A verifier that compares only nine of the sixteen bytes confuses "appattestdevelop" with "appattest". Apple,
    /// attestation step 8.
    @Test func developmentPassesAsProduction() {
        rejects(.environmentMismatch(.development)) { $0.aaguid = TestDevice.development }
        for index in 0..<16 {
            rejects(.unknownEnvironment) { $0.aaguid[index] ^= 0x20 }
        }
        rejects(.unknownEnvironment) { $0.aaguid = [UInt8]("appattest".utf8) + [UInt8](repeating: 0x20, count: 7) }
        var device = TestDevice()
        device.aaguid = TestDevice.development
        #expect(throws: Never.self) { try device.verify(device.verifier(environment: .development)) }
    }

    /// A copy of the challenge outside the signed bytes proves nothing.
    @Test func challengeComparedWithAnotherString() throws {
        var device = TestDevice()
        device.counter = 1
        device.challenge = [UInt8](#"{"challenge":"old"}"#.utf8)
        let verifier = try device.verifier()
        let key = try device.storedKey()
        #expect(throws: PureAttestError.challengeMismatch) {
            try verifier.verifyAssertion(
                device.assertion, challenge: "new".utf8,
                signed: .clientData(device.challenge) { [clientData = device.challenge] signed in
                    #expect(signed.elementsEqual(clientData))
                    return [UInt8](signed.dropFirst(14).prefix(3))
                }, key: key)
        }
    }

    /// The counter check cannot be skipped, because every stored key has a counter.
    @Test func missingStoredCounterDisablesTheCheck() throws {
        var device = TestDevice()
        device.counter = 0
        let key = try device.verify().key
        #expect(throws: PureAttestError.counterNotIncreased(previous: 0, received: 0)) {
            try device.verifyAssertion(key: key)
        }
    }

    /// Read as Int32, 0x80000001 is less than 0x7fffffff. Read with swapped bytes, 0x00000100 is less than 0x000000ff.
    /// Apple, attestation step 7, assertion step 5.
    @Test func signedOrByteSwappedCounter() throws {
        var device = TestDevice()
        for (previous, next) in [(0x7fff_ffff, 0x8000_0001), (0xff, 0x100), (0x0100_0000, 0x0100_0001)]
            as [(UInt32, UInt32)]
        {
            device.counter = next
            #expect(try device.verifyAssertion(key: device.storedKey(counter: previous)).counter == next)
            device.counter = previous
            #expect(throws: PureAttestError.counterNotIncreased(previous: next, received: previous)) {
                try device.verifyAssertion(key: device.storedKey(counter: next))
            }
        }
        for counter in [1, 0x0100_0000, .max] as [UInt32] { rejects(.counterNotZero(counter)) { $0.counter = counter } }
    }

    /// Verifying an assertion returns the key with the new counter.
    @Test func newCounterDiscarded() throws {
        var device = TestDevice()
        device.counter = 3
        let advanced = try device.verifyAssertion().key
        #expect(throws: PureAttestError.counterNotIncreased(previous: 3, received: 3)) {
            try device.verifyAssertion(key: advanced)
        }
    }

    @Test func trapsOnShortInput() throws {
        for count in 0..<37 {
            rejects(.truncatedAuthenticatorData) { $0.authenticatorData = [UInt8](repeating: 0, count: count) }
        }
        #expect(try chain([]) == .wrongCertificateCount(0))
        #expect(try chain([leaf()]) == .wrongCertificateCount(1))
        #expect(
            try chain([leaf(), TestAuthority.intermediate.certificate, TestAuthority.root.certificate])
                == .wrongCertificateCount(3))
        #expect(try chain([[], []]) == .certificate(.malformed(.certificate, .unexpectedEnd)))
        // First, the credential ID extends beyond the end of the data. Then, its length field is truncated.
        let device = TestDevice()
        rejects(.truncatedAuthenticatorData) {
            $0.authenticatorData = device.head + device.aaguid + [0xff, 0xff] + [1]
        }
        rejects(.truncatedAuthenticatorData) { $0.authenticatorData = device.head + device.aaguid + [0x00] }
        rejects(.credentialIDMismatch) { $0.credentialID = [] }
        rejects(.credentialIDMismatch) { $0.credentialID = TestDevice.key.keyID + [0] }
        rejects(.credentialIDMismatch) { $0.credentialID = TestKey(8).keyID }
    }

    /// The verifier finds the nonce by parsing the ASN.1 structure, not at a fixed offset. Apple, attestation step 4.
    @Test func nonceBySuffixOrFixedSlice() {
        let identifier = TestDevice.nonceIdentifier
        func value(_ make: @escaping @Sendable ([UInt8]) -> [UInt8]) -> (inout TestDevice) -> Void {
            { $0.nonceExtensions = { [DER.certificateExtension(identifier, make($0))] } }
        }
        rejects(.nonceExtensionMissing) { $0.nonceExtensions = { _ in [] } }
        rejects(.nonceExtensionMissing) {
            $0.nonceExtensions = {
                [
                    DER.certificateExtension(
                        identifier.dropLast() + [0x03], DER.sequence(DER.context(1, DER.octets($0))))
                ]
            }
        }
        rejects(
            .certificate(.duplicateExtension(.nonce))
        ) {
            $0.nonceExtensions = {
                let nonce = DER.certificateExtension(identifier, DER.sequence(DER.context(1, DER.octets($0))))
                return [nonce, nonce]
            }
        }
        // Six octets precede the nonce, as a verifier with a fixed offset expects, but their values are wrong.
        rejects(
            .malformedNonceExtension(
                .unexpectedTag(expected: .context(1), found: .context(2))),
            value { DER.sequence(DER.context(2, DER.octets($0))) })
        rejects(
            .malformedNonceExtension(.unexpectedTag(expected: .octetString, found: .utf8String)),
            value { DER.sequence(DER.context(1, DER.element(0x0c, $0))) })
        rejects(
            .malformedNonceExtension(.trailingBytes), value { DER.sequence(DER.context(1, DER.octets($0))) + [5, 0] })
        rejects(
            .malformedNonceExtension(.trailingBytes), value { DER.sequence(DER.context(1, DER.octets($0)), [5, 0]) })
        rejects(
            .malformedNonceExtension(.trailingBytes), value { DER.sequence(DER.context(1, DER.octets($0) + [5, 0])) })
        rejects(.malformedNonceExtension(.unexpectedEnd), value { _ in [] })
        rejects(.nonceMismatch, value { DER.sequence(DER.context(1, DER.octets([0] + $0))) })
        rejects(.nonceMismatch, value { DER.sequence(DER.context(1, DER.octets($0.dropLast()))) })
        rejects(.nonceMismatch, value { _ in DER.sequence(DER.context(1, DER.octets([]))) })
    }

    /// Leaf certificates from 2026 contain Apple's own extended key usage, but no usage that a TLS profile requires.
    @Test func defaultExtendedKeyUsage() throws {
        let purpose = DER.sequence(
            DER.element(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x04, 0x18]))
        var device = TestDevice()
        device.moreLeafExtensions = [DER.certificateExtension([0x55, 0x1d, 0x25], purpose)]
        #expect(throws: Never.self) { try device.verify() }
    }

    @Test func trailingBytesAndDuplicateKeys() throws {
        let device = TestDevice()
        func rejects(_ object: [UInt8], _ error: PureAttestError) throws {
            #expect(throws: error) {
                try device.verifier().verifyAttestation(
                    object, keyID: TestDevice.key.keyID, challenge: device.challenge, at: TestAuthority.time)
            }
        }
        let genuine = device.attestation
        try rejects(genuine + [0], .malformedCBOR(.trailingBytes))
        // The CBOR map contains an additional member or a duplicate member.
        let member = CBOR.text("fmt") + CBOR.text("apple-appattest")
        try rejects([0xa4] + genuine.dropFirst() + member, .malformedCBOR(.duplicateMapKey))
        try rejects([0xa4] + genuine.dropFirst() + CBOR.text("x") + [0xf6], .malformedAttestationObject)
        try rejects([0xa3] + member + CBOR.text("x") + [0xf6] + CBOR.text("y") + [0xf6], .malformedAttestationObject)
        try rejects([0xa0], .malformedAttestationObject)
        try rejects([0x80], .malformedAttestationObject)
        try rejects(CBOR.map([(CBOR.text("fmt"), CBOR.text("packed"))]), .unsupportedFormat)
        self.rejects(.unsupportedFormat) { $0.format = "fido-u2f" }

        let assertion = [0xa3] + device.assertion.dropFirst() + CBOR.text("x") + [0xf6]
        #expect(throws: PureAttestError.malformedAssertionObject) {
            try device.verifier().assertionVerifier.verifyAssertion(
                assertion, clientDataCheckedByCaller: device.challenge, key: device.storedKey())
        }
    }

    /// A declared length does not make the parser allocate memory.
    @Test func attackerSizedAllocation() {
        for majorType in [0x5b, 0x7b, 0x9b, 0xbb] as [UInt8] {
            let bomb = [0xa1, 0x63, 0x66, 0x6d, 0x74, majorType] + [UInt8](repeating: 0x7f, count: 8)
            #expect(throws: PureAttestError.malformedCBOR(.unexpectedEnd)) {
                try AttestationObject(decoding: bomb[...])
            }
        }
    }

    /// The roots are part of the program, so a verifier reads no files.
    @Test func rootsAreEmbedded() throws {
        #expect(
            hexEncodedString(SHA256.hash(data: AppleRoots.appAttestationRootCA))
                == "1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932")
        #expect(
            hexEncodedString(SHA256.hash(data: AppleRootCAG3.derEncoded))
                == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        for root in [AppleRoots.appAttestationRootCA, AppleRootCAG3.derEncoded] {
            let certificate = try Certificate(derEncoded: root)
            #expect(certificate.issuer == certificate.subject)
            // Each root is self-signed, so the valid signature proves that its bytes are unchanged.
            guard case .p384(let key) = certificate.publicKey else {
                Issue.record("the root's key is not P-384")
                return
            }
            let signature = try P384.Signing.ECDSASignature(derRepresentation: certificate.signature)
            #expect(key.isValidSignature(signature, for: SHA384.hash(data: certificate.tbsCertificate)))
        }
        #expect(AppleRoots.attestation.name != AppleRootCAG3.trustAnchor.name)
    }

    /// A device signs the nonce of an assertion as data, so the signature algorithm hashes the nonce. A signature that
    /// uses the nonce as the digest is rejected. With that interpretation, genuine signatures would be invalid. Apple,
    /// assertion step 3.
    @Test func nonceTakenForTheDigest() throws {
        var device = TestDevice()
        device.counter = 1
        let data = device.head
        let nonce = [UInt8](SHA256.hash(data: data + SHA256.hash(data: device.challenge)))
        let assertion = TestDevice.assertion(
            signature: TestDevice.key.signature(ofHash: nonce), authenticatorData: data)
        #expect(throws: PureAttestError.invalidSignature) {
            try device.verifier().assertionVerifier.verifyAssertion(
                assertion, clientDataCheckedByCaller: device.challenge, key: device.storedKey())
        }
        for object in objects {
            for expected in object.assertions {
                let parts = try AssertionObject(decoding: ArraySlice(expected.assertion))
                let nonce = SHA256.hash(
                    data: parts.authenticatorData + SHA256.hash(data: [UInt8](expected.clientData)))
                let key = try P256.Signing.PublicKey(x963Representation: object.expect.publicKeyX963)
                let signature = try P256.Signing.ECDSASignature(derRepresentation: parts.signature)
                #expect(!key.isValidSignature(signature, for: nonce))
                #expect(key.isValidSignature(signature, for: SHA256.hash(data: nonce)))
            }
        }
    }
}
