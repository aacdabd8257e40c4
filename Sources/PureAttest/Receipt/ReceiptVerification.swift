@_spi(Steps) import PureBytes
public import PureDER
import PureECDSA
import PureX509

/// The proof that Apple issued a receipt for this key and app, and that the receipt was neither expired nor too old.
/// Only a successful verification creates such a proof.
public struct VerifiedReceipt: Sendable {
    /// The fields.
    public let payload: ReceiptPayload
    /// The receipt as received, to store and to send with the next risk query.
    public let bytes: ArraySlice<UInt8>

    /// The approximate number of keys that the device has made recently: see ``ReceiptPayload/riskMetric``.
    public var riskMetric: UInt32? { payload.riskMetric }
}

// Apple, "Assessing fraud risk", "Verify the receipt": one function per step.

extension UnverifiedReceipt {
    /// The maximum age of a receipt at its registration, in seconds: five minutes, as Apple requires.
    public static let registrationAge: UInt32 = 300

    /// Verifies that Apple made this receipt for the expected key and app.
    ///
    /// - Parameters:
    ///   - time: the current time. For a stored receipt, pass the time at which it was received, because the signer's
    ///     certificate expires. The signer's chain must be valid at exactly this time, without clock skew.
    ///   - maximumAge: the maximum age in seconds. The verifier adds its clock skew to this age. Pass `nil` for a
    ///     stored receipt, whose age does not matter. The verifier accepts every creation time after `time`, because
    ///     the clocks of server and service may differ.
    public func verify(
        at time: UnixTime, maximumAge: UInt32? = UnverifiedReceipt.registrationAge
    ) throws(PureAttestError) -> VerifiedReceipt {
        var runner = FirstFailure<VerificationReport.Check, PureAttestError>()
        guard let payload = try takeSteps(at: time, maximumAge: maximumAge, by: &runner) else {
            preconditionFailure("every step passed, and one of them read the fields")
        }
        return VerifiedReceipt(payload: payload, bytes: unverifiedBytes)
    }

    /// Runs the verification steps of a receipt, for verdicts and for reports. In a report, a step may have rejected
    /// the returned fields.
    ///
    /// The steps are closures, because Embedded Swift compiles two functions for a reference to a method.
    func takeSteps<Runner: StepRunner<VerificationReport.Check, PureAttestError>>(
        at time: UnixTime, maximumAge: UInt32?, by runner: inout Runner
    ) throws(Runner.Stop) -> ReceiptPayload? {
        let content = try runner.run(.receiptSignature) { () throws(PureAttestError) in try verifySignature(at: time) }
        let payload = try runner.run(.receiptFields) { () throws(PureAttestError) in
            if let content { return try ReceiptPayload(decoding: content) }
            return try ReceiptPayload(decoding: unverifiedContent())
        }
        try runner.run(.receiptApp, on: payload) { (payload) throws(PureAttestError) in try checkAppID(of: payload) }
        try runner.run(.receiptKey, on: payload) { (payload) throws(PureAttestError) in try checkKey(of: payload) }
        try runner.run(.receiptAttestation, on: payload) { (payload) throws(PureAttestError) in
            try checkClientDataHash(of: payload)
        }
        try runner.run(.receiptEnvironment, on: payload) { (payload) throws(PureAttestError) in
            try checkEnvironment(of: payload)
        }
        try runner.run(.receiptAge, on: payload) { (payload) throws(PureAttestError) in
            try checkAge(of: payload, at: time, maximumAge: maximumAge)
        }
        try runner.run(.receiptExpiration, on: payload) { (payload) throws(PureAttestError) in
            try checkExpiration(of: payload, at: time)
        }
        return payload
    }

    /// "Verify that the signature is valid" and "that the certificate chains to the Apple public root certificate".
    /// This root is Apple Root CA - G3, not the attestation's root. Under Apple Root CA - G3, Apple also issues
    /// certificates to other holders, including developers. The extension 1.2.840.113635.100.12.15 identifies receipt
    /// signers. All genuine signers have this extension. Their keyUsage contains only digitalSignature, and they have
    /// no extKeyUsage.
    func verifySignature(at time: UnixTime) throws(PureAttestError) -> ArraySlice<UInt8> {
        let data: SignedData
        let signer: Certificate
        do throws(X509Error) {
            data = try SignedData(berEncoded: unverifiedBytes)
            signer = try data.signer()
            try expected.chainVerifier.verify(signer: signer, among: data.certificates, at: time)
            try data.checkSignature(of: signer)
        } catch .digitalSignatureMissing, .extendedKeyUsageMissing {
            throw .receiptSignerNotAllowed
        } catch { throw .receiptSignature(error) }
        guard signer.isForReceipts else { throw .receiptSignerNotAllowed }
        return data.content
    }

    func unverifiedContent() throws(PureAttestError) -> ArraySlice<UInt8> {
        do { return try SignedData(berEncoded: unverifiedBytes).content } catch { throw .receiptSignature(error) }
    }

    /// "Verify that the receipt contains the App ID of your app in field 2."
    func checkAppID(of payload: ReceiptPayload) throws(PureAttestError) {
        guard payload.appIDUTF8 == expected.app.bytes[...] else { throw .receiptOfOtherApp }
    }

    /// "Verify that the attested public key in the receipt's field 3 matches the key that you verified." The field
    /// contains the key's leaf certificate, whose chain was verified with the attestation.
    func checkKey(of payload: ReceiptPayload) throws(PureAttestError) {
        let certificate: Certificate
        do { certificate = try Certificate(derEncoded: payload.certificate) } catch {
            throw .malformedReceiptCertificate(error)
        }
        guard case .p256(let key) = certificate.publicKey, key == expected.key.publicKey else {
            throw .receiptOfOtherKey
        }
    }

    /// Checks that a receipt from an attestation belongs to that attestation: field 6 is "ATTEST", and field 4 is the
    /// attestation's client data hash. For other receipts, compares neither field, because field 4 is damaged in
    /// answers to risk queries (``ReceiptPayload/clientDataHash``).
    func checkClientDataHash(of payload: ReceiptPayload) throws(PureAttestError) {
        guard let clientDataHash = expected.clientDataHash else { return }
        guard payload.kind == .attestation, payload.clientDataHash == clientDataHash else {
            throw .receiptOfOtherAttestation
        }
    }

    /// Checks field 7 if it is present. Apple does not document this field.
    func checkEnvironment(of payload: ReceiptPayload) throws(PureAttestError) {
        guard let environment = payload.environment else { return }
        guard environment == expected.key.environment else { throw .receiptOfOtherEnvironment(environment) }
    }

    /// "Verify that the creation time in field 12 is no more than five minutes old."
    func checkAge(
        of payload: ReceiptPayload, at time: UnixTime, maximumAge: UInt32?
    ) throws(PureAttestError) {
        guard let maximumAge else { return }
        let latest = payload.creationTime.adding(Int64(maximumAge) + Int64(expected.clockSkew))
        guard time <= latest else { throw .receiptTooOld(created: payload.creationTime, at: time) }
    }

    /// Checks field 21: the receipt has not expired.
    func checkExpiration(of payload: ReceiptPayload, at time: UnixTime) throws(PureAttestError) {
        guard time <= payload.expirationTime.adding(Int64(expected.clockSkew)) else {
            throw .receiptExpired(expirationTime: payload.expirationTime, at: time)
        }
    }
}
