public import PureBytes
public import PureDER

/// Why a public key or a signature was refused.
///
/// Indirect: what every throwing call hands up, and copies where it fails, stays small; a payload is made when it is thrown.
@nonexhaustive
public indirect enum RSAError: Error, Hashable, Sendable {
    /// A signature has a length that no key here has: fewer than 256 or more than 512 octets.
    case invalidSignatureLength
    /// The modulus has fewer than ``RSA/Signing/PublicKey/minimumModulusSize`` or more than
    /// ``RSA/Signing/PublicKey/maximumModulusSize`` bits.
    case unsupportedModulusSize
    /// The modulus is even: no product of two odd primes (RFC 8017 §3.1).
    case evenModulus
    /// The exponent is even, 1, or ``RSA/Signing/PublicKey/exponentLimit`` or more.
    case unsupportedExponent
    /// The key's algorithm is not rsaEncryption (RFC 3279 §2.3.1).
    case unsupportedKeyAlgorithm
    /// The parameters of rsaEncryption are not NULL, or are left out (RFC 3279 §2.3.1).
    case parametersNotNull
    /// The DER is malformed, or has bytes after its end.
    case malformedDER(DERError)
    /// The text is not one block of PEM with the label PUBLIC KEY.
    case malformedPEM(PEMError)
}
