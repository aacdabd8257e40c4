import CertificateDrafts
import PureDER
import Testing

@testable import PureX509
@testable import PureX509Paths

/// Tests RFC 5280 §6.1, one rule per test, on a path of root, CA and leaf.
@Suite struct PathTests {
    static func rejection(
        leaf: TestCertificate = TestChain.leaf, intermediates: [TestCertificate] = [TestChain.authority],
        roots: [TestCertificate] = [TestChain.root],
        purpose: ASN1ObjectIdentifier? = nil, maximumPathLength: Int = CertificatePathVerifier.defaultMaximumPathLength,
        at time: UnixTime = TestChain.now
    ) -> PathError? {
        do throws(PathError) {
            var anchors: [TrustAnchor] = []
            for root in roots { anchors.append(try root.anchor()) }
            var certificates: [Certificate] = []
            for template in intermediates { certificates.append(try template.read()) }
            let verifier = CertificatePathVerifier(
                trustAnchors: anchors, requiredPurpose: purpose, maximumPathLength: maximumPathLength)
            _ = try verifier.validate(leaf: try leaf.read(), intermediates: certificates, at: time)
            return nil
        } catch {
            return error
        }
    }

    /// §6.1.1 (a), (d), §6.1.5 (c).
    @Test func validPath() throws {
        let anchor = try TrustAnchor(try TestChain.root.certificate())
        let leaf = try TestChain.leaf.certificate(), authority = try TestChain.authority.certificate()
        let chain = try CertificatePathVerifier(trustAnchors: [anchor])
            .validate(leaf: leaf, intermediates: [authority], at: TestChain.now)
        #expect(chain.certificates == [leaf, authority] && chain.leaf == leaf)
        #expect(chain.trustAnchor.name == authority.issuer)
    }

