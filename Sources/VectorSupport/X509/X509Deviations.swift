/// The deliberate deviations from published suites.
package enum X509Deviation {
    /// The reason for each deviation, by case identifier. A listed case that passes counts as failed (stale entry). The
    /// tests run only half of x509-limbo, so they do not run all of these cases.
    package static let all: [String: String] = byReason.reduce(into: [:]) { reasons, entry in
        for test in entry.value { reasons[test] = entry.key }
    }

    private static let byReason: [String: [String]] = [
        // MARK: Paths

        "key identifiers only order candidates; App Attest leaves have none": [
            "rfc5280::aki::leaf-missing-aki",
            "rfc5280::aki::intermediate-missing-aki",
            "rfc5280::aki::cross-signed-root-missing-aki",
            "rfc5280::ski::root-missing-ski",
            "rfc5280::ski::intermediate-missing-ski",
            "webpki::aki::root-with-aki-missing-keyidentifier",
            "webpki::aki::root-with-aki-all-fields",
            "webpki::aki::root-with-aki-ski-mismatch",
        ],
        "dates of trust anchors are not checked (RFC 5280 §6.1.1)": [
            "rfc5280::validity::expired-root",
            "bssl-chain-ec::expired-root/not-after-ta-with-expiration-and-constraints",
            "bssl-chain-ec::expired-root/not-after-ta-with-expiration",
            "bssl-chain-ec::expired-root/not-before-ta-with-expiration",
        ],
        "the CA/Browser Forum's rule on common names, which RFC 9525 §2 ignores": [
            "webpki::cn::case-mismatch",
            "webpki::cn::ipv4-hex-mismatch",
            "webpki::cn::ipv4-leading-zeros-mismatch",
            "webpki::cn::ipv6-non-rfc5952-mismatch",
            "webpki::cn::ipv6-uncompressed-mismatch",
            "webpki::cn::ipv6-uppercase-mismatch",
            "webpki::cn::not-in-san",
            "webpki::cn::punycode-not-in-san",
            "webpki::cn::utf8-vs-punycode-mismatch",
        ],
        "the CA/Browser Forum's rule; RFC 5280 §4.2.1.6 does not say when subjectAltName is not critical": [
            "webpki::san::san-critical-with-nonempty-subject"
        ],
        "RFC 5280 lets a CA certificate be the last of a path (§6.1, §4.2.1.9)": [
            "webpki::ca-as-leaf",
            "webpki::ee-basicconstraints-ca",
        ],
        "a URI constraint is a host or a domain, not a URI (RFC 5280 §4.2.1.10)": [
            "bssl-chain-ec::many-names/ok-all-types"
        ],
        "RFC 5280 §4.2.1.9 requires CAs to mark basicConstraints critical; §6.1.4 (k) does not check it": [
            "rfc5280::root-non-critical-basic-constraints"
        ],
        "RFC 5280 §4.2.1.11 requires CAs to mark policyConstraints critical; §6.1.4 (i) processes either form": [
            "rfc5280::pc::ica-noncritical-pc"
        ],
        "an anchor without basicConstraints is not a CA; x509-limbo rejects it too": [
            "bssl-chain-ec::root-lacks-basic-constraints/ta-with-constraints"
        ],
        "keyCertSign requires cA (RFC 5280 §4.2.1.3); x509-limbo rejects it too": [
            "bssl-chain-ec::target-has-keycertsign-but-not-ca/main"
        ],
        "Microsoft's applicationPolicies, if critical, is an unknown extension": [
            "bssl-chain-ec::target-msapplicationpolicies-and-eku/main"
        ],

        // MARK: Certificates

        "a serial number is positive and has 20 octets at most (RFC 5280 §4.1.2.2)": [
            "bssl-parse::serial_37_bytes.pem",
            "bssl-parse::serial_negative.pem",
            "bssl-parse::serial_zero.pem",
            "bssl-parse::serial_zero_padded_21_bytes.pem",
        ],
        "authorityCertIssuer comes with authorityCertSerialNumber (RFC 5280 §4.2.1.1, appendix A.2)": [
            "bssl-parse::authority_key_identifier/issuer_only.pem",
            "bssl-parse::authority_key_identifier/serial_only.pem",
        ],
        "a default value is not encoded (X.690 §11.5)": ["bssl-parse::basic_constraints_ca_false.pem"],
        "signature and signatureAlgorithm are the same (RFC 5280 §4.1.1.2)": [
            "bssl-parse::failed_signature_algorithm.pem"
        ],
        "an algorithm is an OBJECT IDENTIFIER, not NULL (RFC 5280 §4.1.1.2)": [
            "bssl-parse::signature_algorithm_null.pem"
        ],
        "keyUsage ends in a zero bit (X.690 §11.2.2), and a PrintableString holds UTF-8 (X.680 §41.4)": [
            "bssl-parse::subject_printable_string_containing_utf8_client_cert.pem"
        ],
    ]
}

extension SuiteOutcome {
    /// Counts a case whose result is an error, or `nil` for acceptance. Applies ``X509Deviation/all``.
    mutating func recordX509(_ id: String, error: (any Error)?, expected isAcceptable: Bool) {
        if let deviation = X509Deviation.all[id] {
            if (error == nil) == isAcceptable {
                record(id, passed: false, detail: "stale deviation")
            } else {
                deviate(deviation)
            }
        } else {
            record(
                id, accepted: error == nil, expected: isAcceptable,
                detail: error.map { "refused, \($0)" } ?? "accepted")
        }
    }
}
