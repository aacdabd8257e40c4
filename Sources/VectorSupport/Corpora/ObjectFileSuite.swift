import PureAttest
import PureSHA2

/// The members of an object file that the suite runner needs. Files from other sources may lack some of these members.
private struct ObjectFileToRun: Decodable {
    let appID: String?
    let environment: String?
    let platform: String?
    /// Only files of virtual devices have test roots.
    let testAnchor: TestAnchors?
    let launchPolicy: ObjectFilePolicies.Launch?
    let systemPolicy: ObjectFilePolicies.System?
    let agePolicy: ObjectFilePolicies.Age?
    let verifyAt: Int64?
    let keyID: Data?
    let challenge: Data?
    let clientDataHash: Data?
    let attestation: Data?
    let expect: ObjectFile.Expectation?
    let assertions: [ObjectFile.Assertion]?
    let receipts: [ObjectFile.Receipt]?

    /// The App ID. Its prefix is the text before the first dot.
    var app: AppID? {
        guard let appID, let dot = appID.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return AppID(
            prefix: String(decoding: appID.utf8[..<dot], as: UTF8.self),
            bundleID: String(decoding: appID.utf8[dot...].dropFirst(), as: UTF8.self))
    }

    var verifierEnvironment: Environment? {
        switch environment {
        case "production": .production
        case "development": .development
        default: nil
        }
    }
}

extension ObjectFile {
    /// Verifies the objects of a file. The attestation and the receipts are verified at their stated times, and each
    /// assertion with its previous counter.
    ///
    /// Skips a file without expectations, and an attestation without a challenge or hash. Throws if another required
    /// member is missing. Skips objects under a test root unless `trustsTestAnchors` is true. With `trustsTestAnchors`,
    /// applies the file's policies, and requires the file's reason for each rejection.
    package static func run(_ file: Data, trustingTestAnchors trustsTestAnchors: Bool = false) throws -> SuiteOutcome {
        let object = try JSONDecoder().decode(ObjectFileToRun.self, from: file)
        guard object.attestation != nil else { throw VectorFileError.missingMember }
        var outcome = SuiteOutcome()
        let (assertions, receipts) = (object.assertions ?? [], object.receipts ?? [])
        let testAnchors = trustsTestAnchors ? object.testAnchor : nil
        let skipReason =
            object.testAnchor != nil && testAnchors == nil
            ? "made under a test root" : object.expect == nil ? "the file has no expectation" : nil
        if let skipReason {
            outcome.skip(skipReason, count: 1 + assertions.count + receipts.count)
            return outcome
        }
        guard let app = object.app, let environment = object.verifierEnvironment, let expect = object.expect else {
            throw VectorFileError.missingMember
        }
        // The app is declared for both platforms, because the certificate selects the declaration that applies.
        let apps = [app, AppID(bytes: app.bytes, platform: .macOS)]
        var verifier = AppAttestVerifier(apps: apps, environment: environment, launchPolicy: .reportOnly)
        if let testAnchors { verifier = try object.verifier(of: app, environment, trusting: testAnchors) }
        let verified = try runAttestation(of: object, expect, verifier, &outcome)
        for (index, assertion) in assertions.enumerated() {
            // With test anchors, uses the verified key, because the policies need the system and the time that the
            // attestation recorded.
            let stored =
                testAnchors == nil
                ? try? AttestedKey(
                    trustingStoredKey: expect.publicKeyX963, appID: app, environment: environment, counter: 0)
                : verified?.key
            guard let key = stored?.resumed(at: assertion.previousCounter) else { throw VectorFileError.missingMember }
            let result = Result { () throws(PureAttestError) in
                let time = assertion.verifyAt.map(UnixTime.init(secondsSince1970:))
                guard let challenge = assertion.challenge else {
                    return try verifier.assertionVerifier.verifyAssertion(
                        assertion.assertion, clientDataCheckedByCaller: assertion.clientData, key: key, at: time)
                }
                return try verifier.verifyAssertion(
                    assertion.assertion, challenge: challenge, signed: .clientData(assertion.clientData), key: key,
                    at: time)
            }
            outcome.record(
                "assertion \(index + 1)", result, expected: assertion.verifies, code: assertion.reasonCode,
                holds: { $0.counter == assertion.counter })
        }
        for (index, receipt) in receipts.enumerated() {
            guard let verified else {
                outcome.skip("receipt of an unattested key")
                continue
            }
            let time = UnixTime(secondsSince1970: receipt.verifyAt)
            let result = Result { () throws(PureAttestError) in
                let unverified =
                    if let bytes = receipt.receipt { try verifier.receipt(bytes, of: verified.key) } else {
                        verified.unverifiedReceipt
                    }
                let isNew = testAnchors != nil && receipt.receipt == nil
                return try unverified.verify(
                    at: time, maximumAge: isNew ? UnverifiedReceipt.registrationAge : nil)
            }
            outcome.record(
                "receipt \(index + 1)", result, expected: receipt.verifies, code: receipt.reasonCode,
                holds: { _ in true })
        }
        return outcome
    }

