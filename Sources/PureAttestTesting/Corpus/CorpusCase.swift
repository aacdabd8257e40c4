public import PureAttest
import PureSHA2

/// A faulty object's fault, whatever kind of object it is.
public enum Fault: Hashable, Sendable {
    /// Of an attestation's encoding, or against one of Apple's steps.
    case attestation(AttestationFault)
    /// Of an attestation's certificates.
    case certificate(CertificateFault)
    /// Of the receipt in an attestation.
    case receipt(ReceiptFault)
    /// Of an assertion.
    case assertion(AssertionFault)

    /// Every fault there is.
    public static let allCases: [Fault] =
        AttestationFault.allCases.map { .attestation($0) } + CertificateFault.allCases.map { .certificate($0) }
        + ReceiptFault.allCases.map { .receipt($0) } + AssertionFault.allCases.map { .assertion($0) }

    /// The kind of object and the fault's identifier, such as `attestation.nonceMismatch`. It does not change between versions.
    public var id: String {
        switch self {
        case .attestation(let fault): "attestation.\(fault.rawValue)"
        case .certificate(let fault): "certificate.\(fault.rawValue)"
        case .receipt(let fault): "receipt.\(fault.rawValue)"
        case .assertion(let fault): "assertion.\(fault.rawValue)"
        }
    }

    /// The rule that is broken: a section of a standard, or Apple's step.
    public var rule: String {
        switch self {
        case .attestation(let fault): fault.rule
        case .certificate(let fault): fault.rule
        case .receipt(let fault): fault.rule
        case .assertion(let fault): fault.rule
        }
    }

    /// The fault of that ``id``.
    public init?(id: String) {
        guard let fault = Self.allCases.first(where: { $0.id == id }) else { return nil }
        self = fault
    }

    /// Whether the fault can be made by a device with this system.
    public func applies(to system: DeviceSystem) -> Bool {
        switch self {
        case .attestation(let fault): fault.applies(to: system)
        case .certificate, .receipt: true
        case .assertion(let fault): fault.applies(to: system)
        }
    }
}

/// What a correct verifier says to one object.
public struct CorpusVerdict: Hashable, Sendable {
    /// The fault; `nil` if the object is accepted.
    public let fault: Fault?
    /// The error that PureAttest reports; `nil` if the object is accepted.
    public let error: PureAttestError?

    static let accepted = CorpusVerdict(fault: nil, error: nil)
}

/// Objects of one virtual device with everything that verifies them, and what that must find: one file of a corpus.
public struct CorpusCase: Sendable {
    /// An assertion.
    public struct Assertion: Sendable {
        /// The CBOR object.
        public let assertion: [UInt8]
        /// What was hashed.
        public let clientData: [UInt8]
        /// What the server expects the client data to be.
        public let challenge: [UInt8]
        /// The counter that the server has stored.
        public let previousCounter: UInt32
        /// When the server verifies it.
        public let time: UnixTime
        /// The counter in the assertion, if it has no fault.
        public let counter: UInt32
        /// What a correct verifier says.
        public let verdict: CorpusVerdict
    }

    /// Unique in a corpus; good as a file's name.
    public let name: String
    /// The seed of device and authority.
    public let seed: UInt64
    /// The app.
    public let app: AppID
    /// The environment of device and verifier.
    public let environment: Environment
    /// The device's system.
    public let system: DeviceSystem
    /// The app with the policies of the verifier.
    public let acceptedApp: AcceptedApp
    /// The build that the device sends, 32 bytes; `nil` if it sends none among what is signed.
    public let codeDirectoryHash: [UInt8]?
    /// The category that the device sends; `nil` if it sends none.
    public let validationCategory: ValidationCategory?
    /// The version that the device sends; `nil` if it sends none.
    public let bundleVersion: BundleVersion?
    /// The DER of the only root to trust for the attestation.
    public let attestationRoot: [UInt8]
    /// The DER of the only root to trust for the receipt.
    public let receiptRoot: [UInt8]
    /// The time of the attestation.
    public let time: UnixTime
    /// The leaf's validity, if it has no fault.
    public let leafNotBefore: UnixTime
    /// The leaf's validity, if it has no fault.
    public let leafNotAfter: UnixTime
    /// How the receipt in the attestation is encoded.
    public let receiptEncoding: ReceiptEncoding
    /// The key identifier, 32 bytes.
    public let keyID: [UInt8]
    /// The public key: 04 ‖ x ‖ y, 65 bytes.
    public let publicKeyX963: [UInt8]
    /// What the client data hash is the SHA-256 of.
    public let challenge: [UInt8]
    /// The CBOR object.
    public let attestation: [UInt8]
    /// What a correct verifier says to the attestation.
    public let verdict: CorpusVerdict
    /// What a correct verifier says to the receipt in the attestation, if the attestation is accepted.
    public let receiptVerdict: CorpusVerdict
    /// The length of an assertion's authenticator data, without a fault.
    public let assertionDataLength: Int
    /// Assertions of the key, in order. Only the last one can have a fault.
    public let assertions: [Assertion]
}

extension CorpusCase {
    /// What a client asks the device to sign.
    package struct Request {
        let clientData: [UInt8]
        let lostAssertions: UInt32

        /// - Parameter lostAssertions: how many assertions the device made before, that never arrived.
        package init(_ clientData: [UInt8], lostAssertions: UInt32 = 0) {
            self.clientData = clientData
            self.lostAssertions = lostAssertions
        }
    }

    /// The objects of a new key of `device`.
    ///
    /// - Parameters:
    ///   - requests: none if `fault` is one of attestations, whose key is never attested.
    ///   - fault: if it is one of assertions, that of the last request.
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
    /// Whether the launch policy refuses silence.
    package var demandsLaunchInformation: Bool {
        system.attestsLaunchInformation || verdict.fault == .attestation(.launchInformationForged)
    }
}
