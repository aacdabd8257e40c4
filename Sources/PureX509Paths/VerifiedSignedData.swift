public import PureDER
public import PureX509

/// Content with a valid signature that chains to an anchor. Only `SignedData.verify(with:at:)` creates instances.
public struct VerifiedSignedData: Sendable {
    /// The signed bytes.
    public let content: ArraySlice<UInt8>
    /// The signer's path to the anchor. The caller must decide whether this signer may sign this content.
    public let chain: ValidatedCertificateChain
}

extension SignedData {
    /// Verifies the signature (RFC 5652 §5.6) and the signer's chain. The other certificates in the message may serve
    /// as intermediates. Does not check whether the signer's certificate may sign this kind of content.
    public func verify(
        with verifier: CertificatePathVerifier, at time: UnixTime
    ) throws(PathError) -> VerifiedSignedData {
        let signer = try wrapping(signer)
        let chain = try verifier.validate(leaf: signer, intermediates: certificates.filter { $0 != signer }, at: time)
        try wrapping { () throws(X509Error) in try checkSignature(of: signer) }
        return VerifiedSignedData(content: content, chain: chain)
    }
}
