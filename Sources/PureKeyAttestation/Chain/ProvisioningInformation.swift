import PureCBOR
import PureX509

/// What Google's provisioning server says of the device, in the attestation certificate: 1.3.6.1.4.1.11129.2.1.30, a map of CBOR.
public struct ProvisioningInformation: Hashable, Sendable {
    /// How many certificates the device was given in the last 30 days: many are a sign of abuse. `nil` if the map does not say it.
    public let certificatesIssued: UInt64?

    /// `nil` if the certificate has no such extension.
    init?(of certificate: Certificate) throws(KeyAttestationError) {
        guard let value = certificate.extension(.provisioningInformation)?.value else { return nil }
        // Members of later versions are passed over.
        guard let map = (try? CBORValue(decoding: value))?.map else { throw .malformedProvisioningInformation }
        switch map[.unsignedInteger(1)] {
        case nil: certificatesIssued = nil
        case .unsignedInteger(let count)?: certificatesIssued = count
        default: throw .malformedProvisioningInformation
        }
    }
}
