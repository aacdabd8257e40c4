public import PureBytes
public import PureDER

/// The reason why a public key or a signature was rejected.
///
/// The enumeration is indirect to keep the result of every throwing call small. Only a thrown error allocates memory.
@nonexhaustive
public indirect enum ECDSAError: Error, Hashable, Sendable {
    /// The representation's length is wrong for the curve.
    case invalidLength
    /// The first octet of a point is not the octet of the expected form: 0x04 for X9.63, 0x02 or 0x03 for compressed
    /// points. The point at infinity (0x00) and the hybrid form (0x06, 0x07) are rejected.
    case invalidPointFormat
    /// A coordinate is not below p (SEC 1 §3.2.2.1 step 2).
    case coordinateOutOfRange
    /// The point does not satisfy the curve equation, or no point has the given x-coordinate (SEC 1 §3.2.2.1 step 3).
    case pointNotOnCurve
    /// r or s is not in [1, n − 1] (FIPS 186-5 §6.4.2 step 1).
    case scalarOutOfRange
    /// The key's algorithm is not id-ecPublicKey (RFC 5480 §2.1.1).
    case unsupportedKeyAlgorithm
    /// The key's parameters do not name this curve. Explicit parameters are never accepted (RFC 5480 §2.1.1).
    case unsupportedCurve
    /// The DER is malformed, or bytes follow its end.
    case malformedDER(DERError)
    /// The text is not a single PEM block with the label PUBLIC KEY.
    case malformedPEM(PEMError)
}
