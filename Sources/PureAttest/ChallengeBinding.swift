import PureBytes

/// How the server's challenge stands in the bytes that a device signed (Apple, assertion step 6).
///
/// The comparison is part of the verification, so that it can't be forgotten or made with another copy than the signed
/// one. An empty challenge is always refused: it would be found everywhere.
public enum ChallengeBinding: Sendable {
    /// The signed bytes are the challenge.
    case clientDataIs([UInt8])
    /// The closure finds the challenge in the signed bytes and returns it, or `nil` if there is none. It is given the
    /// bytes that were hashed, never another copy. It runs only after the signature has been verified, and is `@Sendable` so
    /// that it can't carry anything out of there: what was signed is read from ``VerifiedAssertion/clientData``.
    case extracted(expected: [UInt8], by: @Sendable (ArraySlice<UInt8>) -> [UInt8]?)
    /// The caller compares the challenge itself, or uses none: a recorded request is then refused by its counter alone.
    case checkedByCaller

    /// Step 6: "Verify that the embedded challenge in the client data matches the earlier challenge to the client." Compares in constant
    /// time; the challenge may be a secret until it is used.
    func check(signed clientData: ArraySlice<UInt8>) throws(PureAttestError) {
        switch self {
        case .clientDataIs(let expected):
            guard !expected.isEmpty else { throw .emptyChallenge }
            guard constantTimeEquals(expected, clientData) else { throw .challengeMismatch }
        case .extracted(let expected, let extract):
            guard !expected.isEmpty else { throw .emptyChallenge }
            guard let received = extract(clientData) else { throw .challengeNotFound }
            guard constantTimeEquals(expected, received) else { throw .challengeMismatch }
        case .checkedByCaller: break
        }
    }
}
