@_spi(CheckedByCaller) import PureSignedContent
import PureAttest
import PureDER

/// Verifies an attestation; see `AppAttestVerifier.verifyAttestation`, and `pure_attest.h` for the parameters. Bits of
/// `options`: 1, the challenge is already the client data hash; 2, the receipt is also verified, as a new receipt
/// of this attestation. Returns 0 if the object is valid, after writing `result`; otherwise the reason (``Refusal``).
@c(pure_attest_verify_attestation)
public func verifyAttestation(
    _ handle: OpaquePointer?, _ attestation: UnsafeRawPointer?, _ attestationCount: Int32,
    _ keyID: UnsafeRawPointer?, _ keyIDCount: Int32, _ challenge: UnsafeRawPointer?, _ challengeCount: Int32,
    _ options: Int32, _ time: Int64, _ result: UnsafeMutableRawPointer?
) -> Int32 {
    code { () throws(Refusal) in
        let handle = unsafe try verifier(orNull: handle)
        // An unknown bit may request a check that this version would not make.
        guard options & ~3 == 0 else { throw .malformedArgument }
        let attestation = unsafe try bytes(attestation, attestationCount, limit: InputLimits.attestation)
        let keyID = unsafe try bytes(keyID, keyIDCount, limit: keyIDSize)
        let challenge = unsafe try bytes(challenge, challengeCount)
        let result = unsafe try room(result, ResultMember.size)
        let time = UnixTime(secondsSince1970: time)
        do throws(PureAttestError) {
            let verified = try verifyAttestation(attestation, keyID, challenge, options, time, by: handle.make())
            if options & 2 != 0 { _ = try verified.unverifiedReceipt.verify(at: time) }
            unsafe write(verified, of: handle, to: result)
        } catch { throw Refusal(error) }
    }
}

// This function and the next are not inlined. Otherwise the compiler would pass the large structs member by member.
@inline(never)
private func verifyAttestation(
    _ attestation: [UInt8], _ keyID: [UInt8], _ challenge: [UInt8], _ options: Int32, _ time: UnixTime,
    by made: MadeVerifier
) throws(PureAttestError) -> VerifiedAttestation {
    if options & 1 == 0 {
        return try made.verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
    }
    return try made.verifier.verifyAttestation(attestation, keyID: keyID, clientDataHash: challenge, at: time)
}

@inline(never)
private func write(_ verified: VerifiedAttestation, of handle: Verifier, to result: UnsafeMutableRawPointer) {
    unsafe write(verified.key, verified.appID, of: handle, counter: 0, to: result)
    unsafe write(
        verified.launchInformation, unverified: verified.unverifiedLaunchInformation,
        verified.unverifiedCodeDirectoryHash, to: result)
    // The receipt is a slice of the attestation, so its indices are positions in the attestation.
    let receipt = verified.unverifiedReceipt.unverifiedBytes
    unsafe store(Int32(receipt.startIndex), result, .receiptOffset)
    unsafe store(Int32(receipt.count), result, .receiptCount)
    unsafe writeText(verified.osVersionUTF8, .osVersion, capacity: 32, to: result)
}

/// Verifies an assertion of a stored key; see `AppAttestVerifier.verifyAssertion`. If `challengeCount` is negative, the
/// caller must compare the challenge. A maximum key age rejects every key if `time` is 0 or less (unknown). Returns 0
/// if the object is valid, after writing `result`; otherwise the reason (``Refusal``).
@c(pure_attest_verify_assertion)
public func verifyAssertion(
    _ handle: OpaquePointer?, _ assertion: UnsafeRawPointer?, _ assertionCount: Int32,
    _ clientData: UnsafeRawPointer?, _ clientDataCount: Int32, _ challenge: UnsafeRawPointer?, _ challengeCount: Int32,
    _ record: UnsafeRawPointer?, _ recordCount: Int32, _ time: Int64, _ result: UnsafeMutableRawPointer?
) -> Int32 {
    code { () throws(Refusal) in
        let handle = unsafe try verifier(orNull: handle)
        let assertion = unsafe try bytes(assertion, assertionCount, limit: InputLimits.assertion)
        let clientData = unsafe try bytes(clientData, clientDataCount)
        let expected = challengeCount < 0 ? nil : unsafe try bytes(challenge, challengeCount)
        let record = unsafe try bytes(record, recordCount, limit: AttestedKey.maximumRecordSize)
        let result = unsafe try room(result, ResultMember.size)
        let verified: VerifiedAssertion
        do throws(PureAttestError) {
            let verifier = handle.makeForAssertions().verifier
            let key = try AttestedKey(serialized: record)
            let time = time > 0 ? UnixTime(secondsSince1970: time) : nil
            verified = try verifier.verifyAssertion(
                assertion, challenge: expected ?? [],
                signed: expected == nil ? .clientDataCheckedByCaller(clientData) : .clientData(clientData), key: key,
                at: time)
        } catch { throw Refusal(error) }
        unsafe write(verified.key, verified.appID, of: handle, counter: verified.counter, to: result)
        unsafe write(
            verified.launchInformation, unverified: verified.unverifiedLaunchInformation,
            verified.unverifiedCodeDirectoryHash, to: result)
        unsafe store(Int32(0), result, .receiptOffset)
        unsafe store(Int32(0), result, .receiptCount)
        unsafe writeText(nil, .osVersion, capacity: 32, to: result)
    }
}

