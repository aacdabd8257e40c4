import DebugSampling
import PureDER
@testable import PureKeyAttestationTesting
import PureX509
import Testing

@testable import PureAttestTesting
@testable import PureKeyAttestation

/// Rule K2: with or without the root, the verdict on a chain is the same, because anyone can append the root.
@Suite struct ChainWithoutRootTests {
    private func rejections(
        _ draft: ChainDraft, _ change: (inout ChainDraft) -> Void = { _ in }
    ) -> (with: KeyAttestationError?, without: KeyAttestationError?) {
        var draft = draft
        change(&draft)
        return (draft.rejection(), draft.rejection(isWithoutRoot: true))
    }

    @Test(arguments: [Provisioning.remote, .factory])
    func acceptsBothKindsOfChains(_ provisioning: Provisioning) throws {
        let draft = ChainDraft.of(provisioning)
        #expect(draft.rejection(isWithoutRoot: true) == nil)
        let proof = try ChainDraft.verifier().verify(
            chain: draft.certificates.dropLast(), challenge: Array("challenge".utf8), at: ChainDraft.time,
            revocation: .notChecked)
        #expect(proof.key.provisioning == provisioning)
    }

    /// A chain with a defect at any position gives the same error with and without its root. There are two exceptions:
    ///
    /// - If the issuer name, algorithm or signature of the last certificate below the root is wrong, no trusted root
    ///   issued this certificate. So the shorter chain is untrusted.
    /// - If the number of certificates is wrong, the error states one certificate fewer, or the root is untrusted.
    @Test(arguments: [Provisioning.remote, .factory])
    func bothFormsHaveTheSameRules(_ provisioning: Provisioning) {
        let draft = ChainDraft.of(provisioning)
        let unknown = ExtensionDraft(.apple(1, 1), critical: true, derNull)
        let curve = der(
            .sequence, der(.sequence, der(ASN1ObjectIdentifier.ecPublicKey), der(ASN1ObjectIdentifier.apple(1, 1))),
            der(bits: [4, 1, 2]))
        let changes: [(Int) -> (inout ChainDraft) -> Void] = [
            { at in { $0.links[at].issuer = [(.commonName, "other")] } },
            { at in { $0.links[at].alterSignature = { $0[$0.count - 1] ^= 1 } } },
            { at in { $0.links[at].claim(algorithm: der(ASN1ObjectIdentifier.ecdsaWithSHA1)) } },
            { at in { $0.links[at].version = [] } },
            { at in { $0.links[at].keyInfo = curve } },
            { at in { $0.links[at].key = .p256(77) } },
            { at in { $0.links[at].extensions = [] } },
            { at in { $0.links[at].extensions = [ExtensionDraft(.basicConstraints, critical: true, der(.sequence))] } },
            { at in { $0.links[at].extensions = LinkDraft.extensionsOfAuthority(0) } },
            { at in { $0.links[at].extensions.append(unknown) } },
            { at in { $0.links[at].extensions.append(ExtensionDraft(.keyDescription, $0.description.encoded)) } },
            { at in { $0.links[at].subject = [(.commonName, "other")] } },
            { at in { $0.links[at].subject = [(.organizationName, "StrongBox")] } },
            { at in { $0.links[at].notAfter = UnixTime(secondsSince1970: 1_000_000_000) } },
            { at in { $0.links[at].notBefore = UnixTime(secondsSince1970: 1_789_000_000) } },
            { at in { $0.links.remove(at: at) } },
            { at in { $0.links.insert($0.links[at], at: at) } },
        ]
        let last = draft.links.count - 2
        var accepted = 0, refused = 0
        let places = debugSample(
            (0...last).flatMap { position in changes.indices.map { (position, $0) } }, every: 5, of: "defects")
        for (position, number) in places {
            let found = rejections(draft, changes[number](position))
            let message: Comment = "change \(number) of certificate \(position): \(found)"
            switch found.with {
            case .wrongOrder(last)?, .invalidSignature(last)?, .unsupportedSignatureAlgorithm(last)?:
                #expect(found.without == .untrustedRoot, message)
            case .wrongCertificateCount(let count)?:
                let other: [KeyAttestationError] = [.wrongCertificateCount(count - 1), .untrustedRoot]
                #expect(found.without.map { other.contains($0) } == true, message)
            default: #expect(found.without == found.with, message)
            }
            if found.with == nil { accepted += 1 } else { refused += 1 }
        }
        #expect(accepted + refused == places.count && refused > accepted && accepted > 0)
    }

