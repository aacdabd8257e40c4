import PureAttest
import PureX509
import Runtime

/// Verifies an attestation. The loaded objects are the anchors, App ID, environment, clock skew, key ID, client data
/// hash, time and attestation.
func verifyAttestation(
    _ objects: inout LoadedObjects, _ counter: inout InstructionCounter
) throws(PureAttestError) {
    let anchors = objects.nextList()
    let app = AppID(bytes: objects.next()), environment = objects.nextEnvironment()
    let clockSkew = UInt32(objects.nextNumber())
    let keyID = objects.next(), clientDataHash = objects.next(), time = objects.nextTime()
    let attestation = objects.next()
    let verifier = AppAttestVerifier(
        apps: [app], environment: environment, launchPolicy: .reportOnly, clockSkew: clockSkew
    ).trusting(try trustAnchors(anchors))
    _ = try counter.count { () throws(PureAttestError) in
        try verifier.verifyAttestation(attestation, keyID: keyID, clientDataHash: clientDataHash, at: time)
    }
}

/// Verifies an assertion. The loaded objects are App ID, environment, public key 04 ‖ x ‖ y, stored counter, client
/// data and assertion. The challenge equals the client data.
func verifyAssertion(
    _ objects: inout LoadedObjects, _ counter: inout InstructionCounter
) throws(PureAttestError) {
    let app = AppID(bytes: objects.next()), environment = objects.nextEnvironment()
    let publicKey = objects.next(), stored = UInt32(objects.nextNumber())
    let clientData = objects.next(), assertion = objects.next()
    let verifier = AppAttestVerifier(apps: [app], environment: environment, launchPolicy: .reportOnly)
    let key = try AttestedKey(trustingStoredKey: publicKey, appID: app, environment: environment, counter: stored)
    _ = try counter.count { () throws(PureAttestError) in
        try verifier.verifyAssertion(assertion, challenge: clientData, key: key)
    }
}

/// Verifies a receipt. The loaded objects are the anchors, App ID, public key 04 ‖ x ‖ y, time and receipt.
func verifyReceipt(_ objects: inout LoadedObjects, _ counter: inout InstructionCounter) throws(PureAttestError) {
    let anchors = objects.nextList()
    let app = AppID(bytes: objects.next()), publicKey = objects.next(), time = objects.nextTime()
    let receipt = objects.next()
    let verifier = AppAttestVerifier(
        apps: [app], environment: .production, launchPolicy: .reportOnly
    ).trusting(try trustAnchors(anchors))
    let key = try AttestedKey(trustingStoredKey: publicKey, appID: app, environment: .production, counter: 0)
    _ = try counter.count { () throws(PureAttestError) in
        try verifier.receipt(receipt, of: key).verify(at: time)
    }
}

/// Verifies a certificate chain under the App Attest profile. The loaded objects are the anchors, the time, and the
/// certificates, starting with the leaf.
func verifyChain(_ objects: inout LoadedObjects, _ counter: inout InstructionCounter) throws(PureAttestError) {
    let anchors = objects.nextList(), time = objects.nextTime(), certificates = objects.nextList()
    let verifier = AppAttestVerifier(apps: [], environment: .production, launchPolicy: .reportOnly)
        .trusting(try trustAnchors(anchors))
    _ = try counter.count { () throws(PureAttestError) in
        try verifier.verifyCertificateChain(certificates.map { $0[...] }, at: time)
    }
}

extension AppAttestVerifier {
    /// Returns a verifier that trusts these anchors or, if there are none, Apple's anchors.
    fileprivate func trusting(_ anchors: [TrustAnchor]) -> AppAttestVerifier {
        anchors.isEmpty ? self : trusting(testAnchors: anchors, testReceiptAnchors: anchors)
    }
}

private func trustAnchors(_ certificates: [[UInt8]]) throws(PureAttestError) -> [TrustAnchor] {
    var anchors: [TrustAnchor] = []
    do throws(X509Error) {
        for certificate in certificates { anchors.append(try TrustAnchor(Certificate(derEncoded: certificate))) }
    } catch {
        throw .certificate(error)
    }
    return anchors
}

extension LoadedObjects {
    /// Reads an object that contains a count, and then that number of objects.
    fileprivate mutating func nextList() -> [[UInt8]] {
        var list: [[UInt8]] = []
        for _ in 0..<nextNumber() { list.append(next()) }
        return list
    }

    fileprivate mutating func nextEnvironment() -> Environment { nextNumber() == 1 ? .production : .development }

    fileprivate mutating func nextTime() -> UnixTime { UnixTime(secondsSince1970: nextNumber()) }
}
