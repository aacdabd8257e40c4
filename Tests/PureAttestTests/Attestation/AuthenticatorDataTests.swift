import PureAttest
import PureCBOR
import Testing
import VectorSupport
@Suite struct AuthenticatorDataTests {
    /// The extension map in the Apple sample, with bundle version "1" and validation category 1.
    static let launchMap = CBOR.map([
        (CBOR.text("apple_bundle_version_01"), CBOR.text("1")),
        (CBOR.text("apple_validation_category_01"), CBOR.bytes([1, 0, 0, 0])),
    ])

    private func device(flags: UInt8, counter: UInt32, _ extensions: [UInt8]) -> TestDevice {
        var device = TestDevice()
        device.flags = flags
        device.counter = counter
        device.extensions = extensions
        return device
    }

    /// The authenticator data of iOS ≤ 26, then of iOS 27 with the ED flag clear and set. Only ED matters, so each of
    /// the other flags occurs both set and clear.
    static let shapes: [(flags: UInt8, extensions: [UInt8])] = [
        (0x40, []), (0x00, []), (0x7f, []), (0x40, launchMap), (0x00, launchMap), (0x7f, launchMap), (0xc0, launchMap),
        (0x80, launchMap), (0xff, launchMap),
    ]

    /// The operating system wrote the launch information if ED is set. The app may have written it if ED is clear.
    private func expect(
        _ believed: LaunchInformation, _ unverified: LaunchInformation?, flags: UInt8, _ extensions: [UInt8]
    ) {
        let isBelieved = flags & 0x80 != 0
        #expect(believed.validationCategory == (isBelieved ? .platform : nil))
        #expect(believed.bundleVersion == (isBelieved ? "1" : nil))
        #expect(unverified?.validationCategory == (isBelieved || extensions.isEmpty ? nil : .platform))
        #expect(unverified?.bundleVersion == (isBelieved || extensions.isEmpty ? nil : "1"))
    }

    @Test(arguments: shapes)
    func attestationShapes(flags: UInt8, extensions: [UInt8]) throws {
        let device = device(flags: flags, counter: 0, extensions)
        #expect(device.attestedData.count == 164 + extensions.count)
        let attestation = try device.verify()
        expect(
            attestation.launchInformation, attestation.unverifiedLaunchInformation, flags: flags, extensions)
    }

    /// In assertions, iOS ≤ 26 sets AT although there is no credential data. iOS 27 sets AT and ED, and sends a map.
    @Test(arguments: shapes)
    func assertionShapes(flags: UInt8, extensions: [UInt8]) throws {
        let assertion = try device(flags: flags, counter: 7, extensions).verifyAssertion()
        #expect(assertion.counter == 7 && assertion.key.counter == 7)
        expect(assertion.launchInformation, assertion.unverifiedLaunchInformation, flags: flags, extensions)
    }