    @Test func algorithms() {
        for key in [TestKey.p256(5), .p384(5)] {
            for hash in [TestKey.Hash.sha256, .sha384, .sha512] {
                let authority = TestChain.authority.changing { $0.publicKeyInfo = key.subjectPublicKeyInfo }
                let leaf = TestChain.leaf.changing {
                    $0.signer = key
                    $0.hash = hash
                }
                #expect(Self.rejection(leaf: leaf, intermediates: [authority]) == nil)
                // The signature uses a different hash function than the algorithm identifier names.
                let other: TestKey.Hash = hash == .sha256 ? .sha384 : .sha256
                let confused = leaf.changing {
                    $0.innerAlgorithm = TestCertificate.algorithm(other)
                    $0.outerAlgorithm = TestCertificate.algorithm(other)
                }
                #expect(
                    Self.rejection(leaf: confused, intermediates: [authority]) == .invalidSignature(certificate: 0))
            }
        }
        let sha1 = DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01))
        let leaf = TestChain.leaf.changing {
            $0.innerAlgorithm = sha1
            $0.outerAlgorithm = sha1
        }
        #expect(Self.rejection(leaf: leaf) == .unsupportedSignatureAlgorithm(certificate: 0))
        let rsa = TestKey.publicKeyInfo(
            algorithm: DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01), parameters: DER.null, point: [])
        #expect(
            Self.rejection(intermediates: [TestChain.authority.changing { $0.publicKeyInfo = rsa }])
                == .unsupportedPublicKey(certificate: 1))
        #expect(
            Self.rejection(roots: [TestChain.root.changing { $0.publicKeyInfo = rsa }])
                == .unsupportedPublicKey(certificate: 0))
    }

    /// §6.1.3 (a)(1). §6.1.2 (h), §6.1.4 (d): verification uses the key of the previous certificate.
    @Test func signatures() {
        #expect(
            Self.rejection(leaf: TestChain.leaf.changing { $0.signer = TestChain.rootKey })
                == .invalidSignature(certificate: 0))
        #expect(
            Self.rejection(intermediates: [TestChain.authority.changing { $0.signer = TestChain.authorityKey }])
                == .invalidSignature(certificate: 1))
        #expect(
            Self.rejection(roots: [TestChain.root.changing { $0.publicKeyInfo = TestKey.p384(9).subjectPublicKeyInfo }])
                == .invalidSignature(certificate: 1))
        let good = TestChain.leaf.signer.sign(TestChain.leaf.toBeSigned, .sha256)
        let signatures: [[UInt8]] = [
            [], [0x30, 0x00], DER.null, good + [0], Array(good.dropLast()), [0x30, 0x80] + good[2...] + [0, 0],
            DER.sequence(DER.integer(0), DER.integer(0)), DER.sequence(DER.integer(1), DER.integer(0xFF)),
        ]
        for signature in signatures {
            let leaf = TestChain.leaf.changing { $0.signature = DER.bits(signature) }
            #expect(Self.rejection(leaf: leaf) == .invalidSignature(certificate: 0), "\(signature)")
        }
    }

    /// §6.1.1 (b), §6.1.3 (a)(2): the validity period includes both ends. The verifier ignores the validity of anchors.
    @Test func validity() {
        let first = TestChain.first, last = TestChain.last
        func notYetValid(_ certificate: Int, at time: UnixTime) -> PathError {
            .notYetValid(certificate: certificate, notBefore: first, at: time)
        }
        func expired(_ certificate: Int, at time: UnixTime) -> PathError {
            .expired(certificate: certificate, notAfter: last, at: time)
        }
        let before = UnixTime(secondsSince1970: first.secondsSince1970 - 1)
        let after = UnixTime(secondsSince1970: last.secondsSince1970 + 1)
        #expect(Self.rejection(at: first) == nil && Self.rejection(at: last) == nil)
        #expect(Self.rejection(at: before) == notYetValid(0, at: before))
        #expect(Self.rejection(at: after) == expired(0, at: after))
        let always = DER.sequence(DER.utcTime("500101000000Z"), DER.generalizedTime("99991231235959Z"))
        let leaf = TestChain.leaf.changing { $0.validity = always }
        #expect(Self.rejection(leaf: leaf, at: before) == notYetValid(1, at: before))
        #expect(Self.rejection(leaf: leaf, at: after) == expired(1, at: after))
        #expect(
            Self.rejection(
                leaf: leaf, intermediates: [TestChain.authority.changing { $0.validity = always }], at: after)
                == nil)
        let never = DER.sequence(DER.utcTime("300101000000Z"), DER.utcTime("200101000000Z"))
        #expect(
            Self.rejection(leaf: TestChain.leaf.changing { $0.validity = never })
                == .notYetValid(certificate: 0, notBefore: last, at: TestChain.now))
        let earliest = UnixTime(secondsSince1970: .min), latest = UnixTime(secondsSince1970: .max)
        #expect(Self.rejection(at: earliest) == notYetValid(0, at: earliest))
        #expect(Self.rejection(at: latest) == expired(0, at: latest))
    }

    /// §6.1.3 (a)(4). §6.1.2 (j), §6.1.4 (c).
    @Test func names() {
        #expect(
            Self.rejection(leaf: TestChain.leaf.changing { $0.issuer = DER.name("Another") })
                == .issuerNotFound(certificate: 0))
        #expect(
            Self.rejection(intermediates: [TestChain.authority.changing { $0.issuer = DER.name("Another") }])
                == .issuerNotFound(certificate: 1))
        #expect(Self.rejection(intermediates: []) == .issuerNotFound(certificate: 0))
        #expect(Self.rejection(roots: []) == .issuerNotFound(certificate: 1))
    }

    /// §6.1.4 (k), (n). Some of these issuers would pass if the verifier checked only extensions that are present.
    @Test func issuersThatAreNone() {
        let rejection = { (extensions: [[UInt8]]?) in
            Self.rejection(intermediates: [TestChain.authority.changing { $0.extensions = extensions }])
        }
        let notAuthority = PathError.notCertificationAuthority(certificate: 1)
        let usage = TestExtension.certificateSigning
        let authority = TestExtension.basicConstraints(ca: true)
        #expect(rejection([]) == notAuthority)
        #expect(rejection(nil) == notAuthority)
        #expect(rejection([usage]) == notAuthority)
        #expect(rejection([TestExtension.basicConstraints(ca: false)]) == notAuthority)
        #expect(rejection([TestExtension.basicConstraints(ca: false), usage]) == notAuthority)
        #expect(rejection([authority, TestExtension.digitalSignature]) == .keyCertSignMissing(certificate: 1))
        // keyUsage may be absent.
        #expect(rejection([authority]) == nil)

        let under = TestCertificate("Under", .p256(8), issuer: "Leaf", signer: TestChain.leafKey)
        #expect(Self.rejection(leaf: under, intermediates: [TestChain.leaf, TestChain.authority]) == notAuthority)
        // Certificates of older versions have no extensions.
        for version in [[], DER.context(0, DER.integer(1))] {
            let old = TestChain.authority.changing {
                $0.version = version
                $0.extensions = nil
            }
            #expect(Self.rejection(intermediates: [old]) == .notVersion3(certificate: 1))
            let oldLeaf = TestChain.leaf.changing {
                $0.version = version
                $0.extensions = nil
            }
            #expect(Self.rejection(leaf: oldLeaf) == .notVersion3(certificate: 0))
        }
        // §4.2.1.3: keyCertSign requires cA. A leaf may be a CA certificate.
        #expect(
            Self.rejection(leaf: TestChain.leaf.changing { $0.extensions = [usage] })
                == .notCertificationAuthority(certificate: 0))
        #expect(Self.rejection(leaf: TestChain.leaf.changing { $0.extensions = TestExtension.authority }) == nil)
    }

    /// §6.1.2 (k), §6.1.4 (l), (m): neither self-issued certificates nor the leaf count towards path length constraints
    /// and `maximumPathLength`.
    @Test func pathLength() {
        let limited = { (length: UInt8) in
            [TestExtension.basicConstraints(ca: true, pathLength: length), TestExtension.certificateSigning]
        }
        let second = TestCertificate(
            "CA 2", .p384(5), issuer: "CA", signer: TestChain.authorityKey, extensions: TestExtension.authority)
        let leaf = TestCertificate("Leaf", TestChain.leafKey, issuer: "CA 2", signer: .p384(5))
        let rejection = { (length: UInt8, intermediate: TestCertificate, leaf: TestCertificate) in
            Self.rejection(
                leaf: leaf,
                intermediates: [TestChain.authority.changing { $0.extensions = limited(length) }, intermediate])
        }
        #expect(rejection(0, second, leaf) == .pathLengthExceeded(certificate: 2))
        #expect(rejection(1, second, leaf) == nil)
        #expect(rejection(0, second, TestChain.leaf) == nil)
        // The leaf does not count towards the path length, even if it is a CA certificate.
        let authorityLeaf = second.changing { $0.subject = DER.name("Leaf") }
        #expect(rejection(0, second, authorityLeaf) == nil)

        // The CA issues a self-issued certificate for its new key.
        let selfIssued = TestCertificate(
            "CA", .p384(5), issuer: "CA", signer: TestChain.authorityKey, extensions: TestExtension.authority)
        let underNewKey = TestChain.leaf.changing { $0.signer = .p384(5) }
        #expect(rejection(0, selfIssued, underNewKey) == nil)

        let root = { (length: UInt8) in TestChain.root.changing { $0.extensions = limited(length) } }
        #expect(Self.rejection(roots: [root(0)]) == .pathLengthExceeded(certificate: 2))
        #expect(Self.rejection(roots: [root(1)]) == nil)
        #expect(Self.rejection(maximumPathLength: 0) == .pathTooLong)
        #expect(Self.rejection(maximumPathLength: 1) == nil)
        let direct = TestCertificate("Leaf", TestChain.leafKey, issuer: "Root", signer: TestChain.rootKey)
        #expect(Self.rejection(leaf: direct, roots: [root(0)], maximumPathLength: 0) == nil)
        #expect(Self.rejection(leaf: direct, maximumPathLength: -1) == .pathTooLong)
        // When a path is too long, the search stops, whether or not there is an anchor.
        #expect(
            Self.rejection(leaf: leaf, intermediates: [TestChain.authority, second], roots: [], maximumPathLength: 1)
                == .pathTooLong)
        #expect(
            Self.rejection(leaf: leaf, intermediates: [TestChain.authority, second], roots: [], maximumPathLength: 2)
                == .issuerNotFound(certificate: 2))
    }

    /// §4.2.1.9 requires CAs to make basicConstraints critical, but §6.1.4 (k) does not check it. PKITS 4.6.4.
    @Test(arguments: [true, false])
    func criticalityOfBasicConstraints(_ isCritical: Bool) {
        let of = { (ca: Bool, length: UInt8?) in
            [TestExtension.basicConstraints(ca: ca, pathLength: length, critical: isCritical)]
                + (ca ? [TestExtension.certificateSigning] : [])
        }
        for isAuthority in [true, false] {
            #expect(Self.rejection(leaf: TestChain.leaf.changing { $0.extensions = of(isAuthority, nil) }) == nil)
        }
        let rejection = { (extensions: [[UInt8]], roots: [[UInt8]]) in
            Self.rejection(
                intermediates: [TestChain.authority.changing { $0.extensions = extensions }],
                roots: [TestChain.root.changing { $0.extensions = roots }])
        }
        #expect(rejection(of(true, 0), of(true, 1)) == nil)
        #expect(rejection(of(true, 0), of(true, 0)) == .pathLengthExceeded(certificate: 2))
        #expect(rejection(of(false, nil), of(true, nil)) == .notCertificationAuthority(certificate: 1))
        #expect(rejection(of(true, nil), of(false, nil)) == .notCertificationAuthority(certificate: 0))
    }

    /// §6.1.4 (o), §6.1.5 (f): tests critical extensions, and the criticality rules of §4.2.1, in each role of a
    /// certificate. §4.2.1.1, §4.2.1.2, §4.2.1.4.
    @Test func criticality() throws {
        let unknown = { (critical: Bool) in TestExtension.custom(DER.oid(0x2A, 3, 4), critical: critical, [1, 2, 3, 4])
        }
        let identifier = try ASN1ObjectIdentifier(contents: [0x2A, 3, 4])
        let rejection = { (position: Int, item: [UInt8]) in
            switch position {
            case 0: Self.rejection(leaf: TestChain.leaf.changing { $0.extensions! += [item] })
            case 1: Self.rejection(intermediates: [TestChain.authority.changing { $0.extensions! += [item] }])
            default: Self.rejection(roots: [TestChain.root.changing { $0.extensions! += [item] }])
            }
        }
        // Anchors are checked outside a path, so the error for a rejected anchor contains the number 0.
        for (position, number) in [(0, 0), (1, 1), (2, 0)] {
            #expect(rejection(position, unknown(true)) == .unhandledCriticalExtension(identifier, certificate: number))
            #expect(rejection(position, unknown(false)) == nil)
            for (item, name): ([UInt8], ASN1ObjectIdentifier) in [
                (TestExtension.subjectKeyIdentifier([1], critical: true), .subjectKeyIdentifier),
                (TestExtension.authorityKeyIdentifier([1], critical: true), .authorityKeyIdentifier),
            ] { #expect(rejection(position, item) == .wrongCriticality(name, certificate: number)) }

            let names = DER.sequence(DER.implicit(2, Array("x".utf8)))
            #expect(rejection(position, TestExtension.standard(0x11, critical: true, names)) == nil)
            #expect(
                rejection(position, TestExtension.extendedKeyUsage(DER.oid(0x2A), critical: true)) == nil)

            for critical in [true, false] {
                // Critical policies with an unknown qualifier are rejected.
                for (last, isKnown): (UInt8, Bool) in [(1, true), (2, true), (3, false)] {
                    let qualifier = DER.sequence(DER.oid(0x2B, 6, 1, 5, 5, 7, 2, last), DER.utf8("x"))
                    let policy = DER.sequence(DER.sequence(DER.oid(0x2A), DER.sequence(qualifier)))
                    #expect(
                        rejection(position, TestExtension.standard(0x20, critical: critical, policy))
                            == (critical && !isKnown
                                ? .unhandledCriticalExtension(.certificatePolicies, certificate: number) : nil))
                }
            }
        }
    }

    /// §4.2.1.12: every certificate must allow the required purpose. An absent extension allows all purposes.
    @Test func extendedKeyUsage() {
        let server = TestExtension.extendedKeyUsage(DER.oid(0x2B, 6, 1, 5, 5, 7, 3, 1))
        let any = TestExtension.extendedKeyUsage(DER.oid(0x55, 0x1D, 0x25, 0x00))
        let adding = { (item: [UInt8], template: TestCertificate) in template.changing { $0.extensions! += [item] } }
        for (item, isAllowed) in [(server, false), (any, true)] {
            let rejections = [
                Self.rejection(leaf: adding(item, TestChain.leaf), purpose: .clientAuthentication),
                Self.rejection(intermediates: [adding(item, TestChain.authority)], purpose: .clientAuthentication),
                Self.rejection(roots: [adding(item, TestChain.root)], purpose: .clientAuthentication),
            ]
            for (position, rejection) in rejections.enumerated() {
                #expect(rejection == (isAllowed ? nil : .extendedKeyUsageMissing(certificate: position)))
            }
        }
        #expect(Self.rejection(leaf: adding(server, TestChain.leaf)) == nil)
        #expect(Self.rejection(leaf: adding(server, TestChain.leaf), purpose: .serverAuthentication) == nil)
        #expect(Self.rejection(purpose: .serverAuthentication) == nil)
    }

    /// Only an anchor that was created from a certificate imposes constraints.
    @Test func anchors() throws {
        let notAuthority = TestChain.root.changing { $0.extensions = [TestExtension.basicConstraints(ca: false)] }
        #expect(Self.rejection(roots: [notAuthority]) == .notCertificationAuthority(certificate: 0))
        #expect(
            Self.rejection(roots: [TestChain.root.changing { $0.extensions = nil }])
                == .notCertificationAuthority(certificate: 0))
        #expect(
            Self.rejection(roots: [TestChain.root.changing { $0.extensions![1] = TestExtension.digitalSignature }])
                == .keyCertSignMissing(certificate: 0))
        // The verifier ignores the dates and the signature of the anchor.
        let expired = TestChain.root.changing {
            $0.validity = DER.sequence(DER.utcTime("500101000000Z"), DER.utcTime("500102000000Z"))
            $0.signer = TestChain.leafKey
        }
        #expect(Self.rejection(roots: [expired]) == nil)

        let certificate = try notAuthority.certificate()
        let bare = try TrustAnchor(
            name: certificate.subject, subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
        #expect(bare.certificate == nil)
        _ = try CertificatePathVerifier(trustAnchors: [bare]).validate(
            leaf: try TestChain.leaf.certificate(), intermediates: [try TestChain.authority.certificate()],
            at: TestChain.now)
        #expect(throws: X509Error.emptyList(.subject)) {
            try TrustAnchor(name: [0x30, 0], subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
        }

        // Neither an anchor nor a certificate with its name and key can be validated as the leaf.
        let selfSigned = TestChain.root.changing { $0.extensions = [] }
        #expect(
            Self.rejection(leaf: selfSigned, intermediates: []) == .repeatedCertificate(certificate: 1))
        #expect(Self.rejection(leaf: TestChain.root, intermediates: []) == .repeatedCertificate(certificate: 1))
    }
}
