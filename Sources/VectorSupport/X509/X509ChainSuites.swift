import PureDER
import PureX509
import PureX509Paths

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs suites of certification paths: x509-limbo, and BoringSSL's `verify_certificate_chain_unittest`, which is
/// converted to the same format.
package enum X509ChainSuites {
    /// Runs every case of a file that has the member `testcases`.
    ///
    /// Skips a case, and counts the reason, if a member that the runner does not process may change the verdict. But if
    /// such a member can only cause a rejection, and the library rejects the case, the case counts. Also skips a case
    /// if the verdict differs only because the library lacks a feature.
    ///
    /// Ignores members that are known to be informational, or that the caller lists in `informational`. Applies
    /// ``X509Deviation/all``.
    package static func run(_ file: Data, informational: InformationalMembers = InformationalMembers()) throws
        -> SuiteOutcome
    {
        var outcome = SuiteOutcome()
        for test in try JSONDecoder().decode(X509ChainFile.self, from: file).testcases {
            if let reason = test.unprocessedInput(informational) {
                outcome.skip(reason)
                continue
            }
            var policies = CertificatePolicySet.any
            let result = test.validate(&policies)
            if result == nil, let reason = test.unprocessedRestriction {
                outcome.skip(reason)
                continue
            }
            if let result, let error = test.expected_error, caseText(of: result) != error {
                outcome.record(
                    test.id, passed: false, detail: "refused, \(caseText(of: result)), not \(error)")
                continue
            }
            if result == nil, test.expectsSuccess == true, let difference = test.policyDifference(from: policies) {
                outcome.record(test.id, passed: false, detail: difference)
                continue
            }
            guard let expectsSuccess = test.expectsSuccess, !(result is X509ChainError) else {
                outcome.record(test.id, passed: false, detail: "the case is malformed")
                continue
            }
            if (result == nil) != expectsSuccess, X509Deviation.all[test.id] == nil,
                let reason = test.reasonToSkip(result)
            {
                outcome.skip(reason)
            } else {
                outcome.recordX509(test.id, error: result, expected: expectsSuccess)
            }
        }
        return outcome
    }
}

/// The case is unreadable, so its result says nothing about the library.
private enum X509ChainError: Error {
    case unreadableCase
}

extension X509ChainFile.Case {
    /// Whether the case expects acceptance; `nil` if the case does not state this.
    var expectsSuccess: Bool? {
        switch expected_result {
        case "SUCCESS": true
        case "FAILURE": false
        default: nil
        }
    }

    /// Describes an input of the case that the runner does not process, or returns `nil` if there is none. With such an
    /// input, the verdict is meaningless.
    func unprocessedInput(_ informational: InformationalMembers) -> String? {
        let inputs = otherInputs.filter { !informational.names.contains($0) }
        // Policy inputs (RFC 5280 §6.1.1 (c), (e), (f), (g)), including those with unknown names.
        var requirements = PathRequirements()
        if !requirements.setPolicies(policyInputs) || inputs.contains(where: PathCaseMember.namesPolicies) {
            return "needs initial policy inputs (RFC 5280 §6.1.1)"
        }
        if inputs.contains(where: PathCaseMember.namesSubtrees) { return "needs initial subtrees (RFC 5280 §6.1.1)" }
        if !inputs.isEmpty {
            return "has the unknown member\(inputs.count == 1 ? "" : "s") \(inputs.joined(separator: ", "))"
        }
        if purpose == .unknown { return "needs another extended key usage" }
        if anchorKind == .unknown { return "unsupported kind of trust \(last_cert_trust ?? "")" }
        // "Consumers that don't understand a given feature should skip tests that are marked with it"
        // (limbo-schema.json).
        if let feature = features?.first(where: { !Self.knownFeatures.contains($0) && !$0.isPedantic }) {
            return "unknown feature \(feature)"
        }
        return nil
    }

    /// An input that the runner does not process, and that may require rejecting the chain.
    var unprocessedRestriction: String? {
        signature_algorithms?.isEmpty == false ? "needs a choice of signature algorithms" : nil
    }

