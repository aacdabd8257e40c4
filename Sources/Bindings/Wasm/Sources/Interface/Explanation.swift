#if arch(wasm32)
    import PureAttest
    import PureDER

    // Only the explaining module exports these functions (wasm.sh); the linker drops them from the other modules.

    /// Explains the verdict of ``verifyAttestation(_:_:_:_:_:_:_:_:_:_:)``; see `AppAttestVerifier.explainAttestation`.
    ///
    /// Bits of `options`: 1, the challenge is already the client data hash; 2, the report explains the attestation's
    /// receipt, which requires a valid attestation.
    ///
    /// - Returns: 0 if there is a report. Then `result` contains the address and the size of the report
    ///   (``ReportWriter``), and the caller must free the report. Otherwise the ``Refusal`` that prevents a report.
    @c(pure_attest_explain_attestation)
    public func explainAttestation(
        _ handle: OpaquePointer?, _ attestation: UnsafeRawPointer?, _ attestationCount: Int32,
        _ keyID: UnsafeRawPointer?,
        _ keyIDCount: Int32, _ challenge: UnsafeRawPointer?, _ challengeCount: Int32, _ options: Int32, _ time: Int64,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe explain(handle, result) { (verifier) throws(Refusal) in
            guard options & ~3 == 0 else { throw .malformedArgument }
            let attestation = unsafe try bytes(attestation, attestationCount)
            let keyID = unsafe try bytes(keyID, keyIDCount)
            let challenge = unsafe try bytes(challenge, challengeCount)
            let time = UnixTime(secondsSince1970: time)
            if options & 2 != 0 {
                do throws(PureAttestError) {
                    let verified =
                        options & 1 == 0
                        ? try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
                        : try verifier.verifyAttestation(attestation, keyID: keyID, clientDataHash: challenge, at: time)
                    return verified.unverifiedReceipt.explain(at: time)
                } catch { throw Refusal(error) }
            }
            if options & 1 == 0 {
                return verifier.explainAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
            }
            return verifier.explainAttestation(attestation, keyID: keyID, clientDataHash: challenge, at: time)
        }
    }

    /// Explains the verdict of ``verifyAssertion(_:_:_:_:_:_:_:_:_:_:_:)``, with the same arguments.
    @c(pure_attest_explain_assertion)
    public func explainAssertion(
        _ handle: OpaquePointer?, _ assertion: UnsafeRawPointer?, _ assertionCount: Int32,
        _ clientData: UnsafeRawPointer?, _ clientDataCount: Int32, _ challenge: UnsafeRawPointer?,
        _ challengeCount: Int32, _ record: UnsafeRawPointer?, _ recordCount: Int32, _ time: Int64,
        _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe explain(handle, result) { (verifier) throws(Refusal) in
            let assertion = unsafe try bytes(assertion, assertionCount)
            let clientData = unsafe try bytes(clientData, clientDataCount)
            let key = unsafe try key(record, recordCount)
            let time = time > 0 ? UnixTime(secondsSince1970: time) : nil
            guard challengeCount >= 0 else {
                return verifier.explainAssertion(assertion, clientDataCheckedByCaller: clientData, key: key, at: time)
            }
            return verifier.explainAssertion(
                assertion, challenge: unsafe try bytes(challenge, challengeCount), signed: .clientData(clientData),
                key: key, at: time)
        }
    }

    /// Explains the verdict of ``verifyReceipt(_:_:_:_:_:_:_:_:)``, with the same arguments.
    @c(pure_attest_explain_receipt)
    public func explainReceipt(
        _ handle: OpaquePointer?, _ receipt: UnsafeRawPointer?, _ receiptCount: Int32, _ record: UnsafeRawPointer?,
        _ recordCount: Int32, _ time: Int64, _ maximumAge: Int32, _ result: UnsafeMutableRawPointer?
    ) -> Int32 {
        unsafe explain(handle, result) { (verifier) throws(Refusal) in
            let receipt = unsafe try bytes(receipt, receiptCount)
            let key = unsafe try key(record, recordCount)
            do throws(PureAttestError) {
                return try verifier.receipt(receipt, of: key).explain(
                    at: UnixTime(secondsSince1970: time), maximumAge: UInt32(exactly: maximumAge))
            } catch { throw Refusal(error) }
        }
    }

    private func key(_ record: UnsafeRawPointer?, _ count: Int32) throws(Refusal) -> AttestedKey {
        let record = unsafe try bytes(record, count, limit: AttestedKey.maximumRecordSize)
        do throws(PureAttestError) { return try AttestedKey(serialized: record) } catch { throw Refusal(error) }
    }

    private func explain(
        _ handle: OpaquePointer?, _ result: UnsafeMutableRawPointer?,
        _ body: (AppAttestVerifier) throws(Refusal) -> VerificationReport
    ) -> Int32 {
        code { () throws(Refusal) in
            let handle = unsafe try verifier(orNull: handle)
            let result = unsafe try room(result, 8)
            var writer = ReportWriter()
            writer.write(try body(handle.make().verifier))
            guard let block = unsafe allocate(Int32(writer.bytes.count)) else { throw .malformedArgument }
            unsafe copy(writer.bytes, to: block)
            unsafe result.storeBytes(of: UInt32(UInt(bitPattern: block)), as: UInt32.self)
            unsafe result.storeBytes(of: Int32(writer.bytes.count), toByteOffset: 4, as: Int32.self)
        }
    }
#endif
