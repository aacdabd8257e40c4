public import PureAttest
import PureDER
import PureECDSA
import PureSHA2
import PureX509

extension AttestationFault {
    /// Defines faults that break one of Apple's steps ("Validating apps that connect to your server").
    func stepDefinition(environment: Environment, at time: UnixTime) -> Definition {
        switch self {
        case .certificatesEmpty:
            step(1, .wrongCertificateCount(0)) { $0.alterCertificates = { $0 = [] } }
        case .intermediateMissing:
            step(1, .wrongCertificateCount(1)) { $0.alterCertificates = { $0.removeLast() } }
        case .rootIncluded:
            step(1, .wrongCertificateCount(3)) { draft in
                let root = draft.root
                draft.alterCertificates = { $0.append(root) }
            }
        case .certificatesReversed:
            step(1, .certificate(.unexpectedCertificationAuthority)) {
                $0.alterCertificates = { $0 = Array($0.reversed()) }
            }

        case .nonceMismatch:
            step(3, .nonceMismatch) { $0.clientDataHash = [UInt8](SHA256.hash(data: Array("another".utf8))) }
        case .authenticatorDataReplaced:
            // Changes a flag that no other step reads.
            step(3, .nonceMismatch) { $0.replaceAuthenticatorData = { $0[32] ^= 0x01 } }
        case .clientDataHashedTwice:
            step(3, .nonceMismatch) { $0.clientDataHash = [UInt8](SHA256.hash(data: $0.clientDataHash)) }
        case .nonceShortened:
            step(4, .nonceMismatch) { $0.alterNonce = { $0.removeLast() } }
        case .nonceSuffix:
            step(4, .nonceMismatch) { $0.alterNonce = { $0.insert(0, at: 0) } }
        case .nonceExtensionMissing:
            step(4, .nonceExtensionMissing) { $0.leaf.remove(.nonce) }
        case .nonceExtensionEmpty:
            step(4, .malformedNonceExtension(.unexpectedEnd)) { $0.encodeNonce = { _ in [] } }
        case .nonceExtensionBare:
            step(4, .malformedNonceExtension(.unexpectedTag(expected: .sequence, found: .octetString))) {
                $0.encodeNonce = { der(.octetString, $0) }
            }
        case .nonceExtensionTag:
            step(4, .malformedNonceExtension(.unexpectedTag(expected: .context(1), found: .context(2)))) {
                $0.encodeNonce = { wrapped($0, tag: 2) }
            }
        case .nonceExtensionSecondString:
            step(4, .malformedNonceExtension(.trailingBytes)) {
                $0.encodeNonce = { nonce in
                    der(.sequence, der(.context(1), der(.octetString, nonce), der(.octetString, nonce)))
                }
            }
        case .nonceExtensionTrailingByte:
            step(4, .malformedNonceExtension(.trailingBytes)) { $0.encodeNonce = { wrapped($0, tag: 1) + [0] } }
        case .nonceExtensionTwice:
            step(4, .certificate(.duplicateExtension(.nonce))) {
                $0.leaf.extensions.append(ExtensionDraft(.nonce, nil))
            }

        case .keyIDMismatch:
            // The client sends a complete attestation of a different key, with the identifier of this key.
            step(5, .keyIDMismatch) { draft in
                let x963 = Stranger.p256.x963
                draft.leaf.subjectPublicKeyInfo = subjectPublicKeyInfo(.secp256r1, point: x963)
                draft.authenticatorData.editCredential {
                    $0.id = [UInt8](SHA256.hash(data: x963))
                    $0.key = coseKeyEntries(x963: x963)
                }
            }
        case .leafKeyOnP384:
            step(5, .unsupportedLeafKey) { $0.leaf.subjectPublicKeyInfo = Stranger.p384.subjectPublicKeyInfo }
        case .leafKeyRSA:
            step(5, .unsupportedLeafKey) { $0.leaf.subjectPublicKeyInfo = rsaPublicKeyInfo() }

        case .appIDMismatch:
            step(6, .appIDMismatch) {
                $0.authenticatorData.rpIDHash = AppID(bytes: "TEST123456.com.example.other".utf8).rpIDHash
            }
        case .platformMac:
            step(6, .platformNotAllowed(.macOS)) { draft in
                // The version meets every system policy, and the leaf has the access control list of a Mac, so only the
                // platform is wrong.
                let mac = DeviceSystem.macOS27
                draft.leaf.edit(.systemInformation) {
                    $0.value = mac.systemAttributes(version: "99.0", releaseType: nil)
                }
                draft.leaf.remove(.accessControlList)
                draft.leaf.extensions.append(mac.accessControlListExtension)
            }
        case .counterOne:
            step(7, .counterNotZero(1)) { $0.authenticatorData.counter = 1 }
        case .counterHighBit:
            step(7, .counterNotZero(1 << 31)) { $0.authenticatorData.counter = 1 << 31 }
        case .environmentMismatch:
            step(8, .environmentMismatch(environment.other)) { draft in
                draft.authenticatorData.editCredential { $0.aaguid = environment.other.aaguid }
            }
        case .aaguidPrefix:
            step(8, .unknownEnvironment) {
                $0.authenticatorData.editCredential { $0.aaguid = Array("appattest       ".utf8) }
            }
        case .aaguidZero:
            step(8, .unknownEnvironment) {
                $0.authenticatorData.editCredential { $0.aaguid = [UInt8](repeating: 0, count: 16) }
            }

        case .credentialIDMismatch:
            step(9, .credentialIDMismatch) {
                $0.authenticatorData.editCredential { $0.id = [UInt8](SHA256.hash(data: $0.id)) }
            }
        case .credentialIDEmpty:
            step(9, .credentialIDMismatch) { $0.authenticatorData.editCredential { $0.id = [] } }
        case .credentialIDShortened:
            step(9, .credentialIDMismatch) { $0.authenticatorData.editCredential { $0.id.removeLast() } }
        case .credentialIDLonger:
            step(9, .credentialIDMismatch) { $0.authenticatorData.editCredential { $0.id.append(0) } }
        case .credentialKeyMismatch:
            Definition(.credentialKeyMismatch, "The COSE key is the certified key") {
                $0.authenticatorData.editCredential { $0.key = coseKeyEntries(x963: Stranger.p256.x963) }
            }

        case .accessControlListMissing:
            Definition(.accessControlListMissing, "Apple, macOS") { $0.leaf.remove(.accessControlList) }
        case .accessControlListMalformed:
            Definition(.accessControlListMissing, "Apple, macOS") {
                $0.leaf.edit(.accessControlList) { $0.value = der(.octetString) }
            }
        case .accessControlListMismatch:
            Definition(.accessControlListMismatch, "Apple, macOS") {
                $0.leaf.edit(.accessControlList) {
                    $0.value = wrapped(der(.sequence, der(utf8: "11"), der(.sequence)), tag: 3)
                }
            }

        case .validationCategoryNotAllowed:
            step(10, .validationCategoryNotAllowed(.development)) {
                $0.authenticatorData.setExtension(ExtensionName.category, cbor(bytes: [3, 0, 0, 0]))
            }
        case .validationCategoryMissing:
            step(10, .validationCategoryNotAllowed(nil)) {
                $0.authenticatorData.removeExtension(ExtensionName.category)
            }
        case .launchInformationForged:
            step(10, .validationCategoryNotAllowed(nil)) { draft in
                draft.authenticatorData.omitExtensions()
                draft.appendMap(forgedExtensions)
            }
        case .bundleVersionNotAllowed:
            step(11, .bundleVersionNotAllowed("0.0.0")) {
                $0.authenticatorData.setExtension(ExtensionName.version, cbor(text: "0.0.0"))
            }
        case .bundleVersionMissing:
            step(11, .bundleVersionNotAllowed(nil)) {
                $0.authenticatorData.removeExtension(ExtensionName.version)
            }
        default: policyDefinition(at: time)
        }
    }

