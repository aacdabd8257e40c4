import PureAttest

extension ObjectFile {
    /// Verifies the objects of a file as it says: the attestation at its time, each assertion after the counter before it,
    /// each receipt at the time it was received.
    public static func run(_ file: Data) throws -> SuiteOutcome {
        let object = try ObjectFile(json: file)
        var outcome = SuiteOutcome()
        let app = object.app
        guard let environment = object.verifierEnvironment else {
            throw VectorFileError.missingMember
        }
        // On both platforms: the certificate says which one counts.
        let apps = [app, AppID(bytes: app.bytes, platform: .macOS)]
        let verifier = AppAttestVerifier(apps: apps, environment: environment, launchPolicy: .reportOnly)
        let attestation = Result {
            try verifier.verifyAttestation(
                object.attestation, keyID: object.keyID, clientDataHash: object.clientDataHash,
                at: UnixTime(secondsSince1970: object.verifyAt))
        }
        let verified = try? attestation.get()
        outcome.record(
            "attestation: \(attestation)",
            passed: object.expect.verifies
                ? verified.map(object.expect.holds) ?? false : verified == nil)
        for (index, assertion) in object.assertions.enumerated() {
            guard
                let key = try? AttestedKey(
                    trustingStoredKey: object.expect.publicKeyX963, appID: app, environment: environment,
                    counter: assertion.previousCounter)
            else { throw VectorFileError.missingMember }
            let result = Result {
                try verifier.verifyAssertion(
                    assertion.assertion, clientData: assertion.clientData, challenge: .checkedByCaller, key: key)
            }
            let proof = try? result.get()
            outcome.record(
                "assertion \(index + 1): \(result)",
                passed: assertion.verifies ? proof.map { $0.counter == assertion.counter } ?? false : proof == nil)
        }
        for (index, receipt) in object.receipts.enumerated() {
            guard let verified else {
                outcome.skip("receipt of a key that is not attested")
                continue
            }
            let time = UnixTime(secondsSince1970: receipt.verifyAt)
            let result = Result {
                let unverified =
                    if let bytes = receipt.receipt { try verifier.receipt(bytes, of: verified.key) } else {
                        verified.unverifiedReceipt
                    }
                return try unverified.verify(at: time, maximumAge: nil)
            }
            outcome.record(
                "receipt \(index + 1): \(result)", passed: ((try? result.get()) != nil) == receipt.verifies)
        }
        return outcome
    }

    private var app: AppID { AppID(bytes: appID.utf8) }

    private var verifierEnvironment: Environment? {
        switch environment {
        case "production": .production
        case "development": .development
        default: nil
        }
    }
}

extension ObjectFile.Expectation {
    /// Whether a verification found what is expected.
    fileprivate func holds(for verified: VerifiedAttestation) -> Bool {
        let sent = verified.unverifiedLaunchInformation ?? verified.launchInformation
        return publicKeyX963.elementsEqual(verified.key.publicKeyX963) && counter == verified.key.counter
            && validationCategory == sent.validationCategory?.rawValue
            && bundleVersion == sent.bundleVersion?.description && osVersion == verified.osVersion
    }
}
