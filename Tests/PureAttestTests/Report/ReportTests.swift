import PureBytes
import PureSHA2
import Testing
import VectorSupport

@testable import PureAttest

/// A report names the failed step, the values and the cause, and agrees with the verdict.
@Suite struct ReportTests {
    private func explain(
        _ device: TestDevice, _ verifier: AppAttestVerifier? = nil, keyID: [UInt8] = TestDevice.key.keyID,
        challenge: [UInt8]? = nil, at time: UnixTime = TestAuthority.time
    ) throws -> VerificationReport {
        try (verifier ?? device.verifier()).explainAttestation(
            device.attestation, keyID: keyID, challenge: challenge ?? device.challenge, at: time)
    }

    @Test(arguments: objects)
    func genuineAttestation(_ object: ObjectFile) {
        let report = object.verifier().explainAttestation(
            object.attestation, keyID: object.keyID, clientDataHash: object.clientDataHash, at: object.time)
        #expect(report.failures == [] && report.steps.allSatisfy { $0.status == .passed && $0.error == nil })
        #expect(
            report.steps.map(\.number) == [
                "object", "data", "1", "2", "3", "4", "5", "leaf", "6", "7", "8", "9", "10", "11",
            ])
    }

    @Test(arguments: objects.filter { !$0.assertions.isEmpty })
    func genuineAssertion(_ object: ObjectFile) throws {
        for assertion in object.assertions {
            let report = object.verifier().explainAssertion(
                assertion.assertion, challenge: assertion.clientData, key: try object.key(before: assertion))
            #expect(report.failures == [] && report.steps.allSatisfy { $0.status == .passed })
            #expect(report.steps.map(\.number) == ["object", "key", "data", "1", "2", "3", "4", "5", "6", "7", "8"])
        }
    }

    @Test(arguments: ReceiptTests.cases)
    func genuineReceipt(_ test: ReceiptTests.Case) throws {
        let report = try test.unverified().explain(at: test.time)
        #expect(report.failures == [] && report.steps.allSatisfy { $0.status == .passed })
        let late = UnixTime(secondsSince1970: test.file.verifyAt + 3_600)
        let step = try onlyFailure(try test.unverified().explain(at: late))
        #expect(step.number == "12" && step.expected?.hasPrefix("at most 5 minutes before") == true)
        #expect(try test.unverified().explain(at: late, maximumAge: nil).failures == [])
    }

    @Test(arguments: objects)
    func agreesWithTheVerification(_ object: ObjectFile) throws {
        let genuine = [UInt8](object.attestation)
        let verifier = object.verifier()
        for index in stride(from: Int.random(in: 0..<500), to: genuine.count, by: 500) {
            var mutated = genuine
            mutated[index] ^= 1
            let report = verifier.explainAttestation(
                mutated, keyID: object.keyID, clientDataHash: object.clientDataHash, at: object.time)
            do {
                _ = try object.verify(verifier, attestation: mutated)
                #expect(report.failures == [])
            } catch { #expect(report.failures.first?.error == error) }
        }
        for count in stride(from: 0, to: genuine.count, by: 97) {
            let report = verifier.explainAttestation(
                genuine.prefix(count), keyID: object.keyID, clientDataHash: object.clientDataHash, at: object.time)
            #expect(report.failures.first?.number == "object")
            #expect(report.steps.filter { $0.status == .notRun }.count >= 8)
        }
    }

    // MARK: Causes

    @Test func hashing() throws {
        var device = TestDevice()
        device.challenge = [UInt8](0..<32)
        let hash = [UInt8](SHA256.hash(data: device.challenge))
        let data = device.attestedData
        func report(clientDataHash: [UInt8]) throws -> VerificationReport.Step {
            let nonce = [UInt8](SHA256.hash(data: data + clientDataHash))
            let object = TestDevice.object(
                certificates: [device.leaf(nonce: nonce), TestAuthority.intermediate.certificate], receipt: [],
                authenticatorData: data)
            return try onlyFailure(
                device.verifier().explainAttestation(
                    object, keyID: TestDevice.key.keyID, challenge: device.challenge, at: TestAuthority.time))
        }
        for (clientDataHash, cause) in [
            (device.challenge, "the challenge was used raw"), (HashGuesses.digest(hash), "hashed twice"),
            (Hex.encode(hash), "the hash of the challenge as hexadecimal"),
            (Base64.encode(hash), "the hash of the challenge as base64"),
            (HashGuesses.digest(Base64.encode(device.challenge)), "hashed the challenge as base64 text"),
            (
                HashGuesses.digest(Base64.encode(device.challenge, as: .urlSafeUnpadded)),
                "hashed the challenge as base64"
            ),
            (HashGuesses.digest(Hex.encode(device.challenge)), "hashed the challenge as hexadecimal"),
            ([1, 2, 3], "another challenge"),
        ] {
            let step = try report(clientDataHash: clientDataHash)
            #expect(step.number == "4" && step.error == .nonceMismatch)
            #expect(step.likelyCauses.first?.contains(cause) == true, "\(step)")
        }
        // The server stores the challenge as text, but the client decodes it.
        let decoded = device.challenge
        for text in [Base64.encode(decoded), Hex.encode(decoded)] {
            let step = try onlyFailure(explain(device, challenge: text))
            #expect(step.likelyCauses.first?.contains("decoded the challenge from") == true)
        }
        let step = try onlyFailure(
            device.verifier().explainAttestation(
                device.attestation, keyID: TestDevice.key.keyID, clientDataHash: device.challenge,
                at: TestAuthority.time))
        #expect(step.likelyCauses.first?.contains("the client hashed it") == true)
    }

    @Test func keyIDs() throws {
        let device = TestDevice()
        let keyID = TestDevice.key.keyID
        for (given, cause) in [
            (Base64.encode(keyID), "base64"), (Base64.encode(keyID, as: .urlSafeUnpadded), "base64"),
            (Hex.encode(keyID), "hexadecimal"),
            (HashGuesses.digest(TestDevice.key.subjectPublicKeyInfo), "SubjectPublicKeyInfo"),
            (HashGuesses.digest(TestDevice.key.x963.dropFirst()), "without the leading byte 04"),
            ([1], "a different key"),
        ] {
            let step = try onlyFailure(explain(device, keyID: given))
            #expect(step.number == "5" && step.error == .keyIDMismatch)
            #expect(step.likelyCauses.first?.contains(cause) == true, "\(step)")
        }
    }

    @Test func apps() throws {
        let object = try ObjectFile.committed()
        for (app, cause) in [
            (AppID(prefix: "ABCDE12345", bundleID: "com.example.myapp"), "prefix differs from the one given"),
            (AppID(teamID: "1234567890", bundleID: "com.example"), "extension of the app"),
            (AppID(teamID: "1234567890", bundleID: "org.example.other"), "another app of the same team"),
            (AppID(teamID: "1234567890", bundleID: "com.example.my"), "another app of the same team"),
            (AppID(teamID: "ABCDE12345", bundleID: "org.example.other"), "another team"),
        ] {
            let step = try onlyFailure(
                object.verifier(apps: [app]).explainAttestation(
                    object.attestation, keyID: object.keyID, clientDataHash: object.clientDataHash, at: object.time))
            #expect(step.number == "6" && step.error == .appIDMismatch)
            #expect(step.received == "“1234567890.com.example.myapp”" && step.expected == "“\(app)”")
            #expect(step.likelyCauses.first?.contains(cause) == true, "\(step)")
        }
    }

    /// The report lists each cause once, however many apps the verifier has.
    @Test func manyApps() throws {
        let object = try ObjectFile.committed()
        let apps = (0..<300).map { AppID(teamID: "1234567890", bundleID: "org.example.app\($0)") }
        let step = try onlyFailure(
            object.verifier(apps: apps).explainAttestation(
                object.attestation, keyID: object.keyID, clientDataHash: object.clientDataHash, at: object.time))
        #expect(step.likelyCauses.count == 1)
    }

    @Test func environments() throws {
        var device = TestDevice()
        device.aaguid = TestDevice.development
        var step = try onlyFailure(explain(device))
        #expect(step.number == "8" && step.expected == "production" && step.received == "development")
        #expect(step.likelyCauses.first?.contains("development build") == true)
        device.aaguid[3] ^= 1
        step = try onlyFailure(explain(device))
        #expect(step.error == .unknownEnvironment && step.received == "neither production nor development")
    }

    @Test func times() throws {
        let device = TestDevice()
        let day: Int64 = 86_400
        var step = try onlyFailure(
            explain(device, at: UnixTime(secondsSince1970: TestAuthority.notAfter + 9 * day + 5)))
        #expect(step.number == "1" && step.expected == "valid at 2023-11-26T22:13:25Z")
        #expect(step.received == "leaf valid from 2023-11-14T22:13:20Z to 2023-11-17T22:13:20Z")
        #expect(step.likelyCauses.first?.contains("the leaf expired 9 days before the given time") == true)
        step = try onlyFailure(explain(device, at: UnixTime(secondsSince1970: TestAuthority.notBefore - 7_300)))
        #expect(step.likelyCauses.first?.contains("becomes valid 2 hours after the given time") == true)
        for extreme in [Int64.min, .max] {
            _ = try explain(device, at: UnixTime(secondsSince1970: extreme))
        }
    }

    @Test func credentials() throws {
        var device = TestDevice()
        device.credentialID = TestKey(8).keyID
        let step = try onlyFailure(explain(device))
        #expect(step.number == "9" && step.error == .credentialIDMismatch)
        #expect(step.expected == VerificationReport.Value.hash(TestDevice.key.keyID[...]).text)
        #expect(step.received == VerificationReport.Value.hash(TestKey(8).keyID[...]).text)
    }

    @Test func doesNotStopAtTheFirst() throws {
        var device = TestDevice()
        device.aaguid = TestDevice.development
        device.counter = 5
        device.flags = 0xc0
        device.extensions = CBOR.map([(CBOR.text("apple_validation_category_01"), CBOR.unsigned(3))])
        let verifier = AppAttestVerifier(
            apps: [AppID(teamID: "A", bundleID: "b")], environment: .production, launchPolicy: .only([.appStore]))
        let report = try explain(device, verifier, keyID: [1], challenge: [2], at: UnixTime(secondsSince1970: 0))
        #expect(report.failures.map(\.number) == ["1", "4", "5", "6", "7", "8", "10"])
        #expect(report.steps.filter { $0.status == .notRun }.map(\.number) == ["9"])
        #expect(report.failures.first { $0.number == "10" }?.likelyCauses == ["the app is a development build"])
        // A report does not guess the app if the verifier accepts two apps.
        let two = AppAttestVerifier(
            apps: [AppID(teamID: "A", bundleID: "b"), AppID(teamID: "A", bundleID: "c")], environment: .production,
            launchPolicy: .only([.appStore]))
        let unknown = try explain(TestDevice(), two)
        #expect(unknown.steps.filter { $0.check == .validationCategory }.map(\.status) == [.notRun])
    }

    @Test func assertions() throws {
        var device = TestDevice()
        device.counter = 5
        let key = try device.storedKey()
        let verifier = try device.verifier()
        func explain(
            _ assertion: [UInt8]? = nil, clientData: [UInt8]? = nil, challenge: [UInt8]? = nil,
            challengeBy find: (@Sendable (ArraySlice<UInt8>) -> [UInt8]?)? = nil, key: AttestedKey = key
        ) throws -> VerificationReport.Step {
            try onlyFailure(
                verifier.explainAssertion(
                    assertion ?? device.assertion, challenge: challenge ?? clientData ?? device.challenge,
                    signed: .clientData(clientData ?? device.challenge, challengeBy: find), key: key))
        }
        func assertion(signatureOf nonce: [UInt8], isHash: Bool = false) -> [UInt8] {
            let signature = isHash ? TestDevice.key.signature(ofHash: nonce) : TestDevice.key.signature(of: nonce)
            return TestDevice.assertion(signature: signature, authenticatorData: device.head)
        }
        func nonce(_ clientDataHash: [UInt8]) -> [UInt8] { HashGuesses.digest(device.head + clientDataHash) }
        let hash = HashGuesses.digest(device.challenge)

        var step = try explain(assertion(signatureOf: nonce(hash), isHash: true))
        #expect(
            step.number == "3" && step.likelyCauses.first?.contains("a client bug, no device signs like this") == true)
        step = try explain(assertion(signatureOf: nonce(device.challenge)))
        #expect(step.likelyCauses.first?.contains("the client data was used raw") == true)
        step = try explain(assertion(signatureOf: nonce(HashGuesses.digest(hash))))
        #expect(step.likelyCauses.first?.contains("hashed twice") == true)
        step = try explain(clientData: [1, 2, 3])
        #expect(step.error == .invalidSignature && step.likelyCauses.count == 2)

        step = try explain(key: device.storedKey(counter: 5))
        #expect(step.number == "5" && step.expected == "more than 5" && step.received == "5")
        #expect(step.likelyCauses.first?.contains("replay") == true)
        step = try explain(key: device.storedKey(counter: 9))
        #expect(step.likelyCauses.first?.contains("sliding window") == true)

        device.challenge = [UInt8]("…".utf8) + Base64.encode([1, 2, 3]) + [0]
        step = try explain(challenge: [1, 2, 3])
        #expect(step.number == "6" && step.likelyCauses.first?.contains("use .clientData(") == true)
        device.challenge = Base64.encode([1, 2, 3])
        step = try explain(challenge: [1, 2, 3])
        #expect(step.likelyCauses.first?.contains("as base64 text") == true)
        step = try explain(challenge: [9])
        #expect(step.likelyCauses.first?.contains("another challenge") == true)
        step = try explain(challenge: [])
        #expect(step.error == .emptyChallenge)
        step = try explain(challenge: [1], challengeBy: { _ in nil })
        #expect(step.error == .challengeNotFound)
    }

    @Test func wrongObjects() throws {
        let device = TestDevice()
        let verifier = try device.verifier()
        func first(_ bytes: [UInt8]) throws -> String? {
            verifier.explainAttestation(
                bytes, keyID: TestDevice.key.keyID, challenge: device.challenge, at: TestAuthority.time
            ).failures.first?.likelyCauses.first
        }
        #expect(try first([]) == "the input is empty")
        #expect(try first(Base64.encode(device.attestation))?.contains("base64 text") == true)
        #expect(try first(Base64.encode(device.attestation, as: .urlSafeUnpadded))?.contains("base64 text") == true)
        var asserting = device
        asserting.counter = 1
        #expect(try first(asserting.assertion) == "the object is an assertion")
        let report = verifier.explainAssertion(
            device.attestation, clientDataCheckedByCaller: device.challenge, key: try device.storedKey())
        #expect(report.failures.first?.likelyCauses.first == "the object is an attestation")
    }

    /// The number of each receipt step is the number of the field that the step checks, as in Apple's table.
    @Test func stepsOfReceiptsAreNumberedByFields() {
        let steps: [VerificationReport.Check] = [
            .receiptApp, .receiptKey, .receiptAttestation, .receiptEnvironment, .receiptAge, .receiptExpiration,
        ]
        #expect(steps.map { $0.number(in: .receipt) } == ["2", "3", "4", "7", "12", "21"])
    }

    // MARK: Safe to log

    /// The content of an object injects no control characters. Reports contain neither secrets nor long input.
    @Test func holdsNoSecretsAndNoControls() throws {
        var device = TestDevice()
        device.flags = 0xc0
        device.extensions = CBOR.map([
            (CBOR.text("apple_bundle_version_01"), CBOR.text("1\n\u{1b}[31mERROR\u{202e}\u{2028}"))
        ])
        let verifier = AppAttestVerifier(
            apps: [AppID(bytes: "A.\u{7}\r\nb".utf8)], environment: .development,
            launchPolicy: .only(nil, versions: .oneOf(["2"])))
        let text = "\(try explain(device, verifier, keyID: [1], challenge: [2]))"
        #expect(text.contains(#"“1\u{a}\u{1b}[31mERROR\u{202e}\u{2028}”"#) && text.contains(#"“A.\u{7}\u{d}\u{a}b”"#))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        let secrets = [TestDevice.key.x963, device.challenge, TestDevice.key.keyID]
        for secret in secrets {
            #expect(!text.contains(String(decoding: Hex.encode(secret), as: UTF8.self)))
            #expect(!text.contains(String(decoding: Base64.encode(secret), as: UTF8.self)))
        }
        #expect(text.contains("Diagnostic report (not a verification): attestation."))
        #expect(printable([UInt8](repeating: 0x61, count: 500)).count == 102)
    }
}
