import PureSHA2

@testable import PureAttest
@testable import PureAttestTesting
@testable import PureX509

/// Fuzzes an attestation, without signing it. The verifier must reject it unless its signed bytes are genuine.
let attestationTarget = Target(name: "attestation", form: .bytes) { bytes in
    let accepted = verify(bytes, with: plainVerifier)
    require(verify(bytes, with: preparedVerifier) == accepted, "a prepared intermediate changes the verdict")
    guard accepted else { return }
    let object = try! AttestationObject(decoding: bytes)
    require(genuineData.contains { $0.elementsEqual(object.authenticatorData) }, "forged authenticator data")
    for (index, certificate) in object.certificates.enumerated() {
        let signed = try! SignedCertificate(certificate).tbsCertificate
        require(genuineSigned[index].contains { $0.elementsEqual(signed) }, "a forged certificate")
    }
} seeds: {
    World.attestations
}

private let plainVerifier = World.verifier()
private let preparedVerifier = try! plainVerifier.preparing([World.authority.attestationIntermediate])
/// The test devices' attestations that the verifier accepts. Some have a faulty receipt, or a fault that only a
/// verifier with a different policy rejects.
private let genuineObjects = World.attestations.compactMap { attestation in
    verify(attestation[...], with: plainVerifier) ? try! AttestationObject(decoding: attestation[...]) : nil
}
private let genuineData = genuineObjects.map(\.authenticatorData)
private let genuineSigned = [0, 1].map { index in
    genuineObjects.map { try! SignedCertificate($0.certificates[index]).tbsCertificate }
}

/// Returns whether the verifier accepts the attestation. The report must name the same error as the verifier.
private func verify(_ attestation: ArraySlice<UInt8>, with verifier: AppAttestVerifier) -> Bool {
    let report = verifier.explainAttestation(
        attestation, keyID: World.key.id, clientDataHash: World.clientDataHash, at: World.time)
    do throws(PureAttestError) {
        let verified = try verifier.verifyAttestation(
            attestation, keyID: World.key.id, clientDataHash: World.clientDataHash, at: World.time)
        require(report.failures.isEmpty && report.steps.allSatisfy { $0.status == .passed }, "\(report)")
        require(verified.key.keyID == World.key.id && verified.key.publicKeyX963 == World.key.signingKey.x963, "key")
        require(verified.key.rpIDHash == World.app.rpIDHash && verified.key.counter == 0, "app or counter")
        require(try! AttestedKey(serialized: verified.key.serialized) == verified.key, "the key's record")
        _ = verified.unverifiedReceipt.explain(at: World.time)
        return true
    } catch {
        require(report.failures.first?.error == error, "rejected with \(error):\n\(report)")
        return false
    }
}

/// Fuzzes authenticator data and the signed parts of both certificates. The target adds the nonce and the signatures.
/// If the verifier accepts an object, the target also checks the values at fixed offsets.
let signedAttestationTarget = Target(
    name: "attestation-signed", form: .parts([.bytes, .der, .der])
) { bytes in
    let parts = Parts(decoding: bytes, count: 3).parts
    let nonce = [UInt8](SHA256.hash(data: parts[0] + World.clientDataHash))
    let leaf = certificate(replacing(noncePlaceholder, in: parts[1], by: nonce), signedBy: intermediateKey)
    let intermediate = certificate(parts[2], signedBy: rootKey)
    let statement = [
        CBOREntry("x5c", cbor(array: [leaf, intermediate].map(cbor(bytes:)))), CBOREntry("receipt", cbor(bytes: [0])),
    ]
    let object = cbor(map: [
        CBOREntry("fmt", cbor(text: "apple-appattest")), CBOREntry("attStmt", cbor(map: statement)),
        CBOREntry("authData", cbor(bytes: parts[0])),
    ])
    let isDevice = verify(object[...], with: signedVerifier), isMac = verify(object[...], with: macOSVerifier)
    let isEither = verify(object[...], with: eitherVerifier)
    require(isEither == (isDevice || isMac), "two declarations together accept other objects than each separately")
    require(isDevice || !verify(object[...], with: launchVerifier), "a policy accepts more than no policy")
    guard isEither else { return }
    let data = parts[0]
    require(data.starts(with: World.app.rpIDHash) && data[33..<37].elementsEqual([0, 0, 0, 0]), "App ID or counter")
    require(data[37..<53].elementsEqual(Environment.production.aaguid), "environment")
    require(data[53..<55].elementsEqual([0, 32]) && data[55..<87].elementsEqual(World.key.id), "credential ID")
    let key = World.key.signingKey.x963
    require(contains(data, key[1..<33]) && contains(data, key[33...]), "the key is not in the data")
    require(contains(leaf, nonce) && contains(leaf, key), "the nonce or the key is not in the leaf")
} seeds: {
    DeviceSystem.allCases.map(signedParts)
}

private let intermediateKey = World.issuerKey(5)
private let rootKey = World.issuerKey(6)
private let signedAnchor = try! TrustAnchor(
    name: TestCertificateAuthority.rootName[...],
    subjectPublicKeyInfo: IssuerSigningKey.p256(rootKey).subjectPublicKeyInfo[...])
private let signedVerifier = World.verifier(anchors: [signedAnchor])
private let macOSVerifier = World.verifier(platforms: [.macOS], anchors: [signedAnchor])
private let eitherVerifier = World.verifier(platforms: [.macOS, .device], anchors: [signedAnchor])
private let launchVerifier = World.verifier(anchors: [signedAnchor], launchPolicy: .only([.appStore]))
/// A placeholder in the leaf. The target replaces it with the nonce, because no mutation could compute the nonce.
private let noncePlaceholder = [UInt8](repeating: 0xA5, count: 32)

