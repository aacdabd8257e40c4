package import PureDER

// Requirements of RFC 5280 §6.1 that depend on the certificate's position in the path. Errors contain `position`.
extension Certificate {
    /// Checks the validity period (§6.1.3 (a)(2)). Callers skip this check for trust anchors.
    package func checkValidity(at time: UnixTime, position: Int) throws(X509Error) {
        guard notBefore <= time else { throw .notYetValid(certificate: position, notBefore: notBefore, at: time) }
        guard time <= notAfter else { throw .expired(certificate: position, notAfter: notAfter, at: time) }
    }

    /// Checks the requirements on every certificate of a path: version 3, and a keyUsage that is consistent with
    /// basicConstraints. Also rejects extensions that would restrict the path but that the caller does not process.
    package func checkProfile(position: Int, processesConstraints: Bool = false) throws(X509Error) {
        guard version == 3 else { throw .notVersion3(certificate: position) }
        for i in extensions.indices {
            try check(
                extensions[i].identifier, isCritical: extensions[i].isCritical, position: position,
                processesConstraints: processesConstraints)
        }
        // §4.2.1.3: only a CA's key may sign certificates.
        guard
            keyUsage?.contains(.keyCertSign) != true || basicConstraints?.isCertificationAuthority == true
        else { throw .notCertificationAuthority(certificate: position) }
    }

    /// Rejects unknown critical extensions (§6.1.4 (o), §6.1.5 (f)), and extensions with the wrong criticality
    /// (§4.2.1). ValidatingPaths.md of PureX509Paths explains each decision.
    private func check(
        _ identifier: ASN1ObjectIdentifier, isCritical: Bool, position: Int, processesConstraints: Bool
    ) throws(X509Error) {
        switch identifier {
        case .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .basicConstraints:
            // §4.2.1.9 requires CAs to mark basicConstraints as critical, but §6.1.4 (k) does not check this.
            break
        case .authorityKeyIdentifier, .subjectKeyIdentifier:
            // §4.2.1.1, §4.2.1.2: must not be critical. By §6.1.4 (o), unprocessed critical extensions are rejected.
            guard !isCritical else { throw .wrongCriticality(identifier, certificate: position) }
        case .certificatePolicies:
            // §4.2.1.4: an unknown qualifier in a critical extension is rejected. Callers that reject constraints use
            // the initial policy set {anyPolicy}, so they require no policy. For them, only the syntax of the policies
            // matters in §6.1.3 (d).
            guard !isCritical || policyQualifiersAreKnown else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        case .nameConstraints, .policyMappings, .policyConstraints, .inhibitAnyPolicy:
            // Deviation: a caller that does not process these constraints rejects them even if they are noncritical. So
            // an accepted path cannot violate a constraint, and the policy tree of §6.1 cannot become empty when a
            // policy is required. Therefore these steps need no code: §6.1.2 (b), (c), §6.1.3 (b), (c), §6.1.4 (a),
            // (b), (g), (i), (j) and §6.1.5 (b).
            guard processesConstraints else { throw .unsupportedConstraint(identifier, certificate: position) }
        default:
            guard !isCritical else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        }
    }

    /// Checks that the certificate may issue certificates (§6.1.4 (k), (n)).
    package func checkIssues(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard let basicConstraints, basicConstraints.isCertificationAuthority else {
            throw .notCertificationAuthority(certificate: position)
        }
        guard keyUsage?.contains(.keyCertSign) ?? !requiresKeyUsage else {
            throw .keyCertSignMissing(certificate: position)
        }
    }

    /// Checks that the key may sign data (§4.2.1.3, digitalSignature).
    package func checkSignsData(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard keyUsage?.contains(.digitalSignature) ?? !requiresKeyUsage else {
            throw .digitalSignatureMissing(certificate: position)
        }
    }

    package func checkSignatureAlgorithm(position: Int) throws(X509Error) {
        guard signatureAlgorithm.isECDSA else { throw .unsupportedSignatureAlgorithm(certificate: position) }
    }

    /// Checks that `count` intermediates, excluding self-issued ones, may follow (§4.2.1.9, §6.1.4 (l), (m)).
    package func checkPathLength(following count: Int, position: Int) throws(X509Error) {
        guard let length = basicConstraints?.pathLength, length < count else { return }
        throw .pathLengthExceeded(certificate: position)
    }
}

extension X509Error {
    /// Returns this error with the caller's time, because callers that allow for clock skew check certificates at a
    /// shifted time.
    package func checked(at time: UnixTime) -> X509Error {
        switch self {
        case .notYetValid(let certificate, let notBefore, _):
            .notYetValid(certificate: certificate, notBefore: notBefore, at: time)
        case .expired(let certificate, let notAfter, _):
            .expired(certificate: certificate, notAfter: notAfter, at: time)
        default: self
        }
    }
}