    private func step(
        _ number: Int, _ error: PureAttestError, _ apply: @escaping (inout AttestationDraft) -> Void
    ) -> Definition {
        Definition(error, "Apple, attestation step \(number)", apply)
    }
}

// MARK: - The list for servers

extension AttestationFault {
    /// Returns the error that a correct verifier reports. For faults that concern builds, systems, ages, or steps 10
    /// and 11, the verifier must have the policies of ``VirtualDevice/acceptedApp``.
    ///
    /// That declaration accepts ``launchInformationForged`` from a system that does not prove its launch information
    /// (``DeviceSystem/attestsLaunchInformation``). On such a system, only a launch policy that demands the information
    /// produces the error, such as `LaunchPolicy.only([.appStore])`.
    ///
    /// - Parameters:
    ///   - environment: the environment of the device and the verifier.
    ///   - time: the time of the attestation. Only the error for ``attestationTooOld`` depends on the time.
    public func expectedError(
        environment: Environment = .production, at time: UnixTime = Corpus.defaultTime
    ) -> PureAttestError {
        definition(environment: environment, at: time).error
    }

    /// Whether a device with this system can create the fault. Verifiers check the access control list only for Macs.
    /// Some faults need extensions, which systems before version 27 do not send. Steps 10 and 11 read extensions only
    /// if the system provably wrote them.
    public func applies(to system: DeviceSystem) -> Bool {
        switch self {
        case .accessControlListMissing, .accessControlListMalformed, .accessControlListMismatch: system.isMac
        case .platformMac: !system.isMac
        case .extensionsDuplicateKey, .extensionsAppended, .extensionsTruncated, .validationCategorySpelledTwice,
            .bundleVersionSpelledTwice, .validationCategoryLength, .validationCategoryNotNumber,
            .validationCategoryTooLarge, .bundleVersionNotText:
            system.sendsLaunchInformation
        case .validationCategoryNotAllowed, .validationCategoryMissing, .bundleVersionNotAllowed,
            .bundleVersionMissing, .buildNotAllowed, .buildOtherType, .buildMissing, .buildHashLength, .buildHashTwice,
            .buildTypeMissing, .buildUnsigned:
            system.attestsLaunchInformation
        case .systemTooOld: !system.isMac
        case .systemBeta: !system.isMac && system.releaseType == nil
        default: true
        }
    }
}