private func signedParts(_ system: DeviceSystem) -> [UInt8] {
    let draft = World.virtualDevice(system).attestationDraft(
        of: World.key, clientDataHash: World.clientDataHash, at: World.time)
    var intermediate = draft.intermediate
    intermediate.subjectPublicKeyInfo = IssuerSigningKey.p256(intermediateKey).subjectPublicKeyInfo
    return Parts([
        draft.authenticatorData.encoded, draft.leaf.signedPart(nonce: draft.encodeNonce(noncePlaceholder)),
        intermediate.signedPart(),
    ]).encoded
}

func replacing(_ pattern: some Collection<UInt8>, in bytes: [UInt8], by replacement: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    var result: [UInt8] = []
    while let byte = rest.first {
        if rest.starts(with: pattern) {
            result += replacement
            rest = rest.dropFirst(pattern.count)
        } else {
            result.append(byte)
            rest = rest.dropFirst()
        }
    }
    return result
}

func contains(_ bytes: [UInt8], _ pattern: some Collection<UInt8>) -> Bool {
    replacing(pattern, in: bytes, by: []).count < bytes.count
}

func certificates(of attestation: [UInt8]) throws -> [[UInt8]] {
    try AttestationObject(decoding: attestation[...]).certificates.map { [UInt8]($0) }
}

/// Fuzzes an assertion, without signing it. The verifier must reject the assertion unless its signed bytes are genuine.
let assertionTarget = Target(name: "assertion", form: .bytes) { bytes in
    guard verifyAssertion(bytes, with: plainVerifier) != nil else { return }
    let object = try! AssertionObject(decoding: bytes)
    require(genuineAssertionData.contains { $0.elementsEqual(object.authenticatorData) }, "forged authenticator data")
} seeds: {
    World.assertions
}

extension World {
    /// One assertion for each `DeviceSystem`, and one with each fault.
    static let assertions: [[UInt8]] =
        DeviceSystem.allCases.map { assertionDraft($0).encoded() }
        + AssertionFault.allCases.map { fault in
            var draft = assertionDraft(.iOS27ExtensionFlag)
            fault.definition(previousCounter: storedKey.counter).apply(&draft)
            return draft.encoded()
        }

    static func assertionDraft(_ system: DeviceSystem) -> AssertionDraft {
        var key = World.key
        key.counter = storedKey.counter
        return virtualDevice(system).assertionDraft(of: key, clientDataHash: clientDataHash)
    }

    /// The key as the server stores it after the assertion with counter value 70.
    static let storedKey = try! AttestedKey(
        trustingStoredKey: key.signingKey.x963, appID: app, environment: .production, counter: 70)
    static let returningKeys = [storedKey.withPublicKeyMultiples(), storedKey.withPublicKeyTable()]
}

private let genuineAssertionData = World.assertions.compactMap { assertion in
    verifyAssertion(assertion[...], with: plainVerifier) == nil
        ? nil : try! AssertionObject(decoding: assertion[...]).authenticatorData
}

/// Returns the verified values, or `nil` if the verifier rejects the assertion. The report must name the same error as
/// the verifier. The verifier must not accept the assertion twice. A key with precomputed multiples or a table must
/// give the same verdict.
private func verifyAssertion(_ assertion: ArraySlice<UInt8>, with verifier: AppAttestVerifier) -> VerifiedAssertion? {
    let report = verifier.explainAssertion(assertion, challenge: World.clientData, key: World.storedKey)
    do throws(PureAttestError) {
        let verified = try verifier.verifyAssertion(assertion, challenge: World.clientData, key: World.storedKey)
        require(report.failures.isEmpty && report.steps.allSatisfy { $0.status == .passed }, "\(report)")
        require(verified.counter > World.storedKey.counter && verified.key.counter == verified.counter, "counter")
        let again = try? verifier.verifyAssertion(assertion, challenge: World.clientData, key: verified.key)
        require(again == nil, "accepted twice")
        for key in World.returningKeys {
            let other = try verifier.verifyAssertion(assertion, challenge: World.clientData, key: key)
            require(
                other.key.serialized.prefix(111).dropFirst() == verified.key.serialized.prefix(111).dropFirst(), "key")
        }
        return verified
    } catch {
        require(report.failures.first?.error == error, "rejected with \(error):\n\(report)")
        for key in World.returningKeys {
            let other = try? verifier.verifyAssertion(assertion, challenge: World.clientData, key: key)
            require(other == nil, "accepted for a returning device's key")
        }
        return nil
    }
}

/// Fuzzes an assertion's authenticator data, which the target signs after the mutation.
let signedAssertionTarget = Target(name: "assertion-signed", form: .bytes) { bytes in
    let data = [UInt8](bytes)
    let nonce = [UInt8](SHA256.hash(data: data + World.clientDataHash))
    let signature = World.key.signingKey.sign(nonce, hash: SHA256.self).derRepresentation
    let object = cbor(map: [
        CBOREntry("signature", cbor(bytes: signature)), CBOREntry("authenticatorData", cbor(bytes: data)),
    ])
    let verified = verifyAssertion(object[...], with: plainVerifier)
    require(verified != nil || verifyAssertion(object[...], with: launchPolicyVerifier) == nil, "a policy accepts more")
    guard let verified else { return }
    let counter = data[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    require(data.starts(with: World.app.rpIDHash) && verified.counter == counter, "App ID or counter")
} seeds: {
    DeviceSystem.allCases.map { World.assertionDraft($0).authenticatorData.encoded }
}

private let launchPolicyVerifier = World.verifier(launchPolicy: .only([.appStore]))
