@_spi(Steps) import PureBytes
public import PureDER
import PureX509

extension AppAttestVerifier {
    /// Explains the result of ``verifyAttestation(_:keyID:challenge:at:)``, including failures after the first.
    public func explainAttestation(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>, challenge: some Collection<UInt8>,
        at time: UnixTime
    ) -> VerificationReport {
        explain(
            ReceivedAttestation(
                object: ArraySlice(attestation), keyID: ArraySlice(keyID),
                clientData: .challenge(ArraySlice(challenge)), time: time))
    }

    /// Explains the result of ``verifyAttestation(_:keyID:clientDataHash:at:)``.
    public func explainAttestation(
        _ attestation: some Collection<UInt8>, keyID: some Collection<UInt8>,
        clientDataHash: some Collection<UInt8>, at time: UnixTime
    ) -> VerificationReport {
        explain(
            ReceivedAttestation(
                object: ArraySlice(attestation), keyID: ArraySlice(keyID),
                clientData: .hash(ArraySlice(clientDataHash)), time: time))
    }

    private func explain(_ received: ReceivedAttestation) -> VerificationReport {
        var outcomes = EveryOutcome<VerificationReport.Check, PureAttestError>()
        let found = takeSteps(of: received, by: &outcomes)
        return VerificationReport(
            on: .attestation, trusting: authority, outcomes,
            isAsked: { $0.isAsked(of: found.app, launched: found.launched) },
            finding: { finding(of: $0, $1, declaration: $2, received, found) })
    }

    /// Returns the details of a failed check. `declaration` is the index of the declaration that rejected the object,
    /// in `found.app.all` or `found.launched.all`.
    private func finding(
        of check: VerificationReport.Check, _ error: PureAttestError, declaration: Int,
        _ received: ReceivedAttestation, _ found: AttestationEvidence
    ) -> VerificationReport.Finding {
        let (data, system) = (found.authenticatorData, found.system?.information)
        switch check {
        case .attestationObject: return Self.objectFinding(received.object, isAttestation: true)
        case .certificateChain:
            let certificates = found.object?.certificates.map { try? Certificate(derEncoded: $0) }
            return chainFinding(error, certificates ?? [], at: received.time)
        case .certifiedNonce:
            guard let nonce = found.nonce, let leaf = found.leaf else { return .init() }
            return Self.nonceFinding(nonce, leaf: leaf, data: data, clientData: received.clientData)
        case .keyID: return found.leaf.map { Self.keyIDFinding(received.keyID, leaf: $0) } ?? .init()
        case .acceptedApp:
            if case .platformNotAllowed = error { return Self.platformFinding(system?.platform) }
            return data.map { appFinding($0, leaf: found.leaf) } ?? .init()
        case .systemPolicy:
            guard let system, let app = found.app?.all[declaration] else { return .init() }
            return app.systemFinding(error, system)
        case .attestationAge:
            guard case .attestationTooOld(let made, _) = error else { return .init() }
            return .init(received: .init(.madeAt, .time(made)), because: .attestationReplayed)
        case .counterIsZero: return .init(expected: .number(0), received: data.map { .number($0.counter) })
        case .environment: return environmentFinding(error)
        case .credential:
            return .init(expected: .hash(received.keyID), received: .hash(data?.credential?.id ?? []))
        case .accessControlList: return .init(because: .reducedSecurity, .notMacApp)
        case .validationCategory, .bundleVersion, .build:
            guard let app = found.launched?.all[declaration] else { return .init() }
            return app.launchFinding(
                error, data, of: system, unsignedBuild: found.object?.unverifiedCodeDirectoryHash)
        default: return .init()
        }
    }
}
