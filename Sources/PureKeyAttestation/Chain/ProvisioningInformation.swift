import PureCBOR
import PureX509

/// Information about the device from Google's provisioning server: a CBOR map in extension 1.3.6.1.4.1.11129.2.1.30 of
/// the attestation certificate.
public struct ProvisioningInformation: Hashable, Sendable {
    /// How many certificates the device received in the last 30 days, or `nil` if unknown. Many indicate abuse.
    public let certificatesIssued: UInt64?

    /// Reads the extension, or returns `nil` if the certificate does not have this extension.
    init?(of certificate: Certificate) throws(KeyAttestationError) {
        guard let value = certificate.extension(.provisioningInformation)?.value else { return nil }
        // Unknown members are ignored, because later versions may add members.
        guard let map = (try? CBORValue(decoding: value))?.map else { throw .malformedProvisioningInformation }
        switch map[.unsignedInteger(1)] {
        case nil: certificatesIssued = nil
        case .unsignedInteger(let count)?: certificatesIssued = count
        default: throw .malformedProvisioningInformation
        }
    }
}
