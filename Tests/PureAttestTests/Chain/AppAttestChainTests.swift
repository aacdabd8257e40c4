import CertificateDrafts
import PureDER
import PureX509
import Testing

@testable import PureAttest

/// Tests all checks of a certificate chain, including the rules that the App Attest profile adds.
@Suite struct AppAttestChainTests {
    private typealias TestKey = CertificateDrafts.TestKey

    private func rejection(
        _ templates: [TestCertificate], roots: [TestCertificate] = [TestChain.root], at time: UnixTime = TestChain.now
    ) throws -> X509Error? {
        let verifier = FixedChainVerifier(trustAnchors: try roots.map { try TrustAnchor(try $0.certificate()) })
        let certificates = try templates.map { try $0.certificate() }
        do {
            try verifier.verify(certificates[0], issuedBy: certificates[1], at: time)
            return nil
        } catch {
            return error
        }
    }

    /// The verifier does not process name constraints, so an anchor with name constraints cannot issue a certificate.
    @Test func constrainedAnchor() throws {
        let subtree = DER.sequence(DER.context(0, DER.sequence(DER.implicit(2, Array("a.example".utf8)))))
        let root = TestChain.root.changing { $0.extensions! += [TestExtension.standard(0x1E, critical: true, subtree)] }
        let error = X509Error.unsupportedConstraint(.nameConstraints, certificate: 2)
        #expect(try rejection([TestChain.leaf, TestChain.authority], roots: [root]) == error)
    }

    @Test func shape() throws {
        let (leaf, authority, root) = (TestChain.leaf, TestChain.authority, TestChain.root)
        #expect(try rejection([leaf, authority]) == nil)
        #expect(try rejection([authority, leaf]) == .unexpectedCertificationAuthority)
        #expect(try rejection([leaf, root]) == .issuerNotFound(certificate: 0))
        #expect(try rejection([leaf, authority], roots: []) == .issuerNotFound(certificate: 1))
    }

