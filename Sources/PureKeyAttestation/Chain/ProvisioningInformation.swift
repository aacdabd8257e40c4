import PureCBOR
import PureX509

/// The statement of Google's provisioning server about the device. The attestation certificate has it as a CBOR map, in
/// extension 1.3.6.1.4.1.11129.2.1.30.
public struct ProvisioningInformation: Hashable, Sendable {
    /// The number of certificates that the device received in the last 30 days, or `nil` if not stated. A high number
    /// indicates abuse.
    public let certificatesIssued: UInt64?

    /// Reads the extension, or returns `nil` if the certificate lacks it.
    init?(of certificate: Certificate) throws(KeyAttestationError) {
        guard let value = certificate.extension(.provisioningInformation)?.value else { return nil }
        // Skip unknown members, which later versions may add.
        guard let map = (try? CBORValue(decoding: value))?.map else { throw .malformedProvisioningInformation }
        switch map[.unsignedInteger(1)] {
        case nil: certificatesIssued = nil
        case .unsignedInteger(let count)?: certificatesIssued = count
        default: throw .malformedProvisioningInformation
        }
    }
}