    private static let knownFeatures: Set<String> = [
        "denial-of-service", "has-cert-policies", "has-crl", "has-policy-constraints", "max-chain-depth",
        "name-constraint-dn", "no-cert-policies", "rfc5280-incompatible-with-webpki",
    ]

    /// Describes how the policies of a valid path differ from the expected policies. `nil` if they agree, or if the
    /// case does not state the policies.
    func policyDifference(from policies: CertificatePolicySet) -> String? {
        guard let expected = expected_user_constrained_policy_set?.policies, !expected.isEmpty else { return nil }
        if expected.contains(.anyPolicy), policies == .any { return nil }
        guard case .only(let found) = policies, Set(found) == Set(expected) else {
            return "other policies: \(policies)"
        }
        return nil
    }

    private var peerNames: [X509ChainFile.Name] {
        (expected_peer_name.map { [$0] } ?? []) + (expected_peer_names ?? [])
    }

    private func requirements(for name: X509ChainFile.Name?) throws -> PathRequirements {
        var requirements = PathRequirements()
        requirements.nameComparison = .rfc5280
        // Unlike RFC 5280 §4.2.1.10, the CA/Browser Forum's profile allows non-critical name constraints.
        requirements.acceptsNonCriticalNameConstraints = ["webpki::", "bssl-chain-ec::"].contains {
            id.utf8.starts(with: $0.utf8)
        }
        guard requirements.setPolicies(policyInputs) else { throw X509ChainError.unreadableCase }
        for usage in key_usage ?? [] {
            guard let usage = KeyUsage(named: usage) else { throw X509ChainError.unreadableCase }
            requirements.keyUsage.formUnion(usage)
        }
        if let crls, !crls.isEmpty {
            // Ignores unreadable revocation lists.
            requirements.revocation = RevocationPolicy(
                lists: try crls.compactMap { text in
                    let bytes = try bytes(of: text, "X509 CRL")
                    return try? CertificateRevocationList(derEncoded: bytes)
                })
        }
        if let name {
            guard let identity = name.serverIdentity else { throw PathError.serverIdentityMismatch }
            requirements.serverIdentity = identity
        }
        return requirements
    }

    /// Validates the chain, and returns the error that rejects it; `nil` if the chain is accepted. Sets the policies
    /// of the valid path.
    func validate(_ policies: inout CertificatePolicySet) -> (any Error)? {
        do {
            let leaf = try certificate(peer_certificate)
            // Ignores unreadable and unsuitable anchors, because other anchors may suffice.
            var anchorError: (any Error)?
            var anchors: [TrustAnchor] = []
            for text in trusted_certs {
                do { anchors.append(try anchor(try certificate(text))) } catch { anchorError = error }
            }
            if anchors.isEmpty, let anchorError { throw anchorError }
            let verifier = CertificatePathVerifier(
                trustAnchors: anchors, requiredPurpose: requiredPurpose,
                maximumPathLength: max_chain_depth ?? CertificatePathVerifier.defaultMaximumPathLength)
            guard peerNames.filter({ $0.kind == "RFC822" }).allSatisfy({ $0.isMailbox(of: leaf) }) else {
                throw PathError.serverIdentityMismatch
            }
            let intermediates = untrusted_intermediates.compactMap { try? certificate($0) }, time = try validationTime()
            // Validates the path once for each server name, or once without a server name if the case has none.
            let serverNames = peerNames.filter { $0.kind != "RFC822" }
            for name in serverNames.isEmpty ? [nil] : serverNames.map(Optional.some) {
                let requirements = try requirements(for: name)
                let path = try verifier.validate(
                    leaf: leaf, intermediates: intermediates, at: time, meeting: requirements)
                policies = path.policies
            }
            return nil
        } catch {
            return error.ofCertificate
        }
    }

    private func certificate(_ text: String) throws -> Certificate {
        try Certificate(derEncoded: bytes(of: text, "CERTIFICATE"))
    }

    /// Decodes Base64, or the PEM block with this label.
    private func bytes(of text: String, _ label: String) throws -> ArraySlice<UInt8> {
        guard
            let bytes = text.utf8.starts(with: "-----".utf8)
                ? PemFile(text)[label] : Data(base64Encoded: text).map({ [UInt8]($0)[...] })
        else { throw X509ChainError.unreadableCase }
        return bytes
    }

