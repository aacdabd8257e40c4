import PureBytes

/// An intermediate certificate that an anchor is known to have issued, and its key as a table: a chain that has exactly
/// these bytes needs no second verification of their signature. Dates are checked each time.
struct PreparedIntermediate: Sendable {
    let certificate: Certificate
    let key: IssuerKey
    let anchor: TrustAnchor
}

extension CertificatePathVerifier {
    /// This verifier, with `intermediate` prepared for ``validateAppAttestChain(_:at:)``: everything but its dates is checked
    /// now, and the table of its key is computed, which costs about as much as a verification.
    package func preparing(_ intermediate: Certificate) throws(X509Error) -> CertificatePathVerifier {
        let key = try checkAppAttestIntermediate(intermediate)
        let anchor = try findAppAttestAnchor(of: intermediate)
        return adding(PreparedIntermediate(certificate: intermediate, key: key.precomputed(), anchor: anchor))
    }

    /// The same for an intermediate that is part of the program, with a key that may have a table that is too: its signature is not
    /// verified here; a test does that.
    package func preparing(
        embedded intermediate: Certificate, key: IssuerKey?, issuedBy anchor: TrustAnchor
    ) -> CertificatePathVerifier {
        guard let key else { return self }
        return adding(PreparedIntermediate(certificate: intermediate, key: key, anchor: anchor))
    }

    /// The prepared certificate that is encoded so, so that it need not be read again.
    package func preparedCertificate(_ derEncoded: ArraySlice<UInt8>) -> Certificate? {
        prepared(derEncoded)?.certificate
    }

    /// What was prepared of the certificate that is encoded so.
    func prepared(_ derEncoded: ArraySlice<UInt8>) -> PreparedIntermediate? {
        preparedIntermediates.first { areEqual($0.certificate.derEncoded, derEncoded) }
    }

    private func adding(_ prepared: PreparedIntermediate) -> CertificatePathVerifier {
        var verifier = self
        verifier.preparedIntermediates.append(prepared)
        return verifier
    }
}
