extension AttestationChain {
    /// Rule K5: checks every serial number against the revocation list.
    ///
    /// If the chain includes the root, its serial number is also checked. This check adds no security: an attacker can
    /// omit the root certificate, or replace it by a certificate with the same key and a different serial number.
    func checkRevocation(_ list: RevocationStatusList) throws(KeyAttestationError) {
        var serialNumbers = [leaf.serialNumber]
        for issuer in issuers { serialNumbers.append(issuer.serialNumber) }
        if let root { serialNumbers.append(root.serialNumber) }
        for position in serialNumbers.indices {
            switch list.status(ofSerialNumber: serialNumbers[position]) {
            case nil: continue
            case .revoked?: throw .revoked(certificate: position)
            case .suspended?: throw .suspended(certificate: position)
            }
        }
    }
}
