import PureAttest

/// Which bytes a device signed with its challenge. Unlike ``PureAttest/ChallengeBinding`` it has no case without one.
public enum SignedContent: Sendable {
    /// The challenge's bytes and nothing else.
    case challenge
    /// These bytes: a whole request. The closure finds the challenge in them; it is given what was hashed, and runs only
    /// after the signature has been verified.
    case clientData([UInt8], challengeBy: @Sendable (ArraySlice<UInt8>) -> [UInt8]?)

    /// These bytes, which begin with the challenge's 32: the simplest way to sign a request.
    public static func challengeFirst(_ clientData: [UInt8]) -> SignedContent {
        .clientData(clientData) { signed in
            signed.count >= Challenge.valueByteCount ? [UInt8](signed.prefix(Challenge.valueByteCount)) : nil
        }
    }

    /// The bytes that were signed, given the challenge that the server issued.
    func clientData(challenge: [UInt8]) -> [UInt8] {
        switch self {
        case .challenge: challenge
        case .clientData(let bytes, _): bytes
        }
    }

    /// How the challenge that the server issued stands in them.
    func binding(to challenge: [UInt8]) -> ChallengeBinding {
        switch self {
        case .challenge: .clientDataIs(challenge)
        case .clientData(_, let find): .extracted(expected: challenge, by: find)
        }
    }
}
