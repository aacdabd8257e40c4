import PureAttestTesting
import PureDER
import PureKeyAttestation
import PureX509

extension AndroidFault {
    /// The broken rule, the error that a correct verifier reports, and how to break the rule.
    struct Definition {
        let rule: AndroidRule
        let error: KeyAttestationError
        /// The only kind of provisioning to which the fault applies, or `nil` if the fault applies to both kinds.
        let provisioning: Provisioning?
        let apply: (inout AndroidCaseDraft) -> Void

        init(
            _ rule: AndroidRule, _ error: KeyAttestationError, only provisioning: Provisioning? = nil,
            _ apply: @escaping (inout AndroidCaseDraft) -> Void
        ) {
            (self.rule, self.error, self.provisioning, self.apply) = (rule, error, provisioning, apply)
        }
    }

    func definition(_ provisioning: Provisioning, at time: UnixTime = AndroidCorpus.defaultTime) -> Definition {
        let isRemote = provisioning == .remote
        // The position of the last certificate before the root.
        let last = isRemote ? 3 : 2
        switch self {
        // MARK: Chain
        case .chainEmpty:
            return Definition(.chain, .wrongCertificateCount(0)) { $0.alterCertificates = { $0 = [] } }
        case .leafAlone:
            return Definition(.chain, .wrongCertificateCount(1)) { $0.alterCertificates = { $0 = [$0[0]] } }
        case .intermediateMissing:
            let error = isRemote ? KeyAttestationError.wrongOrder(certificate: 1) : .wrongCertificateCount(3)
            return Definition(.chain, error) { $0.alterCertificates = { $0.remove(at: 2) } }
        case .rootTwice:
            return Definition(.chain, isRemote ? .wrongCertificateCount(6) : .unknownProvisioning) {
                $0.alterCertificates = { $0.append($0[$0.count - 1]) }
            }
        case .chainTooLarge:
            return Definition(.chain, .inputTooLarge) {
                $0.alterCertificates = { $0[0] += [UInt8](repeating: 0, count: 65_536) }
            }
        case .certificatesReversed:
            return Definition(.chain, .untrustedRoot) { $0.alterCertificates = { $0 = Array($0.reversed()) } }
        case .certificatesSwapped:
            return Definition(.chain, .wrongOrder(certificate: last)) { draft in
                let last = draft.last
                draft.alterCertificates = { $0.insert($0.remove(at: last - 1), at: last) }
            }
        case .leafTrailingByte:
            return Definition(.chain, .malformedCertificate(.malformed(.certificate, .trailingBytes), certificate: 0)) {
                $0.alterCertificates = { $0[0].append(0) }
            }
        case .attestationTruncated:
            return Definition(.chain, .malformedCertificate(.malformed(.certificate, .unexpectedEnd), certificate: 1)) {
                $0.alterCertificates = { $0[1].removeLast() }
            }
        case .leafExtensionTwice:
            return Definition(.chain, .malformedCertificate(.duplicateExtension(.keyUsage), certificate: 0)) {
                $0.chain.links[0].extensions.append($0.chain.links[0].extensions[0])
            }
        case .leafIssuerOther:
            return Definition(.chain, .wrongOrder(certificate: 0)) { $0.chain.links[0].issuer = AndroidStranger.name }
        case .attestationIssuerOther:
            return Definition(.chain, .wrongOrder(certificate: 1)) { $0.chain.links[1].issuer = AndroidStranger.name }
        case .leafSignatureTampered: return tampered(0)
        case .attestationSignatureTampered: return tampered(1)
        case .leafSignedByStranger:
            return Definition(.chain, .invalidSignature(certificate: 0)) { draft in
                var other = draft.chain
                other.links[1].key = AndroidStranger.p256
                let leaf = other.certificate(0)
                draft.alterCertificates = { $0[0] = leaf }
            }
        case .chainOfStranger:
            return Definition(.chain, .invalidSignature(certificate: last)) { draft in
                var other = draft.chain
                other.links[other.links.count - 1].key = AndroidStranger.p384
                let certificate = other.certificate(draft.last)
                draft.alterCertificates = { $0[$0.count - 2] = certificate }
            }
        case .leafSignedWithSHA1: return algorithm(der(.ecdsaWithSHA1), .unsupportedSignatureAlgorithm(certificate: 0))
        case .leafAlgorithmParameters:
            return algorithm(der(.ecdsaWithSHA256) + derNull, .unsupportedSignatureAlgorithm(certificate: 0))
        case .leafAlgorithmOther:
            return algorithm(der(.sha256WithRSAEncryption) + derNull, .invalidSignature(certificate: 0))
        case .signaturePaddingShortened:
            return Definition(.chain, .invalidSignature(certificate: last), only: .factory) { draft in
                guard case .rsa(var key) = draft.chain.links[last + 1].key else { return }
                key.paddingLength = 8
                draft.chain.links[last + 1].key = .rsa(key)
            }
        case .attestationKeyUnsupported:
            return Definition(.chain, .unsupportedIssuerKey(certificate: 1)) {
                $0.chain.links[1].keyInfo = AndroidStranger.keyOfOtherCurve
            }
        case .intermediateExponentOne:
            return Definition(.chain, .malformedRSAKey(.unsupportedExponent, certificate: last)) {
                $0.chain.links[$0.last].keyInfo = AndroidStranger.keyOfExponentOne
            }
        case .attestationVersion1:
            return Definition(.chain, .notVersion3(certificate: 1)) { $0.chain.links[1].version = [] }
        case .attestationNotAuthority:
            return Definition(.chain, .notCertificationAuthority(certificate: 1), only: .remote) {
                $0.chain.links[1].extensions[0].value = der(.sequence)
            }
        case .attestationKeyUsage:
            return Definition(.chain, .notCertificationAuthority(certificate: 1), only: .remote) {
                $0.chain.links[1].extensions[1].value = [0x03, 0x02, 0x07, 0x80]
            }
        case .intermediateBasicConstraintsMissing:
            return Definition(.chain, .notCertificationAuthority(certificate: 2)) {
                $0.chain.links[2].extensions.remove(at: 0)
            }
        case .pathLengthExceeded:
            return Definition(.chain, .pathLengthExceeded(certificate: last)) {
                $0.chain.links[$0.last].extensions = LinkDraft.extensionsOfAuthority(0)
            }
        case .leafCriticalExtension: return criticalExtension(0)
        case .intermediateCriticalExtension: return criticalExtension(2)

        // MARK: Root
        case .rootLeftOutWithIssuer:
            return Definition(.root, isRemote ? .untrustedRoot : .wrongCertificateCount(2)) {
                $0.alterCertificates = { $0.removeLast(2) }
            }
        case .rootLeftOutByStranger:
            return Definition(.root, .untrustedRoot) {
                $0.leaveRootOut { $0.key = isRemote ? AndroidStranger.p384 : .rsa(.device) }
            }
        case .rootLeftOutIssuerOther:
            return Definition(.root, .untrustedRoot) { $0.leaveRootOut { $0.subject = AndroidStranger.name } }
        case .rootLeftOutNotAuthority:
            return Definition(.chain, .notCertificationAuthority(certificate: last)) {
                $0.chain.links[last].extensions.remove(at: 0)
                $0.leaveRootOut()
            }
        case .rootLeftOutExpired:
            let notAfter = time.adding(-3_600)
            return Definition(
                .dates, .expired(certificate: last, notAfter: notAfter, at: time), only: .remote
            ) {
                $0.chain.links[last].notAfter = notAfter
                $0.leaveRootOut()
            }
        case .rootLeftOutChainExtended:
            let error = isRemote ? KeyAttestationError.wrongCertificateCount(5) : .descriptionInIssuer(certificate: 1)
            return Definition(.descriptionInLeafOnly, error) {
                $0.extendChain()
                $0.leaveRootOut()
            }
        case .rootOther:
            return Definition(.root, .untrustedRoot) {
                $0.chain.links[$0.last + 1].key = AndroidStranger.p384
            }
        case .rootOfSoftware:
            return Definition(.root, .softwareRoot) { draft in
                let root = draft.softwareRoot
                draft.alterCertificates = { $0[$0.count - 1] = root }
            }
        case .softwareChain:
            return Definition(.root, .softwareRoot) { draft in
                let root = draft.softwareRoot
                draft.alterCertificates = { $0 = [$0[0], $0[1], root] }
            }

        // MARK: Descriptions above the leaf
        case .chainExtended:
            let error = isRemote ? KeyAttestationError.wrongCertificateCount(6) : .descriptionInIssuer(certificate: 1)
            return Definition(.descriptionInLeafOnly, error) { $0.extendChain() }
        case .attestationDescribed, .descriptionInAttestation:
            return Definition(.descriptionInLeafOnly, .descriptionInIssuer(certificate: 1)) {
                $0.chain.isDescribed = self == .attestationDescribed
                $0.chain.links[1].extensions.append(ExtensionDraft(.keyDescription, $0.chain.description.encoded))
            }

        // MARK: Dates
        case .attestationExpired: return expired(1, at: time)
        case .intermediateExpired: return expired(2, at: time)
        case .attestationNotYetValid: return notYetValid(1, at: time)
        case .intermediateNotYetValid: return notYetValid(2, at: time)

        // MARK: Revocation
        case .leafRevoked: return Definition(.revocation, .revoked(certificate: 0)) { $0.list(0) }
        case .attestationRevoked: return Definition(.revocation, .revoked(certificate: 1)) { $0.list(1) }
        case .attestationSuspended:
            return Definition(.revocation, .suspended(certificate: 1)) { $0.list(1, as: "SUSPENDED") }
        case .intermediateRevoked: return Definition(.revocation, .revoked(certificate: 2)) { $0.list(2) }
        case .rootRevoked:
            return Definition(.revocation, .revoked(certificate: last + 1)) { $0.list($0.last + 1) }
        case .listTruncated:
            return Definition(.revocationList, .malformedRevocationList(offset: 13)) { $0.revocationList.removeLast() }
        case .listTrailingByte:
            return Definition(.revocationList, .malformedRevocationList(offset: 14)) {
                $0.revocationList += Array("}".utf8)
            }
        case .listWithoutEntries:
            return Definition(.revocationList, .malformedRevocationList(offset: 2)) {
                $0.revocationList = Array("{}".utf8)
            }
        case .listEntryTwice:
            return Definition(.revocationList, .duplicateRevocationEntry(offset: 38)) { $0.list(0, times: 2) }
        case .listStatusUnknown:
            return Definition(.revocationList, .malformedRevocationList(offset: 26)) { $0.list(0, as: "UNKNOWN") }
        default: return descriptionDefinition
        }
    }

