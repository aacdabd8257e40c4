public import PureAttest

extension RelyingParty {
    /// How often an assertion is verified anew because another one of the same key was stored meanwhile. Each time that one
    /// has another counter value; after 64 this one's has left the window of ``PureAttest/CounterPolicy/slidingWindow`` or
    /// the device sends more at once than any window holds.
    static var maximumAttempts: Int { 64 }

    /// Verifies that a registered key signed the challenge, and advances its counter in the store.
    ///
    /// The challenge is spent by the call, whatever comes of it.
    ///
    /// - Parameters:
    ///   - assertion: the object from `generateAssertion`, whose client data hash is the SHA-256 of the signed bytes.
    ///   - signed: which bytes those are.
    ///   - account: the user, where the server knows one by other means: it has to be the key's. `nil`: whoever the key
    ///     belongs to; ``Authentication/record`` tells.
    /// - Throws: why it is refused, or the store's error.
    public func authenticate(
        assertion: [UInt8], keyID: [UInt8], challengeID: [UInt8], signed: SignedContent = .challenge,
        account: AccountID? = nil, at time: UnixTime
    ) async throws(Failure) -> Authentication {
        guard keyID.count == Self.keyIDByteCount, challengeID.count == Challenge.idByteCount,
            assertion.count <= InputLimits.assertion, fits(signed)
        else { throw .refused(.malformedRequest) }
        let challenge = try await consume(challengeID, purpose: .assertion, keyID: keyID, at: time)
        for _ in 0..<Self.maximumAttempts {
            guard let record = try await self.record(of: keyID) else {
                imitateVerification(of: assertion, signed: signed, challenge: challenge)
                throw .refused(.unknownKey)
            }
            let verified = try verify(
                assertion, signed: signed, challenge: challenge, by: record, account: account, at: time)
            // Decided by what the verification read: whoever stored another state since then makes this false.
            let isAdvanced: Bool
            do { isAdvanced = try await store.advanceCounter(from: record.key, to: verified.key) } catch {
                throw .store(error)
            }
            if isAdvanced {
                return Authentication(record: record.advanced(to: verified.key), assertion: verified, time: time)
            }
        }
        throw .refused(.contended)
    }

    private func fits(_ signed: SignedContent) -> Bool {
        switch signed {
        case .challenge: true
        case .clientData(let bytes, _): bytes.count <= configuration.maximumClientData
        }
    }

    private func record(of keyID: [UInt8]) async throws(Failure) -> KeyRecord? {
        do { return try await store.key(keyID) } catch { throw .store(error) }
    }

    private func verify(
        _ assertion: [UInt8], signed: SignedContent, challenge: Challenge, by record: KeyRecord, account: AccountID?,
        at time: UnixTime
    ) throws(Failure) -> VerifiedAssertion {
        let verified: VerifiedAssertion
        do {
            verified = try verifier.verifyAssertion(
                assertion, clientData: signed.clientData(challenge: challenge.value),
                challenge: signed.binding(to: challenge.value), key: record.key, at: time)
        } catch { throw .refused(.verification(error)) }
        // After the signature: only the device itself learns what became of its key.
        guard record.revokedAt == nil else { throw .refused(.revokedKey) }
        for expected in [account, challenge.account] {
            if let expected, expected != record.account { throw .refused(.keyOfOtherAccount) }
        }
        return verified
    }

    /// Takes the time of a verification, where the client is not to learn that there was none.
    private func imitateVerification(of assertion: [UInt8], signed: SignedContent, challenge: Challenge) {
        guard configuration.answers == .uniform,
            let key = try? AttestedKey(
                trustingStoredKey: basePoint, appID: AppID(bytes: []), environment: verifier.environment, counter: 0)
        else { return }
        _ = try? verifier.verifyAssertion(
            assertion, clientData: signed.clientData(challenge: challenge.value),
            challenge: signed.binding(to: challenge.value), key: key)
    }
}

extension KeyRecord {
    fileprivate func advanced(to key: AttestedKey) -> KeyRecord {
        KeyRecord(
            key: key, account: account, unverifiedReceipt: unverifiedReceipt, registeredAt: registeredAt,
            revokedAt: revokedAt)
    }
}

/// A public key that anyone can sign with and no device has: P-256's base point (SP 800-186 §3.2.1.3), as 04 ‖ x ‖ y.
private let basePoint: [UInt8] = [
    0x04, 0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2, 0x77, 0x03,
    0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96, 0x4F, 0xE3, 0x42, 0xE2, 0xFE,
    0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16, 0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE,
    0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
]
