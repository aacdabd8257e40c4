import PureDER
import PureECDSA
import PureX509

/// How the key that attests came to the device.
public enum Provisioning: UInt8, Hashable, Sendable {
    /// In the factory, one for many devices: two issuers below the root, and the upper one names a serial number.
    case factory = 1
    /// From Google's server, one for this device and for weeks: three issuers below the root, of which two are "Droid CA3" and "Droid CA2".
    case remote = 2
}

/// The certificates of a key attestation, leaf first, whose order, signatures and root were checked: ANDROID.md calls it a profile of its
/// own, as leaf and attestation certificate lack what RFC 5280 asks of a path.
struct AttestationChain {
    let leaf: LeafCertificate
    /// Attestation certificate and intermediates. The number of the first is 1.
    let issuers: [Certificate]
    /// The root's certificate; `nil` if the chain ends below it.
    let root: Certificate?
    let provisioning: Provisioning

    /// The certificate of the key that attests.
    var attestation: Certificate { issuers[0] }

    /// Reads the certificates, and checks that they are a chain, each signed by the next, to one of the roots.
    ///
    /// The last certificate may be the root's, as in KeyStore's chains, or the one that the root issued, as in WebAuthn's. Anybody can add
    /// or remove the root's certificate, so both forms have the same rules: they count from the root down, and not the certificates.
    init(_ encoded: [ArraySlice<UInt8>], roots: [ChainRoot]) throws(KeyAttestationError) {
        // The verifier has counted them from above, before it reads any.
        guard encoded.count >= 3 else { throw .wrongCertificateCount(encoded.count) }
        leaf = try LeafCertificate(encoded[0])
        var issuers: [Certificate] = []
        for position in 1..<encoded.count {
            do {
                issuers.append(try Certificate(derEncoded: encoded[position]))
            } catch {
                throw .malformedCertificate(error, certificate: position)
            }
        }
        let last = issuers[issuers.count - 1]
        let rootKey: AndroidPublicKey
        if let key = try Self.key(of: last, position: issuers.count), roots.contains(where: { $0.key == key }) {
            rootKey = key
            root = issuers.removeLast()
        } else {
            rootKey = try Self.issuer(of: last, among: roots, position: issuers.count)
            root = nil
        }
        guard issuers.count == 2 || issuers.count == 3 else { throw .wrongCertificateCount(encoded.count) }
        self.issuers = issuers
        try Self.checkSignatures(leaf, issuers, root, rootKey)
        provisioning = try Self.provisioning(issuers)
    }

    /// Rule K2. The root's certificate counts by its key: Google has issued it several times, and devices keep the one that they have.
    /// Without it, a root must have issued the last certificate: RFC 5280 §6.1.3 (a)(1), (a)(4).
    private static func issuer(
        of last: Certificate, among roots: [ChainRoot], position: Int
    ) throws(KeyAttestationError) -> AndroidPublicKey {
        guard !isSoftwareRoot(last) else { throw .softwareRoot }
        let root = roots.first {
            last.issuer.elementsEqual($0.name)
                && $0.key.isValidSignature(last.signature, last.signatureAlgorithm, of: last.tbsCertificate)
        }
        guard let root else { throw .untrustedRoot }
        return root.key
    }

    /// From the root to the leaf.
    private static func checkSignatures(
        _ leaf: LeafCertificate, _ issuers: [Certificate], _ root: Certificate?, _ rootKey: AndroidPublicKey
    ) throws(KeyAttestationError) {
        var issuer = root, issuerKey = rootKey
        for position in stride(from: issuers.count, through: 1, by: -1) {
            let certificate = issuers[position - 1]
            // Without the root's certificate, `issuer(of:among:position:)` has checked this.
            if let issuer {
                guard certificate.issuer == issuer.subject else { throw .wrongOrder(certificate: position) }
                try check(
                    certificate.signature, certificate.signatureAlgorithm, of: certificate.tbsCertificate,
                    by: issuerKey, position: position)
            }
            try certificate.checkExtensions(position: position)
            try certificate.checkIssues(position: position, isFromFactory: issuers.count == 2)
            guard let key = try key(of: certificate, position: position) else {
                throw .unsupportedIssuerKey(certificate: position)
            }
            (issuer, issuerKey) = (certificate, key)
        }
        guard leaf.issuer == issuers[0].subject else { throw .wrongOrder(certificate: 0) }
        try check(
            leaf.signed.signature, leaf.signatureAlgorithm, of: leaf.signed.tbsCertificate, by: issuerKey, position: 0)
    }

    private static func key(of certificate: Certificate, position: Int) throws(KeyAttestationError) -> AndroidPublicKey?
    {
        try AndroidPublicKey(certificate.publicKey, certificate.subjectPublicKeyInfo, position: position)
    }

    /// Rule K1: RFC 5280 §6.1.3 (a)(1); the names, (a)(4), were compared before.
    private static func check(
        _ signature: ArraySlice<UInt8>, _ algorithm: SignatureAlgorithm?, of message: ArraySlice<UInt8>,
        by key: AndroidPublicKey, position: Int
    ) throws(KeyAttestationError) {
        guard let algorithm, algorithm.isSupported else {
            throw .unsupportedSignatureAlgorithm(certificate: position)
        }
        guard key.isValidSignature(signature, algorithm, of: message) else {
            throw .invalidSignature(certificate: position)
        }
    }

