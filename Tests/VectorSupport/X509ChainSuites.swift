import PureDER
import PureX509

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Suites of certification paths: x509-limbo, and BoringSSL's `verify_certificate_chain_unittest` in the same shape.
public enum X509ChainSuites {
    /// Runs every case of a file with `testcases`.
    ///
    /// A case is skipped, and its reason counted, if it needs what the library says it does not do. A case of
    /// ``X509Deviation/all`` that goes as its file says is a failure: the entry is stale.
    public static func run(_ file: Data) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for test in try JSONDecoder().decode(X509ChainFile.self, from: file).testcases {
            let result = test.validate()
            let isAsExpected = (result == nil) == test.expectsSuccess
            if let deviation = X509Deviation.all[test.id] {
                if isAsExpected {
                    outcome.record("\(test.id): stale deviation", passed: false)
                } else {
                    outcome.skip("deviation: \(deviation)")
                }
            } else if !isAsExpected, let reason = test.reasonToSkip(result) {
                outcome.skip(reason)
            } else {
                outcome.record(
                    "\(test.id): \(result.map { "refused, \($0)" } ?? "accepted")", passed: isAsExpected)
            }
        }
        return outcome
    }
}

/// A file of path cases. What is `nil` is not in every suite.
struct X509ChainFile: Decodable {
    struct Name: Decodable {
        let kind: String
        let value: String
    }

    struct Case: Decodable {
        let id: String
        let expected_result: String
        let validation_time: String?
        let trusted_certs: [String]
        let untrusted_intermediates: [String]
        let peer_certificate: String
        // x509-limbo
        let features: [String]?
        let max_chain_depth: Int?
        let extended_key_usage: [String]?
        let expected_peer_name: Name?
        let expected_peer_names: [Name]?
        let crls: [String]?
        // BoringSSL
        let last_cert_trust: String?
        let key_purpose: String?
    }

    let testcases: [Case]
}

/// What a case may end with besides an ``X509Error``.
enum X509ChainError: Error {
    case unreadableCase
    case unknownPurpose
}

extension X509ChainFile.Case {
    var expectsSuccess: Bool { expected_result == "SUCCESS" }

    /// The error with which the chain is refused; `nil` if it is accepted.
    func validate() -> (any Error)? {
        do {
            let leaf = try certificate(peer_certificate)
            // What can't be read, or can't be an anchor, is as if it were not there: others may do.
            var anchorError: (any Error)?
            var anchors: [TrustAnchor] = []
            for text in trusted_certs {
                do { anchors.append(try anchor(try certificate(text))) } catch { anchorError = error }
            }
            if anchors.isEmpty, let anchorError { throw anchorError }
            let verifier = CertificatePathVerifier(
                trustAnchors: anchors, requiredPurpose: try requiredPurpose(),
                maximumPathLength: max_chain_depth ?? CertificatePathVerifier.defaultMaximumPathLength)
            _ = try verifier.validate(
                leaf: leaf, intermediates: untrusted_intermediates.compactMap { try? certificate($0) },
                at: try validationTime())
            return nil
        } catch {
            return error
        }
    }

    private func certificate(_ text: String) throws -> Certificate {
        guard
            let bytes = text.hasPrefix("-----")
                ? PemFile(text)["CERTIFICATE"] : Data(base64Encoded: text).map({ [UInt8]($0)[...] })
        else { throw X509ChainError.unreadableCase }
        return try Certificate(derEncoded: bytes)
    }

    /// BoringSSL's plain `TRUSTED_ANCHOR` is a name and a key; what "expiration" adds does not exist here.
    private func anchor(_ certificate: Certificate) throws -> TrustAnchor {
        switch last_cert_trust {
        case "TRUSTED_ANCHOR", "TRUSTED_ANCHOR_WITH_EXPIRATION":
            try TrustAnchor(
                name: certificate.subject, subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
        default: try TrustAnchor(certificate)
        }
    }

    private func requiredPurpose() throws -> ASN1ObjectIdentifier? {
        guard (extended_key_usage ?? []).count <= 1 else { throw X509ChainError.unknownPurpose }
        return switch key_purpose ?? extended_key_usage?.first {
        case nil, "ANY_EKU", "anyExtendedKeyUsage": nil
        case "SERVER_AUTH", "serverAuth": .serverAuthentication
        case "CLIENT_AUTH", "clientAuth": .clientAuthentication
        // id-kp 3, 4, 8 and 9 (RFC 5280 §4.2.1.12).
        case "codeSigning": ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_03)
        case "emailProtection": ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_04)
        case "timeStamping": ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_08)
        case "OCSPSigning": ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_05_05_07_03_09)
        default: throw X509ChainError.unknownPurpose
        }
    }

    /// Whole seconds; a fraction is cut off. Without a time: now.
    private func validationTime() throws -> UnixTime {
        guard let validation_time else { return UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)) }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: validation_time.contains("."))
        return UnixTime(secondsSince1970: Int64(try style.parse(validation_time).timeIntervalSince1970.rounded(.down)))
    }

    /// Why a result that differs from the expected one says nothing about path validation.
    func reasonToSkip(_ result: (any Error)?) -> String? {
        switch result {
        case nil:
            if crls?.isEmpty == false { return "needs CRLs" }
            // The suite marks what most implementations do not do: the CA/Browser Forum's rules, mostly.
            if features?.contains(where: { $0.hasPrefix("pedantic-") }) == true { return "marked as pedantic" }
            let names = (expected_peer_name.map { [$0] } ?? []) + (expected_peer_names ?? [])
            return names.isEmpty || names.allSatisfy(isLeafName) ? nil : "needs host names"
        case X509Error.unsupportedConstraint?: return "nameConstraints and policy constraints are refused"
        case X509Error.unsupportedPublicKey?, X509Error.unsupportedSignatureAlgorithm?:
            return "needs an algorithm other than ECDSA with P-256 or P-384"
        case X509ChainError.unknownPurpose?: return "needs another extended key usage"
        default: return nil
        }
    }

    /// Whether the leaf's subjectAltName holds the name as it is, or with a wildcard for the first label. Anything subtler is
    /// for code that compares host names.
    private func isLeafName(_ name: X509ChainFile.Name) -> Bool {
        guard let leaf = try? certificate(peer_certificate),
            let value = leaf.extension(.subjectAlternativeName)?.value
        else { return false }
        var outer = DERReader(value)
        guard var names = try? outer.enter(.sequence) else { return false }
        while let next = try? names.readElement() {
            if name.matches(next) { return true }
        }
        return false
    }
}

extension X509ChainFile.Name {
    fileprivate func matches(_ name: DERElement) -> Bool {
        switch (kind, name.tag) {
        case ("RFC822", .contextPrimitive(1)):
            return name.content.elementsEqual(value.utf8)
        case ("DNS", .contextPrimitive(2)):
            let parent = value.split(separator: ".").dropFirst().joined(separator: ".")
            return name.content.elementsEqual(value.utf8) || name.content.elementsEqual("*.\(parent)".utf8)
        case ("IP", .contextPrimitive(7)):
            return name.content.elementsEqual(address)
        default: return false
        }
    }

    /// The octets of an IPv4 or IPv6 address; none if it is neither.
    private var address: [UInt8] {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var octets = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, value, &octets) == 1 { return octets }
        }
        return []
    }
}
