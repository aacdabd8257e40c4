public import PureDER

/// A signature algorithm of certificates.
@nonexhaustive
public enum SignatureAlgorithm: Hashable, Sendable {
    /// ecdsa-with-SHA256. The key may be on P-256 or P-384.
    case ecdsaWithSHA256
    /// ecdsa-with-SHA384. The key may be on P-256 or P-384.
    case ecdsaWithSHA384
    /// ecdsa-with-SHA512. The key may be on P-256 or P-384.
    case ecdsaWithSHA512
    /// sha256WithRSAEncryption, PKCS #1 v1.5. PureKeyAttestation verifies RSA signatures; this module does not.
    case sha256WithRSAEncryption
    /// sha384WithRSAEncryption.
    case sha384WithRSAEncryption
    /// sha512WithRSAEncryption.
    case sha512WithRSAEncryption
    /// An unsupported algorithm, whose parameters are not checked, or RSA without NULL parameters.
    case unsupported(ASN1ObjectIdentifier)

    /// Reads the contents of an `AlgorithmIdentifier`.
    package init(_ contents: ArraySlice<UInt8>) throws(X509Error) {
        let identifier: AlgorithmIdentifier
        do { identifier = try AlgorithmIdentifier(contents: contents) } catch {
            throw .malformed(.signatureAlgorithm, error)
        }
        switch identifier.algorithm {
        case .ecdsaWithSHA256: self = .ecdsaWithSHA256
        case .ecdsaWithSHA384: self = .ecdsaWithSHA384
        case .ecdsaWithSHA512: self = .ecdsaWithSHA512
        default:
            self = Self.rsa(identifier) ?? .unsupported(identifier.algorithm)
            return
        }
        // RFC 5758 §3.2: the parameters must be absent.
        guard identifier.parameters == nil else { throw .unexpectedAlgorithmParameters }
    }

    /// Recognises RSA algorithms. RFC 4055 §5: "the parameters MUST be NULL".
    private static func rsa(_ identifier: AlgorithmIdentifier) -> SignatureAlgorithm? {
        guard identifier.hasNullParameters else { return nil }
        return switch identifier.algorithm {
        case .sha256WithRSAEncryption: .sha256WithRSAEncryption
        case .sha384WithRSAEncryption: .sha384WithRSAEncryption
        case .sha512WithRSAEncryption: .sha512WithRSAEncryption
        default: nil
        }
    }

    /// Whether a module of this package verifies signatures of this algorithm.
    package var isSupported: Bool { if case .unsupported = self { false } else { true } }

    package var isECDSA: Bool {
        switch self {
        case .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512: true
        default: false
        }
    }
}
