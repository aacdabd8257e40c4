package import PureDER

/// CMS `SignedData` (RFC 5652 §5), as Apple's receipts use it: attached content, one signer, no attributes.
///
/// Reading does not verify the signature. It rejects detached content, content other than id-data, CRLs, certificates
/// other than X.509, signers identified by key identifier, and attributes, whether signed or unsigned.
public struct SignedData: Sendable {
    /// The maximum number of certificates: 8. Receipts have three.
    public static var maximumCertificateCount: Int { 8 }

    /// The signed content. The parts of a constructed OCTET STRING are joined (RFC 5652 §5.4).
    public let content: ArraySlice<UInt8>
    /// The certificates in the message, in encoding order. These certificates are untrusted.
    public let certificates: [Certificate]
    /// The encoded issuer name of the signer's certificate.
    let signerIssuer: ArraySlice<UInt8>
    /// The serial number of the signer's certificate: the contents of the INTEGER.
    let signerSerialNumber: ArraySlice<UInt8>
    /// The algorithm of ``signature``.
    let signatureAlgorithm: SignatureAlgorithm
    /// The signature. An ECDSA signature is an encoded ECDSA-Sig-Value.
    let signature: ArraySlice<UInt8>

    /// Reads exactly one `ContentInfo`. Accepts DER, and BER with indefinite lengths and constructed OCTET STRINGs.
    public init(berEncoded: ArraySlice<UInt8>) throws(X509Error) {
        let normalized: [UInt8]
        do { normalized = try BERNormalizer.normalize(berEncoded) } catch { throw .malformed(.signedData, error) }
        // RFC 5652 §3: ContentInfo.
        var contentInfo = try FieldReader.entering(.sequence, of: normalized[...], .signedData)
        guard try contentInfo.readObjectIdentifier() == .signedData else { throw .unsupportedContentType }
        var explicit = try contentInfo.enter(.context(0))
        try contentInfo.finish()
        var reader = try explicit.enter(.sequence)
        try explicit.finish()
        // RFC 5652 §5.1: the version is 1, because of id-data, X.509 certificates and a signer of version 1.
        guard try reader.readInt64() == 1 else { throw .unsupportedSignedDataVersion }
        // RFC 5652 §5.1: digestAlgorithms may list any algorithms, for hashing in one pass. Only SignerInfo's is used.
        var digestAlgorithms = try reader.enter(.set)
        while !digestAlgorithms.isAtEnd {
            _ = try digestAlgorithms.readAlgorithmIdentifier()
        }
        content = try Self.readContent(&reader)
        certificates = try Self.readCertificates(&reader)

        reader.field = .signerInfo
        var signers = try reader.enter(.set)
        try reader.finish()
        guard !signers.isAtEnd else { throw .wrongSignerCount }
        var signer = try signers.enter(.sequence)
        guard signers.isAtEnd else { throw .wrongSignerCount }
        // RFC 5652 §5.3: the version is 1 if the signer is identified by issuer and serial number.
        guard try signer.readInt64() == 1 else { throw .unsupportedSignedDataVersion }
        var identifier = try signer.enter(.sequence)
        signerIssuer = try identifier.readElement(.sequence).encoded
        signerSerialNumber = try identifier.readInteger()
        try identifier.finish()
        let digestAlgorithm = try signer.readAlgorithmIdentifier()
        // Signed attributes (RFC 5652 §5.3) are rejected. A signature over them covers the content only through a hash
        // in the attributes.
        guard try signer.peekTag() != .context(0) else { throw .signedAttributesPresent }
        signatureAlgorithm = try SignatureAlgorithm(try signer.read(.sequence))
        signature = try signer.read(.octetString)
        try signer.finish()
        guard let expected = signatureAlgorithm.digestAlgorithm, digestAlgorithm.algorithm == expected,
            digestAlgorithm.hasNoParameters
        else { throw .digestAlgorithmMismatch }
    }

    /// Reads encapContentInfo: RFC 5652 §5.2.
    private static func readContent(_ reader: inout FieldReader) throws(X509Error) -> ArraySlice<UInt8> {
        var info = try reader.enter(.sequence)
        guard try info.readObjectIdentifier() == .data else { throw .unsupportedContentType }
        guard !info.isAtEnd else { throw .contentMissing }
        var explicit = try info.enter(.context(0))
        try info.finish()
        let content = try explicit.read(.octetString)
        try explicit.finish()
        return content
    }

    /// Reads a CertificateSet (RFC 5652 §10.2.3). Accepts only the choice `certificate`.
    private static func readCertificates(_ reader: inout FieldReader) throws(X509Error) -> [Certificate] {
        guard let set = try reader.readIfPresent(.context(0)) else { return [] }
        var elements = FieldReader(set, .signedData)
        var certificates: [Certificate] = []
        while !elements.isAtEnd {
            guard certificates.count < maximumCertificateCount else { throw .tooManyCertificates }
            certificates.append(try Certificate(derEncoded: try elements.readElement(.sequence).encoded))
        }
        return certificates
    }
}

extension SignedData {
    package func signer() throws(X509Error) -> Certificate {
        for certificate in certificates
        where certificate.issuer == signerIssuer && certificate.serialNumber == signerSerialNumber {
            return certificate
        }
        throw .signerCertificateMissing
    }

    /// Verifies the content's signature with the key of `signer`: RFC 5652 §5.6.
    package func checkSignature(of signer: Certificate) throws(X509Error) {
        guard let key = IssuerKey(signer.publicKey) else { throw .unsupportedPublicKey(certificate: 0) }
        guard key.isValidSignature(signature, algorithm: signatureAlgorithm, message: content) else {
            throw .invalidContentSignature
        }
    }
}

extension SignatureAlgorithm {
    /// The hash function of this signature algorithm (RFC 5754 §2).
    fileprivate var digestAlgorithm: ASN1ObjectIdentifier? {
        switch self {
        case .ecdsaWithSHA256: .sha256
        case .ecdsaWithSHA384: .sha384
        case .ecdsaWithSHA512: .sha512
        default: nil
        }
    }
}

extension AlgorithmIdentifier {
    /// Whether the parameters are absent or NULL. For SHA-2, RFC 5754 §2 requires verifiers to accept both.
    package var hasNoParameters: Bool { parameters == nil || hasNullParameters }
}

extension ASN1ObjectIdentifier {
    /// id-signedData (RFC 5652 §5.1): 1.2.840.113549.1.7.2.
    package static var signedData: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_07_02) }
    /// id-data (RFC 5652 §4): 1.2.840.113549.1.7.1.
    package static var data: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_07_01) }
}
