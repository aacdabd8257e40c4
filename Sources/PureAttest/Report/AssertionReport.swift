import PureBytes
public import PureDER
import PureECDSA
import PureSHA2
public import PureSignedContent

extension AppAttestVerifier {
    /// Explains the result of ``verifyAssertion(_:challenge:signed:key:at:)``: every step that can run does.
    ///
    /// The report also calls the closure of `SignedContent.clientData(_:challengeBy:)` if the signature is invalid. No verdict
    /// depends on it.
    public func explainAssertion(
        _ assertion: some Collection<UInt8>, challenge: some Collection<UInt8>,
        signed content: SignedContent = .challenge,
        key: AttestedKey, at time: UnixTime? = nil
    ) -> VerificationReport {
        let (assertion, challenge) = (ArraySlice(assertion), ArraySlice(challenge))
        let clientData = content.signedBytes(challenge: challenge, keyID: key.keyID)
        var report = VerificationReport(on: .assertion, trusting: authority)
        _ = report.run(.storedKey) {
            () throws(PureAttestError) in
            try assertionVerifier.checkEnvironment(of: key)
        } finding: { _ in
            .init(expected: .environment(environment), received: .environment(key.environment))
        }
        let object = report.run(.assertionObject) {
            () throws(PureAttestError) in
            try AssertionObject(decoding: assertion)
        } finding: { _ in
            Self.objectFinding(assertion, isAttestation: false)
        }
        let data = report.run(.authenticatorData, on: object) {
            (object) throws(PureAttestError) in try AuthenticatorData(assertion: object.authenticatorData)
        }
        let hash = report.run(.hashedClientData) { SHA256.hash(data: clientData) }
        let nonce = report.run(.nonce, on: data.flatMap { data in hash.map { (data, $0) } }) {
            (data, hash) in data.nonce(clientDataHash: hash)
        }
        let signed = object.flatMap { object in nonce.map { (object.signature, $0) } }
        _ = report.run(.assertionSignature, on: signed) {
            (signature, nonce) throws(PureAttestError) in
            try AssertionVerifier.checkSignature(signature, of: nonce, by: key)
        } finding: { inputs, _ in
            Self.signatureFinding(inputs.0, nonce: inputs.1, data: data, clientData: clientData, key: key)
        }
        let declarations = report.run(.appOfKey, on: data) {
            (data) throws(PureAttestError) in
            try assertionVerifier.checkAppID(of: data, isOf: key)
        } finding: { data, error in
            if case .platformNotAllowed = error { return Self.platformFinding(key.system.platform) }
            guard error == .keyOfUnknownApp else { return self.appFinding(data, leaf: nil) }
            return .init(because: .storedKeyOfUnknownApp)
        }
        let app = declarations?.first
        if let app {
            explainSystem(key.system, app: app, in: &report)
            if app.agePolicy.maximumKeyAge != nil {
                _ = report.run(.keyAge) { () throws(PureAttestError) in
                    try app.agePolicy.checkKey(key, at: time)
                } finding: { _ in
                    .init(
                        received: key.attestedAt.map { .init(.attestedAt, .time($0)) }, because: .keyTooOld)
                }
            }
        }
        _ = report.run(.counter, on: data) {
            (data) throws(PureAttestError) in
            _ = try key.accepting(data.counter, policy: counterPolicy)
            try app?.agePolicy.checkCounter(data.counter, of: key)
        } finding: { data, error in
            Self.counterFinding(error, received: data.counter, stored: key.counter)
        }
        _ = report.run(.challenge) { () throws(PureAttestError) in
            try AssertionVerifier.checkChallenge(challenge, in: content)
        } finding: {
            Self.challengeFinding($0, challenge, in: content, clientData: clientData)
        }
        explainLaunch(
            data, of: key.system, unsignedBuild: object?.unverifiedCodeDirectoryHash, app: app, in: &report)
        return report
    }

