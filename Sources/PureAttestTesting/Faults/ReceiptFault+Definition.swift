public import PureAttest
import PureDER
import PureECDSA
import PureX509

extension ReceiptFault {
    typealias Definition = FaultDefinition<ReceiptDraft>

    /// Defines faults in the CMS object and its certificates. `environment` and `time` describe the attestation.
    func definition(environment: Environment, at time: UnixTime) -> Definition {
        switch self {
        // MARK: CMS
        case .objectTruncated:
            cms("X.690 §8.1.3", .malformed(.signedData, .unexpectedEnd)) { $0.alterObject = { $0.removeLast() } }
        case .objectTrailingByte:
            cms("X.690 §8.1.1", .malformed(.signedData, .trailingBytes)) { $0.alterObject = { $0.append(0) } }
        case .objectDeepNesting:
            cms("Recursion is bounded", .malformed(.signedData, .tooDeep)) {
                $0.alterObject = { object in
                    object = (0..<1_000).reduce(into: object) { object, _ in object = der(.sequence, object) }
                }
            }
        case .contentTypeOther:
            cms("RFC 5652 §3", .unsupportedContentType) { $0.contentType = .envelopedData }
        case .contentMissing:
            cms("RFC 5652 §5.2", .contentMissing) { $0.hasContent = false }
        case .contentTampered:
            cms("RFC 5652 §5.6", .invalidContentSignature) { $0.replacePayload = { $0[$0.count - 2] ^= 0x01 } }
        case .certificatesMissing:
            cms("RFC 5652 §5.1", .signerCertificateMissing) { $0.certificates = [] }
        case .signerMissing:
            cms("Genuine receipts have one signer", .wrongSignerCount) { $0.signerCount = 0 }
        case .signerTwice:
            cms("Genuine receipts have one signer", .wrongSignerCount) { $0.signerCount = 2 }
        case .signerNotNamed:
            cms("RFC 5652 §5.3", .signerCertificateMissing) {
                $0.signerIdentifier = ReceiptIssuer.intermediateName + der(1)
            }
        case .signerByPosition:
            cms("RFC 5652 §5.3", .invalidContentSignature) {
                $0.certificates.insert(Self.strangersCertificate($0), at: 0)
                $0.key = Stranger.p256
            }
        case .signerVersion:
            cms("RFC 5652 §5.3", .unsupportedSignedDataVersion) { $0.signerVersion = 3 }
        case .digestMismatch:
            cms("RFC 5754 §3.3", .digestAlgorithmMismatch) { $0.digestAlgorithm = .sha384 }
        case .signedAttributes:
            cms("Genuine receipts have no signed attributes", .signedAttributesPresent) {
                $0.hasSignedAttributes = true
            }
        case .signatureTampered:
            cms("RFC 5652 §5.6", .invalidContentSignature) { $0.alterSignature = { $0.s[31] ^= 0x01 } }
        case .signedByStranger:
            cms("RFC 5652 §5.6", .invalidContentSignature) { $0.key = Stranger.p256 }

        // MARK: Certificates
        case .signerExpired:
            cms("RFC 5280 §6.1.3 (a)(2)", .expired(certificate: 0, notAfter: time.adding(-86_400), at: time)) {
                var signer = $0.issuer.signer
                signer.notAfter = der(time.adding(-86_400))
                $0.certificates[0] = signer.encoded(signedBy: $0.issuer.intermediateKey)
            }
        case .signerNotForReceipts:
            Definition(.receiptSignerNotAllowed, "The signer's certificate is for receipts") {
                var signer = $0.issuer.signer
                signer.remove(.receiptSigning)
                $0.certificates[0] = signer.encoded(signedBy: $0.issuer.intermediateKey)
            }
        case .attestationRoot:
            cms("Apple, receipts: the root is Apple Root CA - G3", .issuerNotFound(certificate: 1)) {
                guard let authority = $0.attestationAuthority else { return }
                var signer = $0.issuer.signer
                signer.issuer = TestCertificateAuthority.intermediateName
                $0.certificates = [
                    signer.encoded(signedBy: authority.intermediateKey), authority.attestationIntermediate,
                ]
                $0.signerIdentifier = TestCertificateAuthority.intermediateName + signer.serialNumber
            }
        case .issuerSameName:
            cms("RFC 5280 §6.1.3 (a)(1)", .invalidSignature(certificate: 0)) {
                $0.certificates[0] = $0.issuer.signer.encoded(signedBy: .p256(Stranger.p256))
            }
        default: payloadDefinition(environment: environment, at: time)
        }
    }

