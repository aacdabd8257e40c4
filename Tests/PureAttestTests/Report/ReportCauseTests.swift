import CertificateDrafts
import PureAttestTesting
import PureBytes
import Testing

@testable import PureAttest
@Suite struct ReportCauseTests {
    private func attestation(
        _ verifier: AppAttestVerifier? = nil, _ change: (inout TestDevice) -> Void
    ) throws -> VerificationReport.Step {
        var device = TestDevice()
        change(&device)
        return try onlyFailure(
            (verifier ?? device.verifier()).explainAttestation(
                device.attestation, keyID: TestDevice.key.keyID, challenge: device.challenge, at: TestAuthority.time))
    }

    @Test func missingNonce() throws {
        let step = try attestation { $0.nonceExtensions = { _ in [] } }
        #expect(step.number == "4" && step.error == .nonceExtensionMissing && step.received == "no nonce")
    }

    @Test func noApp() throws {
        let verifier = AppAttestVerifier(apps: [], environment: .production, launchPolicy: .reportOnly)
            .trusting(testAnchors: try TestAuthority.anchors)
        let step = try attestation(verifier) { _ in }
        #expect(step.number == "6" && step.expected == "no app is accepted")
    }

    /// The RP ID is the hash of the bundle ID without the team prefix.
    @Test func appWithoutPrefix() throws {
        let bundleID = [UInt8]("com.example.test".utf8)
        let verifier = try TestDevice().verifier()
        let step = try attestation(verifier) {
            $0.appID = AppID(bytes: bundleID)
            // Field 1204 of the key properties in the leaf contains the App ID.
            let field = DER.octets(bundleID)
            $0.moreLeafExtensions = [
                DER.certificateExtension(
                    [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x08, 0x05],
                    DER.sequence([0xbf, 0x89, 0x34, UInt8(field.count)] + field))
            ]
        }
        #expect(step.number == "6" && step.likelyCauses == ["the App ID has no prefix"])
    }

    @Test func macWithoutAccessControlList() throws {
        let step = try attestation {
            $0.appID = AppID(teamID: "ABCDE12345", macOSSigningIdentifier: "com.example.test")
        }
        #expect(step.number == "macOS" && step.error == .accessControlListMissing && step.likelyCauses.count == 2)
    }

    @Test func macWithAccessControlList() throws {
        let time = AttestedReceiptTests.time
        let authority = TestCertificateAuthority(seed: 3)
        let app = AppID(teamID: "ABCDE12345", macOSSigningIdentifier: "com.example.test")
        let device = VirtualDevice(app: app, system: .macOS27, authority: authority, seed: 4, time: time)
        let id: String = device.generateKey()
        let verifier = AppAttestVerifier.trustingTestDevices(
            of: authority, apps: [app], environment: .production, launchPolicy: .reportOnly)
        let report = verifier.explainAttestation(
            try device.attestKey(id, clientDataHash: [1]), keyID: try Base64.decode(Array(id.utf8)),
            clientDataHash: [1], at: time)
        #expect(report.failures == [] && report.steps.contains { $0.number == "macOS" && $0.status == .passed })
    }

