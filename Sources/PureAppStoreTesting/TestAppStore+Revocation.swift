import PureAttestTesting
public import PureDER
import PureSHA2
import PureX509

extension TestAppStore {
    /// The certificate whose status an OCSP response states.
    public enum CertificateRole: Hashable, Sendable, CaseIterable {
        /// The certificate that signs data.
        case leaf
        /// The leaf's issuer.
        case intermediate
    }

    /// The certificate status in an OCSP response (RFC 6960 §2.2).
    public enum CertificateAnswer: Hashable, Sendable {
        case good, revoked, unknown
    }

    /// Returns an OCSP response (RFC 6960), signed by the certificate's issuer.
    ///
    /// - Parameters:
    ///   - role: the certificate.
    ///   - answer: the status.
    ///   - thisUpdate: the start of the period for which the response states the status.
    ///   - nextUpdate: the end of this period.
    public func ocspResponse(
        about role: CertificateRole, _ answer: CertificateAnswer = .good, from thisUpdate: UnixTime,
        to nextUpdate: UnixTime
    ) -> [UInt8] {
        let certificate = role == .leaf ? leaf : intermediate
        let key = role == .leaf ? intermediateKey : rootKey
        let issuer = role == .leaf ? intermediate.subjectPublicKeyInfo : rootKey.subjectPublicKeyInfo
        let value: [UInt8] =
            switch answer {
            case .good: der(.contextPrimitive(0))
            case .revoked: der(.context(1), der(generalized: thisUpdate))
            case .unknown: der(.contextPrimitive(2))
            }
        let identifier = der(
            .sequence, der(.sequence, der(.sha256), derNull), hash(certificate.issuer), hash(keyBits(of: issuer)),
            certificate.serialNumber)
        let status = der(
            .sequence, identifier, value, der(generalized: thisUpdate), der(.context(0), der(generalized: nextUpdate)))
        let data = der(
            .sequence, der(.context(1), certificate.issuer), der(generalized: thisUpdate), der(.sequence, status))
        let response = der(
            .sequence, data, SignatureHash.sha384.algorithmIdentifier,
            der(bits: key.sign(data, with: .sha384).derRepresentation))
        // id-pkix-ocsp-basic, 1.3.6.1.5.5.7.48.1.1
        let type = ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_30_01_01)
        return der(
            .sequence, der(.enumerated, [0]), der(.context(0), der(.sequence, der(type), der(.octetString, response))))
    }

    private func hash(_ bytes: [UInt8]) -> [UInt8] { der(.octetString, [UInt8](SHA256.hash(data: bytes))) }

    /// Returns the point in a SubjectPublicKeyInfo on P-384: its last 97 octets.
    private func keyBits(of info: [UInt8]) -> [UInt8] { info.suffix(97) }
}

/// A GeneralizedTime (X.690 §11.7).
private func der(generalized time: UnixTime) -> [UInt8] {
    let date = CivilTime(time)
    let fields = [date.month, date.day, date.hour, date.minute, date.second].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return der(.generalizedTime, Array("\(date.year)\(fields.joined())Z".utf8))
}
