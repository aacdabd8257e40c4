public import PureBytes
public import PureECDSA
public import PureJSON
public import PureX509

/// A Base64-encoded field of a JWS or JWK, named in errors.
@nonexhaustive
public enum JWSField: Hashable, Sendable {
    /// The first part of the compact serialization.
    case header
    /// The second part.
    case payload
    /// The third part.
    case signature
    /// A certificate in the header's `x5c`. The leaf has number 0.
    case certificate(Int)
    /// A JWK's `x` or `y`.
    case coordinate
}

/// The reason why a JWS (RFC 7515) or a JWK (RFC 7517) was rejected.
@nonexhaustive
public indirect enum JWSError: Error, Hashable, Sendable {
    // MARK: Form

    /// The text is longer than ``JSONWebSignature/maximumSize``.
    case tooLarge
    /// The text does not consist of exactly three parts separated by periods (RFC 7515 §7.1).
    case notCompactSerialization
    /// A part is not canonical Base64 (RFC 7515 §2, §4.1.6).
    case malformedBase64(JWSField, Base64Error)
    /// The header is not JSON, or has two members with the same name (RFC 7515 §4).
    case malformedHeader(JSONError)
    /// The header is not a JSON object (RFC 7515 §4).
    case headerNotObject
    /// A member of the header does not have the type that RFC 7515 §4.1 specifies.
    case invalidParameter(JWSParameter)
    /// The header has a member that this module rejects: `crit`, `b64`, `jku`, `jwk` or `x5u`.
    case unsupportedParameter(JWSParameter)

    // MARK: Verification

    /// The header does not have the `alg` that the caller expects (RFC 8725 §3.1).
    case algorithmMismatch(expected: JWSAlgorithm)
    /// The signature is not 64 bytes (ES256) or 96 bytes (ES384), or r or s is out of range (RFC 7518 §3.4).
    case malformedSignature(ECDSAError)
    /// The signature over the header and payload is not valid for the key.
    case invalidSignature

    // MARK: Certificates

    /// The header has no `x5c`.
    case certificatesMissing
    /// `x5c` contains neither two certificates, nor three certificates including the root.
    case certificateCount(Int)
    /// A certificate is malformed. The leaf has number 0.
    case malformedCertificate(Int, X509Error)
    /// The chain does not lead to a trust anchor, or one of its certificates is not allowed in its position.
    case certificateChain(X509Error)
    /// The third certificate does not have a trust anchor's name and key.
    case untrustedRoot
    /// The leaf's key is not on the algorithm's curve.
    case keyOfOtherAlgorithm(expected: JWSAlgorithm)

    // MARK: Keys

    /// A JWK or JWK Set is not JSON.
    case malformedKeyJSON(JSONError)
    /// A JWK is not an object, or a member is missing or has the wrong type (RFC 7517 §4).
    case malformedKey
    /// A JWK is not an elliptic-curve key on P-256 or P-384.
    case unsupportedKey
    /// A JWK contains a private key (RFC 7518 §6.2.2).
    case privateKey
    /// A JWK's `use`, `key_ops` or `alg` does not allow verification by its curve's algorithm (RFC 7517 §4.2 to §4.4).
    case keyNotForVerification
    /// A JWK's point is not on its curve.
    case invalidPublicKey(ECDSAError)
    /// A JWK Set is not an object with an array `keys` (RFC 7517 §5.1).
    case malformedKeySet
    /// No usable key, or more than one, has the header's `kid`. Without a `kid`, the set must have exactly one usable
    /// key.
    case keyNotFound
}

/// A member of a JOSE header (RFC 7515 §4.1).
@nonexhaustive
public enum JWSParameter: Hashable, Sendable, CaseIterable {
    /// `alg`.
    case algorithm
    /// `kid`.
    case keyID
    /// `typ`.
    case type
    /// `x5c`.
    case certificates
    /// `crit`: the header has extensions that a recipient must understand. This module supports no extension.
    case critical
    /// `b64`: the payload is not encoded (RFC 7797 §3).
    case unencodedPayload
    /// `jku`: the address of a key set, chosen by the sender.
    case keySetURL
    /// `jwk`: a key, chosen by the sender.
    case embeddedKey
    /// `x5u`: the address of certificates, chosen by the sender.
    case certificateURL
}