    @Test func leafOfAnotherCurve() throws {
        let time = AttestedReceiptTests.time
        let authority = TestCertificateAuthority(seed: 1)
        let app = TestDevice().appID
        let device = VirtualDevice(app: app, authority: authority, seed: 2, time: time)
        let id: String = device.generateKey()
        let object = try device.attestKey(id, clientDataHash: [1], breaking: AttestationFault.leafKeyOnP384)
        let verifier = AppAttestVerifier.trustingTestDevices(
            of: authority, apps: [app], environment: .production, launchPolicy: .reportOnly)
        let keyID = try Base64.decode(Array(id.utf8))
        let step = try onlyFailure(verifier.explainAttestation(object, keyID: keyID, clientDataHash: [1], at: time))
        #expect(step.number == "5" && step.likelyCauses == ["the leaf's key is not a P-256 key"])
        #expect(throws: PureAttestError.unsupportedLeafKey) {
            try verifier.verifyAttestation(object, keyID: keyID, clientDataHash: [1], at: time)
        }
    }

    @Test(arguments: [(2, ["the app comes from TestFlight"]), (3, ["the app is a development build"]), (5, [])])
    func category(_ number: Int, _ causes: [String]) throws {
        let verifier = try TestDevice().verifier(launchPolicy: .only([.appStore]))
        let step = try attestation(verifier) {
            $0.flags = 0xc0
            $0.extensions = CBOR.map([(CBOR.text("apple_validation_category_01"), CBOR.unsigned(number))])
        }
        #expect(step.number == "10" && step.received == "\(number)" && step.likelyCauses == causes)
    }

    /// If an object has signed launch information without a version, the report names no cause for the missing version.
    @Test func missingVersion() throws {
        let verifier = try TestDevice().verifier(launchPolicy: .only(nil, versions: .oneOf(["2"])))
        let step = try attestation(verifier) {
            $0.flags = 0xc0
            $0.extensions = CBOR.map([(CBOR.text("apple_validation_category_01"), CBOR.unsigned(4))])
        }
        #expect(step.number == "11" && step.error == .bundleVersionNotAllowed(nil) && step.likelyCauses == [])
    }

    /// Launch information that the app may have written counts as missing, and the report states the reason.
    @Test func unverifiedInformation() throws {
        let step = try attestation(TestDevice().verifier(launchPolicy: .only([.appStore]))) {
            $0.extensions = CBOR.map([(CBOR.text("apple_validation_category_01"), CBOR.unsigned(4))])
        }
        #expect(step.number == "10" && step.error == .validationCategoryNotAllowed(nil))
        #expect(step.likelyCauses.first?.contains("the ED flag is clear") == true)
    }

    // MARK: Assertions

    private func assertion(
        _ verifier: AppAttestVerifier? = nil, key: AttestedKey? = nil, challenge: [UInt8]? = nil,
        found: [UInt8]? = nil, object: [UInt8]? = nil, _ change: (inout TestDevice) -> Void = { _ in }
    ) throws -> VerificationReport.Step {
        var device = TestDevice()
        device.counter = 5
        change(&device)
        let content: SignedContent =
            if let found { .clientData(device.challenge) { _ in found } } else { .clientData(device.challenge) }
        return try onlyFailure(
            (verifier ?? device.verifier()).explainAssertion(
                object ?? device.assertion, challenge: challenge ?? device.challenge, signed: content,
                key: key ?? device.storedKey()))
    }

    @Test func keyOfAnotherEnvironment() throws {
        let step = try assertion(TestDevice().verifier(environment: .development))
        #expect(step.number == "key" && step.expected == "development" && step.received == "production")
    }

    @Test func assertionOfAnotherApp() throws {
        let device = TestDevice()
        var step = try assertion(device.verifier(), key: device.storedKey()) {
            $0.appID = AppID(teamID: "ABCDE12345", bundleID: "com.example.other")
        }
        #expect(step.number == "4" && step.likelyCauses == ["the object was made for another App ID"])
        step = try assertion(AppAttestVerifier(apps: [], environment: .production, launchPolicy: .reportOnly))
        #expect(step.number == "4" && step.likelyCauses.first?.contains("does not have") == true)
    }

    @Test func malformedAuthenticatorData() throws {
        let device = TestDevice()
        let report = try device.verifier().explainAssertion(
            TestDevice.assertion(signature: [1], authenticatorData: [1, 2, 3]), clientDataCheckedByCaller: [],
            key: device.storedKey())
        #expect(report.failures.map(\.number) == ["data"])
        #expect(report.steps.filter { $0.status == .notRun }.map(\.number) == ["2", "3", "4", "5", "7", "8"])
    }

    @Test(arguments: [(64, ["the signature is raw r and s (64 bytes): encode it as DER"]), (63, [])])
    func signatureWithoutDER(_ count: Int, _ causes: [String]) throws {
        var device = TestDevice()
        device.counter = 5
        let signature = [UInt8](repeating: 1, count: count)
        let step = try assertion(object: TestDevice.assertion(signature: signature, authenticatorData: device.head))
        #expect(step.number == "3" && step.received == "\(count) bytes" && step.likelyCauses == causes)
    }

    @Test func counters() throws {
        let key = try TestDevice().storedKey(counter: 7)
        var step = try assertion(TestDevice().verifier(counterPolicy: .slidingWindow), key: key)
        #expect(step.error == .counterReplayed(5) && step.likelyCauses.first?.contains("came before") == true)
        step = try assertion(key: key) { $0.counter = 0 }
        #expect(step.number == "5" && step.likelyCauses == ["counter 0 belongs to an attestation, not to an assertion"])
    }

    @Test func challenges() throws {
        let another = ["the request answers another challenge: an old one, or another session's"]
        #expect(try assertion(challenge: [1], found: [2]).likelyCauses == another)
        // The challenge is too long for the report to search for it.
        let long = [UInt8](repeating: 7, count: 2_000)
        #expect(try assertion(challenge: long) { $0.challenge = long + [7] }.likelyCauses == another)
        let step = try assertion(challenge: [1, 2, 3]) { $0.challenge = Hex.encode([1, 2, 3]) }
        #expect(step.number == "6" && step.likelyCauses == ["the client data are the challenge as hexadecimal text"])
    }

    // MARK: Receipts

    @Test(
        arguments: [
            (.signerExpired, "signature", "verify a stored receipt"), (.creationTimeMissing, "fields", nil),
            (.appIDMismatch, "2", nil), (.clientHashMismatch, "4", "to another attestation of the same key"),
            (.typeOfAnswer, "4", "the receipt answers a risk query"), (.environmentMismatch, "7", nil),
            (.tooOld, "12", "pass no maximum age"), (.expired, "21", nil), (.signerNotForReceipts, "signature", nil),
        ] as [(ReceiptFault, String, String?)])
    func receipts(_ fault: ReceiptFault, _ number: String, _ cause: String?) throws {
        let report = try AttestedReceiptTests.receipt(breaking: fault).explain(at: AttestedReceiptTests.time)
        let step = try onlyFailure(report)
        #expect(step.number == number, "\(report)")
        #expect(step.likelyCauses.first?.contains(cause ?? "-") == (cause == nil ? nil : true), "\(step)")
    }

    @Test func damagedReceipt() throws {
        let report = try AttestedReceiptTests.receipt(breaking: .objectTruncated).explain(at: AttestedReceiptTests.time)
        #expect(report.failures.map(\.number) == ["signature", "fields"])
        #expect(report.failures.first?.likelyCauses == ["the receipt was changed or cut short on the way"])
    }

    @Test func ageInSeconds() throws {
        let receipt = try AttestedReceiptTests.receipt(breaking: nil)
        let late = UnixTime(secondsSince1970: AttestedReceiptTests.time.secondsSince1970 + 46)
        let step = try onlyFailure(receipt.explain(at: late, maximumAge: 45))
        #expect(step.number == "12" && step.expected?.hasPrefix("at most 45 seconds before") == true)
    }
}
