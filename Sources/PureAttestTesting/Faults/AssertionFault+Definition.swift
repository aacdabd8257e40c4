import PureAttest
import PureDER
import PureECDSA
import PureSHA2

extension AssertionFault {
    typealias Definition = FaultDefinition<AssertionDraft>

    func definition(previousCounter: UInt32, attestedAt time: UnixTime = Corpus.defaultTime) -> Definition {
        switch self {
        // MARK: The CBOR object
        case .objectTruncated:
            Definition(.malformedCBOR(.unexpectedEnd), "RFC 8949 §5.3.1") { $0.alterObject = { $0.removeLast() } }
        case .objectTrailingByte:
            Definition(.malformedCBOR(.trailingBytes), "RFC 8949 §5.3.1") { $0.alterObject = { $0.append(0) } }
        case .objectTooLarge:
            Definition(.inputTooLarge, "No genuine object has more than 210 bytes") {
                $0.alterObject = { $0 += [UInt8](repeating: 0, count: 5_000) }
            }
        case .objectNonMinimalHead:
            Definition(.malformedCBOR(.nonMinimalHead), "RFC 8949 §4.2.1") {
                $0.alterObject = { $0.replaceSubrange(0..<1, with: [5 << 5 | 24, 2]) }
            }
        case .objectIndefiniteLength:
            Definition(.malformedCBOR(.indefiniteLength), "RFC 8949 §4.2.1") {
                $0.alterObject = { $0 = [0xBF] + $0.dropFirst() + [0xFF] }
            }
        case .objectDuplicateKey:
            Definition(.malformedCBOR(.duplicateMapKey), "RFC 8949 §5.6") { $0.alterEntries = { $0.append($0[0]) } }
        case .objectNotMap:
            Definition(.malformedAssertionObject, "Apple, assertion object") {
                $0.alterObject = { $0 = cbor(array: [$0]) }
            }
        case .objectExtraMember:
            Definition(.malformedAssertionObject, "Apple, assertion object") {
                $0.alterEntries = { $0.append(CBOREntry("extra", cbor(0))) }
            }
        case .signatureMissing:
            Definition(.malformedAssertionObject, "Apple, assertion object") { $0.alterEntries = { $0.removeFirst() } }
        case .signatureNotBytes:
            Definition(.malformedAssertionObject, "Apple, assertion object") {
                $0.alterEntries = { $0[0].value = cbor(text: "signature") }
            }
        case .authenticatorDataMissing:
            Definition(.malformedAssertionObject, "Apple, assertion object") { $0.alterEntries = { $0.remove(at: 1) } }

        // MARK: Authenticator data
        case .authenticatorDataTruncated:
            Definition(.truncatedAuthenticatorData, "WebAuthn §6.1") {
                $0.alterAuthenticatorData = { $0 = [UInt8]($0.prefix(36)) }
            }
        case .credentialDataPresent:
            // A verifier that expects extensions here reads "ap", the start of the AAGUID, as the text string "p". More
            // bytes follow.
            Definition(.malformedCBOR(.trailingBytes), "No genuine assertion has credential data") { draft in
                draft.authenticatorData.credential = CredentialDraft(
                    aaguid: Environment.production.aaguid, id: [UInt8](SHA256.hash(data: draft.key.x963)),
                    key: coseKeyEntries(x963: draft.key.x963))
            }
        case .authenticatorDataTrailingByte:
            Definition(.malformedCBOR(.trailingBytes), "WebAuthn §6.1") {
                $0.authenticatorData.encodedExtensions = cbor(map: $0.authenticatorData.extensions) + [0]
            }
        case .extensionsNotMap:
            Definition(.malformedExtensions, "WebAuthn §6.1") {
                $0.authenticatorData.encodedExtensions = cbor(array: [])
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
            step(7, .extensionSpelledTwice) {
                $0.authenticatorData.extensions.append(CBOREntry(ExtensionName.categoryInProse, cbor(4)))
            }
        case .bundleVersionNotText:
            step(8, .malformedExtensions) {
                $0.authenticatorData.setExtension(ExtensionName.version, cbor(bytes: Array("1.0".utf8)))
            }

        // MARK: Apple's steps
        case .otherClientData:
            step(2, .invalidSignature) { $0.clientDataHash = [UInt8](SHA256.hash(data: $0.clientDataHash)) }
        case .authenticatorDataReplaced:
            // Changes a flag that no other step reads. A changed counter would also break step 5 or the age policy.
            step(2, .invalidSignature) { $0.replaceAuthenticatorData = { $0[32] ^= 0x01 } }
        case .nonceNotHashed:
            step(3, .invalidSignature) { draft in
                let data = draft.authenticatorData.encoded + draft.clientDataHash
                draft.sign = { key, _ in key.sign(data, hash: SHA256.self) }
            }
        case .nonceReversed:
            step(3, .invalidSignature) { draft in
                let data = draft.clientDataHash + draft.authenticatorData.encoded
                draft.sign = { key, _ in key.sign([UInt8](SHA256.hash(data: data)), hash: SHA256.self) }
            }
        case .signedByStranger:
            step(3, .invalidSignature) { $0.key = Stranger.p256 }
        case .signatureTampered:
            signature(.invalidSignature) { $0.s[31] ^= 0x01 }
        case .signatureZeroR:
            signature(.malformedSignature(.scalarOutOfRange)) { $0.r = [0] }
        case .signatureZeroS:
            signature(.malformedSignature(.scalarOutOfRange)) { $0.s = [0] }
        case .signatureOrderR:
            signature(.malformedSignature(.scalarOutOfRange)) { $0.r = P256.scalarOrder }
        case .signatureOutOfRangeS:
            signature(.malformedSignature(.scalarOutOfRange)) { $0.s = sum($0.s, P256.scalarOrder) }
        case .signatureNonMinimal:
            encoding(.nonMinimalInteger, "X.690 §8.3.2") {
                der(.sequence, der(.integer, [0, 0] + $0.r), derInteger($0.s))
            }
        case .signatureNegative:
            encoding(.negativeInteger, "RFC 3279 §2.2.3") {
                var r = $0.r
                r[0] = 0x81
                return der(.sequence, der(.integer, r), derInteger($0.s))
            }
        case .signatureLongLength:
            encoding(.nonMinimalLength, "X.690 §10.1") {
                var octets = $0.derRepresentation
                octets.insert(0x81, at: 1)
                return octets
            }
        case .signatureIndefiniteLength:
            encoding(.indefiniteLength, "X.690 §10.1") {
                berIndefinite(.sequence, derInteger($0.r), derInteger($0.s))
            }
        case .signatureTrailingByte:
            encoding(.trailingBytes, "X.690 §8.1.1") { $0.derRepresentation + [0] }
        case .signatureThirdNumber:
            encoding(.trailingBytes, "RFC 3279 §2.2.3") {
                der(.sequence, derInteger($0.r), derInteger($0.s), der(1))
            }
        case .signatureEmpty:
            encoding(.unexpectedEnd, "RFC 3279 §2.2.3") { _ in [] }
        case .appIDMismatch:
            step(4, .appIDMismatch) {
                $0.authenticatorData.rpIDHash = AppID(bytes: "TEST123456.com.example.other".utf8).rpIDHash
            }
        case .counterReplayed:
            step(5, .counterNotIncreased(previous: previousCounter, received: previousCounter)) {
                $0.authenticatorData.counter = previousCounter
            }
        case .counterZero:
            step(5, .counterNotIncreased(previous: previousCounter, received: 0)) { $0.authenticatorData.counter = 0 }
        case .challengeMismatch:
            step(6, .challengeMismatch) { _ in }
        case .validationCategoryNotAllowed:
            step(7, .validationCategoryNotAllowed(.development)) {
                $0.authenticatorData.setExtension(ExtensionName.category, cbor(bytes: [3, 0, 0, 0]))
            }
        case .validationCategoryMissing:
            step(7, .validationCategoryNotAllowed(nil)) {
                $0.authenticatorData.removeExtension(ExtensionName.category)
            }
        case .launchInformationForged:
            step(7, .validationCategoryNotAllowed(nil)) { draft in
                draft.authenticatorData.omitExtensions()
                draft.appendMap(forgedExtensions)
            }
        case .bundleVersionNotAllowed:
            step(8, .bundleVersionNotAllowed("0.0.0")) {
                $0.authenticatorData.setExtension(ExtensionName.version, cbor(text: "0.0.0"))
            }
        case .bundleVersionMissing:
            step(8, .bundleVersionNotAllowed(nil)) {
                $0.authenticatorData.removeExtension(ExtensionName.version)
            }
        default: policyDefinition(previousCounter: previousCounter, attestedAt: time)
        }
    }

    private func step(
        _ number: Int, _ error: PureAttestError, _ apply: @escaping (inout AssertionDraft) -> Void
    ) -> Definition {
        Definition(error, "Apple, assertion step \(number)", apply)
    }

    private func signature(
        _ error: PureAttestError, _ change: @escaping @Sendable (inout SignatureNumbers) -> Void
    ) -> Definition {
        Definition(error, "FIPS 186-5 §6.4.2") {
            $0.encodeSignature = { numbers in
                var numbers = numbers
                change(&numbers)
                return numbers.derRepresentation
            }
        }
    }

    private func encoding(
        _ error: DERError, _ rule: String, _ encode: @escaping @Sendable (SignatureNumbers) -> [UInt8]
    ) -> Definition {
        Definition(.malformedSignature(.malformedDER(error)), rule) { $0.encodeSignature = encode }
    }
}