    private func tampered(_ position: Int) -> Definition {
        Definition(.chain, .invalidSignature(certificate: position)) { draft in
            draft.alterCertificates = { $0[position][$0[position].count - 1] ^= 1 }
        }
    }

    private func algorithm(_ contents: [UInt8], _ error: KeyAttestationError) -> Definition {
        Definition(.chain, error) { $0.chain.links[0].algorithmIdentifier = der(.sequence, contents) }
    }

    private func criticalExtension(_ position: Int) -> Definition {
        Definition(.chain, .unhandledCriticalExtension(certificate: position)) {
            $0.chain.links[position].extensions.append(AndroidStranger.criticalExtension)
        }
    }

    /// Defines a fault of remotely provisioned keys only, because expired factory certificates are accepted.
    private func expired(_ position: Int, at time: UnixTime) -> Definition {
        let notAfter = time.adding(-3_600)
        return Definition(.dates, .expired(certificate: position, notAfter: notAfter, at: time), only: .remote) {
            $0.chain.links[position].notAfter = notAfter
        }
    }

    private func notYetValid(_ position: Int, at time: UnixTime) -> Definition {
        let notBefore = time.adding(3_600)
        return Definition(.dates, .notYetValid(certificate: position, notBefore: notBefore, at: time)) {
            $0.chain.links[position].notBefore = notBefore
        }
    }
}

extension AndroidCaseDraft {
    /// A root with the key of the software keystore root. Its signature is wrong, but no verifier checks it.
    fileprivate var softwareRoot: [UInt8] {
        var root = chain.links[last + 1]
        root.key = AndroidStranger.p256
        let point = GoogleRoots.software.indices.map { GoogleRoots.software[$0] }
        root.keyInfo = subjectPublicKeyInfo(.secp256r1, point: point)
        return root.encoded(signedBy: root)
    }
}
