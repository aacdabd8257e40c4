// The example of the article "Testing your server". Tests/Checks/Snippets checks that this file contains the article's
// code.
import PureAttest
import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

/// The part of a server that is tested. In production, its verifier is `AppAttestVerifier(apps:environment:launchPolicy:)`.
struct Server {
    let verifier: AppAttestVerifier
    /// Key records by key ID.
    var records: [String: [UInt8]] = [:]

    mutating func register(keyID: String, attestation: [UInt8], challenge: [UInt8], now: UnixTime) throws {
        let verified = try verifier.verifyAttestation(
            attestation, keyID: [UInt8](base64Encoded: keyID), challenge: challenge, at: now)
        records[keyID] = verified.key.serialized
    }

    mutating func accept(
        request: [UInt8], assertion: [UInt8], keyID: String, challenge: [UInt8], now: UnixTime
    ) throws {
        guard let record = records[keyID] else { throw UnknownKey() }
        let verified = try verifier.verifyAssertion(
            assertion, challenge: challenge, signed: .clientData(request), key: AttestedKey(serialized: record),
            at: now)
        records[keyID] = verified.key.serialized
    }

    struct UnknownKey: Error {}
}

@Suite struct ServerTests {
    let authority = TestCertificateAuthority(seed: 1)
    let app = AppID(teamID: "A1B2C3D4E5", bundleID: "com.example.app")
    let now = UnixTime(secondsSince1970: 1_789_473_600)
    let challenge = Array("0123456789abcdef".utf8)

    /// The production server, except that it trusts test devices. Its policies accept only the properties of `device`.
    var server: Server {
        Server(
            verifier: AppAttestVerifier(acceptedApps: [device.acceptedApp], environment: .production)
                .trustingTestDevices(of: authority))
    }

    /// An iPhone with iOS 27 that runs one build of version 1.0 of the app from the App Store.
    var device: VirtualDevice {
        VirtualDevice(
            app: app, authority: authority, seed: 2, time: now,
            codeDirectoryHash: [UInt8](SHA256.hash(data: Array("build 1".utf8))))
    }

    @Test func aDeviceRegistersAndSigns() async throws {
        var server = server
        let device = device
        let keyID = await device.generateKey()
        let attestation = try await device.attestKey(keyID, clientDataHash: SHA256.hash(data: challenge))
        try server.register(keyID: keyID, attestation: attestation, challenge: challenge, now: now)

        let assertion = try await device.generateAssertion(keyID, clientDataHash: SHA256.hash(data: challenge))
        try server.accept(request: challenge, assertion: assertion, keyID: keyID, challenge: challenge, now: now)
        #expect(throws: PureAttestError.counterNotIncreased(previous: 1, received: 1)) {
            try server.accept(request: challenge, assertion: assertion, keyID: keyID, challenge: challenge, now: now)
        }
    }

    @Test func noFaultyAttestationRegisters() throws {
        var server = server
        let device = device
        let keyID = device.generateKey()
        for fault in AttestationFault.allCases where fault.applies(to: device.system) {
            let attestation = try device.attestKey(
                keyID, clientDataHash: SHA256.hash(data: challenge), breaking: fault)
            #expect(throws: fault.expectedError()) {
                try server.register(keyID: keyID, attestation: attestation, challenge: challenge, now: now)
            }
        }
        #expect(server.records.isEmpty)
    }

    @Test func noFaultyAssertionIsAccepted() throws {
        var server = server
        let device = device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: SHA256.hash(data: challenge))
        try server.register(keyID: keyID, attestation: attestation, challenge: challenge, now: now)
        for fault in AssertionFault.allCases where fault.applies(to: device.system) {
            let request = fault.clientData(inPlaceOf: challenge)
            let assertion = try device.generateAssertion(
                keyID, clientDataHash: SHA256.hash(data: request), breaking: fault)
            #expect(throws: fault.expectedError(previousCounter: 0)) {
                try server.accept(
                    request: request, assertion: assertion, keyID: keyID, challenge: challenge,
                    now: UnixTime(secondsSince1970: now.secondsSince1970 + fault.presentationDelay))
            }
        }
    }
}
