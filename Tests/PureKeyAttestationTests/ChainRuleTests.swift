import PureDER
import PureX509
import RSATestKeys
import ReferenceModel
@testable import PureAttestTesting
@testable import PureKeyAttestationTesting
import Testing

@testable import PureKeyAttestation

/// Each case has one defect in a chain, and checks the exact error.
struct ChainRuleTests {
    @Test func acceptsBothKindsOfChains() {
        #expect(ChainDraft.remote.rejection() == nil)
        #expect(ChainDraft.factory.rejection() == nil)
    }

    @Test func rejectsOtherCounts() {
        #expect(remote { $0.links.remove(at: 2) } == .unknownProvisioning)
        #expect(factory { $0.links.remove(at: 2) } == .wrongCertificateCount(3))
        #expect(remote { $0.links.insert($0.links[1], at: 1) } == .wrongCertificateCount(6))
        #expect(remote { $0.links = [] } == .wrongCertificateCount(0))
        let verifier = ChainDraft.verifier()
        let many = [[UInt8]](repeating: [0x30], count: 100_000)
        #expect(verifier.rejection(many, challenge: [1]) == .wrongCertificateCount(100_000))
        let long = [[UInt8]](repeating: [UInt8](repeating: 0x30, count: 20_000), count: 4)
        #expect(verifier.rejection(long, challenge: [1]) == .inputTooLarge)
    }

    /// Rule K2.
    @Test func rejectsOtherRoots() {
        #expect(remote { $0.links[4].key = .p384(99) } == .untrustedRoot)
        #expect(remote { $0.links[4].key = .p256(99) } == .untrustedRoot)
        #expect(factory { $0.links[3].key = .rsa(.bits3072) } == .untrustedRoot)
        let google = KeyAttestationVerifier(apps: [ChainDraft.app])
        #expect(google.rejection(ChainDraft.remote.certificates) == .untrustedRoot)
    }

    /// The verifier compares only the root's key, not its dates, serial number or signature.
    @Test func takesTheRootByItsKey() {
        #expect(remote { $0.links[4].notAfter = UnixTime(secondsSince1970: 1_600_000_000) } == nil)
        #expect(remote { $0.links[4].serialNumber = [9, 9, 9] } == nil)
        var certificates = ChainDraft.remote.certificates
        certificates[4][certificates[4].count - 1] ^= 1
        #expect(ChainDraft.verifier().rejection(certificates) == nil)
    }

