import PureDER
import Testing

@testable import PureX509

/// The narrow profile: what the general verifier would accept and this does not, and that nothing is lost otherwise.
@Suite struct AppAttestChainTests {
    private func refusal(
        _ templates: [TestCertificate], roots: [TestCertificate] = [PathTests.root], at time: UnixTime = PathTests.now
    ) throws -> X509Error? {
        let verifier = CertificatePathVerifier(trustAnchors: try roots.map { try TrustAnchor(try $0.certificate()) })
        let certificates = try templates.map { try $0.certificate() }
        do {
            let chain = try verifier.validateAppAttestChain(certificates, at: time)
            #expect(chain.certificates == certificates)
            return nil
        } catch {
            return error
        }
    }

    @Test func shape() throws {
        let (leaf, authority, root) = (PathTests.leaf, PathTests.authority, PathTests.root)
        #expect(try refusal([leaf, authority]) == nil)
        #expect(try refusal([]) == .wrongCertificateCount)
        #expect(try refusal([leaf]) == .wrongCertificateCount)
        #expect(try refusal([leaf, authority, root]) == .wrongCertificateCount)
        #expect(try refusal([authority, leaf]) == .unexpectedCertificationAuthority)
        #expect(try refusal([leaf, root]) == .issuerNotFound(certificate: 0))
        #expect(try refusal([leaf, authority], roots: []) == .issuerNotFound(certificate: 1))
        let direct = TestCertificate("Leaf", .p256(4), issuer: "Root", signer: PathTests.rootKey)
        #expect(try refusal([direct]) == .wrongCertificateCount)
    }

    @Test func authority() throws {
        let changed = { (change: (inout TestCertificate) -> Void) in
            try refusal([PathTests.leaf, PathTests.authority.changing(change)])
        }
        #expect(
            try changed { $0.extensions = [TestExtension.basicConstraints(ca: true)] }
                == .keyCertSignMissing(certificate: 1))
        #expect(
            try changed { $0.extensions = [TestExtension.certificateSigning] }
                == .notCertificationAuthority(certificate: 1))
        #expect(try changed { $0.extensions = [] } == .notCertificationAuthority(certificate: 1))
        #expect(try changed { $0.signer = PathTests.leafKey } == .invalidSignature(certificate: 1))
        #expect(
            try changed { $0.publicKeyInfo = PathTests.rootKey.subjectPublicKeyInfo }
                == .invalidSignature(certificate: 0))
        #expect(try changed { $0.issuer = DER.name("R") } == .issuerNotFound(certificate: 1))
        let old = DER.sequence(DER.utcTime("500101000000Z"), DER.utcTime("500102000000Z"))
        #expect(try changed { $0.validity = old } == .expired(certificate: 1))
        let constrained = TestExtension.standard(
            0x1E, critical: true, DER.sequence(DER.context(0, DER.sequence(DER.implicit(2, [])))))
        #expect(
            try changed { $0.extensions! += [constrained] } == .unsupportedConstraint(.nameConstraints, certificate: 1))
        #expect(
            try changed { $0.extensions![0] = TestExtension.basicConstraints(ca: true, pathLength: 0) } == nil)
    }

    @Test func leaf() throws {
        let changed = { (change: (inout TestCertificate) -> Void) in
            try refusal([PathTests.leaf.changing(change), PathTests.authority])
        }
        #expect(try changed { $0.extensions = TestExtension.authority } == .unexpectedCertificationAuthority)
        #expect(try changed { $0.signer = PathTests.leafKey } == .invalidSignature(certificate: 0))
        #expect(try changed { $0.version = [] } == .notVersion3(certificate: 0))
        #expect(
            try refusal([PathTests.leaf, PathTests.authority], at: UnixTime(secondsSince1970: 0))
                == .notYetValid(certificate: 0))
    }

    /// Of several anchors of one name the one that signed counts, with its constraints.
    @Test func anchors() throws {
        let other = PathTests.root.changing { $0.publicKeyInfo = TestKey.p384(9).subjectPublicKeyInfo }
        #expect(try refusal([PathTests.leaf, PathTests.authority], roots: [other, PathTests.root]) == nil)
        #expect(
            try refusal([PathTests.leaf, PathTests.authority], roots: [other]) == .invalidSignature(certificate: 1))
        let short = PathTests.root.changing {
            $0.extensions![0] = TestExtension.basicConstraints(ca: true, pathLength: 0)
        }
        #expect(
            try refusal([PathTests.leaf, PathTests.authority], roots: [short]) == .pathLengthExceeded(certificate: 2))
        let enough = PathTests.root.changing {
            $0.extensions![0] = TestExtension.basicConstraints(ca: true, pathLength: 1)
        }
        #expect(try refusal([PathTests.leaf, PathTests.authority], roots: [enough]) == nil)
    }

    /// A prepared intermediate is looked up by its bytes. Its dates, and everything of the leaf, are checked as ever.
    @Test func prepared() throws {
        let verifier = CertificatePathVerifier(trustAnchors: [try TrustAnchor(try PathTests.root.certificate())])
        let authority = try PathTests.authority.certificate()
        let prepared = try verifier.preparing(authority)
        let leaf = try PathTests.leaf.certificate()
        let again = try #require(prepared.preparedCertificate(PathTests.authority.encoded[...]))
        #expect(again == authority)
        let chain = try prepared.validateAppAttestChain([leaf, again], at: PathTests.now)
        #expect(chain.certificates == [leaf, authority] && chain.trustAnchor.name == authority.issuer)

        #expect(throws: X509Error.notYetValid(certificate: 1)) {
            let always = DER.sequence(DER.utcTime("500101000000Z"), DER.generalizedTime("99991231235959Z"))
            let leaf = try PathTests.leaf.changing { $0.validity = always }.certificate()
            return try prepared.validateAppAttestChain([leaf, authority], at: UnixTime(secondsSince1970: 0))
        }
        #expect(throws: X509Error.invalidSignature(certificate: 0)) {
            let forged = try PathTests.leaf.changing { $0.signer = PathTests.leafKey }.certificate()
            return try prepared.validateAppAttestChain([forged, authority], at: PathTests.now)
        }
        // One byte of the intermediate's signature: another certificate, whose signature is verified.
        var bytes = PathTests.authority.encoded
        bytes[bytes.count - 1] ^= 1
        #expect(prepared.preparedCertificate(bytes[...]) == nil)
        let other = try Certificate(derEncoded: bytes)
        #expect(throws: X509Error.invalidSignature(certificate: 1)) {
            try prepared.validateAppAttestChain([leaf, other], at: PathTests.now)
        }
        #expect(throws: X509Error.invalidSignature(certificate: 1)) { try verifier.preparing(other) }
        #expect(throws: X509Error.keyCertSignMissing(certificate: 1)) {
            try verifier.preparing(
                try PathTests.authority.changing { $0.extensions = [TestExtension.basicConstraints(ca: true)] }
                    .certificate())
        }
    }
}
