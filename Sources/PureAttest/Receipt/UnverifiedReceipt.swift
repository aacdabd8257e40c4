import PureX509

/// A receipt that nothing is known of yet, with what it will be held against.
///
/// It comes from an attestation (``VerifiedAttestation/unverifiedReceipt``), where no step covers its bytes, or from the
/// server's own request or store (``AppAttestVerifier/receipt(_:of:)``). ``verify(at:maximumAge:)`` is the way to its content.
///
/// Its bytes are no identity: one receipt has many encodings that verify (other BER, another order of certificates, the other
/// *s* of the signature), and whoever has one can make the others. Compare what the verified payload says.
public struct UnverifiedReceipt: Sendable {
    /// The bytes as they came, to keep or to send to Apple's service. Nothing of them is proved.
    public let unverifiedBytes: ArraySlice<UInt8>
    let expected: ReceiptExpectation
}

/// What a receipt must be about.
struct ReceiptExpectation: Sendable {
    let app: AppID
    let key: AttestedKey
    /// For a receipt that came with an attestation: the hash that the attestation binds. `nil` for any other.
    let clientDataHash: ArraySlice<UInt8>?
    let chainVerifier: AppAttestChainVerifier
    let authority: VerificationReport.Authority
    let clockSkew: UInt32
}

extension AppAttestVerifier {
    /// A receipt that the server has asked Apple for, or has stored, for a key of this verifier's environment and apps.
    ///
    /// - Parameters:
    ///   - bytes: the CMS object, at most ``InputLimits/receipt`` bytes; Apple's answer is base64 of it.
    ///   - key: the key that it has to be about.
    /// - Throws: ``PureAttestError/inputTooLarge``, ``PureAttestError/keyOfOtherEnvironment(_:)``,
    ///   ``PureAttestError/keyOfUnknownApp``, ``PureAttestError/platformNotAllowed(_:)``.
    public func receipt(
        _ bytes: some Collection<UInt8>, of key: AttestedKey
    ) throws(PureAttestError) -> UnverifiedReceipt {
        guard bytes.count <= InputLimits.receipt else { throw .inputTooLarge }
        try assertionVerifier.checkEnvironment(of: key)
        guard let app = try assertionVerifier.declarations(of: key) else { throw .keyOfUnknownApp }
        return UnverifiedReceipt(
            unverifiedBytes: ArraySlice(bytes),
            expected: ReceiptExpectation(
                app: app.id, key: key, clientDataHash: nil, chainVerifier: receiptChainVerifier,
                authority: authority, clockSkew: clockSkew))
    }
}