    /// Which of the two kinds of chains it is, by the names that Google's authorities gave.
    private static func provisioning(_ issuers: [Certificate]) throws(KeyAttestationError) -> Provisioning {
        if issuers.count == 2 {
            guard issuers[1].subjectText(.serialNumberAttribute) != nil else { throw .unknownProvisioning }
            return .factory
        }
        guard issuers[2].subject(.commonNameAttribute, is: AuthorityName.droidCA2),
            issuers[2].subject(.organizationNameAttribute, is: AuthorityName.google),
            issuers[1].subject(.commonNameAttribute, is: AuthorityName.droidCA3),
            issuers[1].subject(.organizationNameAttribute, is: AuthorityName.google),
            issuers[0].securityLevel(.remote) != nil
        else { throw .unknownProvisioning }
        return .remote
    }

    /// Rule K4: the dates, at the server's time: those of the leaf were set on the device, and the root's mean nothing beside its key. A
    /// factory's certificates count also after they expired, as nobody can replace their keys.
    func checkValidity(at time: UnixTime) throws(KeyAttestationError) {
        for position in 1...issuers.count {
            let certificate = issuers[position - 1]
            guard certificate.notBefore <= time else {
                throw .notYetValid(certificate: position, notBefore: certificate.notBefore, at: time)
            }
            guard provisioning == .factory || time <= certificate.notAfter else {
                throw .expired(certificate: position, notAfter: certificate.notAfter, at: time)
            }
        }
    }

    /// Rule K5: every serial number of the chain against the list. The root's own protects nobody, as anybody can write another into a
    /// certificate with its key, or leave the certificate out.
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

    /// What the certificate of the key that attests says of where that key is kept; `nil` if nothing.
    var attestedLevel: SecurityLevel? { attestation.securityLevel(provisioning) }

    /// Whether a name says that the key which attests is a StrongBox's: as Android's compatibility tests ask it of factories, in the subject
    /// of the attestation certificate or of its issuer, in any attribute and case.
    var namesStrongBox: Bool { attestation.subjectNamesStrongBox || issuers[1].subjectNamesStrongBox }

    static func isSoftwareRoot(_ certificate: Certificate) -> Bool {
        guard case .p256(let key) = certificate.publicKey else { return false }
        let point = key.x963Representation
        for i in point.indices where point[i] != GoogleRoots.software[i] { return false }
        return true
    }
}

extension Certificate {
    /// "TEE" or "StrongBox": of a key from the factory the title, of a remotely provisioned one the organization.
    fileprivate func securityLevel(_ provisioning: Provisioning) -> SecurityLevel? {
        let type: ASN1ObjectIdentifier = provisioning == .factory ? .titleAttribute : .organizationNameAttribute
        if subject(type, is: AuthorityName.trustedEnvironment) { return .trustedEnvironment }
        return subject(type, is: AuthorityName.strongBox) ? .strongBox : nil
    }

    fileprivate var subjectNamesStrongBox: Bool {
        let word = AuthorityName.strongBox
        for attribute in subjectName.attributes {
            var text = attribute.value.content
            while text.count >= word.count {
                // Letters of ASCII differ from their other case in this bit alone, and nothing else becomes a letter of the word by it.
                if zip(text, word).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) { return true }
                text = text.dropFirst()
            }
        }
        return false
    }

    /// What a certificate of a chain may have: version 3, and no critical extension that is not known here.
    ///
    /// Deviation from RFC 5280 §6.1.3 (b), (c): name constraints, which some makers' chains have, are read and not applied. No name
    /// below them decides anything but which chain it is, and the path has a fixed length.
    fileprivate func checkExtensions(position: Int) throws(KeyAttestationError) {
        guard version == 3 else { throw .notVersion3(certificate: position) }
        for i in extensions.indices {
            switch extensions[i].identifier {
            case .keyUsage, .basicConstraints, .nameConstraints, .provisioningInformation: continue
            case .keyDescription:
                // Rule K3. An attested key can sign whatever its holder likes, also a certificate with a key description of a key that is
                // nowhere: in such a chain, the second certificate has one too.
                throw .descriptionInIssuer(certificate: position)
            default:
                guard !extensions[i].isCritical else { throw .unhandledCriticalExtension(certificate: position) }
            }
        }
    }

    /// What makes an issuer. Of attestation certificates some have no basicConstraints; those that have must say so.
    ///
    /// Deviation from RFC 5280 §6.1.4 (k), (n): attestation certificates that factories were given from 2016 on say that they are no
    /// authority and sign no certificates (Sony's Xperia 10 III has one). Their place makes them what they are: a factory's intermediate
    /// signed them, and they have no key description, which whatever an attested key signs would be below.
    fileprivate func checkIssues(position: Int, isFromFactory: Bool) throws(KeyAttestationError) {
        guard position > 1 || !isFromFactory else { return }
        guard basicConstraints?.isCertificationAuthority ?? (position == 1), keyUsage?.contains(.keyCertSign) ?? true
        else { throw .notCertificationAuthority(certificate: position) }
        // RFC 5280 §4.2.1.9: between this one and the leaf are position − 1.
        guard basicConstraints?.pathLength.map({ position - 1 <= $0 }) ?? true else {
            throw .pathLengthExceeded(certificate: position)
        }
    }
}
