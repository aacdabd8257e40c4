public import PureDER
public import PureX509

/// The proof that content was signed by the key of a certificate that chains to a trust anchor. Only
/// `SignedData.verify(with:at:)` makes one.
public struct VerifiedSignedData: Sendable {
    /// The signed bytes.
    public let content: ArraySlice<UInt8>
    /// From the signer's certificate to the anchor. What the signer may sign is for the caller to decide.
    public let chain: ValidatedCertificateChain
}

extension SignedData {
    /// Verifies the signature (RFC 5652 §5.6) and the chain of the certificate that the signer is named by; the other
    /// certificates may be its intermediates.
    ///
    /// Not checked: whether the certificate is meant for signing such content.
    public func verify(
        with verifier: CertificatePathVerifier, at time: UnixTime
    ) throws(PathError) -> VerifiedSignedData {
        let signer = try wrapping(signer)
        let chain = try verifier.validate(leaf: signer, intermediates: certificates.filter { $0 != signer }, at: time)
        try wrapping { () throws(X509Error) in try checkSignature(of: signer) }
        return VerifiedSignedData(content: content, chain: chain)
    }
}
