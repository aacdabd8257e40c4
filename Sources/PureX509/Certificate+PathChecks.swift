package import PureDER

// Requirements of RFC 5280 §6.1 that depend on the place in a path. `position` is the certificate's number in errors.
extension Certificate {
    /// Checks the validity period by §6.1.3 (a)(2). Trust anchors need no validity check.
    package func checkValidity(at time: UnixTime, position: Int) throws(X509Error) {
        guard notBefore <= time else { throw .notYetValid(certificate: position, notBefore: notBefore, at: time) }
        guard time <= notAfter else { throw .expired(certificate: position, notAfter: notAfter, at: time) }
    }

    /// Checks the requirements on every certificate of a path: version 3, a keyUsage consistent with basicConstraints,
    /// and no unprocessed extension that would restrict the path.
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

    /// Checks §6.1.4 (o), §6.1.5 (f) and criticality (§4.2.1). ValidatingPaths.md of PureX509Paths lists each decision.
    private func check(
        _ identifier: ASN1ObjectIdentifier, isCritical: Bool, position: Int, processesConstraints: Bool
    ) throws(X509Error) {
        switch identifier {
        case .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .basicConstraints:
            // §4.2.1.9: CAs make basicConstraints critical. §6.1.4 (k) does not check that they are.
            break
        case .authorityKeyIdentifier, .subjectKeyIdentifier:
            // §4.2.1.1, §4.2.1.2: never critical. No step processes these extensions, so (o) rejects critical ones.
            guard !isCritical else { throw .wrongCriticality(identifier, certificate: position) }
        case .certificatePolicies:
            // §4.2.1.4: an unknown qualifier in a critical extension is rejected. If constraints are rejected, the
            // initial policy set is {anyPolicy} and no policy is required. Then only the syntax matters in §6.1.3 (d).
            guard !isCritical || policyQualifiersAreKnown else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        case .nameConstraints, .policyMappings, .policyConstraints, .inhibitAnyPolicy:
            // Deviation: callers that do not process these extensions reject them even if they are noncritical. So no
            // accepted path violates one, and the policy tree of §6.1 cannot become empty when a policy is required.
            // Nothing remains to do in §6.1.2 (b), (c), §6.1.3 (b), (c), §6.1.4 (a), (b), (g), (i), (j) and §6.1.5 (b).
            guard processesConstraints else { throw .unsupportedConstraint(identifier, certificate: position) }
        default:
            guard !isCritical else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        }
    }

    /// Checks §6.1.4 (k), (n): the certificate may issue others. keyUsage may be absent unless `requiresKeyUsage`.
    package func checkIssues(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard let basicConstraints, basicConstraints.isCertificationAuthority else {
            throw .notCertificationAuthority(certificate: position)
        }
        guard keyUsage?.contains(.keyCertSign) ?? !requiresKeyUsage else {
            throw .keyCertSignMissing(certificate: position)
        }
    }

    /// Checks that the key may sign data: §4.2.1.3, digitalSignature. keyUsage may be absent unless `requiresKeyUsage`.
    package func checkSignsData(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard keyUsage?.contains(.digitalSignature) ?? !requiresKeyUsage else {
            throw .digitalSignatureMissing(certificate: position)
        }
    }

    /// Checks that the certificate's signature algorithm is implemented.
    package func checkSignatureAlgorithm(position: Int) throws(X509Error) {
        guard signatureAlgorithm.isECDSA else { throw .unsupportedSignatureAlgorithm(certificate: position) }
    }

    /// Checks that `count` intermediate certificates, without self-issued ones, may follow this certificate:
    /// pathLenConstraint (§4.2.1.9), §6.1.4 (l), (m).
    package func checkPathLength(following count: Int, position: Int) throws(X509Error) {
        guard let length = basicConstraints?.pathLength, length < count else { return }
        throw .pathLengthExceeded(certificate: position)
    }
}

extension X509Error {
    /// Returns this error with `time` as the time of the check. A clock-skew allowance checks certificates at a time
    /// that differs from the caller's.
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
