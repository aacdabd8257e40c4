import PureBytes
import PureAttest
import PureDER
import PureX509

extension VirtualDevice {
    func attestationDraft(of key: Key, clientDataHash: [UInt8], at time: UnixTime) -> AttestationDraft {
        // The random bytes depend only on the key, so that faulty and valid attestations differ only by the fault.
        var random = TestRandom(seed: key.id + Array("attestation".utf8))
        let milliseconds = Int64(random.next(1)[0])
        // In genuine leaves, the serial number is the time in milliseconds.
        let serialNumber = bigEndian(time.secondsSince1970 * 1_000 + milliseconds)
        let x963 = key.signingKey.x963
        let leaf = CertificateDraft(
            serialNumber: serialNumber, issuer: TestCertificateAuthority.intermediateName,
            subject: der(name: [
                (.commonName, hexEncodedString(key.id)), (.organizationalUnitName, "AAA Certification"),
                (.organizationName, "PureAttest Test"), (.stateName, "Testing"),
            ]),
            subjectPublicKeyInfo: subjectPublicKeyInfo(.secp256r1, point: x963),
            from: time.adding(-leafBackdating), to: time.adding(system.leafLifetime - leafBackdating), hash: .sha256,
            extensions: system.leafExtensions(appID: app.bytes))
        return AttestationDraft(
            authenticatorData: AuthenticatorDataDraft(
                rpIDHash: app.rpIDHash, flags: system.attestationFlags, counter: 0,
                credential: CredentialDraft(aaguid: environment.aaguid, id: key.id, key: coseKeyEntries(x963: x963)),
                extensions: launchInformation),
            clientDataHash: clientDataHash, unsignedEntries: unsignedEntries, leaf: leaf,
            intermediateKey: authority.intermediateKey,
            intermediate: authority.intermediate, rootKey: authority.attestationRootKey,
            signedIntermediate: authority.attestationIntermediate, root: authority.attestationRoot,
            receipt: receiptDraft(
                clientDataHash: clientDataHash, token: Base64.encode(random.next(64)), at: time,
                milliseconds: milliseconds))
    }

    /// Returns a receipt without the leaf certificate, which `setCertificate(_:)` inserts later.
    private func receiptDraft(
        clientDataHash: [UInt8], token: [UInt8], at time: UnixTime, milliseconds: Int64
    ) -> ReceiptDraft {
        var receipt = ReceiptDraft(
            fields: [
                .init(type: FieldType.appID, value: app.bytes),
                // The encoded leaf will replace this empty value.
                .init(type: FieldType.certificate, value: []),
                .init(type: FieldType.clientHash, value: clientDataHash),
                .init(type: FieldType.token, value: token),
                .init(type: FieldType.receiptType, value: Array("ATTEST".utf8)),
                .init(type: FieldType.environment, value: Array(environment.receiptName.utf8)),
                .init(type: FieldType.creationTime, value: receiptTime(time, milliseconds: milliseconds)),
                .init(
                    type: FieldType.expirationTime,
                    value: receiptTime(time.adding(receiptLifetime), milliseconds: milliseconds)),
            ], encoding: receiptEncoding, issuer: authority.receiptIssuer)
        receipt.attestationAuthority = authority
        return receipt
    }

    func assertionDraft(of key: Key, clientDataHash: [UInt8]) -> AssertionDraft {
        AssertionDraft(
            authenticatorData: AuthenticatorDataDraft(
                rpIDHash: app.rpIDHash, flags: system.assertionFlags, counter: key.counter + 1, credential: nil,
                extensions: launchInformation),
            clientDataHash: clientDataHash, unsignedEntries: unsignedEntries, key: key.signingKey)
    }

    private var launchInformation: [CBOREntry] {
        guard system.sendsLaunchInformation else { return [] }
        var entries = launchInformationEntries(validationCategory, bundleVersion)
        if let hash = codeDirectoryHash, system.buildForm == .signed {
            entries += [
                CBOREntry(ExtensionName.codeDirectoryHash, cbor(bytes: hash)),
                CBOREntry(ExtensionName.codeDirectoryHashType, cbor(bytes: [2])),
            ]
        }
        return entries
    }

    private var unsignedEntries: [CBOREntry] {
        guard let hash = codeDirectoryHash, system.buildForm == .unsigned else { return [] }
        return [unsignedBuildEntry(hash)]
    }
}

/// Returns the unsigned member `cdHash` of iOS 18.5 to 26, which contains the first 20 bytes of the hash.
func unsignedBuildEntry(_ hash: [UInt8]) -> CBOREntry {
    CBOREntry(
        "cdHash",
        cbor(map: [
            CBOREntry("hash", cbor(bytes: [UInt8](hash.prefix(20)))), CBOREntry("type", cbor(bytes: [2])),
        ]))
}

/// The time from the start of a leaf's validity to the attestation: one day, in seconds.
let leafBackdating: Int64 = 86_400

extension Environment {
    /// The value of field 7 in receipts.
    var receiptName: String { self == .production ? "production" : "sandbox" }
}
