import PureAttest
import PureDER
import PureECDSA
import PureSHA2
import PureX509

extension AttestationFault {
    typealias Definition = FaultDefinition<AttestationDraft>

    /// Defines faults in the encoding of an attestation. `stepDefinition` defines the faults that break Apple's steps.
    func definition(environment: Environment, at time: UnixTime = Corpus.defaultTime) -> Definition {
        switch self {
        // MARK: The CBOR object
        case .objectTruncated:
            Definition(.malformedCBOR(.unexpectedEnd), "RFC 8949 §5.3.1") {
                $0.alterObject = { $0.removeLast() }
            }
        case .objectTrailingByte:
            Definition(.malformedCBOR(.trailingBytes), "RFC 8949 §5.3.1") { $0.alterObject = { $0.append(0) } }
        case .objectTooLarge:
            Definition(.inputTooLarge, "No genuine object has more than 6 KB") {
                $0.alterStatement = { $0[1].value = cbor(bytes: [UInt8](repeating: 0, count: 70_000)) }
            }
        case .objectNonMinimalHead:
            Definition(.malformedCBOR(.nonMinimalHead), "RFC 8949 §4.2.1") {
                $0.alterObject = { $0.replaceSubrange(0..<1, with: [5 << 5 | 24, 3]) }
            }
        case .objectIndefiniteLength:
            Definition(.malformedCBOR(.indefiniteLength), "RFC 8949 §4.2.1") {
                $0.alterObject = { $0 = [0xBF] + $0.dropFirst() + [0xFF] }
            }
        case .objectDuplicateKey:
            Definition(.malformedCBOR(.duplicateMapKey), "RFC 8949 §5.6") { $0.alterEntries = { $0.append($0[0]) } }
        case .objectInvalidUTF8:
            Definition(.malformedCBOR(.invalidUTF8), "RFC 8949 §5.3.1") {
                $0.alterEntries = { $0[0].key = cborHead(3, 3) + [0x66, 0x6D, 0xF4] }
            }
        case .objectLengthBomb:
            Definition(.malformedCBOR(.unexpectedEnd), "A declared length allocates nothing") {
                $0.alterStatement = { $0[1].value = cborHead(2, 1 << 62) }
            }
        case .objectDeepNesting:
            Definition(.malformedCBOR(.depthLimitExceeded), "CTAP 2.1 §8") {
                $0.alterStatement = { $0[1].value = [UInt8](repeating: 0x81, count: 5_000) + [0] }
            }
        case .objectItemFlood:
            Definition(.malformedCBOR(.itemLimitExceeded), "No genuine object has more than 11 items") {
                $0.alterStatement = { $0[1].value = cbor(array: [[UInt8]](repeating: [0], count: 10_000)) }
            }
        case .objectNotMap:
            Definition(.malformedAttestationObject, "WebAuthn §6.5.4") {
                $0.alterObject = { $0 = cbor(array: [$0]) }
            }
        case .objectExtraMember:
            Definition(.malformedAttestationObject, "WebAuthn §6.5.4") {
                $0.alterEntries = { $0.append(CBOREntry("extra", cbor(0))) }
            }
        case .formatMissing:
            Definition(.malformedAttestationObject, "WebAuthn §6.5.4") { $0.alterEntries = { $0.remove(at: 0) } }
        case .formatOther:
            Definition(.unsupportedFormat, "Apple, attestation object") {
                $0.alterEntries = { $0[0].value = cbor(text: "packed") }
            }
        case .statementMissing:
            Definition(.malformedAttestationObject, "WebAuthn §6.5.4") { $0.alterEntries = { $0.remove(at: 1) } }
        case .statementExtraMember:
            Definition(.malformedAttestationObject, "Apple, attestation object") {
                $0.alterStatement = { $0.append(CBOREntry("extra", cbor(0))) }
            }
        case .receiptMissing:
            Definition(.malformedAttestationObject, "Apple, attestation object") {
                $0.alterStatement = { $0.remove(at: 1) }
            }
        case .receiptNotBytes:
            Definition(.malformedAttestationObject, "Apple, attestation object") {
                $0.alterStatement = { $0[1].value = cbor(text: "receipt") }
            }
        case .certificatesMissing:
            Definition(.malformedAttestationObject, "Apple, attestation object") {
                $0.alterStatement = { $0.remove(at: 0) }
            }
        case .certificatesNotArray:
            Definition(.malformedAttestationObject, "Apple, attestation object") {
                $0.alterStatement = { $0[0].value = cbor(bytes: $0[0].value) }
            }
        case .certificateNotBytes:
            Definition(.malformedAttestationObject, "Apple, attestation object") {
                $0.alterStatement = { $0[0].value = cbor(array: [cbor(text: "leaf"), cbor(text: "issuer")]) }
            }
        case .authenticatorDataMissing:
            Definition(.malformedAttestationObject, "WebAuthn §6.5.4") { $0.alterEntries = { $0.remove(at: 2) } }

        // MARK: Authenticator data
        case .authenticatorDataTruncated:
            Definition(.truncatedAuthenticatorData, "WebAuthn §6.1") {
                $0.alterAuthenticatorData = { $0 = [UInt8]($0.prefix(36)) }
            }
        case .credentialDataMissing:
            Definition(.truncatedAuthenticatorData, "WebAuthn §6.5.2") {
                $0.authenticatorData.credential = nil
                $0.authenticatorData.extensions = []
            }
        case .aaguidTruncated:
            Definition(.truncatedAuthenticatorData, "WebAuthn §6.5.2") {
                $0.alterAuthenticatorData = { $0 = [UInt8]($0.prefix(37 + 15)) }
            }
        case .credentialIDPastEnd:
            Definition(.truncatedAuthenticatorData, "WebAuthn §6.5.2") {
                $0.authenticatorData.editCredential { $0.declaredLength = .max }
            }
        case .credentialKeyMissing:
            Definition(.malformedCBOR(.unexpectedEnd), "WebAuthn §6.5.2") {
                $0.authenticatorData.editCredential { $0.encodedKey = [] }
                $0.authenticatorData.extensions = []
            }
        case .credentialKeyNotMap:
            Definition(.malformedCredentialKey, "RFC 9052 §7") {
                $0.authenticatorData.editCredential { $0.encodedKey = cbor(array: [cbor(2)]) }
            }
        case .credentialKeyType:
            Definition(.malformedCredentialKey, "RFC 9053 §7.1") { $0.authenticatorData.setKeyEntry(0, cbor(1)) }
        case .credentialKeyAlgorithm:
            Definition(.malformedCredentialKey, "RFC 9053 §2.1") { $0.authenticatorData.setKeyEntry(1, cbor(-35)) }
        case .credentialKeyCurve:
            Definition(.malformedCredentialKey, "RFC 9053 §7.1") { $0.authenticatorData.setKeyEntry(2, cbor(2)) }
        case .credentialKeyCoordinateLength:
            Definition(.malformedCredentialKey, "RFC 9053 §7.1.1") {
                $0.authenticatorData.editCredential { $0.key[3].value = cbor(bytes: [UInt8]($0.key[3].value[3...])) }
            }
        case .credentialKeyCompressed:
            Definition(.malformedCredentialKey, "Genuine keys have both coordinates") {
                $0.authenticatorData.setKeyEntry(4, [0xF5])
            }
        case .credentialKeyExtraEntry:
            Definition(.malformedCredentialKey, "Genuine keys have five entries") {
                $0.authenticatorData.editCredential { $0.key.append(CBOREntry(cbor(4), cbor(0))) }
            }
        case .credentialKeyDuplicateEntry:
            Definition(.malformedCBOR(.duplicateMapKey), "RFC 8949 §5.6") {
                $0.authenticatorData.editCredential { $0.key.append(CBOREntry(cbor(-2), $0.key[4].value)) }
            }
        case .extensionsNotMap:
            Definition(.malformedExtensions, "WebAuthn §6.1") {
                $0.authenticatorData.encodedExtensions = cbor(array: [])
            }
        case .extensionsTrailingByte:
            Definition(.malformedCBOR(.trailingBytes), "WebAuthn §6.1") {
                $0.authenticatorData.encodedExtensions = cbor(map: $0.authenticatorData.extensions) + [0]
            }
        case .extensionsTruncated:
            Definition(.malformedCBOR(.unexpectedEnd), "WebAuthn §6.1") {
                $0.alterAuthenticatorData = { $0.removeLast() }
            }
        case .extensionsDuplicateKey:
            Definition(.malformedCBOR(.duplicateMapKey), "RFC 8949 §5.6") {
                $0.authenticatorData.extensions.append($0.authenticatorData.extensions[0])
            }
        case .extensionsMissing:
            Definition(.truncatedAuthenticatorData, "WebAuthn §6.1") { $0.authenticatorData.cutOffExtensions() }
        case .extensionsAppended:
            Definition(.malformedCBOR(.trailingBytes), "WebAuthn §6.1") { draft in
                draft.appendMap(forgedExtensions)
            }
        case .validationCategorySpelledTwice:
            Definition(.extensionSpelledTwice, "Apple, attestation step 10") {
                $0.authenticatorData.extensions.append(CBOREntry(ExtensionName.categoryInProse, cbor(4)))
            }
        case .bundleVersionSpelledTwice:
            Definition(.extensionSpelledTwice, "Apple, attestation step 11") {
                $0.authenticatorData.extensions.append(CBOREntry(ExtensionName.versionInProse, cbor(text: "1.0")))
            }
        case .validationCategoryLength:
            Definition(.malformedExtensions, "Apple, attestation step 10") {
                $0.authenticatorData.setExtension(ExtensionName.category, cbor(bytes: [4, 0, 0]))
            }
        case .validationCategoryNotNumber:
            Definition(.malformedExtensions, "Apple, attestation step 10") {
                $0.authenticatorData.setExtension(ExtensionName.category, cbor(text: "4"))
            }
        case .validationCategoryTooLarge:
            Definition(.malformedExtensions, "Apple, attestation step 10") {
                $0.authenticatorData.setExtension(ExtensionName.category, cborHead(0, 1 << 32 + 4))
            }
        case .bundleVersionNotText:
            Definition(.malformedExtensions, "Apple, attestation step 11") {
                $0.authenticatorData.setExtension(ExtensionName.version, cbor(bytes: Array("1.0".utf8)))
            }
        default: stepDefinition(environment: environment, at: time)
        }
    }
}
