import PureAttest
import PureDER

/// Verifies an attestation for one app; see `AppAttestVerifier.verifyAttestation`.
///
/// - Parameters:
///   - appID: UTF-8 of prefix, ".", bundle ID.
///   - environment: 1 production, 2 development.
///   - challengeIsHashed: 0 for a challenge, which is hashed here; otherwise the client data hash itself.
///   - time: seconds since 1970.
///   - keyRecord: room for the 111 bytes of the attested key's record, which are written if the attestation verifies.
/// - Returns: 0 if it verifies, otherwise the reason (``code(of:)``).
@_expose(wasm, "verifyAttestation")
@c(pure_attest_verify_attestation)
public func verifyAttestation(
    _ appID: UnsafeRawPointer, _ appIDCount: Int32, _ environment: Int32,
    _ attestation: UnsafeRawPointer, _ attestationCount: Int32, _ keyID: UnsafeRawPointer, _ keyIDCount: Int32,
    _ challenge: UnsafeRawPointer, _ challengeCount: Int32, _ challengeIsHashed: Int32, _ time: Int64,
    _ keyRecord: UnsafeMutableRawPointer
) -> Int32 {
    guard let verifier = verifier(unsafe bytes(appID, appIDCount), environment) else { return unknownEnvironment }
    let attestation = unsafe bytes(attestation, attestationCount)
    let keyID = unsafe bytes(keyID, keyIDCount)
    let challenge = unsafe bytes(challenge, challengeCount)
    let time = UnixTime(secondsSince1970: time)
    do throws(PureAttestError) {
        let verified =
            challengeIsHashed == 0
            ? try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
            : try verifier.verifyAttestation(attestation, keyID: keyID, clientDataHash: challenge, at: time)
        unsafe copy(verified.key.serialized, to: keyRecord)
        return 0
    } catch {
        return code(of: error)
    }
}

/// Verifies an assertion of a stored key; see `AppAttestVerifier.verifyAssertion`.
///
/// - Parameters:
///   - challenge: what the signed client data must be; nothing is compared if `challengeCount` is negative.
///   - keyRecord: the 111 bytes of the stored key, replaced by those with the advanced counter if it verifies.
/// - Returns: 0 if it verifies, otherwise the reason (``code(of:)``).
@_expose(wasm, "verifyAssertion")
@c(pure_attest_verify_assertion)
public func verifyAssertion(
    _ appID: UnsafeRawPointer, _ appIDCount: Int32, _ environment: Int32,
    _ assertion: UnsafeRawPointer, _ assertionCount: Int32, _ clientData: UnsafeRawPointer, _ clientDataCount: Int32,
    _ challenge: UnsafeRawPointer, _ challengeCount: Int32,
    _ keyRecord: UnsafeMutableRawPointer
) -> Int32 {
    guard let verifier = verifier(unsafe bytes(appID, appIDCount), environment) else { return unknownEnvironment }
    let expected: ChallengeBinding =
        challengeCount < 0 ? .checkedByCaller : .clientDataIs(unsafe bytes(challenge, challengeCount))
    do throws(PureAttestError) {
        let verified = try verifier.verifyAssertion(
            unsafe bytes(assertion, assertionCount), clientData: unsafe bytes(clientData, clientDataCount),
            challenge: expected, key: AttestedKey(serialized: unsafe bytes(keyRecord, 111)))
        unsafe copy(verified.key.serialized, to: keyRecord)
        return 0
    } catch {
        return code(of: error)
    }
}

/// The host passed neither 1 nor 2 as environment.
private let unknownEnvironment: Int32 = -1

private func verifier(_ appID: [UInt8], _ environment: Int32) -> AppAttestVerifier? {
    guard let environment = UInt8(exactly: environment).flatMap(Environment.init(rawValue:)) else { return nil }
    return AppAttestVerifier(apps: [AppID(bytes: appID)], environment: environment, launchPolicy: .reportOnly)
}
