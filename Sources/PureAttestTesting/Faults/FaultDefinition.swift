import PureAttest
import PureCBOR
import PureDER
import PureECDSA
import PureX509

/// Defines the error that a correct verifier reports, the broken rule, and a function that breaks the rule.
struct FaultDefinition<Draft> {
    let error: PureAttestError
    let rule: String
    let apply: (inout Draft) -> Void

    init(_ error: PureAttestError, _ rule: String, _ apply: @escaping (inout Draft) -> Void) {
        self.error = error
        self.rule = rule
        self.apply = apply
    }
}

/// Keys that no case trusts.
enum Stranger {
    static let p256 = {
        var random = TestRandom(seed: 0, purpose: "stranger, P-256")
        return SigningKey<P256>(from: &random)
    }()
    static let p384 = {
        var random = TestRandom(seed: 0, purpose: "stranger, P-384")
        return IssuerSigningKey.p384(SigningKey(from: &random))
    }()
}

extension AuthenticatorDataDraft {
    mutating func editCredential(_ change: (inout CredentialDraft) -> Void) {
        guard var credential else { preconditionFailure("an attestation has credential data") }
        change(&credential)
        self.credential = credential
    }

    /// The entries are kty, alg, crv, x and y, in this order.
    mutating func setKeyEntry(_ index: Int, _ value: [UInt8]) {
        editCredential { $0.key[index].value = value }
    }

    mutating func removeExtension(_ name: String) { extensions.removeAll { $0.key == cbor(text: name) } }

    mutating func setExtension(_ name: String, _ value: [UInt8]) {
        for index in extensions.indices where extensions[index].key == cbor(text: name) {
            extensions[index].value = value
        }
    }
}

// MARK: - What an app can write behind the system's authenticator data

/// A malicious app forges this launch information, which claims an App Store app with a version that servers accept.
let forgedExtensions = cbor(map: launchInformationEntries(.appStore, "1.0"))

extension AuthenticatorDataDraft {
    /// Removes the extensions and clears the ED flag, as for an app that was built with an older SDK.
    mutating func omitExtensions() {
        extensions = []
        flags &= 0x7F
    }

    /// Removes the extensions, but sets the ED flag, which declares extensions.
    mutating func cutOffExtensions() {
        extensions = []
        flags |= 0x80
    }
}

// To append a map, an app passes `map ‖ hash` as the client data hash. The system then certifies or signs
// SHA-256(data ‖ map ‖ hash). A server that receives `data ‖ map` as authenticator data computes the same nonce.

extension ObjectDraft {
    mutating func appendMap(_ map: [UInt8]) {
        clientDataHash = map + clientDataHash
        replaceAuthenticatorData = { $0 += map }
    }
}

enum ExtensionName {
    static let category = "apple_validation_category_01"
    static let version = "apple_bundle_version_01"
    static let codeDirectoryHash = "apple_cd_hash_hash_01"
    static let codeDirectoryHashType = "apple_cd_hash_type_01"
    // The names that the text of Apple's documentation uses.
    static let categoryInProse = "validationCategory"
    static let versionInProse = "bundleVersion"
}
