import PureDER
import PureX509

/// Runs BoringSSL's suites of single certificates and signatures: folders of PEM files with an index of the tests.
package enum X509ParseSuites {
    private struct Entry: Decodable {
        let kind: String
        let expected_parse_ok: Bool?
        let errors: String?

        /// With `errors`, the case expects success unless `errors` contains "ERROR:". A "WARNING" is allowed.
        var expectsSuccess: Bool {
            errors.map { !$0.utf8.contains("ERROR:".utf8) } ?? expected_parse_ok ?? true
        }
    }

    /// Runs `parse_certificate_unittest`: `index.json` and the files that it names.
    package static func runParse(folder: URL) throws -> SuiteOutcome {
        let index = try JSONDecoder().decode(
            [String: Entry].self, from: Data(contentsOf: folder.appending(path: "index.json")))
        var outcome = SuiteOutcome()
        for (name, entry) in index.sorted(by: { $0.key < $1.key }) {
            let pem = PemFile(try text(folder.appending(path: name)))
            var failure: X509Error?
            do {
                guard try parse(entry, pem) else {
                    outcome.skip("no such PEM block")
                    continue
                }
            } catch { failure = error }
            outcome.recordX509("bssl-parse::\(name)", error: failure, expected: entry.expectsSuccess)
        }
        return outcome
    }

    /// Parses only the part that the case tests, because the other fields of the certificate may be invalid. Returns
    /// `false` if the file lacks the part.
    private static func parse(_ entry: Entry, _ pem: PemFile) throws(X509Error) -> Bool {
        let certificate = pem["CERTIFICATE"]
        if entry.kind == "TBSCertificate", let fields = pem["TBS CERTIFICATE"] {
            _ = try CertificateFields(fields)
        } else if entry.kind == "Certificate", let certificate {
            _ = try SignedCertificate(certificate)
        } else if let certificate {
            _ = try Certificate(derEncoded: certificate)
        } else if let identifier = pem["AUTHORITY_KEY_IDENTIFIER"] {
            _ = try AuthorityKeyIdentifier(identifier)
        } else {
            return false
        }
        return true
    }

    /// Runs `verify_signed_data_unittest`. A file has PEM blocks of a key, an algorithm, data and a signature.
    package static func runSignedData(folder: URL) throws -> SuiteOutcome {
        let index = try JSONDecoder().decode(
            [String: String].self, from: Data(contentsOf: folder.appending(path: "index.json")))
        var outcome = SuiteOutcome()
        for (name, expected) in index.sorted(by: { $0.key < $1.key }) {
            let pem = PemFile(try text(folder.appending(path: name)))
            outcome.record(name, accepted: isSigned(pem), expected: expected == "SUCCESS")
        }
        return outcome
    }

    private static func isSigned(_ pem: PemFile) -> Bool {
        guard let keyBytes = pem["PUBLIC KEY"], let algorithmBytes = pem["ALGORITHM"], let message = pem["DATA"],
            let signatureBytes = pem["SIGNATURE"],
            let publicKey = try? CertificatePublicKey(subjectPublicKeyInfo: keyBytes),
            let key = IssuerKey(publicKey)
        else { return false }
        var algorithmReader = DERReader(algorithmBytes)
        var signatureReader = DERReader(signatureBytes)
        guard let contents = try? algorithmReader.read(.sequence), let algorithm = try? SignatureAlgorithm(contents),
            let signature = try? signatureReader.readBitString(), signature.unusedBitCount == 0
        else { return false }
        return key.isValidSignature(signature.bytes, algorithm: algorithm, message: message)
    }

    /// Reads a file as text. Outside the PEM blocks, the text may be in encodings other than UTF-8.
    private static func text(_ file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
