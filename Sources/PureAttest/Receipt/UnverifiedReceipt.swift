import PureX509

/// A receipt before its verification, with the values that the receipt must match.
///
/// A receipt comes from an attestation (``VerifiedAttestation/unverifiedReceipt``), from Apple's answer, or from the
/// server's store. For an answer or a stored receipt, call ``AppAttestVerifier/receipt(_:of:)`` first. To read the
/// content, call ``verify(at:maximumAge:)``.
///
/// To tell whether two receipts are the same, compare verified payloads, not bytes. Anyone can re-encode a valid
/// receipt: with different BER, reordered certificates, or n − s as the signature's s.
public struct UnverifiedReceipt: Sendable {
    /// The bytes as received, to store or to send to Apple's service. The bytes are unverified. There are at most
    /// ``InputLimits/receipt`` bytes, because neither an attestation nor ``AppAttestVerifier/receipt(_:of:)`` accepts a
    /// longer receipt.
    public let unverifiedBytes: ArraySlice<UInt8>
    let expected: ReceiptExpectation
}

struct ReceiptExpectation: Sendable {
    let app: AppID
    let key: AttestedKey
    /// The client data hash of the attestation that contained the receipt; `nil` if no attestation contained it.
    let clientDataHash: ArraySlice<UInt8>?
    let chainVerifier: FixedChainVerifier
    let authority: VerificationReport.Authority
    let clockSkew: UInt32
}

extension AppAttestVerifier {
    /// Creates a receipt from Apple's answer or the server's store, for a key of this verifier's environment and apps.
    ///
    /// - Parameters:
    ///   - bytes: the CMS object, at most ``InputLimits/receipt`` bytes. Apple's answer contains this object in base64.
    ///   - key: the key that the receipt must name.
    /// - Throws: ``PureAttestError/inputTooLarge``, ``PureAttestError/keyOfOtherEnvironment(_:)``,
    ///   ``PureAttestError/keyOfUnknownApp``, ``PureAttestError/platformNotAllowed(_:)``.
    public func receipt(
        _ bytes: some Collection<UInt8>, of key: AttestedKey
    ) throws(PureAttestError) -> UnverifiedReceipt {
        let bytes = try InputLimits.slice(bytes, upTo: InputLimits.receipt)
        try assertionVerifier.checkEnvironment(of: key)
        guard let app = try assertionVerifier.declarations(of: key) else { throw .keyOfUnknownApp }
        return UnverifiedReceipt(
            unverifiedBytes: bytes,
            expected: ReceiptExpectation(
                app: app.id, key: key, clientDataHash: nil, chainVerifier: receiptChainVerifier,
                authority: authority, clockSkew: clockSkew))
    }
}
