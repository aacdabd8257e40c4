import PureDER
import PureBytes
import PureSHA2
import PureX509

// Findings about failed steps of attestations, and about failed steps that attestations and assertions share.

extension AppAttestVerifier {
    static func objectFinding(_ bytes: ArraySlice<UInt8>, isAttestation: Bool) -> VerificationReport.Finding {
        var causes: [VerificationReport.Cause] = []
        if bytes.isEmpty { causes.append(.init(.noBytes)) }
        let text = bytes.filter { $0 > 0x20 }
        if !text.isEmpty, (try? Base64.decode(text)) ?? (try? Base64.decode(text, as: .urlSafeUnpadded)) != nil {
            causes.append(.init(.objectIsBase64))
        }
        if isAttestation {
            if (try? AssertionObject(decoding: bytes)) != nil { causes.append(.init(.objectIsAssertion)) }
        } else {
            if (try? AttestationObject(decoding: bytes)) != nil { causes.append(.init(.objectIsAttestation)) }
        }
        return .init(received: .init(.size, .number(Int64(bytes.count))), causes: causes)
    }

    func chainFinding(
        _ error: PureAttestError, _ certificates: [Certificate?], at time: UnixTime
    ) -> VerificationReport.Finding {
        guard case let leaf?? = certificates.first else { return .init() }
        let validity = VerificationReport.Value(.leafValidity, [.time(leaf.notBefore), .time(leaf.notAfter)])
        let cause: VerificationReport.Cause
        switch error {
        case .certificate(.expired(certificate: 0, let notAfter, let time)):
            cause = .init(.leafExpired, .duration(from: notAfter, to: time))
        case .certificate(.notYetValid(certificate: 0, let notBefore, let time)):
            cause = .init(.leafNotYetValid, .duration(from: time, to: notBefore))
        case .certificate(.issuerNotFound(let index)): return issuerFinding(certificates, index)
        case .certificate(.invalidSignature):
            return .init(because: .signedByOthers)
        default: return .init()
        }
        return .init(expected: .init(.validAt, .time(time)), received: validity, causes: [cause])
    }

    /// Returns the expected issuer and the actual issuer, without validity dates.
    private func issuerFinding(_ certificates: [Certificate?], _ index: Int) -> VerificationReport.Finding {
        guard certificates.indices.contains(index), let certificate = certificates[index] else { return .init() }
        let received = VerificationReport.Value(.issuedBy, .commonName(of: certificate.issuer))
        guard index == 0 else {
            var anchors: [VerificationReport.Parameter] = []
            for anchor in chainVerifier.trustAnchors { anchors.append(.commonName(of: anchor.name)) }
            return .init(
                expected: .init(.issuedBy, .anyOf(anchors, more: 0)), received: received, because: .otherRoot)
        }
        return .init(
            expected: certificates.dropFirst().first.flatMap { $0 }.map {
                .init(.issuedBy, .commonName(of: $0.subject))
            }, received: received, because: .mixedChains)
    }

    static func causeOfMissingInformation(
        _ data: AuthenticatorData?, of system: SystemInformation?
    ) -> VerificationReport.Cause {
        guard data?.unverifiedLaunchInformation != nil else {
            return .init(.noLaunchInformation)
        }
        // Systems before version 27 send no launch information.
        if let version = system?.version, version < SystemVersion(27) {
            return .init(.launchInformationForged, .version(version))
        }
        return .init(.launchInformationUnsigned)
    }

    static func nonceFinding(
        _ nonce: SHA256Digest, leaf: Certificate, data: AuthenticatorData?, clientData: AttestedClientData
    ) -> VerificationReport.Finding {
        guard let value = leaf.extension(.nonce)?.value,
            let certified = try? LeafExtensions.octets(in: value, tag: 1)
        else { return .init(expected: .hash(nonce), received: .init(.noNonce)) }
        let guesses =
            switch clientData {
            case .challenge(let challenge): HashGuesses.ofData(challenge, named: .challenge)
            case .hash(let hash): HashGuesses.ofHash(hash)
            }
        var causes = guesses.filter { guess in
            data.map { certified.elementsEqual($0.nonce(clientDataHash: guess.hash)) } ?? false
        }.map { $0.cause }
        if causes.isEmpty {
            causes = .of(.otherChallengeAttested)
        }
        return .init(expected: .hash(nonce), received: .hash(certified), causes: causes)
    }

