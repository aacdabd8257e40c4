import PureCBOR
import Testing

@testable import PureAttest
@testable import PureAttestTesting

@Suite struct BuildTests {
    static let build = Setting.codeDirectoryHash
    static let other = [UInt8](repeating: 0xC0, count: 32)
    static let signing = DeviceSystem.allCases.filter { $0.buildForm == .signed && $0.attestsLaunchInformation }
    static let unsigned = DeviceSystem.allCases.filter { $0.buildForm == .unsigned }

    static func hash(_ bytes: [UInt8]) throws -> CodeDirectoryHash { try #require(CodeDirectoryHash(bytes)) }

    /// Rule A6. The key survives if an attacker replaces the app, so the verifier checks the build in every assertion.
    @Test(arguments: signing)
    func substitution(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let (listed, substituted) = (try Self.hash(Self.build), try Self.hash(Self.other))
        let policies: [LaunchPolicy] = [
            .only(nil, builds: .oneOf([listed])), .only([.appStore], builds: .oneOf([listed])),
            .onlyOrMissing([.appStore], versions: .oneOf(["1.0"]), builds: .oneOf([listed])),
            .only(nil, builds: .matching { $0 == listed }),
        ]
        for policy in policies {
            let verifier = setting.verifier(with: policy)
            let verified = try verifier.verify(attestation, keyID: keyID)
            #expect(
                verified.launchInformation.codeDirectoryHash == listed && verified.unverifiedCodeDirectoryHash == nil)
            device.codeDirectoryHash = Self.build
            let first = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
            device.codeDirectoryHash = Self.other
            let second = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
            func verify(_ assertion: [UInt8]) throws(PureAttestError) -> VerifiedAssertion {
                try verifier.verifyAssertion(assertion, challenge: Setting.challenge, key: verified.key)
            }
            #expect(try verify(first).launchInformation.codeDirectoryHash == listed)
            #expect(throws: PureAttestError.codeDirectoryHashNotAllowed(substituted)) { try verify(second) }
        }
    }

