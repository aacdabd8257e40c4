import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

@testable import PureAttest

/// Tests reports on objects of virtual devices, under a verifier with one wrong expectation.
@Suite struct ReportMadeObjectTests {
    private static let time = AttestedReceiptTests.time
    private static let challenge = [UInt8]("challenge of sixteen bytes".utf8)

    private struct Made {
        let device: VirtualDevice
        let id: String
        let authority: TestCertificateAuthority

        init(_ system: DeviceSystem = .iOS27ExtensionFlag, bundleVersion: BundleVersion = "1.0", seed: UInt64 = 7) {
            authority = TestCertificateAuthority(seed: seed)
            let app =
                system.isMac
                ? AppID(teamID: "ABCDE12345", macOSSigningIdentifier: "com.example.test")
                : AppID(teamID: "ABCDE12345", bundleID: "com.example.test")
            device = VirtualDevice(
                app: app, system: system, authority: authority, seed: 8, time: time, bundleVersion: bundleVersion,
                codeDirectoryHash: [UInt8](repeating: 5, count: 32))
            id = device.generateKey()
        }

        func verifier(
            _ launchPolicy: LaunchPolicy = .reportOnly, platform: AppID.Platform? = nil,
            trusting authority: TestCertificateAuthority? = nil
        ) -> AppAttestVerifier {
            let app = AppID(bytes: device.app.bytes, platform: platform ?? device.app.platform)
            return .trustingTestDevices(
                of: authority ?? self.authority, apps: [app], environment: .production, launchPolicy: launchPolicy)
        }

        func failure(
            _ verifier: AppAttestVerifier, hashed: [UInt8] = challenge, challenge: [UInt8] = challenge,
            breaking fault: AttestationFault? = nil
        ) throws -> VerificationReport.Step {
            // A device attests each key only once.
            let id: String = device.generateKey()
            let hash = SHA256.hash(data: hashed)
            let object =
                if let fault { try device.attestKey(id, clientDataHash: hash, breaking: fault) } else {
                    try device.attestKey(id, clientDataHash: hash)
                }
            return try onlyFailure(
                verifier.explainAttestation(
                    object, keyID: Base64.decode(Array(id.utf8)), challenge: challenge, at: time))
        }
    }

    /// If the root is not trusted, the report shows the issuers but not the validity dates.
    @Test func foreignRoot() throws {
        let made = Made()
        let other = try made.failure(
            AppAttestVerifier(apps: [made.device.app], environment: .production, launchPolicy: .reportOnly))
        #expect(other.number == "1" && other.error == .certificate(.issuerNotFound(certificate: 1)))
        #expect(other.expected == "issued by “Apple App Attestation Root CA”")
        #expect(other.received == "issued by “Test App Attestation Root CA”", "\(other)")
        #expect(other.likelyCauses.first?.contains("chain to an untrusted root") == true)
        // The roots have equal names, but different keys.
        let sameName = try made.failure(made.verifier(trusting: TestCertificateAuthority(seed: 9)))
        #expect(sameName.error == .certificate(.invalidSignature(certificate: 1)))
        #expect(sameName.expected == nil && sameName.received == nil)
    }

    /// The report shows validity dates only if they cause the rejection.
    @Test func expiredLeaf() throws {
        let made = Made()
        let object = try made.device.attestKey(made.id, clientDataHash: SHA256.hash(data: Self.challenge))
        let report = made.verifier().explainAttestation(
            object, keyID: try Base64.decode(Array(made.id.utf8)), challenge: Self.challenge,
            at: Self.time.adding(400 * 86_400))
        #expect(report.failures.map(\.number) == ["1"])
        #expect(report.failures.first?.received?.hasPrefix("leaf valid from ") == true)
    }

    @Test func bundleVersion() throws {
        let made = Made(bundleVersion: "41")
        let listed = try made.failure(made.verifier(.only(nil, versions: .oneOf(["42", "43"]))))
        #expect(listed.number == "11" && listed.expected == "“42” or “43”" && listed.received == "“41”")
        #expect(listed.likelyCauses.first?.contains("does not accept this bundle version") == true)
        #expect(listed.likelyCauses.last?.contains("CFBundleVersion") == true)
        let minimum = try made.failure(made.verifier(.only(nil, versions: .atLeast("42"))))
        #expect(minimum.expected == "“42” or later")
        let many = try made.failure(made.verifier(.only(nil, versions: .oneOf(["1", "2", "3", "4", "5", "6"]))))
        #expect(many.expected == "“1” or “2” or “3” or “4” or 2 more")
        #expect(try made.failure(made.verifier(.only(nil, versions: .oneOf([])))).expected == "none")
    }

    @Test func otherBuild() throws {
        let listed = try #require(CodeDirectoryHash([UInt8](repeating: 7, count: 32)))
        let policy = LaunchPolicy.only(nil, builds: .oneOf([listed]))
        let made = Made()
        let sent = try #require(made.device.codeDirectoryHash.flatMap { CodeDirectoryHash($0) })
        let step = try made.failure(made.verifier(policy))
        #expect(step.number == "build" && step.expected == "\(listed)" && step.received == "\(sent)")
        #expect(step.likelyCauses.first?.contains("the policy does not list this build") == true)
        // The report marks a build that the app may have written.
        let unsigned = try made.failure(made.verifier(policy), breaking: .buildUnsigned)
        #expect(unsigned.received?.hasSuffix(" (unsigned)") == true)
        #expect(unsigned.likelyCauses == ["the build in the object is unsigned: the app may have written it"])
        let missing = try made.failure(made.verifier(policy), breaking: .buildMissing)
        #expect(missing.received == nil && missing.likelyCauses.last?.contains("[CDhash]") == true)
    }

