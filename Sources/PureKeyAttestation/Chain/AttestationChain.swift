import PureBytes
import PureDER
import PureECDSA
import PureX509

/// How the attestation key came to the device.
public enum Provisioning: UInt8, Hashable, Sendable {
    /// A factory key, which many devices share. Below the root are two issuers. The subject of the upper issuer has a
    /// serialNumber.
    case factory = 1
    /// Remote provisioning: Google's server certified a key of this device for a few weeks. The chain has three issuers
    /// below the root, including "Droid CA3" and "Droid CA2".
    case remote = 2
}

/// The certificates of a key attestation, leaf first. The initialiser checks the order, the signatures and the root.
///
/// These chains need their own profile (ANDROID.md), because the leaf and the attestation certificate lack fields that
/// RFC 5280 requires.
struct AttestationChain {
    let leaf: LeafCertificate
    /// The attestation certificate and the intermediates, numbered from 1.
    let issuers: [Certificate]
    let root: Certificate?
    let provisioning: Provisioning

    var attestation: Certificate { issuers[0] }

    /// Decodes the certificates, and checks all signatures from a trusted root to the leaf.
    ///
    /// Chains from KeyStore include the root certificate, and chains from WebAuthn may omit it. Anyone can add or remove
    /// the root certificate, so the same rules apply to both forms.
    init(_ encoded: [ArraySlice<UInt8>], roots: [ChainRoot]) throws(KeyAttestationError) {
        // The verifier has already checked the upper limit.
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
        // Compares only the key, because Google issued the root certificate several times, and devices contain
        // different versions of it.
        if let key = try Self.key(of: last, position: issuers.count), roots.contains(where: { $0.key == key }) {
            rootKey = key
            root = issuers.removeLast()
        } else {
            rootKey = try Self.issuer(of: last, among: roots)
            root = nil
        }
        guard issuers.count == 2 || issuers.count == 3 else { throw .wrongCertificateCount(encoded.count) }
        self.issuers = issuers
        try Self.checkSignatures(leaf, issuers, root, rootKey)
        provisioning = try Self.provisioning(issuers)
    }

    /// Rule K2 for chains without the root certificate: finds the root that issued the last certificate (RFC 5280
    /// §6.1.3 (a)(1), (a)(4)).
    private static func issuer(
        of last: Certificate, among roots: [ChainRoot]
    ) throws(KeyAttestationError) -> AndroidPublicKey {
        guard !isSoftwareRoot(last) else { throw .softwareRoot }
        let root = roots.first {
            last.issuer.elementsEqual($0.name)
                && $0.key.isValidSignature(last.signature, last.signatureAlgorithm, of: last.tbsCertificate)
        }
        guard let root else { throw .untrustedRoot }
        return root.key
    }

