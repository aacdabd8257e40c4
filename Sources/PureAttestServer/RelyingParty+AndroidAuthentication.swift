public import PureAttest
public import PureKeyAttestation
public import PureSignedContent

/// The proof that a registered Android key signed this server's challenge, which is consumed.
///
/// That the challenge is taken once is all that stands against a replay: the key has no counter, so that a second holder of it, if the
/// hardware let one exist, would not be seen.
public struct AndroidAuthentication: Sendable {
    /// The key's record, with the time of this use.
    public let record: KeyRecord
    /// What was signed. Where the client chose the bytes (`SignedContent.clientData(_:challengeBy:)`), read the request from its
    /// `VerifiedKeySignature.clientData`.
    public let signature: VerifiedKeySignature
    /// When it was verified.
    public let time: UnixTime
}

extension RelyingParty {
    /// Verifies that a registered Android key signed the challenge, and consumes the challenge.
    ///
    /// The challenge is consumed when the call succeeds, in the step that looks once more that the key is not revoked. A failed attempt
    /// writes nothing.
    ///
    /// - Parameters:
    ///   - signature: of `SHA256withECDSA` or `SHA256withRSA`, over the bytes themselves.
    ///   - keyID: ``RegisteredKey/keyID`` as ``AndroidRegistration/record`` has it.
    ///   - challenge: ``Challenge/value`` for ``Challenge/Purpose/keySignature``, as the client sends it back.
    ///   - signed: which bytes were signed.
    ///   - account: as when the challenge was issued. An account has to be the key's; `nil`: whoever the key belongs to.
    ///   - clientAddress: the requester, for rate limits.
    ///   - time: now.
    /// - Throws: why it is refused, or the store's error.
    public func authenticate(
        signature: [UInt8], keyID: [UInt8], challenge: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, clientAddress: ClientAddress? = nil, at time: UnixTime
    ) async throws(Failure) -> AndroidAuthentication {
        try await observed(.authenticateAndroid, keyID: keyID, account: account, at: time) { _ async throws(Failure) in
            guard signature.count <= AndroidSignatureLimits.signature,
                signed.byteCount <= configuration.maximumClientData
            else { throw .refused(.malformedRequest) }
            guard let android else { throw .refused(.androidNotAccepted) }
            let token = try open(
                challenge, purpose: .keySignature, keyID: keyID, account: account, clientAddress: clientAddress,
                at: time
            ).token
            let verifier = android.verifier
            /// Anybody can sign with the decoy key, so the bytes are not searched for the challenge.
            func verify(byDecoy key: AttestedAndroidKey) {
                let bytes = signed.clientData(challenge: challenge, keyID: keyID)
                _ = try? verifier.verifySignature(
                    signature, challenge: [], signed: .clientDataCheckedByCaller(bytes), key: key)
            }
            for attempt in 0..<Self.maximumAttempts {
                let stored: KeyRecord?
                do throws(Store.Failure) { stored = try await store.key(keyID) } catch { throw .store(error) }
                // Once more, as others of the account may have failed while all of them waited for the store.
                try checkFailures(of: account, at: time)
                // Keys of the other platform cannot have produced this signature.
                guard let record = stored, let key = record.key.android else {
                    imitateFailure(of: account, at: time, for: verifier, verify)
                    throw .refused(.unknownKey)
                }
                let verified: VerifiedKeySignature
                do throws(Refusal) {
                    do throws(KeyAttestationError) {
                        verified = try verifier.verifySignature(
                            signature, challenge: challenge, signed: signed, key: key)
                    } catch {
                        switch error {
                        // The errors before the signature that depend on what the store knows.
                        case .keyOfUnknownApp, .securityLevelNotAllowed, .remoteProvisioningRequired:
                            imitateSignature(for: verifier, verify)
                        default: break
                        }
                        throw .keyAttestation(error)
                    }
                    // After the signature: only the device itself learns what became of its key.
                    guard record.key.environment == self.verifier.environment else {
                        throw .verification(.keyOfOtherEnvironment(record.key.environment))
                    }
                    try record.checkUse(by: account)
                } catch {
                    noteFailure(of: account, at: time)
                    throw .refused(error)
                }
                if attempt == 0 { try admit(keyID, by: limiters.authenticationsPerKey, at: time) }
                let outcome: CounterAdvance
                do throws(Store.Failure) {
                    // From the key to itself: there is no counter to advance, and all else of the step counts.
                    outcome = try await store.advanceCounter(
                        from: record.key, to: record.key, at: time, consuming: token)
                } catch { throw .store(error) }
                switch outcome {
                case .advanced:
                    return AndroidAuthentication(
                        record: record.advanced(to: record.key, at: time), signature: verified, time: time)
                case .alreadyConsumed:
                    // A replayed signature verifies, because there is no counter. It must not consume the key's allowance.
                    limiters.authenticationsPerKey.giveBack(keyID, at: time)
                    throw .refused(.challengeConsumed)
                case .changed: continue
                }
            }
            throw .refused(.contended)
        }
    }

    /// Imitates a verification that fails, as for App Attest, where the client is not to learn that there is no key.
    private func imitateFailure(
        of account: AccountID?, at time: UnixTime, for verifier: KeyAttestationVerifier,
        _ verify: (AttestedAndroidKey) -> Void
    ) {
        guard configuration.answerPolicy == .uniform else { return }
        imitateSignature(for: verifier, verify)
        noteFailure(of: account, at: time)
    }

    /// Takes the time in which a signature is found to be invalid, under ``AnswerPolicy/uniform``, with a decoy key of P-256, which most
    /// devices have.
    private func imitateSignature(for verifier: KeyAttestationVerifier, _ verify: (AttestedAndroidKey) -> Void) {
        guard configuration.answerPolicy == .uniform, let app = verifier.apps.first, let key = decoyKey(of: app) else {
            return
        }
        verify(key)
    }

    /// A key that no device has and every policy accepts.
    private func decoyKey(of app: AndroidApp) -> AttestedAndroidKey? {
        // AttestedAndroidKey.serialized: version, level, provisioning, time, name, kind, point.
        let name = app.packageNameUTF8.prefix(AttestedAndroidKey.maximumPackageNameSize)
        let record: [UInt8] =
            [1, SecurityLevel.strongBox.rawValue, Provisioning.remote.rawValue] + [UInt8](repeating: 0, count: 8)
            + [UInt8(name.count)] + name + [1] + basePoint
        return try? AttestedAndroidKey(serialized: record)
    }
}

/// Ours: what a signature can be.
private enum AndroidSignatureLimits {
    /// That of an RSA key of 4,096 bits, the longest that is accepted.
    static let signature = 512
}
