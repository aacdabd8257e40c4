import AssertionCheck
import PureAttest
import Runtime

/// Verifies a loaded attestation and then a loaded assertion, and writes a line with each result.
@c(image_main)
public func imageMain() {
    var objects = LoadedObjects()
    verifyAttestation(&objects)
    verifyAssertion(&objects)
    Stack.report()
}

/// Verifies an attestation. The loaded objects are App ID, attestation, key ID, client data hash, and the time in
/// seconds since 1970 (8 bytes, big-endian).
private func verifyAttestation(_ objects: inout LoadedObjects) {
    let verifier = AppAttestVerifier(
        apps: [AppID(bytes: objects.next())], environment: .production, launchPolicy: .reportOnly)
    let attestation = objects.next(), keyID = objects.next(), clientDataHash = objects.next()
    let seconds = objects.nextNumber()
    do throws(PureAttestError) {
        _ = try verifier.verifyAttestation(
            attestation, keyID: keyID, clientDataHash: clientDataHash, at: UnixTime(secondsSince1970: seconds))
        write("attestation verified\n")
    } catch {
        write("attestation refused\n")
    }
}
