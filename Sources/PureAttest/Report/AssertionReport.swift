@_spi(Steps) import PureBytes
public import PureDER
import PureECDSA
import PureSHA2
@_spi(CheckedByCaller) public import PureSignedContent

extension AppAttestVerifier {
    /// Explains the result of ``verifyAssertion(_:challenge:signed:key:at:)``, including failures after the first.
    ///
    /// This method calls the closure of `SignedContent.clientData(_:challengeBy:)` even if the signature is invalid.
    public func explainAssertion(
        _ assertion: some Collection<UInt8>, challenge: some Collection<UInt8>,
        signed content: SignedContent = .challenge,
        key: AttestedKey, at time: UnixTime? = nil
    ) -> VerificationReport {
        let (assertion, challenge) = (ArraySlice(assertion), ArraySlice(challenge))
        let clientData = content.signedBytes(challenge: challenge, keyID: key.keyID)
        let received = ReceivedAssertion(
            object: assertion, challenge: challenge, signed: content, clientData: clientData, key: key)
        var outcomes = EveryOutcome<VerificationReport.Check, PureAttestError>()
        let found = assertionVerifier.takeSteps(
            of: assertion, clientData: clientData, challenge: challenge, signed: content, key: key, at: time,
            by: &outcomes, isValid: key.isValidSignature)
        return VerificationReport(
            on: .assertion, trusting: authority, outcomes,
            isAsked: { $0.isAsked(of: found.app, launched: found.launched) },
            finding: { finding(of: $0, $1, declaration: $2, received, found) })
    }

    /// Returns the details of a failed check. `declaration` is the index of the declaration that rejected the object,
    /// in `found.app.all` or `found.launched.all`.
    private func finding(
        of check: VerificationReport.Check, _ error: PureAttestError, declaration: Int,
        _ received: ReceivedAssertion, _ found: AssertionEvidence
    ) -> VerificationReport.Finding {
        let (key, data) = (received.key, found.authenticatorData)
        switch check {
        case .assertionObject: return Self.objectFinding(received.object, isAttestation: false)
        case .storedKey:
            return .init(expected: .environment(environment), received: .environment(key.environment))
        case .assertionSignature:
            guard let signature = found.object?.signature, let nonce = found.nonce else { return .init() }
            return Self.signatureFinding(
                signature, nonce: nonce, data: data, clientData: received.clientData, key: key)
        case .appOfKey:
            if case .platformNotAllowed = error { return Self.platformFinding(key.system.platform) }
            if error == .keyOfUnknownApp { return .init(because: .storedKeyOfUnknownApp) }
            return data.map { appFinding($0, leaf: nil) } ?? .init()
        case .counter:
            return data.map { Self.counterFinding(error, received: $0.counter, stored: key.counter) } ?? .init()
        case .systemPolicy: return found.app?.all[declaration].systemFinding(error, key.system) ?? .init()
        case .keyAge:
            return .init(received: key.attestedAt.map { .init(.attestedAt, .time($0)) }, because: .keyTooOld)
        case .hashedClientData, .challenge: return Self.challengeFinding(error, received)
        case .validationCategory, .bundleVersion, .build:
            guard let app = found.launched?.all[declaration] else { return .init() }
            // The record states the system at the time of the attestation. The device may have updated its system
            // since, so the recorded version does not prove that launch information is forged.
            return app.launchFinding(
                error, data, of: nil, unsignedBuild: found.object?.unverifiedCodeDirectoryHash)
        default: return .init()
        }
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
        // A device hashes the nonce again before it signs, so the digest is the hash of the nonce.
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
            switch error {
            case .counterStepTooLarge: .of(.assertionsLost)
            case .counterReplayed: .of(.assertionRepeated)
            case _ where received == stored: .of(.assertionRepeated)
            case _ where received == 0: .of(.counterOfAttestation)
            default: .of(.requestsOvertook, .replay)
            }
        return .init(
            expected: .init(.moreThan, .number(Int64(stored))), received: .number(received), causes: causes)
    }

    private static func challengeFinding(
        _ error: PureAttestError, _ received: ReceivedAssertion
    ) -> VerificationReport.Finding {
        let (expected, clientData) = (received.challenge, received.clientData)
        if error == .emptyChallenge {
            return .init(because: .challengeEmpty)
        }
        if error == .challengeNotFound {
            return .init(because: .clientDataUnreadable)
        }
        guard received.signed.isComparedAsWhole else {
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

    /// Whether the first 64 KiB of `bytes` contain `part`. If `part` is longer than 1,024 bytes, the result is `false`.
    /// The two limits bound the running time, which is proportional to the product of the lengths.
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

private struct ReceivedAssertion {
    let object: ArraySlice<UInt8>
    let challenge: ArraySlice<UInt8>
    let signed: SignedContent
    let clientData: ArraySlice<UInt8>
    let key: AttestedKey
}
