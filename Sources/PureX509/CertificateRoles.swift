package import PureDER

// What RFC 5280 §6.1 asks of a certificate by its place in a path. `position` is its number in errors.
extension Certificate {
    /// §6.1.3 (a)(2). Not asked of trust anchors.
    package func checkValidity(at time: UnixTime, position: Int) throws(X509Error) {
        guard notBefore <= time else { throw .notYetValid(certificate: position, notBefore: notBefore, at: time) }
        guard time <= notAfter else { throw .expired(certificate: position, notAfter: notAfter, at: time) }
    }

    /// What every certificate of a path must be: of version 3, without an extension that would restrict the path and is
    /// not processed, and in keyUsage what it is in basicConstraints.
    package func checkProfile(position: Int, processesConstraints: Bool = false) throws(X509Error) {
        guard version == 3 else { throw .notVersion3(certificate: position) }
        for i in extensions.indices {
            try check(
                extensions[i].identifier, isCritical: extensions[i].isCritical, position: position,
                processesConstraints: processesConstraints)
        }
        // §4.2.1.3: a key that signs certificates is a CA's.
        guard
            keyUsage?.contains(.keyCertSign) != true || basicConstraints?.isCertificationAuthority == true
        else { throw .notCertificationAuthority(certificate: position) }
    }

    /// §6.1.4 (o), §6.1.5 (f), and the criticality that §4.2.1 prescribes; PureX509Paths' ValidatingPaths.md lists each decision.
    private func check(
        _ identifier: ASN1ObjectIdentifier, isCritical: Bool, position: Int, processesConstraints: Bool
    ) throws(X509Error) {
        switch identifier {
        case .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .basicConstraints:
            // §4.2.1.9 has CAs make basicConstraints critical; §6.1.4 (k) does not ask whether they did.
            break
        case .authorityKeyIdentifier, .subjectKeyIdentifier:
            // §4.2.1.1, §4.2.1.2: never critical. No step processes them, and (o) rejects such extensions if critical.
            guard !isCritical else { throw .wrongCriticality(identifier, certificate: position) }
        case .certificatePolicies:
            // §4.2.1.4: a critical extension is refused if a qualifier is not understood. Where constraints are refused, the
            // initial policy set is {anyPolicy} and no policy is required, so that of §6.1.3 (d) only the syntax counts.
            guard !isCritical || policyQualifiersAreKnown else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        case .nameConstraints, .policyMappings, .policyConstraints, .inhibitAnyPolicy:
            // Deviation: where they are not processed they are refused even if they are not critical. A path that they would have
            // refused is never accepted, and the policy tree of §6.1 can't become empty where that matters. So there is nothing to
            // do in §6.1.2 (b), (c), §6.1.3 (b), (c), §6.1.4 (a), (b), (g), (i), (j) and §6.1.5 (b).
            guard processesConstraints else { throw .unsupportedConstraint(identifier, certificate: position) }
        default:
            guard !isCritical else {
                throw .unhandledCriticalExtension(identifier, certificate: position)
            }
        }
    }

    /// §6.1.4 (k), (n): what makes an issuer of a certificate. keyUsage may be absent unless `requiresKeyUsage`.
    package func checkIssues(requiresKeyUsage: Bool, position: Int) throws(X509Error) {
        guard let basicConstraints, basicConstraints.isCertificationAuthority else {
            throw .notCertificationAuthority(certificate: position)
        }
        guard keyUsage?.contains(.keyCertSign) ?? !requiresKeyUsage else {
            throw .keyCertSignMissing(certificate: position)
        }
    }

    /// Whether the algorithm of the certificate's signature is implemented.
    package func checkSignatureAlgorithm(position: Int) throws(X509Error) {
        guard signatureAlgorithm.isECDSA else { throw .unsupportedSignatureAlgorithm(certificate: position) }
    }

    /// §6.1.4 (l), (m): whether `count` intermediate certificates that are not self-issued may follow this one.
    package func checkPathLength(following count: Int, position: Int) throws(X509Error) {
        guard let length = basicConstraints?.pathLength, length < count else { return }
        throw .pathLengthExceeded(certificate: position)
    }
}

extension X509Error {
    /// This error as a check at `time` would have reported it: with a clock skew, certificates are checked at another time than the one
    /// that was asked for.
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
