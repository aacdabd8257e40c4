import PureBytes
package import PureDER

extension CertificatePathVerifier {
    /// The narrow profile of App Attest: a leaf and one intermediate certificate, in this order, under one of the anchors.
    ///
    /// Stricter than ``validate(leaf:intermediates:at:)``: no path is searched for, the intermediate has a keyUsage and, as the
    /// anchor, critical basicConstraints, and the leaf is no CA certificate and may sign data. Two signatures are verified, or
    /// one if the intermediate was prepared.
    package func validateAppAttestChain(
        _ certificates: [Certificate], at time: UnixTime
    ) throws(X509Error) -> ValidatedCertificateChain {
        guard certificates.count == 2 else { throw .wrongCertificateCount }
        let (leaf, intermediate) = (certificates[0], certificates[1])

        try leaf.checkProfile(position: 0)
        try leaf.checkValidity(at: time, position: 0)
        try leaf.checkPurpose(requiredPurpose, position: 0)
        guard leaf.basicConstraints?.isCertificationAuthority != true else {
            throw .unexpectedCertificationAuthority
        }
        try leaf.checkSignsForAppAttest(position: 0)
        guard areEqual(leaf.issuer, intermediate.subject) else { throw .issuerNotFound(certificate: 0) }

        try intermediate.checkValidity(at: time, position: 1)
        let (key, anchor) = try findAppAttestIssuer(intermediate)
        try leaf.checkSignatureAlgorithm(position: 0)
        guard key.hasSigned(leaf) else { throw .invalidSignature(certificate: 0) }
        return ValidatedCertificateChain(certificates, anchor)
    }

    /// The key of a valid intermediate and the anchor that issued it: looked up if the very bytes were prepared.
    private func findAppAttestIssuer(_ intermediate: Certificate) throws(X509Error) -> (IssuerKey, TrustAnchor) {
        if let prepared = prepared(intermediate.derEncoded) { return (prepared.key, prepared.anchor) }
        return (try checkAppAttestIntermediate(intermediate), try findAppAttestAnchor(of: intermediate))
    }

    /// What an intermediate has to be whatever the time, and its key.
    func checkAppAttestIntermediate(_ intermediate: Certificate) throws(X509Error) -> IssuerKey {
        try intermediate.checkProfile(position: 1)
        try intermediate.checkIssues(requiresKeyUsage: true, position: 1)
        try intermediate.checkBasicConstraintsAreCritical(position: 1)
        try intermediate.checkPathLength(following: 0, position: 1)
        try intermediate.checkPurpose(requiredPurpose, position: 1)
        guard let key = IssuerKey(intermediate.publicKey) else { throw .unsupportedPublicKey(certificate: 1) }
        return key
    }

    /// The anchor that issued `intermediate`.
    func findAppAttestAnchor(of intermediate: Certificate) throws(X509Error) -> TrustAnchor {
        var isNameKnown = false
        for anchor in trustAnchors where anchor.name == intermediate.issuer {
            isNameKnown = true
            try intermediate.checkSignatureAlgorithm(position: 1)
            guard anchor.key.hasSigned(intermediate) else { continue }
            if let certificate = anchor.certificate {
                try certificate.checkProfile(position: 2)
                try certificate.checkBasicConstraintsAreCritical(position: 2)
                try certificate.checkPathLength(following: 1, position: 2)
                try certificate.checkPurpose(requiredPurpose, position: 2)
            }
            return anchor
        }
        throw isNameKnown ? .invalidSignature(certificate: 1) : .issuerNotFound(certificate: 1)
    }
}
