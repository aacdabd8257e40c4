@_exported public import PureSignedContent
public import PureDER

extension AppAttestVerifier {
    /// Verifies that `key` signed exactly this request: see ``AssertionVerifier/verifyAssertion(_:request:key:at:)``.
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, request: BoundRequest, key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        try assertionVerifier.verifyAssertion(assertion, request: request, key: key, at: time)
    }
}

extension AssertionVerifier {
    /// Verifies that `key` signed exactly this request (``BoundRequest/clientData(keyID:)``), challenge included.
    ///
    /// - Throws: as ``verifyAssertion(_:clientData:challenge:key:at:)``; another challenge, like anything else that differs, is
    ///   ``PureAttestError/invalidSignature``.
    public func verifyAssertion(
        _ assertion: some Collection<UInt8>, request: BoundRequest, key: AttestedKey, at time: UnixTime? = nil
    ) throws(PureAttestError) -> VerifiedAssertion {
        guard !request.challengeIsEmpty else { throw .emptyChallenge }
        // The challenge is in the bytes that the server made itself: there is nothing left to compare.
        return try verifyAssertion(
            assertion, clientData: request.clientData(keyID: key.keyID), challenge: .checkedByCaller, key: key,
            at: time)
    }
}
