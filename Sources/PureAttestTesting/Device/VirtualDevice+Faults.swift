import PureAttest

// Creating a faulty object does not change the device: the key stays unattested, and its counter does not advance.

extension VirtualDevice {
    /// Attests a key, but breaks one rule of App Attest or CBOR.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` for an unknown key, ``AttestTestingError/invalidInput`` for an empty
    ///   hash, or ``AttestTestingError/faultDoesNotApply`` for a fault that the device cannot create.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>, breaking fault: AttestationFault
    ) throws(AttestTestingError) -> [UInt8] {
        guard fault.applies(to: system) else { throw .faultDoesNotApply }
        return try faultyAttestation(keyID, [UInt8](clientDataHash)) { draft, time in
            fault.definition(environment: environment, at: time).apply(&draft)
        }
    }

    /// Attests a key, but breaks one rule of X.509 or DER.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` for an unknown key, ``AttestTestingError/invalidInput`` for an empty
    ///   hash.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>, breaking fault: CertificateFault
    ) throws(AttestTestingError) -> [UInt8] {
        try faultyAttestation(keyID, [UInt8](clientDataHash)) { draft, time in
            fault.definition(at: time).apply(&draft)
        }
    }

    /// Attests a key, but breaks one rule of the receipt. A correct verifier rejects only the receipt.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` for an unknown key, ``AttestTestingError/invalidInput`` for an empty
    ///   hash.
    public func attestKey(
        _ keyID: String, clientDataHash: some Collection<UInt8>, breaking fault: ReceiptFault
    ) throws(AttestTestingError) -> [UInt8] {
        try faultyAttestation(keyID, [UInt8](clientDataHash)) { draft, time in
            fault.definition(environment: environment, at: time).apply(&draft.receipt)
        }
    }

    /// Signs a request, but breaks one rule.
    ///
    /// - Throws: ``AttestTestingError/invalidKey`` for an unknown or unattested key or a counter overflow, and
    ///   ``AttestTestingError/invalidInput`` for an empty hash. ``AttestTestingError/faultDoesNotApply`` for a fault
    ///   that the device cannot create.
    public func generateAssertion(
        _ keyID: String, clientDataHash: some Collection<UInt8>, breaking fault: AssertionFault
    ) throws(AttestTestingError) -> [UInt8] {
        guard fault.applies(to: system) else { throw .faultDoesNotApply }
        let clientDataHash = [UInt8](clientDataHash)
        guard !clientDataHash.isEmpty else { throw .invalidInput }
        return try withKey(keyID) { (key, _) throws(AttestTestingError) in
            let step = fault == .counterJump ? AssertionFault.counterJumpStep : 1
            guard key.attestation != nil, key.counter <= .max - step else { throw .invalidKey }
            var draft = assertionDraft(of: key, clientDataHash: clientDataHash)
            fault.definition(previousCounter: key.counter).apply(&draft)
            return draft.encoded()
        }
    }

    func faultyAttestation(
        _ keyID: String, _ clientDataHash: [UInt8], _ apply: (inout AttestationDraft, UnixTime) -> Void
    ) throws(AttestTestingError) -> [UInt8] {
        guard !clientDataHash.isEmpty else { throw .invalidInput }
        return try withKey(keyID) { (key, time) throws(AttestTestingError) in
            var draft = attestationDraft(of: key, clientDataHash: clientDataHash, at: time)
            apply(&draft, time)
            return draft.encoded()
        }
    }
}
