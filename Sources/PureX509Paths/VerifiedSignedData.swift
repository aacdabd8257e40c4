public import PureDER
public import PureX509

/// Proof that content was signed by a key that chains to an anchor. Only `SignedData.verify(with:at:)` creates it.
public struct VerifiedSignedData: Sendable {
    /// The signed bytes.
    public let content: ArraySlice<UInt8>
    /// The path from the signer's certificate to the anchor. The caller must decide what the signer may sign.
    public let chain: ValidatedCertificateChain
}

extension SignedData {
    /// Verifies the signature (RFC 5652 §5.6) and the chain of the signer's certificate. Other included certificates
    /// may serve as intermediates. Does not check whether the certificate may sign this kind of content.
    public func verify(
        with verifier: CertificatePathVerifier, at time: UnixTime
    ) throws(PathError) -> VerifiedSignedData {
        let signer = try wrapping(signer)
        let chain = try verifier.validate(leaf: signer, intermediates: certificates.filter { $0 != signer }, at: time)
        try wrapping { () throws(X509Error) in try checkSignature(of: signer) }
        return VerifiedSignedData(content: content, chain: chain)
    }
}
