public import PureAttest
import PureSHA2

/// A fault in an attestation, a certificate, a receipt or an assertion.
public enum Fault: Hashable, Sendable {
    /// A fault in the encoding of an attestation, or a fault that breaks one of Apple's steps.
    case attestation(AttestationFault)
    /// A fault in an attestation's certificates.
    case certificate(CertificateFault)
    /// A fault in an attestation's receipt.
    case receipt(ReceiptFault)
    /// A fault in an assertion.
    case assertion(AssertionFault)

    /// All faults.
    public static let allCases: [Fault] =
        AttestationFault.allCases.map { .attestation($0) } + CertificateFault.allCases.map { .certificate($0) }
        + ReceiptFault.allCases.map { .receipt($0) } + AssertionFault.allCases.map { .assertion($0) }

    /// The identifier, which never changes: the kind of object and a name, such as `attestation.nonceMismatch`.
    public var id: String {
        switch self {
        case .attestation(let fault): "attestation.\(fault.rawValue)"
        case .certificate(let fault): "certificate.\(fault.rawValue)"
        case .receipt(let fault): "receipt.\(fault.rawValue)"
        case .assertion(let fault): "assertion.\(fault.rawValue)"
        }
    }

    /// The broken rule: a section of a standard, or one of Apple's steps.
    public var rule: String {
        switch self {
        case .attestation(let fault): fault.definition(environment: .production).rule
        case .certificate(let fault): fault.definition(at: Corpus.defaultTime).rule
        case .receipt(let fault): fault.definition(environment: .production, at: Corpus.defaultTime).rule
        case .assertion(let fault): fault.definition(previousCounter: 0).rule
        }
    }

    /// Creates the fault with this ``id``.
    public init?(id: String) {
        guard let fault = Self.allCases.first(where: { $0.id == id }) else { return nil }
        self = fault
    }

    /// Whether a device with this system can create the fault.
    public func applies(to system: DeviceSystem) -> Bool {
        switch self {
        case .attestation(let fault): fault.applies(to: system)
        case .certificate, .receipt: true
        case .assertion(let fault): fault.applies(to: system)
        }
    }
}

/// The verdict that a correct verifier must reach on an object.
public struct CorpusVerdict: Hashable, Sendable {
    /// The fault, or `nil` if the object is valid.
    public let fault: Fault?
    /// The error that PureAttest reports, or `nil` if the object is valid.
    public let error: PureAttestError?

    static let accepted = CorpusVerdict(fault: nil, error: nil)
}

/// One file of a corpus: objects of a virtual device, all inputs for their verification, and the expected verdicts.
public struct CorpusCase: Sendable {
    /// An assertion, and the inputs for verifying it.
    public struct Assertion: Sendable {
        /// The assertion, as a CBOR object.
        public let assertion: [UInt8]
        /// The client data whose hash the device signed.
        public let clientData: [UInt8]
        /// The client data that the server expects.
        public let challenge: [UInt8]
        /// The counter in the server's record.
        public let previousCounter: UInt32
        /// The time of verification.
        public let time: UnixTime
        /// The counter that the assertion would have without the fault.
        public let counter: UInt32
        /// The expected verdict.
        public let verdict: CorpusVerdict
    }

    /// The name of the case, which is unique in a corpus and can be used as a file name.
    public let name: String
    /// The seed of the device and the authority.
    public let seed: UInt64
    /// The app.
    public let app: AppID
    /// The environment of the device and the verifier.
    public let environment: Environment
    /// The device's system.
    public let system: DeviceSystem
    /// The declaration of the app, with the verifier's policies.
    public let acceptedApp: AcceptedApp
    /// The hash of the build that the device sends in signed data, 32 bytes, or `nil` if the device sends no such hash.
    public let codeDirectoryHash: [UInt8]?
    /// The validation category that the device sends, or `nil` if the device sends no category.
    public let validationCategory: ValidationCategory?
    /// The bundle version that the device sends, or `nil` if the device sends no version.
    public let bundleVersion: BundleVersion?
    /// The only root to trust for the attestation, as DER.
    public let attestationRoot: [UInt8]
    /// The only root to trust for the receipt, as DER.
    public let receiptRoot: [UInt8]
    /// The time of the attestation.
    public let time: UnixTime
    /// The start of the leaf's validity period in an attestation without the fault.
    package let leafNotBefore: UnixTime
    /// The end of the leaf's validity period in an attestation without the fault.
    package let leafNotAfter: UnixTime
    /// The encoding of the attestation's receipt.
    package let receiptEncoding: ReceiptEncoding
    /// The key identifier, 32 bytes.
    public let keyID: [UInt8]
    /// The public key: 04 ‖ x ‖ y, 65 bytes.
    public let publicKeyX963: [UInt8]
    /// The client data of the attestation. The client data hash is the SHA-256 hash of these bytes.
    public let challenge: [UInt8]
    /// The attestation, as a CBOR object.
    public let attestation: [UInt8]
    /// The expected verdict on the attestation.
    public let verdict: CorpusVerdict
    /// The expected verdict on the attestation's receipt, if the attestation is accepted.
    public let receiptVerdict: CorpusVerdict
    /// The length of the authenticator data in an assertion without a fault.
    package let assertionDataLength: Int
    /// The assertions by the key, in order. Only the last assertion can have a fault.
    public let assertions: [Assertion]
}