    /// The verifier accepts only two sequences of a genuine chain's certificates: the chain with and without its root.
    @Test(arguments: ["tegu/sdk36/TEE_EC_2026_ROOT", "blueline/sdk28/SB_RSA_NONE"])
    func acceptsNoOtherSequence(_ name: String) throws {
        let chain = try GenuineChain(name)
        let description = try chain.description(), time = try chain.time()
        let verifier = try GenuineChainTests.verifier(description)
        let count = chain.certificates.count
        var sequences: [[Int]] = [[]], next = 0
        while next < sequences.count {
            sequences += (0..<count).filter { !sequences[next].contains($0) }.map { sequences[next] + [$0] }
            next += 1
        }
        #expect(sequences.count == (count == 5 ? 326 : 65))
        let valid = [Array(0..<count - 1), Array(0..<count)]
        let others = debugSample(
            sequences.filter { !valid.contains($0) }, every: 7, of: "sequences of a chain's certificates")
        let accepted = (valid + others).filter { sequence in
            verifier.rejection(
                sequence.map { chain.certificates[$0] }, challenge: description.attestationChallenge, at: time) == nil
        }
        #expect(accepted == valid)
    }

    @Test(arguments: GenuineChain.accepted)
    func genuineChainsVerify(_ name: String) throws {
        let chain = try GenuineChain(name)
        let description = try chain.description(), time = try chain.time()
        let verifier = try GenuineChainTests.verifier(description)
        let (with, without) = [chain.certificates, chain.certificates.dropLast()].map { certificates in
            verifier.explain(
                chain: Array(certificates), challenge: description.attestationChallenge, at: time,
                revocation: .notChecked)
        }.pair
        #expect(without.results.map(\.step) == with.results.map(\.step))
        #expect(without.results.map(\.error) == with.results.map(\.error))
        #expect(without.results.count == KeyAttestationReport.Step.allCases.count)
        #expect(without.provisioning == (chain.certificates.count == 5 ? .remote : .factory))
    }

    @Test func namesOfRoots() throws {
        for name in ["tegu/sdk36/TEE_EC_2026_ROOT", "blueline/sdk28/SB_RSA_NONE"] {
            let root = try Certificate(derEncoded: try #require(GenuineChain(name).certificates.last))
            #expect(GoogleRoots.hardware.filter { root.subject.elementsEqual($0.name) }.count == 1)
        }
    }

    @Test func otherRootsIssueNothing() throws {
        func without(_ draft: ChainDraft, _ change: (inout ChainDraft) -> Void) -> KeyAttestationError? {
            rejections(draft, change).without
        }
        // First, an untrusted root has the right name. Then, the issuer's name belongs to the other root.
        #expect(without(.remote) { $0.links[4].key = .p384(99) } == .untrustedRoot)
        #expect(without(.remote) { $0.links[4].subject = ChainDraft.factory.links[3].subject } == .untrustedRoot)
        #expect(without(.factory) { $0.links[3].subject = ChainDraft.remote.links[4].subject } == .untrustedRoot)
        // Google's roots do not verify the test chains, and the test roots do not verify Google's chains.
        let google = KeyAttestationVerifier(apps: [ChainDraft.app])
        #expect(google.rejection(ChainDraft.remote.certificates.dropLast()) == .untrustedRoot)
        let chain = try GenuineChain("tegu/sdk36/TEE_EC_2026_ROOT")
        #expect(
            try ChainDraft.verifier().rejection(chain.certificates.dropLast(), challenge: [1], at: chain.time())
                == .untrustedRoot)
    }