    @Test func otherPlatform() throws {
        let mac = Made(.macOS27)
        let onlyDevices = try mac.failure(mac.verifier(platform: .device))
        #expect(onlyDevices.number == "6" && onlyDevices.expected == "a key of a device")
        #expect(onlyDevices.received == "“macosx”")
        #expect(onlyDevices.likelyCauses.first?.contains("declare it for macOS too") == true)
        let phone = Made()
        let onlyMacs = try phone.failure(phone.verifier(platform: .macOS))
        #expect(onlyMacs.expected == "a key of a Mac" && onlyMacs.received == "“iphoneos”")
        #expect(onlyMacs.likelyCauses.first?.contains("declare it for devices too") == true)
    }

    /// Systems before 27 send no launch information. A key record states only the system at the attestation, and the
    /// device may have been updated since. Therefore, a report on an assertion does not call the information forged.
    @Test func forgedLaunchInformation() throws {
        let old = Made(.iOS17)
        let step = try old.failure(old.verifier(.only([.appStore])), breaking: .launchInformationForged)
        #expect(step.number == "10" && step.error == .validationCategoryNotAllowed(nil))
        #expect(
            step.likelyCauses.first?.hasPrefix("the app forges launch information: its system, 17") == true, "\(step)")
        let new = Made(.iOS27OlderSDK)
        let beta = try new.failure(new.verifier(.only([.appStore])), breaking: .launchInformationForged)
        #expect(beta.likelyCauses.first?.contains("a beta of 27, or an app that forges it") == true)
        let none = try Made(.iOS17).failure(old.verifier(.only([.appStore])))
        #expect(none.likelyCauses.first?.contains("sends no launch information") == true)

        let good = Made(.iOS17)
        let object = try good.device.attestKey(good.id, clientDataHash: SHA256.hash(data: Self.challenge))
        let key = try good.verifier().verifyAttestation(
            object, keyID: try Base64.decode(Array(good.id.utf8)), challenge: Self.challenge, at: Self.time
        ).key
        // The client data hash begins with a map. The test moves this map to the end of the authenticator data.
        let map = CBOR.map([(CBOR.text("apple_validation_category_01"), CBOR.unsigned(4))])
        let signed = try AssertionObject(
            decoding: ArraySlice(
                good.device.generateAssertion(good.id, clientDataHash: map + SHA256.hash(data: [1]))))
        let assertion = TestDevice.assertion(
            signature: signed.signature, authenticatorData: signed.authenticatorData + map)
        let report = good.verifier(.only([.appStore])).explainAssertion(
            assertion, clientDataCheckedByCaller: [1], key: key)
        #expect(report.failures.map(\.number) == ["7"])
        #expect(
            report.failures.first?.likelyCauses.first?.contains("a beta of 27, or an app that forges it") == true)
    }

    // MARK: JSON

    private func json(_ value: some Collection<UInt8>) -> [UInt8] {
        Array(#"{"challenge":""#.utf8) + value + Array(#""}"#.utf8)
    }

    /// The client hashed JSON text that contains the challenge.
    @Test func challengeInJSON() throws {
        for form in [
            Base64.encode(Self.challenge), Base64.encode(Self.challenge, as: .urlSafeUnpadded),
            Hex.encode(Self.challenge), Self.challenge,
        ] {
            let made = Made()
            let object = try made.failure(made.verifier(), hashed: json(form))
            #expect(object.number == "4", "\(object)")
            #expect(object.likelyCauses.first?.hasPrefix("the client hashed JSON with the challenge in it") == true)
            let another = Made()
            let string = try another.failure(another.verifier(), hashed: Array("\"".utf8) + form + Array("\"".utf8))
            #expect(string.likelyCauses.first?.contains("with its quotation marks") == true)
        }
    }

    /// The server passes the JSON text, but the client hashed only a value in this text.
    @Test func challengeOutOfJSON() throws {
        for form in [Base64.encode(Self.challenge), Hex.encode(Self.challenge), Self.challenge] {
            let made = Made()
            let step = try made.failure(made.verifier(), hashed: Self.challenge, challenge: json(form))
            #expect(step.number == "4", "\(step)")
            #expect(
                step.likelyCauses == [
                    "the given challenge is JSON, but the client hashed only a value in it"
                ],
                "\(step)")
        }
    }

    @Test func clientDataAreJSON() throws {
        let made = Made()
        let object = try made.device.attestKey(made.id, clientDataHash: SHA256.hash(data: Self.challenge))
        let key = try made.verifier().verifyAttestation(
            object, keyID: try Base64.decode(Array(made.id.utf8)), challenge: Self.challenge, at: Self.time
        ).key
        for form in [Base64.encode(Self.challenge), Hex.encode(Self.challenge), Self.challenge] {
            let data = json(form)
            let assertion = try made.device.generateAssertion(made.id, clientDataHash: SHA256.hash(data: data))
            let report = made.verifier().explainAssertion(
                assertion, challenge: Self.challenge, signed: .clientData(data), key: key)
            #expect(report.failures.map(\.number) == ["6"])
            #expect(
                report.failures.first?.likelyCauses == [
                    "the client data are JSON with the challenge in it: use .clientData(_:challengeBy:)"
                ])
            // The client signed only the challenge, but the server hashes the JSON text.
            let alone = try made.device.generateAssertion(made.id, clientDataHash: SHA256.hash(data: Self.challenge))
            let signature = made.verifier().explainAssertion(
                alone, clientDataCheckedByCaller: data, key: key)
            #expect(signature.failures.map(\.number) == ["3"])
            #expect(signature.failures.first?.likelyCauses.first?.contains("only a value in") == true)
        }
    }
}
