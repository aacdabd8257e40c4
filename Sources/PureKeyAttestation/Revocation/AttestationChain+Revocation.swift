extension AttestationChain {
    /// Rule K5: checks every serial number against the revocation list.
    ///
    /// The serial number of an included root is checked too. This protects nobody, because anyone can omit the root
    /// certificate, or put its key into a certificate with another serial number.
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
