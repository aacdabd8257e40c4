import PureDER
import PureX509

/// A depth-first search for a path, starting at the leaf.
///
/// The search checks each link before it continues, so no second pass is needed. RFC 5280 §6.1 instead validates from
/// the anchor to the leaf. Of the RFC's state variables that concern links, only max_path_length depends on the
/// direction. The search does not need this variable: it compares each issuer's path length with the number of
/// intermediates below the issuer.
///
/// At an anchor, ``PathRules`` checks the conditions on the whole path. If a condition fails, the search continues.
package struct PathSearch {
    let verifier: CertificatePathVerifier
    let leaf: Certificate
    let intermediates: [Certificate]
    let time: UnixTime
    private(set) var rules: PathRules

    private(set) var effort = PathEffort()
    /// The current path: indices of intermediates, starting with the leaf's issuer.
    private var path: [Int] = []
    /// The error of the rejected candidate farthest from the leaf. If several candidates are equally far, the first
    /// error is kept.
    private var refusal: (position: Int, error: PathError)?

    init(
        verifier: CertificatePathVerifier, leaf: Certificate, intermediates: [Certificate], time: UnixTime,
        rules: PathRules,
        effort: PathEffort = PathEffort()
    ) {
        self.verifier = verifier
        self.leaf = leaf
        self.intermediates = intermediates
        self.time = time
        self.rules = rules
        self.effort = effort
    }

    /// Runs the search with the caller's certificates, time and anchors (§6.1.1 (a), (b), (d)). The result includes the
    /// leaf, whose key is the validated key (§6.1.5 (c)).
    package mutating func run() throws(PathError) -> ValidatedCertificateChain {
        try wrapping { () throws(X509Error) in
            try leaf.checkProfile(position: 0, processesConstraints: true)
            try leaf.checkValidity(at: time, position: 0)
            try leaf.checkPurpose(verifier.requiredPurpose, position: 0)
        }
        try rules.check(leaf, position: 0)
        guard let anchor = try findIssuer(of: leaf, pathLength: 0) else {
            throw refusal?.error ?? .certificate(.issuerNotFound(certificate: 0))
        }
        return ValidatedCertificateChain([leaf] + path.map { intermediates[$0] }, verifier.trustAnchors[anchor])
    }

    /// Extends the path from `subject`, its last certificate, to an anchor. Returns the anchor's index, or `nil` if no
    /// valid path exists. `pathLength` is the number of intermediates so far, not counting self-issued ones.
    ///
    /// §6.1.3 (a)(4), §6.1.2 (h), (j), §6.1.4 (c), (d): working_issuer_name and working_public_key come from the next
    /// certificate or anchor.
    private mutating func findIssuer(of subject: Certificate, pathLength: Int) throws(PathError) -> Int? {
        let position = path.count
        let issuer = rules.comparable(subject.issuer, .issuer(path.last))
        var isNameKnown = false
        for index in verifier.trustAnchors.indices {
            try countStep()
            guard rules.comparable(verifier.trustAnchors[index].name, .anchor(index)) == issuer else { continue }
            isNameKnown = true
            do {
                try checkAnchor(verifier.trustAnchors[index], pathLength: pathLength)
            } catch {
                note(error, position + 1, anchor: index)
                continue
            }
            guard try isSigned(subject, by: verifier.trustAnchors[index].key, position: position, anchor: index) else {
                continue
            }
            if try isValid(endingAt: index) { return index }
        }

        // First tries candidates whose subjectKeyIdentifier equals the subject's authorityKeyIdentifier. Then tries all
        // other candidates, because the identifier is only a hint (RFC 5280 §4.2.1.1).
        for namedKeysOnly in [true, false] {
            for index in intermediates.indices {
                try countStep()
                guard rules.comparable(intermediates[index].subject, .subject(index)) == issuer else { continue }
                // Skips the candidate if the candidate and the subject are self-issued and have the same key. So a root
                // that the peer sent is not treated as its own issuer. Only a trust anchor may end a path.
                let isSelfIssued = rules.isSelfIssued(intermediates[index], index)
                let isOfSameKey = subject.subjectPublicKeyInfo == intermediates[index].subjectPublicKeyInfo
                guard !isOfSameKey || !isSelfIssued || !rules.isSelfIssued(subject, path.last) else { continue }
                guard subject.names(keyOf: intermediates[index]) == namedKeysOnly else { continue }
                isNameKnown = true
                let length = pathLength + (isSelfIssued ? 0 : 1)
                let key: IssuerKey
                do {
                    key = try checkIntermediate(intermediates[index], pathLength: pathLength, newLength: length)
                } catch {
                    note(error, position + 1, intermediate: index)
                    continue
                }
                guard try isSigned(subject, by: key, position: position, intermediate: index) else { continue }
                path.append(index)
                if let anchor = try findIssuer(of: intermediates[index], pathLength: length) { return anchor }
                path.removeLast()
            }
        }
        if !isNameKnown { note(.certificate(.issuerNotFound(certificate: position)), position) }
        return nil
    }

    /// Checks the rules for the whole path. The links were already checked.
    private mutating func isValid(endingAt anchor: Int) throws(PathError) -> Bool {
        do {
            try rules.check(path, anchor: anchor, in: self, effort: &effort)
            return true
        } catch {
            if error.isLimit { throw error }
            // Records a position beyond every certificate, so that this error is farthest from the leaf.
            note(error, CertificatePathVerifier.maximumIntermediateCount + 2, anchor: anchor)
            return false
        }
    }

    /// Checks an anchor, whose constraints apply before the constraints of the certificates (RFC 5937 §3).
    private func checkAnchor(_ anchor: TrustAnchor, pathLength: Int) throws(PathError) {
        let position = path.count + 1
        try checkNotRepeated(name: anchor.name, key: anchor.subjectPublicKeyInfo, position: position)
        guard pathLength <= verifier.maximumPathLength else { throw .pathTooLong }
        guard let certificate = anchor.certificate else { return }
        try wrapping { () throws(X509Error) in
            try certificate.checkProfile(position: position, processesConstraints: true)
        }
        try rules.check(certificate, position: position)
        try wrapping { () throws(X509Error) in
            try certificate.checkPathLength(following: pathLength, position: position)
            try certificate.checkPurpose(verifier.requiredPurpose, position: position)
        }
    }

    /// Checks an intermediate, except its signature (RFC 5280 §6.1.3, §6.1.4). `pathLength` does not count this
    /// intermediate. `newLength` counts it unless it is self-issued.
    private func checkIntermediate(
        _ certificate: Certificate, pathLength: Int, newLength: Int
    ) throws(PathError) -> IssuerKey {
        let position = path.count + 1
        try checkNotRepeated(name: certificate.subject, key: certificate.subjectPublicKeyInfo, position: position)
        guard newLength <= verifier.maximumPathLength, path.count < CertificatePathVerifier.maximumIntermediateCount
        else {
            throw .pathTooLong
        }
        try wrapping { () throws(X509Error) in
            try certificate.checkProfile(position: position, processesConstraints: true)
        }
        try rules.check(certificate, position: position)
        return try wrapping { () throws(X509Error) in
            try certificate.checkValidity(at: time, position: position)
            try certificate.checkIssues(requiresKeyUsage: false, position: position)
            try certificate.checkPathLength(following: pathLength, position: position)
            try certificate.checkPurpose(verifier.requiredPurpose, position: position)
            guard let key = IssuerKey(certificate.publicKey) else { throw .unsupportedPublicKey(certificate: position) }
            return key
        }
    }

    /// Checks that no certificate in the path has this name and key. RFC 5280 §6.1 forbids the same certificate twice.
    /// A different certificate with the same name and key would only repeat the same links (RFC 4158 §2.4.2).
    private func checkNotRepeated(
        name: ArraySlice<UInt8>, key: ArraySlice<UInt8>, position: Int
    ) throws(PathError) {
        var isRepeated = leaf.subject == name && leaf.subjectPublicKeyInfo == key
        for index in path where intermediates[index].subject == name {
            isRepeated = isRepeated || intermediates[index].subjectPublicKeyInfo == key
        }
        guard !isRepeated else { throw .repeatedCertificate(certificate: position) }
    }

    /// Verifies the signature of `subject` (RFC 5280 §6.1.3 (a)(1)). Throws at the limit on signature checks.
    private mutating func isSigned(
        _ subject: Certificate, by key: IssuerKey, position: Int, intermediate: Int? = nil, anchor: Int? = nil
    ) throws(PathError) -> Bool {
        do { try subject.checkSignatureAlgorithm(position: position) } catch {
            note(.certificate(error), position, intermediate: intermediate, anchor: anchor)
            return false
        }
        try effort.countSignatureCheck()
        guard key.hasSigned(subject) else {
            note(
                .certificate(.invalidSignature(certificate: position)), position, intermediate: intermediate,
                anchor: anchor)
            return false
        }
        return true
    }

    private mutating func countStep() throws(PathError) {
        guard effort.steps < CertificatePathVerifier.maximumSteps else { throw .stepLimitReached }
        effort.steps += 1
    }

    private mutating func note(_ error: PathError, _ position: Int, intermediate: Int? = nil, anchor: Int? = nil) {
        rules.note(error, path: path, intermediate: intermediate, anchor: anchor)
        if let refusal, refusal.position >= position { return }
        refusal = (position, error)
    }
}

extension PathSearch {
    package var signatureChecks: Int { effort.signatureChecks }
}