    /// Rule K3 applies even if the length of a chain without its root is valid for a chain with its root.
    @Test func rejectsAChainBelowAnAttestedKey() {
        for (draft, error) in [
            (ChainDraft.remote, KeyAttestationError.wrongCertificateCount(5)),
            (.factory, .descriptionInIssuer(certificate: 1)),
        ] {
            var extended = draft
            var leaf = draft.links[0]
            extended.links[0].extensions = LinkDraft.extensionsOfAuthority()
            extended.links[0].extensions.append(ExtensionDraft(.keyDescription, draft.description.encoded))
            leaf.subject = [(.commonName, "forged")]
            extended.links.insert(leaf, at: 0)
            #expect(extended.rejection(isWithoutRoot: true) == error)
        }
        // With the attestation certificate as the leaf, the chain is as long as a factory chain.
        var shortened = ChainDraft.remote
        shortened.isDescribed = false
        shortened.links.remove(at: 0)
        #expect(shortened.rejection(isWithoutRoot: true) == .unknownProvisioning)
        #expect(shortened.rejection() == .unknownProvisioning)
    }

    @Test func rootInOtherPlaces() throws {
        func rejection(_ certificates: [[UInt8]]) -> KeyAttestationError? {
            ChainDraft.verifier().rejection(certificates)
        }
        let remote = ChainDraft.remote.certificates, factory = ChainDraft.factory.certificates
        #expect(rejection([remote[0], remote[1], remote[2], remote[4], remote[3]]) == .wrongCertificateCount(5))
        #expect(rejection([factory[0], factory[1], factory[3], factory[2]]) == .wrongOrder(certificate: 2))
        #expect(rejection(factory + [factory[3]]) == .unknownProvisioning)
        #expect(rejection([factory[0], factory[1], factory[3]]) == .wrongCertificateCount(3))
        #expect(rejection([factory[0], factory[3]]) == .wrongCertificateCount(2))
        // Each kind of chain ends with the root of the other kind.
        #expect(rejection(remote.dropLast() + [factory[3]]) == .wrongOrder(certificate: 3))
        #expect(rejection(factory.dropLast() + [remote[4]]) == .wrongOrder(certificate: 2))
    }

    /// Rule K5: the verifier looks up the serial numbers of all certificates in the chain.
    @Test func rejectsRevokedCertificates() throws {
        let chain = try GenuineChain("akita/sdk34/TEE_EC_NONE")
        let description = try chain.description()
        let verifier = try GenuineChainTests.verifier(description)
        let serials = [
            "1", "4f47dffaecc3f58346fb7815514e0dcc", "bfc61f12db0cce5bc16832d05e052e488cb284", "388266760658996860e",
        ]
        for (position, serial) in serials.enumerated() {
            let list = try RevocationStatusList(
                json: Array(#"{"entries": {"\#(serial)": {"status": "REVOKED"}}}"#.utf8))
            let error = try verifier.rejection(
                chain.certificates.dropLast(), challenge: description.attestationChallenge, at: chain.time(),
                revocation: list)
            #expect(error == .revoked(certificate: position))
        }
    }

    @Test(arguments: ["tegu/sdk36/TEE_EC_2026_ROOT", "blueline/sdk28/SB_RSA_NONE"])
    func rejectsEveryChangeOfTheLastCertificate(_ name: String) throws {
        let chain = try GenuineChain(name)
        let description = try chain.description(), time = try chain.time()
        let verifier = try GenuineChainTests.verifier(description)
        let last = chain.certificates.count - 2
        func rejection(_ change: (inout [UInt8]) -> Void) -> KeyAttestationError? {
            var certificates = Array(chain.certificates.dropLast())
            change(&certificates[last])
            return verifier.rejection(certificates, challenge: description.attestationChallenge, at: time)
        }
        #expect(rejection { _ in } == nil)
        for index in debugSample(Array(chain.certificates[last].indices), every: 97, of: "octets of the last") {
            #expect(rejection { $0[index] ^= 1 << (index % 8) } != nil, "octet \(index)")
        }
        for count in debugSample(Array(chain.certificates[last].indices), every: 97, of: "lengths of the last") {
            guard case .malformedCertificate(_, certificate: last)? = rejection({ $0 = Array($0.prefix(count)) }) else {
                Issue.record("\(count) bytes")
                continue
            }
        }
    }
}

extension ChainDraft {
    fileprivate static func of(_ provisioning: Provisioning) -> ChainDraft {
        provisioning == .remote ? remote : factory
    }
}

extension Array {
    fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