    /// A device that sends no build hash is rejected, unless the policy accepts missing information.
    @Test(arguments: DeviceSystem.allCases)
    func silence(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        device.codeDirectoryHash = nil
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let list = LaunchPolicy.Builds.oneOf([try Self.hash(Self.build)])
        #expect(throws: PureAttestError.codeDirectoryHashNotAllowed(nil)) {
            try setting.verifier(with: .reportOnly(builds: list)).verify(attestation, keyID: keyID)
        }
        for policy in [.onlyOrMissing(nil, builds: list), .reportOnly] as [LaunchPolicy] {
            let verified = try setting.verifier(with: policy).verify(attestation, keyID: keyID)
            #expect(verified.launchInformation.codeDirectoryHash == nil)
        }
    }

    /// Rule A5. The verifier returns the unsigned member of iOS 18.5 to 26 as unverified. No policy uses it.
    @Test(arguments: unsigned)
    func unsignedMember(_ system: DeviceSystem) throws {
        let setting = Setting(system: system, environment: .production)
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let truncated = try Self.hash(Array(Self.build.prefix(20)))
        let verified = try setting.verifier(with: .reportOnly).verify(attestation, keyID: keyID)
        #expect(
            verified.unverifiedCodeDirectoryHash == truncated && verified.launchInformation.codeDirectoryHash == nil)
        let assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(Setting.challenge))
        func verify(_ policy: LaunchPolicy) throws(PureAttestError) -> VerifiedAssertion {
            try setting.verifier(with: policy).verifyAssertion(
                assertion, challenge: Setting.challenge, key: verified.key)
        }
        #expect(try verify(.reportOnly).unverifiedCodeDirectoryHash == truncated)
        #expect(try verify(.reportOnly).launchInformation.codeDirectoryHash == nil)
        let list = LaunchPolicy.Builds.oneOf([try Self.hash(Self.build), truncated], acceptsTruncated: true)
        for policy in [.reportOnly(builds: list), .reportOnly(builds: list).believingForgeableInformation()]
            as [LaunchPolicy]
        {
            #expect(throws: PureAttestError.codeDirectoryHashNotAllowed(nil)) { try verify(policy) }
            #expect(throws: PureAttestError.codeDirectoryHashNotAllowed(nil)) {
                try setting.verifier(with: policy).verify(attestation, keyID: keyID)
            }
        }
    }

    /// An unsigned member with a different name, or with additional or missing content, is rejected.
    @Test func unsignedMemberForms() throws {
        func entry(_ value: [UInt8], _ name: String = "cdHash") -> [CBOREntry] { [CBOREntry(name, value)] }
        let hash = CBOREntry("hash", cbor(bytes: [UInt8](repeating: 1, count: 20)))
        let type = CBOREntry("type", cbor(bytes: [2]))
        let good = cbor(map: [hash, type])
        let refused: [[CBOREntry]] =
            [
                entry(good, "CDHash"), entry(good, "cdhash"), entry(good) + [CBOREntry("extra", cbor(0))],
                entry(cbor(map: [])), entry(cbor(map: [hash])), entry(cbor(map: [type])), entry(cbor(0)),
                entry(cbor(bytes: good)), entry(cbor(array: [])),
                entry(cbor(map: [hash, type, CBOREntry("x", cbor(0))])),
                entry(cbor(map: [hash, CBOREntry("type", cbor(bytes: [1]))])),
                entry(cbor(map: [hash, CBOREntry("type", cbor(bytes: [2, 2]))])),
                entry(cbor(map: [hash, CBOREntry("type", cbor(bytes: []))])),
                entry(cbor(map: [hash, CBOREntry("type", cbor(2))])),
                entry(cbor(map: [CBOREntry("hash", cbor(text: String(repeating: "a", count: 20))), type])),
            ]
            + [0, 19, 21, 32].map { count in
                entry(cbor(map: [CBOREntry("hash", cbor(bytes: [UInt8](repeating: 1, count: count))), type]))
            }
        for system in [DeviceSystem.iOS26, .macOS27] {
            let setting = Setting(system: system, environment: .production)
            let device = setting.device
            let keyID = device.generateKey()
            func attestation(_ entries: [CBOREntry]) throws -> [UInt8] {
                try device.faultyAttestation(keyID, clientDataHash(Setting.challenge)) { draft, _ in
                    draft.unsignedEntries = entries
                }
            }
            let verified = try setting.verifier(with: .reportOnly).verify(attestation(entry(good)), keyID: keyID)
            #expect(verified.unverifiedCodeDirectoryHash?.bytes == [UInt8](repeating: 1, count: 20))
            for entries in refused {
                #expect(throws: PureAttestError.malformedAttestationObject) {
                    try setting.verifier(with: .reportOnly).verify(attestation(entries), keyID: keyID)
                }
            }
            let object = try device.withKey(keyID) { (key, _) throws(AttestTestingError) in
                device.assertionDraft(of: key, clientDataHash: clientDataHash(Setting.challenge))
            }
            for entries in refused + [entry(good)] {
                var draft = object
                draft.unsignedEntries = entries
                let decoded = Result { () throws(PureAttestError) in try AssertionObject(decoding: draft.encoded()[...])
                }
                if entries.first?.value == good, entries.count == 1, entries.first?.key == cbor(text: "cdHash") {
                    #expect(try decoded.get().unverifiedCodeDirectoryHash != nil)
                } else {
                    #expect(throws: PureAttestError.malformedAssertionObject) { try decoded.get() }
                }
            }
        }
    }

    /// An assertion object may contain the unsigned member in the same forms.
    @Test func unsignedMemberOfAssertions() throws {
        func decode(_ member: [CBOREntry]) throws -> CodeDirectoryHash? {
            let entries = [CBOREntry("signature", cbor(bytes: [])), CBOREntry("authenticatorData", cbor(bytes: []))]
            return try AssertionObject(decoding: cbor(map: entries + [CBOREntry("cdHash", cbor(map: member))])[...])
                .unverifiedCodeDirectoryHash
        }
        let hash = CBOREntry("hash", cbor(bytes: [UInt8](repeating: 1, count: 20)))
        let type = CBOREntry("type", cbor(bytes: [2]))
        #expect(try decode([hash, type])?.bytes == [UInt8](repeating: 1, count: 20))
        for member in [
            [hash, CBOREntry("type", cbor(bytes: [4]))], [hash, type, CBOREntry("x", cbor(0))], [hash], [type],
            [CBOREntry("hash", cbor(bytes: [UInt8](repeating: 1, count: 32))), type],
        ] {
            #expect(throws: PureAttestError.malformedAssertionObject) { try decode(member) }
        }
    }

    /// The two signed entries are both present or both absent. The hash is a full or truncated SHA-256 hash.
    @Test func signedForms() throws {
        func information(_ entries: [CBOREntry]) throws(PureAttestError) -> LaunchInformation {
            let head = [UInt8](repeating: 0, count: 32) + [0xC0, 0, 0, 0, 1]
            return try AuthenticatorData(assertion: (head + cbor(map: entries))[...]).launchInformation
        }
        func hash(_ value: [UInt8]) -> CBOREntry { CBOREntry(ExtensionName.codeDirectoryHash, value) }
        func type(_ value: [UInt8]) -> CBOREntry { CBOREntry(ExtensionName.codeDirectoryHashType, value) }
        func ones(_ count: Int) -> [UInt8] { cbor(bytes: [UInt8](repeating: 1, count: count)) }
        #expect(try information([]).codeDirectoryHash == nil)
        #expect(try information([hash(ones(32)), type(cbor(bytes: [2]))]).codeDirectoryHash?.isTruncated == false)
        #expect(try information([type(cbor(bytes: [2])), hash(ones(20))]).codeDirectoryHash?.isTruncated == true)
        for count in [1, 20, 48, 64] {
            let other = try information([hash(ones(count)), type(cbor(bytes: [4]))]).codeDirectoryHash
            #expect(other?.type == 4 && other?.bytes.count == count)
        }
        let malformed: [[CBOREntry]] = [
            [hash(ones(32))], [type(cbor(bytes: [2]))], [hash(ones(31)), type(cbor(bytes: [2]))],
            [hash(ones(33)), type(cbor(bytes: [2]))], [hash(ones(0)), type(cbor(bytes: [2]))],
            [hash(ones(0)), type(cbor(bytes: [4]))], [hash(ones(65)), type(cbor(bytes: [4]))],
            [hash(ones(32)), type(cbor(bytes: []))], [hash(ones(32)), type(cbor(bytes: [2, 2]))],
            [hash(ones(32)), type(cbor(2))],
            [hash(cbor(text: String(repeating: "a", count: 32))), type(cbor(bytes: [2]))],
        ]
        for entries in malformed {
            #expect(throws: PureAttestError.malformedExtensions) { try information(entries) }
        }
    }

    /// Two full hashes are compared in full. If either hash is only 20 bytes long, the policy must permit the
    /// comparison of truncated hashes.
    @Test func truncation() throws {
        let whole = try Self.hash(Self.build)
        let short = try Self.hash(Array(Self.build.prefix(20)))
        let twin = try Self.hash(Array(Self.build.prefix(20)) + [UInt8](repeating: 0, count: 12))
        let foreign = CodeDirectoryHash(type: 4, bytes: Self.build)
        func accepts(_ listed: [CodeDirectoryHash], _ sent: CodeDirectoryHash, truncated: Bool) -> Bool {
            listed.contains { $0.matches(sent, acceptsTruncated: truncated) }
        }
        for truncated in [false, true] {
            #expect(accepts([whole], whole, truncated: truncated))
            #expect(!accepts([whole], twin, truncated: truncated))
            #expect(!accepts([whole], foreign, truncated: truncated))
            #expect(!accepts([], whole, truncated: truncated))
            #expect(accepts([whole], short, truncated: truncated) == truncated)
            #expect(accepts([short], whole, truncated: truncated) == truncated)
            #expect(accepts([short], short, truncated: truncated) == truncated)
            #expect(!accepts([try Self.hash(Self.other)], short, truncated: truncated))
            #expect(!accepts([short], CodeDirectoryHash(type: 4, bytes: short.bytes), truncated: truncated))
        }
        #expect(CodeDirectoryHash([UInt8](repeating: 0, count: 31)) == nil && CodeDirectoryHash([]) == nil)
        #expect(whole.description.count == 64 && foreign.description.hasPrefix("type 4: "))
    }
}
