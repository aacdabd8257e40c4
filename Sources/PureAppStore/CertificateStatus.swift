public import PureDER
import PureX509
import PureX509Paths

/// The revocation state of the certificates that signed the data.
public enum CertificateStatus: Hashable, Sendable {
    /// The caller passed no OCSP responses. The certificates may be revoked.
    case notChecked
    /// Neither the leaf nor the intermediate is revoked. The responders publish newer information by the time `until`.
    case good(until: UnixTime)
}

extension SignedDataVerifier {
    /// Checks that neither the leaf nor the intermediate certificate is revoked, if the caller passed OCSP responses.
    ///
    /// Each certificate needs a valid response with the status "good". Invalid responses are ignored if a valid
    /// response exists. A valid response with the status "revoked" takes precedence over all other responses.
    func certificateStatus(
        of certificates: borrowing [Certificate], _ responses: [OCSPResponse], at time: UnixTime
    ) throws(AppStoreError) -> CertificateStatus {
        guard case .chain = authority, !responses.isEmpty else { return .notChecked }
        var until = UnixTime(secondsSince1970: .max)
        for position in 0...1 {
            let (certificate, issuer) = (certificates[position], certificates[position + 1])
            var refusal = AppStoreError.certificateStatusMissing(certificate: position)
            var status: VerifiedOCSPStatus?
            for response in responses {
                do throws(PathError) {
                    let good = try response.status(of: certificate, issuedBy: issuer, at: time, clockSkew: clockSkew)
                    if status.map({ $0.nextUpdate < good.nextUpdate }) ?? true { status = good }
                } catch .ocsp(.statusMissing), .ocsp(.responderNotFound) {
                    // The response concerns a different certificate.
                } catch {
                    refusal = .certificateStatus(certificate: position, error)
                    if case .ocsp(.revoked) = error { throw refusal }
                }
            }
            guard let status else { throw refusal }
            until = min(until, status.nextUpdate)
        }
        return .good(until: until)
    }
}
