extension AttestationChain {
    /// Rule K5: checks every serial number against the revocation list.
    ///
    /// If the chain includes the root, the root's serial number is checked too. This check protects nobody: anyone can
    /// put the root's key into a certificate with another serial number, or omit the root certificate.
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