    @Test func authority() throws {
        let changed = { (change: (inout TestCertificate) -> Void) in
            try rejection([TestChain.leaf, TestChain.authority.changing(change)])
        }
        #expect(
            try changed { $0.extensions = [TestExtension.basicConstraints(ca: true)] }
                == .keyCertSignMissing(certificate: 1))
        #expect(
            try changed { $0.extensions = [TestExtension.certificateSigning] }
                == .notCertificationAuthority(certificate: 1))
        #expect(try changed { $0.extensions = [] } == .notCertificationAuthority(certificate: 1))
        #expect(try changed { $0.signer = TestChain.leafKey } == .invalidSignature(certificate: 1))
        #expect(
            try changed { $0.publicKeyInfo = TestChain.rootKey.subjectPublicKeyInfo }
                == .invalidSignature(certificate: 0))
        #expect(try changed { $0.issuer = DER.name("R") } == .issuerNotFound(certificate: 1))
        let old = DER.sequence(DER.utcTime("500101000000Z"), DER.utcTime("500102000000Z"))
        #expect(
            try changed { $0.validity = old }
                == .expired(certificate: 1, notAfter: UnixTime(secondsSince1970: -631_065_600), at: TestChain.now))
        let constrained = TestExtension.standard(
            0x1E, critical: true, DER.sequence(DER.context(0, DER.sequence(DER.implicit(2, [])))))
        #expect(
            try changed { $0.extensions! += [constrained] } == .unsupportedConstraint(.nameConstraints, certificate: 1))
        #expect(
            try changed { $0.extensions![0] = TestExtension.basicConstraints(ca: true, pathLength: 0) } == nil)
        // The verifier does not process certificate policies, so it rejects policy constraints, critical or not.
        for isCritical in [true, false] {
            for (arc, value, name): (UInt8, [UInt8], ASN1ObjectIdentifier) in [
                (0x24, DER.sequence(DER.implicit(0, [9])), .policyConstraints), (0x36, [2, 1, 9], .inhibitAnyPolicy),
            ] {
                let item = TestExtension.standard(arc, critical: isCritical, value)
                #expect(
                    try changed { $0.extensions! += [item] } == .unsupportedConstraint(name, certificate: 1))
            }
        }
        let rsa = TestKey.publicKeyInfo(
            algorithm: DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), parameters: DER.null, point: [])
        #expect(try changed { $0.publicKeyInfo = rsa } == .unsupportedPublicKey(certificate: 1))
        // RFC 5280 §4.2.1.9: unlike the general verifier, the App Attest profile requires critical basicConstraints.
        #expect(
            try changed { $0.extensions![0] = TestExtension.basicConstraints(ca: true, critical: false) }
                == .wrongCriticality(.basicConstraints, certificate: 1))
    }

    private static func sha1(_ certificate: inout TestCertificate) {
        certificate.innerAlgorithm = DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01))
        certificate.outerAlgorithm = certificate.innerAlgorithm
    }

    @Test func algorithms() throws {
        let (leaf, authority) = (TestChain.leaf, TestChain.authority)
        #expect(
            try rejection([leaf.changing(Self.sha1), authority]) == .unsupportedSignatureAlgorithm(certificate: 0))
        #expect(
            try rejection([leaf, authority.changing(Self.sha1)]) == .unsupportedSignatureAlgorithm(certificate: 1))
        // A missing issuer is reported before any other fault.
        #expect(
            try rejection([leaf, authority.changing(Self.sha1)], roots: []) == .issuerNotFound(certificate: 1))
        let verifier = FixedChainVerifier(trustAnchors: [try TrustAnchor(try TestChain.root.certificate())])
        #expect(throws: X509Error.unsupportedSignatureAlgorithm(certificate: 1)) {
            try verifier.preparing(try authority.changing(Self.sha1).certificate())
        }
    }

    /// RFC 5280 §4.2.1.3: keyUsage with digitalSignature is required.
    @Test func keyUsage() throws {
        func rejection(_ usage: [UInt8]?) throws -> X509Error? {
            let extensions = usage.map { [TestExtension.standard(0x0F, critical: true, $0)] }
            return try self.rejection([
                TestChain.leaf.changing { $0.extensions = extensions ?? [] }, TestChain.authority,
            ])
        }
        let missing = X509Error.digitalSignatureMissing(certificate: 0)
        #expect(try rejection(nil) == missing)
        // Tests App Attest's key usage bits, digitalSignature only, and every other single bit except keyCertSign.
        #expect(try rejection(DER.bits([0xF0], unused: 4)) == nil)
        #expect(try rejection(DER.bits([0x80], unused: 7)) == nil)
        for bit: UInt8 in [1, 2, 3, 4, 6, 7] {
            #expect(try rejection(DER.bits([0x80 >> bit], unused: 7 - bit)) == missing)
        }
        #expect(try rejection(DER.bits([0, 0x80], unused: 7)) == missing)
    }

    /// RFC 5280 §4.2.1.12: a critical extKeyUsage must name App Attest; a non-critical one may name anything.
    @Test func extendedKeyUsage() throws {
        let appAttest = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x04, 0x18)
        let another = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x04, 0x19)
        let server = DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 1), any = DER.oid(0x55, 0x1D, 0x25, 0x00)
        for (purposes, isAllowed) in [
            ([appAttest], true), ([server, appAttest], true), ([any, appAttest], true), ([server], false),
            ([another], false), ([any], false), ([server, any], false),
        ] {
            for isCritical in [true, false] {
                let usage = TestExtension.standard(
                    0x25, critical: isCritical, DER.element(0x30, purposes.flatMap { $0 }))
                let leaf = TestChain.leaf.changing { $0.extensions! += [usage] }
                #expect(
                    try rejection([leaf, TestChain.authority])
                        == (isAllowed || !isCritical ? nil : .extendedKeyUsageMissing(certificate: 0)))
            }
        }
    }

    @Test func leaf() throws {
        let changed = { (change: (inout TestCertificate) -> Void) in
            try rejection([TestChain.leaf.changing(change), TestChain.authority])
        }
        #expect(try changed { $0.extensions = TestExtension.authority } == .unexpectedCertificationAuthority)
        #expect(try changed { $0.signer = TestChain.leafKey } == .invalidSignature(certificate: 0))
        let old = TestChain.leaf.changing {
            $0.version = []
            $0.extensions = nil
        }
        #expect(try rejection([old, TestChain.authority]) == .notVersion3(certificate: 0))
        #expect(
            try rejection([TestChain.leaf, TestChain.authority], at: UnixTime(secondsSince1970: 0))
                == .notYetValid(certificate: 0, notBefore: TestChain.first, at: UnixTime(secondsSince1970: 0)))
    }

    /// If anchors have the same name, the verifier uses the anchor whose key verifies the signature, and its
    /// constraints.
    @Test func anchors() throws {
        let other = TestChain.root.changing { $0.publicKeyInfo = TestKey.p384(9).subjectPublicKeyInfo }
        #expect(try rejection([TestChain.leaf, TestChain.authority], roots: [other, TestChain.root]) == nil)
        #expect(
            try rejection([TestChain.leaf, TestChain.authority], roots: [other]) == .invalidSignature(certificate: 1))
        let short = TestChain.root.changing {
            $0.extensions![0] = TestExtension.basicConstraints(ca: true, pathLength: 0)
        }
        #expect(
            try rejection([TestChain.leaf, TestChain.authority], roots: [short]) == .pathLengthExceeded(certificate: 2))
        let enough = TestChain.root.changing {
            $0.extensions![0] = TestExtension.basicConstraints(ca: true, pathLength: 1)
        }
        #expect(try rejection([TestChain.leaf, TestChain.authority], roots: [enough]) == nil)
        let notCritical = TestChain.root.changing {
            $0.extensions![0] = TestExtension.basicConstraints(ca: true, critical: false)
        }
        #expect(
            try rejection([TestChain.leaf, TestChain.authority], roots: [notCritical])
                == .wrongCriticality(.basicConstraints, certificate: 2))
    }

    /// A prepared intermediate is recognised by its bytes. Its validity and the whole leaf are still checked.
    @Test func prepared() throws {
        let verifier = FixedChainVerifier(trustAnchors: [try TrustAnchor(try TestChain.root.certificate())])
        let authority = try TestChain.authority.certificate()
        let prepared = try verifier.preparing(authority)
        let leaf = try TestChain.leaf.certificate()
        let again = try #require(prepared.preparedCertificate(TestChain.authority.encoded[...]))
        #expect(again == authority)
        try prepared.verify(leaf, issuedBy: again, at: TestChain.now)

        let epoch = UnixTime(secondsSince1970: 0)
        #expect(throws: X509Error.notYetValid(certificate: 1, notBefore: TestChain.first, at: epoch)) {
            let always = DER.sequence(DER.utcTime("500101000000Z"), DER.generalizedTime("99991231235959Z"))
            let leaf = try TestChain.leaf.changing { $0.validity = always }.certificate()
            try prepared.verify(leaf, issuedBy: authority, at: epoch)
        }
        #expect(throws: X509Error.invalidSignature(certificate: 0)) {
            let forged = try TestChain.leaf.changing { $0.signer = TestChain.leafKey }.certificate()
            try prepared.verify(forged, issuedBy: authority, at: TestChain.now)
        }
        // A changed intermediate is not the prepared intermediate, so its signature is verified.
        var bytes = TestChain.authority.encoded
        bytes[bytes.count - 1] ^= 1
        #expect(prepared.preparedCertificate(bytes[...]) == nil)
        let other = try Certificate(derEncoded: bytes)
        #expect(throws: X509Error.invalidSignature(certificate: 1)) {
            try prepared.verify(leaf, issuedBy: other, at: TestChain.now)
        }
        #expect(throws: X509Error.invalidSignature(certificate: 1)) { try verifier.preparing(other) }
        #expect(throws: X509Error.keyCertSignMissing(certificate: 1)) {
            try verifier.preparing(
                try TestChain.authority.changing { $0.extensions = [TestExtension.basicConstraints(ca: true)] }
                    .certificate())
        }
    }
}