    static func keyIDFinding(_ keyID: ArraySlice<UInt8>, leaf: Certificate) -> VerificationReport.Finding {
        guard case .p256(let key) = leaf.publicKey else { return .init(because: .leafKeyNotP256) }
        let genuine = HashGuesses.digest(key.x963Representation)
        let cause: VerificationReport.CauseCode
        if Base64.encode(genuine).elementsEqual(keyID) || Base64.encode(genuine, as: .urlSafe).elementsEqual(keyID)
            || Base64.encode(genuine, as: .urlSafeUnpadded).elementsEqual(keyID)
        {
            cause = .keyIDAsBase64
        } else if Hex.encode(genuine).elementsEqual(keyID) {
            cause = .keyIDAsHex
        } else if HashGuesses.digest(leaf.subjectPublicKeyInfo).elementsEqual(keyID) {
            cause = .keyIDOfPublicKeyInfo
        } else if HashGuesses.digest(key.rawRepresentation).elementsEqual(keyID) {
            cause = .keyIDWithoutFormat
        } else {
            cause = .otherKeyNamed
        }
        return .init(expected: .hash(genuine), received: .hash(keyID), because: cause)
    }

    func appFinding(_ data: AuthenticatorData, leaf: Certificate?) -> VerificationReport.Finding {
        var finding = VerificationReport.Finding(
            expected: apps.isEmpty
                ? .init(.noApp) : .plain(.anyOf(apps.map { .text(from: $0.bytes) }, more: 0)),
            received: .init(.hashedAppID, .hash(of: data.rpIDHash)), causes: [])
        // The hash of the plain-text App ID in the leaf shows whether the authenticator data are for the same app.
        guard let named = leaf.flatMap(LeafExtensions.appID), SHA256.hash(data: named).elementsEqual(data.rpIDHash)
        else {
            finding.causes = .of(.otherAppID)
            return finding
        }
        finding.received = .text(named)
        let dot = UInt8(ascii: ".")
        for app in apps {
            let (prefix, bundle) = (app.bytes.prefix { $0 != dot }, app.bytes.drop { $0 != dot })
            let (namedPrefix, namedBundle) = (named.prefix { $0 != dot }, named.drop { $0 != dot })
            let cause: VerificationReport.CauseCode
            if bundle == namedBundle {
                cause = .otherPrefix
            } else if named[...] == bundle.dropFirst() {
                cause = .noPrefix
            } else if prefix == namedPrefix {
                cause = namedBundle.starts(with: bundle + [dot]) ? .appExtension : .otherAppOfTeam
            } else {
                continue
            }
            if !finding.causes.contains(where: { $0.code == cause }) { finding.causes.append(.init(cause)) }
        }
        if finding.causes.isEmpty { finding.causes = .of(.otherTeam) }
        return finding
    }

    static func platformFinding(_ platform: SystemPlatform?) -> VerificationReport.Finding {
        let isMac = platform?.appPlatform == .macOS
        return .init(
            expected: .init(isMac ? .keyOfDevice : .keyOfMac), received: platform.map { .text($0.ascii) },
            because: isMac ? .keyOfMac : .keyOfDevice)
    }

    func environmentFinding(_ error: PureAttestError) -> VerificationReport.Finding {
        guard case .environmentMismatch(let found) = error else {
            return .init(expected: .environment(environment), received: .init(.unknownEnvironment))
        }
        return .init(
            expected: .environment(environment), received: .environment(found),
            because: found == .development ? .developmentBuild : .distributionBuild)
    }
}
