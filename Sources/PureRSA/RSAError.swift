public import PureBytes
public import PureDER

/// The reason why a public key or a signature was rejected.
///
/// The enumeration is indirect to keep the result of every throwing call small. Only a thrown error allocates memory.
@nonexhaustive
public indirect enum RSAError: Error, Hashable, Sendable {
    /// The signature has fewer than 256 or more than 512 octets. No supported key has signatures of this length.
    case invalidSignatureLength
    /// The modulus has fewer than ``RSA/Signing/PublicKey/minimumModulusSize`` or more than
    /// ``RSA/Signing/PublicKey/maximumModulusSize`` bits.
    case unsupportedModulusSize
    /// The modulus is even, so it is not a product of odd primes (RFC 8017 §3.1).
    case evenModulus
    /// The exponent is even, is 1, or is not below ``RSA/Signing/PublicKey/exponentLimit``.
    case unsupportedExponent
    /// The key's algorithm is not rsaEncryption (RFC 3279 §2.3.1).
    case unsupportedKeyAlgorithm
    /// The parameters of rsaEncryption are not NULL, or are missing (RFC 3279 §2.3.1).
    case parametersNotNull
    /// The DER is malformed, or bytes follow its end.
    case malformedDER(DERError)
    /// The text is not a single PEM block with the label PUBLIC KEY.
    case malformedPEM(PEMError)
}