    private static func runAttestation(
        of object: ObjectFileToRun, _ expect: Expectation, _ verifier: AppAttestVerifier,
        _ outcome: inout SuiteOutcome
    ) throws -> VerifiedAttestation? {
        guard let attestation = object.attestation, let keyID = object.keyID, let time = object.verifyAt else {
            throw VectorFileError.missingMember
        }
        guard
            let clientDataHash = object.clientDataHash.map({ [UInt8]($0) })
                ?? object.challenge.map({ [UInt8](SHA256.hash(data: $0)) })
        else {
            outcome.skip("attestation without a recorded challenge")
            return nil
        }
        let result = Result { () throws(PureAttestError) in
            try verifier.verifyAttestation(
                attestation, keyID: keyID, clientDataHash: clientDataHash, at: UnixTime(secondsSince1970: time))
        }
        outcome.record(
            "attestation", result, expected: expect.verifies, code: expect.reasonCode, holds: expect.holds)
        return try? result.get()
    }
}

extension SuiteOutcome {
    /// Requires that an accepted object proves the expected values, and that a rejected object has the expected reason.
    fileprivate mutating func record<Proof>(
        _ name: String, _ result: Result<Proof, PureAttestError>, expected isAcceptable: Bool, code: String?,
        holds: (Proof) -> Bool
    ) {
        switch result {
        case .success(let proof):
            let isOther = isAcceptable && !holds(proof)
            record(
                name, isOther ? .differs : isAcceptable ? nil : .accepted,
                detail: isOther ? "a field differs from the expectation" : nil)
        case .failure(let error):
            let isOther = !isAcceptable && code != nil && code != caseName(of: error)
            record(name, isOther ? .differs : isAcceptable ? .refused : nil, detail: error.description)
        }
    }
}

extension ObjectFileToRun {
    /// Returns a verifier that trusts only these roots, with the file's policies and platform.
    fileprivate func verifier(
        of app: AppID, _ environment: Environment, trusting anchors: TestAnchors
    ) throws -> AppAttestVerifier {
        let app = AppID(bytes: app.bytes, platform: platform == "macOS" ? .macOS : .device)
        let policies = ObjectFilePolicies(
            launchPolicy: launchPolicy, systemPolicy: systemPolicy, agePolicy: agePolicy)
        guard let accepted = policies.acceptedApp(app),
            let verifier = anchors.trusted(
                by: AppAttestVerifier(acceptedApps: [accepted], environment: environment))
        else { throw VectorFileError.missingMember }
        return verifier
    }
}

extension ObjectFile.Expectation {
    fileprivate func holds(for verified: VerifiedAttestation) -> Bool {
        let sent = verified.unverifiedLaunchInformation ?? verified.launchInformation
        return publicKeyX963.elementsEqual(verified.key.publicKeyX963) && counter == verified.key.counter
            && validationCategory == sent.validationCategory?.rawValue
            && bundleVersion == sent.bundleVersion?.description && osVersion == verified.osVersion
    }
}