    private static func checkSignatures(
        _ leaf: LeafCertificate, _ issuers: [Certificate], _ root: Certificate?, _ rootKey: AndroidPublicKey
    ) throws(KeyAttestationError) {
        var issuer = root, issuerKey = rootKey
        for position in stride(from: issuers.count, through: 1, by: -1) {
            let certificate = issuers[position - 1]
            // If the chain omits the root, `issuer(of:among:)` has already checked the last certificate.
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

    /// Rule K1: RFC 5280 §6.1.3 (a)(1). The caller has already compared the names (a)(4).
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

    /// Classifies the chain by the names that Google assigns to its authorities.
    private static func provisioning(_ issuers: [Certificate]) throws(KeyAttestationError) -> Provisioning {
        if issuers.count == 2 {
            guard issuers[1].subjectText(.serialNumber) != nil else { throw .unknownProvisioning }
            return .factory
        }
        guard issuers[2].subject(.commonName, is: "Droid CA2"),
            issuers[2].subject(.organizationName, is: "Google LLC"),
            issuers[1].subject(.commonName, is: "Droid CA3"),
            issuers[1].subject(.organizationName, is: "Google LLC"),
            issuers[0].securityLevel(.remote) != nil
        else { throw .unknownProvisioning }
        return .remote
    }

    /// Rule K4: checks the validity periods against the server's time.
    ///
    /// The leaf is skipped, because the device chose the dates in the leaf. The root is skipped, because only the key
    /// of the root is trusted. Expired factory certificates are accepted, because factory keys cannot be replaced.
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

    /// The security level in the attestation certificate's subject, or `nil` if the subject states none.
    var attestedLevel: SecurityLevel? { attestation.securityLevel(provisioning) }

    /// Whether a subject attribute of the attestation certificate or of its issuer contains "StrongBox", ignoring case.
    /// Android's compatibility tests require this name for factory keys in a StrongBox.
    var namesStrongBox: Bool { attestation.subjectNamesStrongBox || issuers[1].subjectNamesStrongBox }

    static func isSoftwareRoot(_ certificate: Certificate) -> Bool {
        guard case .p256(let key) = certificate.publicKey else { return false }
        let point = key.x963Representation
        for i in point.indices where point[i] != GoogleRoots.software[i] { return false }
        return true
    }
}

extension Certificate {
    /// Reads "TEE" or "StrongBox" from the title (factory keys) or organization (remote provisioning) in the subject.
    fileprivate func securityLevel(_ provisioning: Provisioning) -> SecurityLevel? {
        let type: ASN1ObjectIdentifier = provisioning == .factory ? .title : .organizationName
        if subject(type, is: "TEE") { return .trustedEnvironment }
        return subject(type, is: "StrongBox") ? .strongBox : nil
    }

    fileprivate var subjectNamesStrongBox: Bool {
        let word = ascii("StrongBox")
        for attribute in subjectName.attributes {
            var text = attribute.value.content
            while text.count >= word.count {
                // Bit 5 selects the case of ASCII letters. Setting it turns no other byte into a letter of the word.
                if zip(text, word).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) { return true }
                text = text.dropFirst()
            }
        }
        return false
    }

    /// Checks for version 3, and rejects unknown critical extensions.
    ///
    /// Deviation from RFC 5280 §6.1.3 (b), (c): name constraints, which some manufacturers' chains have, are read but
    /// not applied. The verifier uses the constrained names only to determine the kind of chain. Each kind has a fixed
    /// length.
    fileprivate func checkExtensions(position: Int) throws(KeyAttestationError) {
        guard version == 3 else { throw .notVersion3(certificate: position) }
        for i in extensions.indices {
            switch extensions[i].identifier {
            case .keyUsage, .basicConstraints, .nameConstraints, .provisioningInformation: continue
            case .keyDescription:
                // Rule K3. The holder of an attested key can sign a certificate that describes a nonexistent key. In
                // such a chain, the second certificate also has a key description.
                throw .descriptionInIssuer(certificate: position)
            default:
                guard !extensions[i].isCritical else { throw .unhandledCriticalExtension(certificate: position) }
            }
        }
    }

    /// Checks that the certificate may issue certificates. Some attestation certificates have no basicConstraints. If
    /// present, basicConstraints must mark the certificate as a CA.
    ///
    /// Deviation from RFC 5280 §6.1.4 (k), (n): attestation certificates for factory keys are not checked. Some of
    /// these certificates since 2016, for example on Sony's Xperia 10 III, state that they are not a CA. The position
    /// in the chain makes such a certificate an issuer: a factory intermediate signed it, and it has no key
    /// description. A certificate that an attested key signed cannot be in this position, because its issuer would have
    /// a key description (rule K3).
    fileprivate func checkIssues(position: Int, isFromFactory: Bool) throws(KeyAttestationError) {
        guard position > 1 || !isFromFactory else { return }
        guard basicConstraints?.isCertificationAuthority ?? (position == 1), keyUsage?.contains(.keyCertSign) ?? true
        else { throw .notCertificationAuthority(certificate: position) }
        // RFC 5280 §4.2.1.9: there are position − 1 certificates between this certificate and the leaf.
        guard basicConstraints?.pathLength.map({ position - 1 <= $0 }) ?? true else {
            throw .pathLengthExceeded(certificate: position)
        }
    }
}
