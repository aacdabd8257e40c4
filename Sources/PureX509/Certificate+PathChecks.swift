package import PureDER

// Requirements of RFC 5280 §6.1 that depend on the certificate's place in the path. `position` is the number of the
// certificate in errors.
extension Certificate {
    /// Checks the validity period (§6.1.3 (a)(2)). The validity period of trust anchors is not checked.
    package func checkValidity(at time: UnixTime, position: Int) throws(X509Error) {
        guard notBefore <= time else { throw .notYetValid(certificate: position, notBefore: notBefore, at: time) }
        guard time <= notAfter else { throw .expired(certificate: position, notAfter: notAfter, at: time) }
    }

    /// Checks the requirements on every certificate of a path: version 3, and a keyUsage that is consistent with
    /// basicConstraints. Rejects unprocessed extensions that would restrict the path.
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

    /// Rejects unknown critical extensions (§6.1.4 (o), §6.1.5 (f)) and wrong criticality (§4.2.1). See
    /// ValidatingPaths.md of PureX509Paths for each decision.
    private func check(
        _ identifier: ASN1ObjectIdentifier, isCritical: Bool, position: Int, processesConstraints: Bool
    ) throws(X509Error) {
        switch identifier {
        case .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .basicConstraints:
            // §4.2.1.9 requires CAs to mark basicConstraints as critical, but path validation (§6.1.4 (k)) does not
            // check this.
            break
        case .authorityKeyIdentifier, .subjectKeyIdentifier:
            // §4.2.1.1, §4.2.1.2: key identifiers must not be critical. Path validation does not process them, so by
            // §6.1.4 (o) a critical one is rejected.
            guard !isCritical else { throw .wrongCriticality(identifier, certificate: position) }
        case .certificatePolicies:
            // §4.2.1.4: an unknown qualifier in a critical extension is rejected. Callers that reject constraints
            // require no policy, and their initial policy set is {anyPolicy}. For these callers, only the syntax
            // matters in §6.1.3 (d).
            guard !isCritical || policyQualifiersAreKnown else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        case .nameConstraints, .policyMappings, .policyConstraints, .inhibitAnyPolicy:
            // Deviation: callers that do not process these extensions reject them even if they are noncritical. So an
            // accepted path cannot violate a constraint, and the policy tree of §6.1 cannot become empty when a policy
            // is required. Therefore these steps need no code: §6.1.2 (b), (c), §6.1.3 (b), (c), §6.1.4 (a), (b), (g),
            // (i), (j) and §6.1.5 (b).
            guard processesConstraints else { throw .unsupportedConstraint(identifier, certificate: position) }
        default:
            guard !isCritical else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        }
    }

    /// Checks that the certificate may issue certificates (§6.1.4 (k), (n)). If `requiresKeyUsage` is false, keyUsage
    /// may be absent.
    package func checkIssues(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard let basicConstraints, basicConstraints.isCertificationAuthority else {
            throw .notCertificationAuthority(certificate: position)
        }
        guard keyUsage?.contains(.keyCertSign) ?? !requiresKeyUsage else {
            throw .keyCertSignMissing(certificate: position)
        }
    }

    /// Checks that the key may sign data (§4.2.1.3, digitalSignature). If `requiresKeyUsage` is false, keyUsage may be
    /// absent.
    package func checkSignsData(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard keyUsage?.contains(.digitalSignature) ?? !requiresKeyUsage else {
            throw .digitalSignatureMissing(certificate: position)
        }
    }

    /// Checks that the certificate's signature algorithm is implemented.
    package func checkSignatureAlgorithm(position: Int) throws(X509Error) {
        guard signatureAlgorithm.isECDSA else { throw .unsupportedSignatureAlgorithm(certificate: position) }
    }

    /// Checks the path length constraint (§4.2.1.9, §6.1.4 (l), (m)): that `count` intermediate certificates may follow
    /// this certificate. Self-issued certificates are not counted.
    package func checkPathLength(following count: Int, position: Int) throws(X509Error) {
        guard let length = basicConstraints?.pathLength, length < count else { return }
        throw .pathLengthExceeded(certificate: position)
    }
}

extension X509Error {
    /// Returns this error with `time` as the time of the check. With a clock-skew allowance, certificates are checked
    /// at a shifted time, but errors name the caller's time.
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
