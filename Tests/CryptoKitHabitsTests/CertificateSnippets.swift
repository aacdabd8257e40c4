import Foundation
import PureECDSA
import PureX509
import PureX509Paths
import Testing

/// Code written for swift-certificates and translated to this package with the table in PureX509's article.
@Suite("swift-certificates' habits: certificates and paths")
struct CertificateSnippets {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The certificates of Apple's sample: one file contains a leaf, its issuer and the root.
    private let certificates = try! [Certificate](
        pemEncoded: String(
            contentsOf: root.appending(path: "Vectors/x509/apple-app-attest.pem"), encoding: .utf8))

    @Test func encodings() throws {
        let leaf = certificates[0]
        #expect(try Certificate(derEncoded: Data(leaf.derEncoded)) == leaf)
        #expect(try Certificate(pemEncoded: leaf.pemEncoded) == leaf)
        #expect(throws: X509Error.self) { try Certificate(derEncoded: Data()) }
    }

    @Test func fields() throws {
        let (leaf, issuer, anchor) = (certificates[0], certificates[1], certificates[2])
        #expect(leaf.version == 3 && !leaf.serialNumber.isEmpty && leaf.notBefore < leaf.notAfter)
        #expect(leaf.isValid(at: leaf.notBefore) && !issuer.isValid(at: UnixTime(secondsSince1970: 0)))
        #expect(issuer.subjectName == leaf.issuerName && issuer.subject == leaf.issuer)
        let names: [[DistinguishedName.Attribute]] = issuer.subjectName.relativeNames
        #expect(names.flatMap(\.self) == issuer.subjectName.attributes)
        #expect(issuer.subjectName.description.contains("CN=Apple App Attestation CA 1"))
        #expect(leaf.signatureAlgorithm == .ecdsaWithSHA256 && !leaf.signature.isEmpty && !leaf.tbsCertificate.isEmpty)
        #expect([.ecdsaWithSHA384, .ecdsaWithSHA512].contains(anchor.signatureAlgorithm))
        if case .unsupported = leaf.signatureAlgorithm { Issue.record("ECDSA must be supported") }
    }

    @Test func extensions() throws {
        let (leaf, issuer) = (certificates[0], certificates[1])
        let first: CertificateExtension = try #require(leaf.extensions.first)
        #expect(leaf.extension(first.identifier)?.value == first.value)
        #expect(leaf.extensions.contains { $0.isCritical })
        #expect(issuer.basicConstraints?.isCertificationAuthority == true && issuer.basicConstraints?.pathLength == 0)
        let usage: KeyUsage = try #require(leaf.keyUsage)
        #expect(usage.contains(.digitalSignature) && leaf.extendedKeyUsage?.purposes.isEmpty == false)
        #expect(issuer.authorityKeyIdentifier?.keyIdentifier == certificates[2].subjectKeyIdentifier)
    }

    @Test func keys() {
        let key: CertificatePublicKey = certificates[0].publicKey
        #expect(P256.Signing.PublicKey(key) != nil && P384.Signing.PublicKey(key) == nil)
        #expect(P256.Signing.PublicKey(key)?.derRepresentation == Array(certificates[0].subjectPublicKeyInfo))
    }

    @Test func paths() throws {
        let anchor = try TrustAnchor(certificates[2])
        let verifier = CertificatePathVerifier(trustAnchors: [anchor])
        let time = certificates[0].notBefore
        let chain: ValidatedCertificateChain = try verifier.validate(
            leaf: certificates[0], intermediates: [certificates[1]], at: time)
        #expect(Array(chain) == Array(certificates[..<2]) && chain.leaf == certificates[0])
        #expect(chain.trustAnchor === anchor)

        var requirements = PathRequirements()
        requirements.serverIdentity = ServerIdentity(dNSName: "www.example.com".utf8)
        let report = verifier.report(
            leaf: certificates[0], intermediates: [certificates[1]], at: time, meeting: requirements)
        #expect(throws: PathError.serverIdentityMismatch) { try report.result.get() }
        requirements.serverIdentity = nil
        requirements.revocation = RevocationPolicy(lists: [])
        #expect(throws: PathError.self) {
            try verifier.validate(
                leaf: certificates[0], intermediates: [certificates[1]], at: time, meeting: requirements)
        }
    }

    @Test func signedData() throws {
        #expect(throws: X509Error.self) {
            let data = try SignedData(berEncoded: [])
            _ = try data.verify(with: CertificatePathVerifier(trustAnchors: []), at: certificates[0].notBefore)
        }
    }

    /// A malformed response throws a typed error. The caller fetches responses.
    @Test func ocspResponses() {
        let malformed: [UInt8] = [0x30, 0x00]
        #expect(throws: PathError.self) { try OCSPResponse(derEncoded: malformed) }
    }

    /// The code above compiles and contains every name in this package's column, so each of these names exists.
    @Test func theTableNamesWhatExists() throws {
        let path = "Sources/PureX509/PureX509.docc/PureX509.md"
        let article = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let part = try #require(article.components(separatedBy: "### Coming from swift-certificates\n").last)
        let rows = part.split(separator: "\n").prefix { $0.hasPrefix("|") }.dropFirst(2).map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows.count > 20)
        let code = try String(contentsOfFile: #filePath, encoding: .utf8).replacing(/\/\/.*|"[^"]*"/, with: "")
        let words = Set(code.matches(of: /\w+/).map { String($0.0) })
        // Words in the column that are names from other libraries or from Swift.
        let foreign: Set = [
            "CERTIFICATE", "Int", "PEM", "PureBytes", "PureAttestTesting", "async", "mutating",
            "withValidityCheckDisabled",
        ]
        for row in rows {
            let ours = row[2].hasPrefix("same") ? row[1] + row[3] : row[2] + row[3]
            for name in ours.matches(of: /`([^`]+)`/).flatMap({ $0.1.matches(of: /\w+/) }).map({ String($0.0) }) {
                #expect(words.contains(name) || foreign.contains(name), "\(name), of \(row[1])")
            }
        }
    }
}