    /// Explains the result of ``AssertionVerifier/verifyAssertion(_:clientDataCheckedByCaller:key:at:)``.
    public func explainAssertion(
        _ assertion: some Collection<UInt8>, clientDataCheckedByCaller clientData: some Collection<UInt8>,
        key: AttestedKey, at time: UnixTime? = nil
    ) -> VerificationReport {
        explainAssertion(
            assertion, challenge: [], signed: .clientDataCheckedByCaller(clientData), key: key, at: time)
    }

    private static func signatureFinding(
        _ encoded: ArraySlice<UInt8>, nonce: SHA256Digest, data: AuthenticatorData?, clientData: ArraySlice<UInt8>,
        key: AttestedKey
    ) -> VerificationReport.Finding {
        guard let data, let signature = try? P256.Signing.ECDSASignature(derRepresentation: encoded) else {
            return .init(
                received: .init(.size, .number(Int64(encoded.count))),
                causes: encoded.count == 64 ? .of(.signatureWithoutDER) : [])
        }
        if key.publicKey.isValidSignature(signature, for: nonce) {
            return .init(because: .signatureOfSingleHash)
        }
        // The nonce is hashed once more, as by a device.
        if key.hasPublicKeyMultiples, key.publicKey.isValidSignature(signature, for: SHA256.hash(data: nonce)) {
            return .init(because: .multiplesDamaged)
        }
        let causes = HashGuesses.ofData(clientData, named: .clientData).filter { guess in
            key.publicKey.isValidSignature(
                signature, for: SHA256.hash(data: data.nonce(clientDataHash: guess.hash)))
        }.map { $0.cause }
        return causes.isEmpty ? .init(because: .clientDataDiffer, .otherKeySigned) : .init(causes: causes)
    }

    private static func counterFinding(
        _ error: PureAttestError, received: UInt32, stored: UInt32
    ) -> VerificationReport.Finding {
        let causes: [VerificationReport.Cause] =
            if case .counterStepTooLarge = error {
                .of(.assertionsLost)
            } else if case .counterReplayed = error {
                .of(.assertionRepeated)
            } else if received == stored {
                .of(.assertionRepeated)
            } else if received == 0 {
                .of(.counterOfAttestation)
            } else {
                .of(.requestsOvertook, .replay)
            }
        return .init(
            expected: .init(.moreThan, .number(Int64(stored))), received: .number(received), causes: causes)
    }

    private static func challengeFinding(
        _ error: PureAttestError, _ expected: ArraySlice<UInt8>, in content: SignedContent,
        clientData: ArraySlice<UInt8>
    ) -> VerificationReport.Finding {
        if error == .emptyChallenge {
            return .init(because: .challengeEmpty)
        }
        if error == .challengeNotFound {
            return .init(because: .clientDataUnreadable)
        }
        guard content.isComparedAsWhole else {
            return .init(because: .otherChallengeAnswered)
        }
        let cause: VerificationReport.CauseCode =
            if Base64.encode(expected).elementsEqual(clientData)
                || Base64.encode(expected, as: .urlSafeUnpadded).elementsEqual(clientData)
            {
                .clientDataAreBase64
            } else if Hex.encode(expected).elementsEqual(clientData) {
                .clientDataAreHex
            } else if contains(clientData, [UInt8](expected)) || contains(clientData, Base64.encode(expected))
                || contains(clientData, Base64.encode(expected, as: .urlSafeUnpadded))
                || contains(clientData, Hex.encode(expected))
            {
                clientData.first { $0 > 0x20 } == UInt8(ascii: "{") ? .clientDataAreJSON : .clientDataHoldMore
            } else {
                .otherChallengeAnswered
            }
        return .init(because: cause)
    }

    /// Whether `part` is somewhere in `bytes`. Only the first 64 KiB are looked at: the work is the product of both.
    private static func contains(_ bytes: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
        guard part.count <= 1_024 else { return false }
        var rest = bytes.prefix(65_536)
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