/// Verifies a receipt for a stored key; see `UnverifiedReceipt.verify`. A negative `maximumAge` means no limit. Returns
/// 0 if the object is valid, after writing `result`; otherwise the reason (``Refusal``).
@c(pure_attest_verify_receipt)
public func verifyReceipt(
    _ handle: OpaquePointer?, _ receipt: UnsafeRawPointer?, _ receiptCount: Int32,
    _ record: UnsafeRawPointer?, _ recordCount: Int32, _ time: Int64, _ maximumAge: Int32,
    _ result: UnsafeMutableRawPointer?
) -> Int32 {
    code { () throws(Refusal) in
        let handle = unsafe try verifier(orNull: handle)
        let receipt = unsafe try bytes(receipt, receiptCount, limit: InputLimits.receipt)
        let record = unsafe try bytes(record, recordCount, limit: AttestedKey.maximumRecordSize)
        let result = unsafe try room(result, ReceiptMember.size)
        let payload: ReceiptPayload
        do throws(PureAttestError) {
            payload = try handle.make().verifier.receipt(receipt, of: AttestedKey(serialized: record)).verify(
                at: UnixTime(secondsSince1970: time), maximumAge: UInt32(exactly: maximumAge)
            ).payload
        } catch { throw Refusal(error) }
        unsafe store(payload.creationTime.secondsSince1970, result, ReceiptMember.creationTime.rawValue)
        unsafe store(payload.notBefore?.secondsSince1970 ?? -1, result, ReceiptMember.notBefore.rawValue)
        unsafe store(payload.expirationTime.secondsSince1970, result, ReceiptMember.expirationTime.rawValue)
        unsafe store(payload.riskMetric.map { Int64($0) } ?? -1, result, ReceiptMember.riskMetric.rawValue)
        unsafe store(payload.kind == .attestation ? Int64(1) : 2, result, ReceiptMember.kind.rawValue)
    }
}

private func write(
    _ key: AttestedKey, _ app: AppID, of verifier: Verifier, counter: UInt32,
    to result: UnsafeMutableRawPointer
) {
    unsafe store(Int32(verifier.apps.firstIndex { $0.id == app } ?? -1), result, .app)
    unsafe store(counter, result, .counter)
    unsafe writeText(key.system.platform?.ascii, .platform, capacity: 32, to: result)
    unsafe writeText(key.system.build?.ascii, .build, capacity: 32, to: result)
    unsafe writeText(key.system.releaseTypeASCII, .releaseType, capacity: 32, to: result)
    unsafe writeText(key.serialized, .keyRecord, capacity: AttestedKey.maximumRecordSize, to: result)
}

private func write(
    _ launch: LaunchInformation, unverified: LaunchInformation?, _ unverifiedHash: CodeDirectoryHash?,
    to result: UnsafeMutableRawPointer
) {
    unsafe write(
        launch, .validationCategory, .bundleVersion, .codeDirectoryHash, to: result)
    unsafe write(
        unverified, .unverifiedValidationCategory, .unverifiedBundleVersion,
        .unverifiedLaunchCodeDirectoryHash, to: result)
    unsafe write(unverifiedHash, .unverifiedCodeDirectoryHash, to: result)
}

private func write(
    _ launch: LaunchInformation?, _ category: ResultMember, _ bundleVersion: ResultMember, _ hash: ResultMember,
    to result: UnsafeMutableRawPointer
) {
    unsafe store(launch?.validationCategory.map { Int64($0.rawValue) } ?? -1, result, category)
    unsafe writeText(launch?.bundleVersion?.utf8, bundleVersion, capacity: 64, to: result)
    unsafe write(launch?.codeDirectoryHash, hash, to: result)
}

/// Writes the hash: its length in four bytes (−1 if there is no hash), its bytes, and its type in the 69th byte.
@inline(never)
private func write(_ hash: CodeDirectoryHash?, _ member: ResultMember, to result: UnsafeMutableRawPointer) {
    unsafe writeText(hash?.bytes, member, capacity: 64, to: result)
    unsafe store(hash?.type ?? 0, result, member.rawValue + 68)
}

/// Writes the length of a text in four bytes (−1 if there is no text), and at most `capacity` of its bytes.
private func writeText(_ text: [UInt8]?, _ member: ResultMember, capacity: Int, to result: UnsafeMutableRawPointer) {
    unsafe store(text.map { Int32($0.count) } ?? -1, result, member)
    if let text { unsafe copy(text.prefix(capacity), to: result, at: member.rawValue + 4) }
}

private func store<T: BitwiseCopyable>(_ value: T, _ result: UnsafeMutableRawPointer, _ member: ResultMember) {
    unsafe store(value, result, member.rawValue)
}

private func store<T: BitwiseCopyable>(_ value: T, _ result: UnsafeMutableRawPointer, _ offset: Int) {
    unsafe result.storeBytes(of: value, toByteOffset: offset, as: T.self)
}
