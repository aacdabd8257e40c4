import PureAttestTesting
public import PureDER
import PureKeyAttestation

/// A corpus of chains and signatures for testing any server: valid cases, and one case per fault.
public struct AndroidCorpus: Sendable {
    /// The default time of every case: 2026-09-15T12:00:00Z.
    public static let defaultTime = UnixTime(secondsSince1970: 1_789_473_600)

    private let seed: UInt64
    /// The time of key generation and verification.
    private let time: UnixTime
    private let authority: TestAndroidAuthority

    /// Creates a corpus. The same seed and time always produce the same bytes.
    public init(seed: UInt64, time: UnixTime = AndroidCorpus.defaultTime) {
        (self.seed, self.time) = (seed, time)
        authority = TestAndroidAuthority(seed: seed)
    }

    /// All cases, starting with the valid cases.
    public var cases: [AndroidCase] { acceptedCases + AndroidFault.allCases.map { faultyCase($0) } }

    typealias Kind = (provisioning: Provisioning, level: SecurityLevel, key: VirtualAndroidDevice.KeyKind)

    static let acceptedKinds: [Kind] = [Provisioning.remote, .factory].flatMap { provisioning in
        [SecurityLevel.trustedEnvironment, .strongBox].flatMap { level in
            VirtualAndroidDevice.KeyKind.allCases.map { (provisioning, level, $0) }
        }
    }

    /// The valid cases: every kind of key on every kind of device, and for each kind of provisioning one chain without
    /// the root.
    public var acceptedCases: [AndroidCase] {
        Self.acceptedKinds.map { acceptedCase($0) }
            + Self.kindsWithoutRoot.map { acceptedCase($0, isWithoutRoot: true) }
    }

    static let kindsWithoutRoot: [Kind] = [
        (.remote, .trustedEnvironment, .p256), (.factory, .trustedEnvironment, .p256),
    ]

    func acceptedCase(_ kind: Kind, isWithoutRoot: Bool = false) -> AndroidCase {
        let name = "accepted.\(kind.provisioning).\(kind.level).\(kind.key)" + (isWithoutRoot ? ".withoutRoot" : "")
        return makeCase(name, kind, isWithoutRoot: isWithoutRoot)
    }

    /// Returns the case for a fault, with remote provisioning unless the fault applies only to factory keys.
    public func faultyCase(_ fault: AndroidFault) -> AndroidCase {
        let provisioning: Provisioning = fault.applies(to: .remote) ? .remote : .factory
        return makeCase(fault.id, (provisioning, .trustedEnvironment, .p256), fault: fault)
    }

    private func makeCase(
        _ name: String, _ kind: Kind, isWithoutRoot: Bool = false, fault: AndroidFault? = nil
    ) -> AndroidCase {
        let app = AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [KeyDescriptionDraft.digest])
        let device = VirtualAndroidDevice(
            app: app, authority: authority, provisioning: kind.provisioning, securityLevel: kind.level,
            seed: seed, time: time)
        var random = TestRandom(seed: seed, purpose: "challenges")
        do {
            return try device.makeCase(
                name, kind.key, challenge: random.next(32), requestChallenge: random.next(32),
                isWithoutRoot: isWithoutRoot,
                breaking: fault)
        } catch {
            preconditionFailure("the corpus asks a device for what it can't do: \(error)")
        }
    }
}