    /// Rule K1. RFC 5280 §6.1.3 (a)(1), (a)(4).
    @Test func rejectsBrokenLinks() {
        for position in 0..<4 {
            #expect(
                remote { $0.links[position].issuer = [(.commonName, "other")] } == .wrongOrder(certificate: position))
        }
        for position in 0..<4 {
            var certificates = ChainDraft.remote.certificates
            certificates[position][certificates[position].count - 1] ^= 1
            #expect(ChainDraft.verifier().rejection(certificates) == .invalidSignature(certificate: position))
        }
    }

    /// Rule K3. An attacker signs a certificate for their own key with an attested key, and forges a key description.
    @Test func rejectsAChainBelowAnAttestedKey() {
        let forged = KeyDescriptionDraft()
        var extended = ChainDraft.factory
        var leaf = extended.links[0]
        extended.links[0].extensions = LinkDraft.extensionsOfAuthority()
        extended.links[0].extensions.append(ExtensionDraft(.keyDescription, forged.encoded))
        leaf.subject = [(.commonName, "forged")]
        extended.links.insert(leaf, at: 0)
        #expect(extended.rejection() == .descriptionInIssuer(certificate: 1))
        // The verifier also rejects a key description in any issuer of a chain with Google's names.
        for position in 1..<4 {
            let description = ExtensionDraft(.keyDescription, forged.encoded)
            #expect(
                remote { $0.links[position].extensions.append(description) }
                    == .descriptionInIssuer(certificate: position))
        }
        // Without a key description in the leaf, the verdict is the same.
        #expect(
            remote {
                $0.isDescribed = false
                $0.links[1].extensions.append(ExtensionDraft(.keyDescription, forged.encoded))
            } == .descriptionInIssuer(certificate: 1))
        #expect(remote { $0.isDescribed = false } == .descriptionMissing)
    }

    @Test func rejectsIssuersThatAreNotAuthorities() {
        for position in 1..<4 {
            let error = KeyAttestationError.notCertificationAuthority(certificate: position)
            #expect(remote { $0.links[position].extensions[0].value = der(.sequence) } == error)
            #expect(remote { $0.links[position].extensions[1].value = [0x03, 0x02, 0x07, 0x80] } == error)
            #expect(remote { $0.links[position].extensions.remove(at: 1) } == nil)
        }
        let endEntity = ExtensionDraft(.basicConstraints, critical: true, der(.sequence))
        let signsData = ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x07, 0x80])
        #expect(
            factory { $0.links[2].extensions = [endEntity, signsData] } == .notCertificationAuthority(certificate: 2))
        // Of all issuers, only the attestation certificate may lack basicConstraints.
        #expect(remote { $0.links[1].extensions.remove(at: 0) } == nil)
        #expect(remote { $0.links[2].extensions.remove(at: 0) } == .notCertificationAuthority(certificate: 2))
        #expect(
            remote { $0.links[3].extensions[0].value = der(.sequence, derTrue, der(1)) }
                == .pathLengthExceeded(certificate: 3))
        #expect(remote { $0.links[1].extensions[0].value = der(.sequence, derTrue, der(0)) } == nil)
    }

    /// Attestation certificates of genuine devices from 2016 (Sony Xperia 10 III) declare that they are not
    /// certification authorities, and have name constraints.
    @Test func acceptsAttestationCertificatesOfTheFactoryThatAreNoAuthority() {
        let endEntity = ExtensionDraft(.basicConstraints, critical: true, der(.sequence))
        let signsData = ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x07, 0x80])
        let names = der(.sequence, der(.context(0), der(.sequence, der(.contextPrimitive(2), Array("invalid".utf8)))))
        #expect(
            factory {
                $0.links[1].subject.remove(at: 0)
                $0.links[1].extensions = [endEntity, signsData, ExtensionDraft(.nameConstraints, names)]
            } == nil)
        // An attestation certificate need not be a CA certificate, but an attested key must not issue certificates.
        #expect(
            factory {
                $0.links[1].extensions = [signsData, ExtensionDraft(.keyDescription, $0.description.encoded)]
            } == .descriptionInIssuer(certificate: 1))
    }

    @Test func rejectsUnknownCriticalExtensions() {
        let unknown = ExtensionDraft(.apple(1, 1), critical: true, derNull)
        for position in 0..<4 {
            #expect(
                remote { $0.links[position].extensions.append(unknown) }
                    == .unhandledCriticalExtension(certificate: position))
        }
        #expect(remote { $0.links[2].extensions.append(ExtensionDraft(.apple(1, 1), derNull)) } == nil)
        // Some makers use name constraints, which the verifier reads but does not apply. A critical extended key usage
        // is rejected, because the verifier would have to apply it.
        let names = der(.sequence, der(.context(0), der(.sequence, der(.contextPrimitive(2), [0x61]))))
        #expect(
            remote { $0.links[2].extensions.append(ExtensionDraft(.nameConstraints, critical: true, names)) } == nil)
        let purpose = ExtensionDraft(.extendedKeyUsage, critical: true, der(.sequence, der(.apple(1, 1))))
        #expect(remote { $0.links[2].extensions.append(purpose) } == .unhandledCriticalExtension(certificate: 2))
        let twice = ExtensionDraft(.keyUsage, [0x03, 0x03, 0x07, 0x80, 0x00])
        #expect(
            remote { $0.links[0].extensions.append(twice) }
                == .malformedCertificate(.duplicateExtension(.keyUsage), certificate: 0))
        // Genuine devices encode keyUsage like the constant `twice`.
        #expect(remote { $0.links[0].extensions = [twice] } == nil)
        let endEntity = ExtensionDraft(.basicConstraints, critical: true, der(.sequence))
        #expect(remote { $0.links[0].extensions.append(endEntity) } == nil)
        #expect(remote { $0.links[0].version = [] } == .descriptionMissing)
        #expect(remote { $0.links[2].version = [] } == .notVersion3(certificate: 2))
    }

    @Test func rejectsOtherAlgorithms() {
        let sha1 = der(ASN1ObjectIdentifier.ecdsaWithSHA1)
        #expect(remote { $0.links[0].claim(algorithm: sha1) } == .unsupportedSignatureAlgorithm(certificate: 0))
        // RSASSA-PSS and SHA-1 with RSA.
        for arc: UInt128 in [0x0A, 0x05] {
            let other = der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_0D_01_01_00 | arc)) + derNull
            #expect(factory { $0.links[1].claim(algorithm: other) } == .unsupportedSignatureAlgorithm(certificate: 1))
        }
        // RFC 4055 §5: the parameters must be present and NULL.
        for parameters in [[], der(.sequence), derNull + derNull] {
            let algorithm = der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0B)) + parameters
            #expect(
                factory { $0.links[0].claim(algorithm: algorithm) } == .unsupportedSignatureAlgorithm(certificate: 0))
            let error = factory { $0.links[1].claim(algorithm: algorithm) }
            // An issuer's AlgorithmIdentifier with two NULLs is rejected by the parser.
            if parameters.count == 4 {
                #expect(error == .malformedCertificate(.malformed(.signatureAlgorithm, .trailingBytes), certificate: 1))
            } else {
                #expect(error == .unsupportedSignatureAlgorithm(certificate: 1))
            }
        }
        // The algorithm is for a different type of key, or has a different hash than the signature.
        let rsa = der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0B)) + derNull
        #expect(remote { $0.links[0].claim(algorithm: rsa) } == .invalidSignature(certificate: 0))
        #expect(
            factory { $0.links[1].claim(algorithm: der(ASN1ObjectIdentifier.ecdsaWithSHA256)) }
                == .invalidSignature(certificate: 1))
        let sha384 = der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0C)) + derNull
        #expect(factory { $0.links[1].claim(algorithm: sha384) } == .invalidSignature(certificate: 1))
    }

    @Test func rejectsOtherKeys() {
        // Tests an unknown curve in an issuer and in a leaf.
        let curve = der(
            .sequence, der(.sequence, der(ASN1ObjectIdentifier.ecPublicKey), der(ASN1ObjectIdentifier.apple(1, 1))),
            der(bits: [4, 1, 2]))
        #expect(remote { $0.links[1].keyInfo = curve } == .unsupportedIssuerKey(certificate: 1))
        #expect(remote { $0.links[0].keyInfo = curve } == .unsupportedLeafKey)
        let modulus = TestKey.bits2048.n.bigEndianBytes
        #expect(
            factory { $0.links[2].keyInfo = rsaPublicKeyInfo(modulus: modulus, exponent: 65_536) }
                == .malformedRSAKey(.unsupportedExponent, certificate: 2))
        #expect(
            factory { $0.links[2].keyInfo = rsaPublicKeyInfo(modulus: Array(modulus.suffix(128))) }
                == .malformedRSAKey(.unsupportedModulusSize, certificate: 2))
        // If the exponent is 1, every number is its own signature.
        let one = rsaPublicKeyInfo(modulus: modulus, exponent: 1)
        #expect(factory { $0.links[2].keyInfo = one } == .malformedRSAKey(.unsupportedExponent, certificate: 2))
        #expect(factory { $0.links[0].keyInfo = one } == .malformedRSAKey(.unsupportedExponent, certificate: 0))
    }

    @Test func rejectsOtherNames() {
        let name: [(ASN1ObjectIdentifier, String)] = [(.commonName, "Droid CA2"), (.organizationName, "Google")]
        #expect(remote { $0.links[3].subject = name } == .unknownProvisioning)
        #expect(remote { $0.links[2].subject[0].1 = "Droid CA4" } == .unknownProvisioning)
        #expect(remote { $0.links[1].subject[0].1 = "Other" } == .unknownProvisioning)
        #expect(remote { $0.links[3].subject.append((.commonName, "Droid CA2")) } == .unknownProvisioning)
        #expect(factory { $0.links[2].subject.remove(at: 1) } == .unknownProvisioning)
    }

    /// Rule K4.
    @Test func checksDates() {
        let past = UnixTime(secondsSince1970: 1_779_000_000), future = UnixTime(secondsSince1970: 1_781_000_000)
        for position in 1..<4 {
            #expect(
                remote { $0.links[position].notAfter = past }
                    == .expired(certificate: position, notAfter: past, at: ChainDraft.time))
            #expect(
                remote { $0.links[position].notBefore = future }
                    == .notYetValid(certificate: position, notBefore: future, at: ChainDraft.time))
        }
        for position in 1..<3 {
            #expect(factory { $0.links[position].notAfter = past } == nil)
            #expect(
                factory { $0.links[position].notBefore = future }
                    == .notYetValid(certificate: position, notBefore: future, at: ChainDraft.time))
        }
        // The validity period includes its first and last seconds.
        #expect(remote { $0.links[1].notAfter = ChainDraft.time } == nil)
        #expect(remote { $0.links[1].notBefore = ChainDraft.time } == nil)
    }

    /// Rule K9. A trusted environment cannot attest a StrongBox key, nor a StrongBox a trusted environment's key.
    @Test func rejectsSecurityLevelMismatches() {
        #expect(
            remote { $0.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(2) }
                == .securityLevelMismatch)
        #expect(
            factory { $0.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(0) }
                == .securityLevelMismatch)
        let strongBox: (inout ChainDraft) -> Void = {
            $0.links[1].subject[0].1 = "StrongBox"
            $0.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(2)
            $0.description.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(2)
        }
        #expect(remote(strongBox) == nil)
        // Some factory certificates name no security level. For StrongBox, some attribute of the certificate or of its
        // issuer must then name the level, in upper or lower case.
        #expect(factory { $0.links[1].subject.remove(at: 0) } == nil)
        func unnamed(_ level: UInt8, _ attestation: [(ASN1ObjectIdentifier, String)], _ issuer: String = "TEE")
            -> KeyAttestationError?
        {
            factory {
                $0.links[1].subject = attestation
                $0.links[2].subject[0].1 = issuer
                $0.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(level)
                $0.description.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(level)
            }
        }
        let number = (ASN1ObjectIdentifier.serialNumber, "0404")
        #expect(unnamed(1, [number]) == nil)
        #expect(unnamed(2, [number]) == .securityLevelMismatch)
        #expect(unnamed(2, [number, (.commonName, "A sTRONGbOX")]) == nil)
        #expect(unnamed(2, [number, (.commonName, "StrongBo")]) == .securityLevelMismatch)
        #expect(unnamed(2, [number, (.commonName, "Strong Box")]) == .securityLevelMismatch)
        #expect(unnamed(2, [number], "StrongBox") == nil)
        // If the title attribute of the attestation certificate names a different level, the title takes precedence.
        #expect(unnamed(2, [number, (.title, "TEE")], "StrongBox") == .securityLevelMismatch)
    }

    /// Rule K16.
    @Test func readsProvisioningInformation() {
        let policy = KeyAttestationPolicy(maximumCertificatesIssued: 64)
        func rejection(_ value: [UInt8], _ policy: KeyAttestationPolicy) -> KeyAttestationError? {
            var draft = ChainDraft.remote
            draft.links[1].extensions[2].value = value
            return draft.rejection(policy)
        }
        #expect(rejection([0xA1, 0x01, 0x18, 0x40], policy) == nil)
        #expect(rejection([0xA1, 0x01, 0x18, 0x41], policy) == .tooManyCertificatesIssued(65))
        #expect(rejection([0xA0], policy) == .tooManyCertificatesIssued(nil))
        #expect(rejection([0xA0], .standard) == nil)
        for malformed: [UInt8] in [[], [0x01], [0xA1, 0x01], [0xA1, 0x01, 0x20], [0xA1, 0x01, 0x18, 0x40, 0x00]] {
            #expect(rejection(malformed, .standard) == .malformedProvisioningInformation)
        }
        #expect(ChainDraft.factory.rejection(policy) == .tooManyCertificatesIssued(nil))
        #expect(
            ChainDraft.factory.rejection(KeyAttestationPolicy(requiresRemoteProvisioning: true))
                == .remoteProvisioningRequired)
        #expect(ChainDraft.remote.rejection(KeyAttestationPolicy(requiresRemoteProvisioning: true)) == nil)
    }
}
