@_exported public import PureSignedContent

extension AssertionVerifier {
    /// Apple, assertion step 6: the challenge in the client data is the one that the server issued.
    static func checkChallenge(_ challenge: ArraySlice<UInt8>, in signed: SignedContent) throws(PureAttestError) {
        switch signed.fault(of: challenge) {
        case nil: break
        case .empty: throw .emptyChallenge
        case .notFound: throw .challengeNotFound
        case .different: throw .challengeMismatch
        }
    }
}
