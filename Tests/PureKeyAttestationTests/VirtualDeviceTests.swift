import PureKeyAttestationTesting
import Testing

@testable import PureKeyAttestation

/// Chains from the testing module verify only under the authority that created them.
@Suite struct VirtualDeviceTests {
    private static let time = UnixTime(secondsSince1970: 1_790_000_000)
    private static let app = AndroidApp(
        packageName: "com.example.virtual",
        signingDigests: [[UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32)])
    private static let challenge = Array("challenge".utf8)

    private func verifies(
        _ kind: VirtualAndroidDevice.KeyKind, _ provisioning: Provisioning, _ level: SecurityLevel
    ) throws {
        let authority = TestAndroidAuthority(seed: 3)
        let device = VirtualAndroidDevice(
            app: Self.app, authority: authority, provisioning: provisioning, securityLevel: level, seed: 4,
            time: Self.time)
        let verifier = KeyAttestationVerifier.trustingTestDevices(of: authority, apps: [Self.app])
        let key = device.generateKey(kind, attestationChallenge: Self.challenge)
        let verified = try verifier.verify(
            chain: key.certificateChain, challenge: Self.challenge, at: Self.time, revocation: .notChecked)
        #expect(verified.key.publicKey.derRepresentation == key.publicKey)
        #expect(verified.key.securityLevel == level && verified.key.provisioning == provisioning)
        #expect((verified.provisioningInformation?.certificatesIssued == 2) == (provisioning == .remote))
        let message = Self.challenge[...]
        #expect(
            throws: Never.self,
            performing: {
                try verifier.verifySignature(key.sign(Self.challenge), challenge: message, key: verified.key)
            })
        for other in [
            KeyAttestationVerifier(apps: [Self.app]),
            .trustingTestDevices(of: TestAndroidAuthority(seed: 5), apps: [Self.app]),
        ] where provisioning == .remote {
            #expect(throws: KeyAttestationError.untrustedRoot) {
                try other.verify(
                    chain: key.certificateChain, challenge: Self.challenge, at: Self.time, revocation: .notChecked)
            }
        }
    }

    @Test(arguments: [VirtualAndroidDevice.KeyKind.p256, .p384], [SecurityLevel.trustedEnvironment, .strongBox])
    func remoteKeysVerify(_ kind: VirtualAndroidDevice.KeyKind, _ level: SecurityLevel) throws {
        try verifies(kind, .remote, level)
    }

    // In a debug build, creating an RSA signature takes seconds.
    #if !DEBUG || ALL_CASES
        @Test(arguments: VirtualAndroidDevice.KeyKind.allCases, [SecurityLevel.trustedEnvironment, .strongBox])
        func factoryKeysVerify(_ kind: VirtualAndroidDevice.KeyKind, _ level: SecurityLevel) throws {
            try verifies(kind, .factory, level)
            try verifies(.rsa2048, .remote, level)
        }
    #endif

    @Test func keysFollowFromSeeds() {
        func device(_ seed: UInt64) -> VirtualAndroidDevice {
            VirtualAndroidDevice(app: Self.app, authority: TestAndroidAuthority(seed: 3), seed: seed, time: Self.time)
        }
        let (first, same, other) = (device(1), device(1), device(2))
        let keys = [first, first, other].map { $0.generateKey(attestationChallenge: Self.challenge).publicKey }
        #expect(Set(keys).count == 3)
        #expect(same.generateKey(attestationChallenge: Self.challenge).publicKey == keys[0])
    }

    /// The virtual system has the newest patch level for any time.
    @Test func systemsArePatched() {
        for (seconds, level) in [(946_684_800, 200_001), (1_790_000_000, 202_609), (4_102_444_799, 209_912)] {
            let time = UnixTime(secondsSince1970: Int64(seconds))
            #expect(AndroidSystem.android16(patchedAt: time).patchLevel == level)
        }
    }
}