    private enum AnchorKind {
        case nameAndKey
        case certificate
        case unknown
    }

    /// BoringSSL's plain `TRUSTED_ANCHOR` is a name and a key. This package has no anchors that expire, so it treats
    /// `TRUSTED_ANCHOR_WITH_EXPIRATION` alike.
    private var anchorKind: AnchorKind {
        switch last_cert_trust {
        case "TRUSTED_ANCHOR", "TRUSTED_ANCHOR_WITH_EXPIRATION": .nameAndKey
        case nil, "TRUSTED_ANCHOR_WITH_CONSTRAINTS", "TRUSTED_ANCHOR_WITH_EXPIRATION_AND_CONSTRAINTS": .certificate
        default: .unknown
        }
    }

    private func anchor(_ certificate: Certificate) throws -> TrustAnchor {
        anchorKind == .nameAndKey
            ? try TrustAnchor(name: certificate.subject, subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
            : try TrustAnchor(certificate)
    }

    private enum Purpose: Equatable {
        case any
        case one(ASN1ObjectIdentifier)
        case unknown
    }

    private var purpose: Purpose {
        guard (extended_key_usage ?? []).count <= 1 else { return .unknown }
        return switch key_purpose ?? extended_key_usage?.first {
        case nil, "ANY_EKU", "anyExtendedKeyUsage": .any
        case "SERVER_AUTH", "serverAuth": .one(.serverAuthentication)
        case "CLIENT_AUTH", "clientAuth": .one(.clientAuthentication)
        // id-kp 3, 4, 8 and 9 (RFC 5280 §4.2.1.12).
        case "codeSigning": .one(ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_03))
        case "emailProtection": .one(ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_04))
        case "timeStamping": .one(ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_08))
        case "OCSPSigning": .one(ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_09))
        default: .unknown
        }
    }

    private var requiredPurpose: ASN1ObjectIdentifier? {
        if case .one(let purpose) = purpose { purpose } else { nil }
    }

    /// Returns the time of the case without fractions of a second, or the current time if the case has none.
    private func validationTime() throws -> UnixTime {
        guard let validation_time else { return UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)) }
        let style = Date.ISO8601FormatStyle(
            includingFractionalSeconds: validation_time.utf8.contains(UInt8(ascii: ".")))
        guard let date = try? style.parse(validation_time),
            let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down))
        else { throw X509ChainError.unreadableCase }
        return UnixTime(secondsSince1970: seconds)
    }

    /// Explains an unexpected result that is not an error of path validation. Returns `nil` if path validation is at
    /// fault.
    func reasonToSkip(_ result: (any Error)?) -> String? {
        switch result {
        case nil:
            // Features marked as pedantic are mostly rules of the CA/Browser Forum, which most implementations lack.
            return features?.contains { $0.isPedantic } == true ? "marked as pedantic" : nil
        case X509Error.unsupportedPublicKey?, X509Error.unsupportedSignatureAlgorithm?:
            return "needs an algorithm other than ECDSA with P-256 or P-384"
        default: return nil
        }
    }
}

extension String {
    fileprivate var isPedantic: Bool { utf8.starts(with: "pedantic-".utf8) }
}

extension X509ChainFile.Name {
    fileprivate var serverIdentity: ServerIdentity? {
        kind == "IP" ? ServerIdentity(address: address) : kind == "DNS" ? ServerIdentity(dNSName: value.utf8) : nil
    }

    /// Returns whether the leaf's subjectAltName contains this exact mailbox.
    fileprivate func isMailbox(of leaf: Certificate) -> Bool {
        guard let value = leaf.extension(.subjectAlternativeName)?.value else { return false }
        var outer = DERReader(value)
        guard var names = try? outer.enter(.sequence) else { return false }
        while let next = try? names.readElement() {
            if next.tag == .contextPrimitive(1), next.content.elementsEqual(self.value.utf8) { return true }
        }
        return false
    }

    /// The octets of an IPv4 or IPv6 address; empty if the text is not an address.
    private var address: [UInt8] {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var octets = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, value, &octets) == 1 { return octets }
        }
        return []
    }
}
