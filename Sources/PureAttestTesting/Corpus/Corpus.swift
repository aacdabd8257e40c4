public import PureAttest

/// A corpus of objects with which any server can be tested: valid cases, and one case per fault.
public struct Corpus: Sendable {
    /// The default time of all attestations: 2026-09-15T12:00:00Z.
    public static let defaultTime = UnixTime(secondsSince1970: 1_789_473_600)

    private let seed: UInt64
    /// The time of the attestations.
    private let time: UnixTime
    private let authority: TestCertificateAuthority

    /// Creates a corpus. The same seed and time always produce the same bytes.
    public init(seed: UInt64, time: UnixTime = Corpus.defaultTime) {
        self.seed = seed
        self.time = time
        authority = TestCertificateAuthority(seed: seed)
    }

    /// All cases, beginning with the valid cases.
    public var cases: [CorpusCase] {
        acceptedCases + Fault.allCases.map { faultyCase($0) }
    }

    /// The valid cases, one per system and environment. Each has three assertions, with counters 1, 2 and 7.
    public var acceptedCases: [CorpusCase] {
        DeviceSystem.allCases.flatMap { system in
            [Environment.production, .development].map { environment in
                // Each receipt encoding occurs in half of the cases.
                let encoding: ReceiptEncoding = environment == .production ? .indefiniteLength : .definiteLength
                return makeCase("accepted.\(system.rawValue).\(environment)", system, environment, encoding, fault: nil)
            }
        }
    }

    /// Returns the case for a fault.
    public func faultyCase(_ fault: Fault) -> CorpusCase {
        let system: DeviceSystem = fault.applies(to: .iOS27ExtensionFlag) ? .iOS27ExtensionFlag : .macOS27
        return makeCase(fault.id, system, .production, .indefiniteLength, fault: fault)
    }

    private static let codeDirectoryHash = (0..<32).map { UInt8($0) }
    private static let appID = "TEST123456.com.example.app"

    private func makeCase(
        _ name: String, _ system: DeviceSystem, _ environment: Environment, _ encoding: ReceiptEncoding, fault: Fault?
    ) -> CorpusCase {
        let app = AppID(bytes: Self.appID.utf8, platform: system.appPlatform)
        let device = VirtualDevice(
            app: app, environment: environment, system: system, authority: authority, seed: seed, time: time,
            codeDirectoryHash: Self.codeDirectoryHash, receiptEncoding: encoding)
        var random = TestRandom(seed: seed, purpose: "challenges")
        let challenge = random.next(32)
        let requests: [CorpusCase.Request] =
            switch fault {
            case nil:
                [.init(random.next(32)), .init(random.next(32)), .init(random.next(32), lostAssertions: 4)]
            case .assertion: [.init(random.next(32)), .init(random.next(32))]
            case .attestation, .certificate, .receipt: []
            }
        do {
            return try CorpusCase(
                name: name, seed: seed, device: device, challenge: challenge, requests: requests, fault: fault)
        } catch {
            preconditionFailure("the corpus asks a device for what it can't do: \(error)")
        }
    }
}
