import PureAttest
import PureCBOR
import PureDER
import PureECDSA
import PureX509

/// What a fault is: the error that a correct verifier reports, the rule that is broken, and how to break it.
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

/// Keys that belong to nobody.
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
    /// Edits the credential data of an attestation.
    mutating func editCredential(_ change: (inout CredentialDraft) -> Void) {
        guard var credential else { preconditionFailure("an attestation has credential data") }
        change(&credential)
        self.credential = credential
    }

    /// Replaces the value of the entry at this place of the COSE key: kty, alg, crv, x, y.
    mutating func setKeyEntry(_ index: Int, _ value: [UInt8]) {
        editCredential { $0.key[index].value = value }
    }

    /// Replaces the value of an extension.
    mutating func setExtension(_ name: String, _ value: [UInt8]) {
        for index in extensions.indices where extensions[index].key == cbor(text: name) {
            extensions[index].value = value
        }
    }
}

/// The names of the extensions that devices send.
enum ExtensionName {
    static let category = "apple_validation_category_01"
    static let version = "apple_bundle_version_01"
    // Apple's prose.
    static let categoryInProse = "validationCategory"
    static let versionInProse = "bundleVersion"
}
