import PureAttest

extension ObjectFile {
    /// Verifies the objects of a file as it says: the attestation at its time, each assertion after the counter before it,
    /// each receipt at the time it was received.
    public static func run(_ file: Data) throws -> SuiteOutcome {
        let object = try ObjectFile(json: file)
        var outcome = SuiteOutcome()
        guard let app = object.app, let environment = object.verifierEnvironment else {
            throw VectorFileError.missingMember
        }
        let verifier = AppAttestVerifier(apps: [app], environment: environment, launchPolicy: .reportOnly)
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

    /// The prefix is what stands before the first dot.
    private var app: AppID? {
        guard let dot = appID.firstIndex(of: ".") else { return nil }
        return AppID(prefix: String(appID[..<dot]), bundleID: String(appID[appID.index(after: dot)...]))
    }

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
        publicKeyX963.elementsEqual(verified.key.publicKeyX963) && counter == verified.key.counter
            && validationCategory == verified.validationCategory?.rawValue
            && bundleVersion == verified.bundleVersion?.description && osVersion == verified.osVersion
    }
}
