import PureAttestTesting
public import PureDER
import PureKeyAttestation

/// Chains and signatures to test any server with: what it must accept, and every fault, one a case.
public struct AndroidCorpus: Sendable {
    /// The time of every case if none is given: 2026-09-15T12:00:00Z.
    public static let defaultTime = UnixTime(secondsSince1970: 1_789_473_600)

    /// Where the keys come from.
    public let seed: UInt64
    /// When the keys are made and verified.
    public let time: UnixTime
    private let authority: TestAndroidAuthority

    /// A corpus. The same seed and time give the same bytes.
    public init(seed: UInt64, time: UnixTime = AndroidCorpus.defaultTime) {
        (self.seed, self.time) = (seed, time)
        authority = TestAndroidAuthority(seed: seed)
    }

    /// Every case: the accepted ones first.
    public var cases: [AndroidCase] { acceptedCases + AndroidFault.allCases.map { faultyCase($0) } }

    /// What a key is, and where it is kept.
    typealias Kind = (provisioning: Provisioning, level: SecurityLevel, key: VirtualAndroidDevice.KeyKind)

    /// Every kind of key on every kind of device.
    static let acceptedKinds: [Kind] = [Provisioning.remote, .factory].flatMap { provisioning in
        [SecurityLevel.trustedEnvironment, .strongBox].flatMap { level in
            VirtualAndroidDevice.KeyKind.allCases.map { (provisioning, level, $0) }
        }
    }

    /// A key of every kind, on devices of every kind; and a chain of each provisioning without its root.
    public var acceptedCases: [AndroidCase] {
        Self.acceptedKinds.map { acceptedCase($0) } + Self.kindsWithoutRoot.map { caseWithoutRoot($0) }
    }

    static let kindsWithoutRoot: [Kind] = [
        (.remote, .trustedEnvironment, .p256), (.factory, .trustedEnvironment, .p256),
    ]

    func caseWithoutRoot(_ kind: Kind) -> AndroidCase {
        makeCase(
            "accepted.\(kind.provisioning).\(kind.level).\(kind.key).withoutRoot", kind, isWithoutRoot: true, fault: nil
        )
    }

    func acceptedCase(_ kind: Kind) -> AndroidCase {
        makeCase("accepted.\(kind.provisioning).\(kind.level).\(kind.key)", kind, fault: nil)
    }

    /// The case of one fault: of a remotely provisioned key, unless only those of the factory can have it.
    public func faultyCase(_ fault: AndroidFault) -> AndroidCase {
        let provisioning: Provisioning = fault.applies(to: .remote) ? .remote : .factory
        return makeCase(fault.id, (provisioning, .trustedEnvironment, .p256), fault: fault)
    }

    private func makeCase(_ name: String, _ kind: Kind, isWithoutRoot: Bool = false, fault: AndroidFault?)
        -> AndroidCase
    {
        let app = AndroidApp(
            packageName: KeyDescriptionDraft.package, signingDigests: [KeyDescriptionDraft.digest])
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
