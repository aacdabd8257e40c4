import PureDER
@testable import PureKeyAttestationTesting

@testable import PureKeyAttestation

extension KeyAttestationVerifier {
    /// Returns the error that rejects a chain, or `nil` if the verifier accepts the chain.
    func rejection(
        _ chain: [[UInt8]], challenge: ArraySlice<UInt8> = ArraySlice("challenge".utf8),
        at time: UnixTime = ChainDraft.time, revocation: RevocationStatusList = .notChecked
    ) -> KeyAttestationError? {
        do throws(KeyAttestationError) {
            _ = try verify(chain: chain, challenge: challenge, at: time, revocation: revocation)
            return nil
        } catch { return error }
    }

    /// Returns the error that rejects a signature, or `nil` if the verifier accepts the signature.
    func rejection(
        of signature: some Collection<UInt8>, challenge: [UInt8], signed: SignedContent = .challenge,
        key: AttestedAndroidKey
    ) -> KeyAttestationError? {
        do throws(KeyAttestationError) {
            _ = try verifySignature(signature, challenge: challenge, signed: signed, key: key)
            return nil
        } catch { return error }
    }
}

extension AttestedAndroidKey {
    /// Returns the error that rejects a record, or `nil` if the record is valid.
    static func rejection(of record: some Collection<UInt8>) -> KeyAttestationError? {
        do throws(KeyAttestationError) {
            _ = try AttestedAndroidKey(serialized: record)
            return nil
        } catch { return error }
    }
}

/// Returns the error that rejects the remotely provisioned chain after a change.
func remote(
    under policy: KeyAttestationPolicy = .standard, _ change: (inout ChainDraft) -> Void
) -> KeyAttestationError? {
    var draft = ChainDraft.remote
    change(&draft)
    return draft.rejection(policy)
}

/// Returns the error that rejects the factory chain after a change.
func factory(_ change: (inout ChainDraft) -> Void) -> KeyAttestationError? {
    var draft = ChainDraft.factory
    change(&draft)
    return draft.rejection()
}