extension CorpusCase {
    package struct Request {
        let clientData: [UInt8]
        let lostAssertions: UInt32

        /// - Parameter lostAssertions: the number of assertions before this request that never reached the server.
        package init(_ clientData: [UInt8], lostAssertions: UInt32 = 0) {
            self.clientData = clientData
            self.lostAssertions = lostAssertions
        }
    }

    /// Creates the objects of a new key on `device`.
    ///
    /// - Parameters:
    ///   - requests: the requests to sign. The array must be empty if `fault` is in the attestation, because the key
    ///     then stays unattested.
    ///   - fault: the fault, or `nil` for valid objects. Only the last request's assertion can have an assertion fault.
    package init(
        name: String, seed: UInt64, device: VirtualDevice, challenge: [UInt8], requests: [Request] = [],
        fault: Fault? = nil
    ) throws(AttestTestingError) {
        self.name = name
        self.seed = seed
        app = device.app
        environment = device.environment
        system = device.system
        acceptedApp =
            if fault == .attestation(.launchInformationForged), !system.attestsLaunchInformation {
                AcceptedApp(device.app, launchPolicy: .only([device.validationCategory]))
            } else {
                device.acceptedApp
            }
        codeDirectoryHash = system.buildForm == .signed ? device.codeDirectoryHash : nil
        validationCategory = system.sendsLaunchInformation ? device.validationCategory : nil
        bundleVersion = system.sendsLaunchInformation ? device.bundleVersion : nil
        attestationRoot = device.authority.attestationRoot
        receiptRoot = device.authority.receiptRoot
        time = device.time
        leafNotBefore = time.adding(-leafBackdating)
        leafNotAfter = leafNotBefore.adding(system.leafLifetime)
        receiptEncoding = device.receiptEncoding

        let keyID = device.generateKey()
        let key = try device.withKey(keyID) { (key, _) throws(AttestTestingError) in key }
        self.keyID = key.id
        publicKeyX963 = key.signingKey.x963
        self.challenge = challenge
        assertionDataLength = device.assertionDraft(of: key, clientDataHash: []).authenticatorData.encoded.count
        let clientDataHash = SHA256.hash(data: challenge)
        var receiptError: PureAttestError?
        switch fault {
        case .attestation(let fault):
            attestation = try device.attestKey(keyID, clientDataHash: clientDataHash, breaking: fault)
            verdict = CorpusVerdict(
                fault: .attestation(fault), error: fault.expectedError(environment: device.environment, at: time))
        case .certificate(let fault):
            attestation = try device.attestKey(keyID, clientDataHash: clientDataHash, breaking: fault)
            verdict = CorpusVerdict(fault: .certificate(fault), error: fault.expectedError(at: time))
        case .receipt(let fault):
            attestation = try device.attestKey(keyID, clientDataHash: clientDataHash, breaking: fault)
            verdict = .accepted
            receiptError = fault.expectedError(environment: device.environment, at: time)
        case .assertion, nil:
            attestation = try device.attestKey(keyID, clientDataHash: clientDataHash)
            verdict = .accepted
        }
        receiptVerdict = receiptError.map { CorpusVerdict(fault: fault, error: $0) } ?? .accepted

        var assertions: [Assertion] = []
        for (index, request) in requests.enumerated() {
            var assertionFault: AssertionFault?
            if index == requests.count - 1, case .assertion(let fault) = fault { assertionFault = fault }
            assertions.append(try Assertion(device, keyID, request, fault: assertionFault))
        }
        self.assertions = assertions
    }
}

extension CorpusCase.Assertion {
    fileprivate init(
        _ device: VirtualDevice, _ keyID: String, _ request: CorpusCase.Request, fault: AssertionFault?
    ) throws(AttestTestingError) {
        challenge = request.clientData
        time = device.time.adding(fault?.presentationDelay ?? 0)
        previousCounter = try device.counter(of: keyID)
        try device.advanceCounter(of: keyID, by: request.lostAssertions)
        counter = try device.counter(of: keyID) + 1
        if let fault {
            clientData = fault.clientData(inPlaceOf: challenge)
            assertion = try device.generateAssertion(
                keyID, clientDataHash: SHA256.hash(data: clientData), breaking: fault)
            verdict = CorpusVerdict(
                fault: .assertion(fault),
                error: fault.expectedError(previousCounter: counter - 1, attestedAt: device.time))
        } else {
            clientData = challenge
            assertion = try device.generateAssertion(keyID, clientDataHash: SHA256.hash(data: clientData))
            verdict = .accepted
        }
    }
}

extension CorpusCase {
    /// Whether the launch policy rejects objects without launch information.
    package var demandsLaunchInformation: Bool {
        system.attestsLaunchInformation || verdict.fault == .attestation(.launchInformationForged)
    }
}
