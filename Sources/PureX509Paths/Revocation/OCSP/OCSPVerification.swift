public import PureDER
public import PureX509

/// A verified OCSP response with the status good. Only ``OCSPResponse/status(of:issuedBy:at:clockSkew:)`` creates it.
public struct VerifiedOCSPStatus: Hashable, Sendable {
    /// The latest time at which the responder knew the status to be correct.
    public let thisUpdate: UnixTime
    /// The time at which newer information is available. A cache may keep the response until this time.
    public let nextUpdate: UnixTime
}

extension OCSPResponse {
    /// Verifies the response for `certificate`, and returns only if its status is good (RFC 6960 §3.2).
    ///
    /// The caller must already trust `issuer` as the certificate's issuer, for example by a validated path. The
    /// response must be signed by the issuer, or by a responder to which the issuer delegated OCSP signing (RFC 6960
    /// §4.2.2.2). A response can be replayed until nextUpdate. No nonce is required, because responders reuse responses
    /// (RFC 5019 §4). Whether the certificate of a delegated responder is revoked is not checked (RFC 6960 §4.2.2.2.1).
    ///
    /// - Parameters:
    ///   - certificate: the certificate whose status is checked.
    ///   - issuer: the certificate of the issuer of `certificate`.
    ///   - time: the time of the check.
    ///   - clockSkew: the tolerated clock skew in seconds, which extends only the period from thisUpdate to nextUpdate.
    /// - Throws: ``PathError/ocsp(_:)`` with ``OCSPError/revoked(at:_:)``, ``OCSPError/unknownCertificate``, or the
    ///   rule that the response breaks.
    public func status(
        of certificate: Certificate, issuedBy issuer: Certificate, at time: UnixTime, clockSkew: UInt32 = 0
    ) throws(PathError) -> VerifiedOCSPStatus {
        guard certificate.issuer == issuer.subject else { throw .ocsp(.issuerMismatch) }
        try checkSignature(by: issuer, at: time)
        try Self.checkExtensions(criticalExtension)
        var verified: VerifiedOCSPStatus?
        // Usually the response contains one status for the certificate. If it contains several, each must be good.
        for i in statuses.indices {
            let isAboutCertificate = try wrapping { () throws(X509Error) in
                try statuses[i].certificateID.identifies(certificate, issuedBy: issuer)
            }
            guard isAboutCertificate else { continue }
            try Self.checkExtensions(statuses[i].criticalExtension)
            let next = try statuses[i].checkFreshness(at: time, clockSkew: clockSkew)
            try statuses[i].checkValue()
            verified = verified ?? VerifiedOCSPStatus(thisUpdate: statuses[i].thisUpdate, nextUpdate: next)
        }
        guard let verified else { throw .ocsp(.statusMissing) }
        return verified
    }

    /// Checks that an authorized responder signed the response (RFC 6960 §3.2 items 2 to 4, §4.2.2.2). Otherwise throws
    /// the error of the first signer candidate, or `responderNotFound` if there is no candidate.
    private func checkSignature(by issuer: Certificate, at time: UnixTime) throws(PathError) {
        guard fields.signatureAlgorithm.isECDSA else { throw .ocsp(.unsupportedSignatureAlgorithm) }
        guard let issuerKey = IssuerKey(issuer.publicKey) else {
            throw .certificate(.unsupportedPublicKey(certificate: 1))
        }
        var rejection: OCSPError?
        if try identifies(issuer) {
            if isSigned(by: issuerKey) { return }
            rejection = .invalidSignature
        }
        for i in certificates.indices {
            guard try identifies(certificates[i]) else { continue }
            do throws(X509Error) {
                let key = try certificates[i].checkDelegate(of: issuer, issuerKey, at: time)
                if isSigned(by: key) { return }
                rejection = rejection ?? .invalidSignature
            } catch {
                rejection = rejection ?? .delegate(error)
            }
        }
        throw .ocsp(rejection ?? .responderNotFound)
    }

    /// Whether responderID identifies `certificate` (RFC 6960 §4.2.1).
    private func identifies(_ certificate: Certificate) throws(PathError) -> Bool {
        try wrapping { () throws(X509Error) in try responderID.identifies(certificate) }
    }

    private func isSigned(by key: IssuerKey) -> Bool {
        key.isValidSignature(
            fields.signature, algorithm: fields.signatureAlgorithm, message: fields.tbsResponseData)
    }

    /// Rejects critical extensions, because this module processes none of the extensions in RFC 6960 §4.4.
    private static func checkExtensions(_ criticalExtension: ASN1ObjectIdentifier?) throws(PathError) {
        guard let criticalExtension else { return }
        throw .ocsp(.unhandledCriticalExtension(criticalExtension))
    }
}

extension Certificate {
    /// Checks that `issuer` delegated OCSP signing to this certificate, and returns the key of this certificate (RFC
    /// 6960 §4.2.2.2). In errors, this certificate has number 0. Cheap checks come first.
    fileprivate func checkDelegate(
        of issuer: Certificate, _ issuerKey: IssuerKey, at time: UnixTime
    ) throws(X509Error) -> IssuerKey {
        // The issuer must have issued the responder's certificate directly, not through a subordinate CA.
        guard self.issuer == issuer.subject else { throw .issuerNotFound(certificate: 0) }
        // Deviation: RFC 6960 allows a responder that is a CA. Here, a subordinate CA cannot decide the status of its
        // issuer's certificates.
        guard basicConstraints?.isCertificationAuthority != true else { throw .unexpectedCertificationAuthority }
        // anyExtendedKeyUsage does not suffice: the delegation must be explicit.
        guard let extendedKeyUsage, extendedKeyUsage.purposes.contains(.ocspSigning) else {
            throw .extendedKeyUsageMissing(certificate: 0)
        }
        // RFC 5280 §4.2.1.3: digitalSignature is needed, because a response is neither a certificate nor a CRL.
        guard keyUsage?.contains(.digitalSignature) != false else { throw .digitalSignatureMissing(certificate: 0) }
        try checkValidity(at: time, position: 0)
        try checkProfile(position: 0)
        try checkSignatureAlgorithm(position: 0)
        guard let key = IssuerKey(publicKey) else { throw .unsupportedPublicKey(certificate: 0) }
        guard issuerKey.hasSigned(self) else { throw .invalidSignature(certificate: 0) }
        return key
    }
}

extension OCSPStatus {
    /// Checks that `time` is in the period from thisUpdate to nextUpdate, allowing for clock skew. Returns nextUpdate.
    /// See RFC 6960 §3.2 items 5 and 6, §4.2.2.1.
    ///
    /// nextUpdate is required, as RFC 5019 §4 requires of clients. A response without nextUpdate could be replayed
    /// after the certificate is revoked, because no nonce is required.
    fileprivate func checkFreshness(at time: UnixTime, clockSkew: UInt32) throws(PathError) -> UnixTime {
        guard thisUpdate <= time.adding(Int64(clockSkew)) else {
            throw .ocsp(.notYetValid(thisUpdate: thisUpdate, at: time))
        }
        guard let nextUpdate else { throw .ocsp(.nextUpdateMissing) }
        guard nextUpdate >= time.adding(-Int64(clockSkew)) else {
            throw .ocsp(.expired(nextUpdate: nextUpdate, at: time))
        }
        return nextUpdate
    }

    /// Checks that the status is good (RFC 6960 §2.2).
    fileprivate func checkValue() throws(PathError) {
        switch value {
        case .good: return
        case .revoked(let time, let reason): throw .ocsp(.revoked(at: time, reason))
        case .unknown: throw .ocsp(.unknownCertificate)
        }
    }
}