    /// Rule A2: a system that sets ED also writes a map. So if ED is set and the map is missing, the data is truncated.
    @Test(arguments: [0x80, 0xc0, 0xff] as [UInt8])
    func extensionsThatAreMissing(flags: UInt8) {
        #expect(throws: PureAttestError.truncatedAuthenticatorData) {
            try device(flags: flags, counter: 0, []).verify()
        }
        #expect(throws: PureAttestError.truncatedAuthenticatorData) {
            try device(flags: flags, counter: 1, []).verifyAssertion()
        }
    }

    @Test func parsesEveryField() throws {
        let bytes = device(flags: 0xc0, counter: 0x0102_0304, Self.launchMap).attestedData
        let padded: [UInt8] = [0xff, 0xff] + bytes + [0xff]
        let data = try AuthenticatorData(attestation: padded[2..<(2 + bytes.count)])
        #expect(data.rpIDHash.elementsEqual(TestDevice().appID.rpIDHash))
        #expect(data.flags == 0xc0 && data.counter == 0x0102_0304)
        #expect(data.encoded.elementsEqual(bytes))
        let credential = try #require(data.credential)
        #expect(credential.aaguid == 0x6170_7061_7474_6573_7400_0000_0000_0000)
        #expect(credential.id.elementsEqual(TestDevice.key.keyID))
        #expect(TestDevice.key.x963.elementsEqual([4] + credential.x + credential.y))
        #expect(data.launchInformation.validationCategory == .platform && data.launchInformation.bundleVersion == "1")
        let assertion = device(flags: 0x40, counter: 1, []).head
        #expect(try AuthenticatorData(assertion: assertion[...]).credential == nil)
    }

    @Test func everyTruncationThrows() throws {
        let bytes = device(flags: 0xc0, counter: 0, Self.launchMap).attestedData
        for count in bytes.indices {
            #expect(throws: PureAttestError.self) { try AuthenticatorData(attestation: bytes.prefix(count)) }
        }
        #expect(throws: PureAttestError.truncatedAuthenticatorData) {
            try AuthenticatorData(assertion: bytes.prefix(36))
        }
        #expect(throws: PureAttestError.truncatedAuthenticatorData) { try AuthenticatorData(assertion: []) }
    }

    @Test(
        arguments: [
            ([0x00], .malformedExtensions), ([0x80], .malformedExtensions), ([0xf6], .malformedExtensions),
            ([0xff], .malformedCBOR(.unexpectedBreak)), ([0xa0, 0x00], .malformedCBOR(.trailingBytes)),
            ([0xa0, 0xa0], .malformedCBOR(.trailingBytes)), ([0xa1, 0x00], .malformedCBOR(.unexpectedEnd)),
            ([0xbf, 0xff], .malformedCBOR(.indefiniteLength)), ([0xb8, 0x00], .malformedCBOR(.nonMinimalHead)),
        ] as [([UInt8], PureAttestError)])
    func rejectsMalformedExtensions(_ bytes: [UInt8], _ error: PureAttestError) {
        let attestation = device(flags: 0xc0, counter: 0, bytes)
        #expect(throws: error) { try attestation.verify() }
        let assertion = device(flags: 0xc0, counter: 1, bytes)
        #expect(throws: error) { try assertion.verifyAssertion() }
    }

    /// The caller, not the flags, determines whether the data is parsed as an attestation or an assertion.
    @Test func rolesAreNotExchanged() {
        var device = TestDevice()
        device.authenticatorData = device.head
        #expect(throws: PureAttestError.truncatedAuthenticatorData) { try device.verify() }
        device.authenticatorData = nil
        device.counter = 1
        device.authenticatorData = device.attestedData
        #expect(throws: PureAttestError.self) { try device.verifyAssertion() }
    }

    /// The COSE key must contain exactly the expected entries and values. Apple, attestation step 9.
    @Test func credentialKey() throws {
        let key = TestDevice.key
        func map(
            _ kty: [UInt8] = CBOR.unsigned(2), _ alg: [UInt8] = CBOR.negative(-7), _ crv: [UInt8] = CBOR.unsigned(1),
            x: [UInt8] = CBOR.bytes(key.x963[1...32]), y: [UInt8] = CBOR.bytes(key.x963[33...]),
            more: [([UInt8], [UInt8])] = []
        ) -> [UInt8] {
            CBOR.map(
                [
                    (CBOR.negative(-3), y), (CBOR.negative(-2), x), (CBOR.negative(-1), crv),
                    (CBOR.unsigned(3), alg), (CBOR.unsigned(1), kty),
                ] + more)
        }
        var device = TestDevice()
        device.credentialKey = map()  // in another order
        #expect(throws: Never.self) { try device.verify() }
        for malformed in [
            map(CBOR.unsigned(3)), map(CBOR.text("2")), map(CBOR.unsigned(2), CBOR.negative(-35)),
            map(CBOR.unsigned(2), CBOR.negative(-7), CBOR.unsigned(2)), map(x: CBOR.bytes(key.x963[1...31])),
            map(y: CBOR.bytes(key.x963[32...])), map(y: [0xf5]), map(more: [(CBOR.unsigned(2), CBOR.bytes([1]))]),
            CBOR.map([(CBOR.unsigned(1), CBOR.unsigned(2))]), CBOR.unsigned(2),
        ] {
            device.credentialKey = malformed
            #expect(throws: PureAttestError.malformedCredentialKey) { try device.verify() }
        }
        device.credentialKey = map() + map()
        #expect(throws: PureAttestError.malformedExtensions) { try device.verify() }
        device.credentialKey = map(more: [(CBOR.unsigned(1), CBOR.unsigned(2))])
        #expect(throws: PureAttestError.malformedCBOR(.duplicateMapKey)) { try device.verify() }
        device.credentialKey = []
        #expect(throws: PureAttestError.malformedCBOR(.unexpectedEnd)) { try device.verify() }
        device.credentialKey = TestDevice.coseKey(TestKey(99).x963)
        #expect(throws: PureAttestError.credentialKeyMismatch) { try device.verify() }
    }

    /// The COSE key must equal the certified key in both coordinates. Tests the first and the last octet of x and of y
    /// in the encoding `04 x y`. Apple, attestation step 9.
    @Test(arguments: [1, 32, 33, 64])
    func coordinates(_ index: Int) throws {
        var x963 = TestDevice.key.x963
        x963[index] ^= 1
        var device = TestDevice()
        device.credentialKey = TestDevice.coseKey(x963)
        #expect(throws: PureAttestError.credentialKeyMismatch) { try device.verify() }
    }
}