    private func cms(
        _ rule: String, _ error: X509Error, _ apply: @escaping (inout ReceiptDraft) -> Void
    ) -> Definition {
        Definition(.receiptSignature(error), rule, apply)
    }

    /// Apart from the key and the serial number, the certificate equals the signer's certificate.
    private static func strangersCertificate(_ draft: ReceiptDraft) -> [UInt8] {
        var certificate = draft.issuer.signer
        certificate.serialNumber = der(2)
        certificate.subjectPublicKeyInfo = IssuerSigningKey.p256(Stranger.p256).subjectPublicKeyInfo
        return certificate.encoded(signedBy: draft.issuer.intermediateKey)
    }

    /// Defines faults in the payload (Apple, "Assessing fraud risk").
    private func payloadDefinition(environment: Environment, at time: UnixTime) -> Definition {
        switch self {
        case .payloadNotSet:
            field("receipt payload", .malformedReceipt(.unexpectedTag(expected: .set, found: .sequence))) {
                $0.alterPayload = { $0[0] = 0x30 }
            }
        case .fieldTwice:
            field("receipt payload", .duplicateReceiptField(2)) { $0.fields.append($0.fields[0]) }
        case .appIDMissing: missing(FieldType.appID)
        case .appIDMismatch:
            field("receipt field 2", .receiptOfOtherApp) {
                $0.set(FieldType.appID, Array("TEST123456.com.example.other".utf8))
            }
        case .certificateMissing: missing(FieldType.certificate)
        case .certificateMalformed:
            field("receipt field 3", .malformedReceiptCertificate(.malformed(.certificate, .unexpectedEnd))) {
                $0.set(FieldType.certificate, [0x30])
            }
        case .keyMismatch:
            field("receipt field 3", .receiptOfOtherKey) {
                $0.set(FieldType.certificate, Self.strangersCertificate($0))
            }
        case .clientHashMissing: missing(FieldType.clientHash)
        case .clientHashMismatch:
            field("receipt field 4", .receiptOfOtherAttestation) {
                $0.set(FieldType.clientHash, [UInt8](repeating: 0, count: 32))
            }
        case .typeMissing: missing(FieldType.receiptType)
        case .typeUnknown:
            field("receipt field 6", .malformedReceiptField(6)) { $0.set(FieldType.receiptType, Array("OTHER".utf8)) }
        case .typeOfAnswer:
            field("receipt field 6", .receiptOfOtherAttestation) {
                $0.set(FieldType.receiptType, Array("RECEIPT".utf8))
            }
        case .environmentMismatch:
            field("receipt field 7", .receiptOfOtherEnvironment(environment.other)) {
                $0.set(FieldType.environment, Array(environment.other.receiptName.utf8))
            }
        case .creationTimeMissing: missing(FieldType.creationTime)
        case .creationTimeMalformed:
            field("receipt field 12", .malformedReceiptField(12)) {
                $0.set(FieldType.creationTime, Array("yesterday".utf8))
            }
        case .tooOld:
            field("receipt field 12", .receiptTooOld(created: time.adding(-600), at: time)) {
                $0.set(FieldType.creationTime, receiptTime(time.adding(-600)))
            }
        case .riskMetricMalformed:
            field("receipt field 17", .malformedReceiptField(17)) {
                $0.fields.append(.init(type: FieldType.riskMetric, value: Array("-1".utf8)))
            }
        case .expirationTimeMissing: missing(FieldType.expirationTime)
        case .expired:
            field("receipt field 21", .receiptExpired(expirationTime: time.adding(-60), at: time)) {
                $0.set(FieldType.expirationTime, receiptTime(time.adding(-60)))
            }
        default: preconditionFailure("\(self) has no definition")
        }
    }

    private func field(
        _ rule: String, _ error: PureAttestError, _ apply: @escaping (inout ReceiptDraft) -> Void
    ) -> Definition {
        Definition(error, "Apple, \(rule)", apply)
    }

    private func missing(_ type: UInt32) -> Definition {
        field("receipt field \(type)", .receiptFieldMissing(Int64(type))) { $0.fields.removeAll { $0.type == type } }
    }
}

// MARK: - The list for servers

extension ReceiptFault {
    /// Returns the error that a correct verifier reports for the receipt. The same verifier accepts the attestation.
    ///
    /// - Parameters:
    ///   - environment: the environment of the device and the verifier.
    ///   - time: the time of the attestation and the verification.
    public func expectedError(environment: Environment = .production, at time: UnixTime) -> PureAttestError {
        definition(environment: environment, at: time).error
    }
}
