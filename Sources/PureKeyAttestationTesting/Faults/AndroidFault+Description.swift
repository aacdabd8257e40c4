import PureAttestTesting
import PureDER
import PureKeyAttestation

extension AndroidFault {
    var descriptionDefinition: Definition {
        switch self {
        case .descriptionMissing:
            Definition(.description, .descriptionMissing) { $0.chain.isDescribed = false }
        case .descriptionTrailingByte:
            malformed(.trailingBytes) { $0.alterDescription { $0.append(0) } }
        case .descriptionTruncated:
            malformed(.unexpectedEnd) { $0.alterDescription { $0.removeLast() } }
        case .descriptionLevelUnknown:
            malformed(.integerOutOfRange) {
                $0.chain.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(3)
            }
        case .descriptionVersionNotNumber:
            malformed(.unexpectedTag(expected: .integer, found: .boolean)) {
                $0.chain.description.attestationVersion = derTrue
            }
        case .memberTwice:
            Definition(.description, .duplicateAuthorization(702)) { draft in
                draft.chain.description.hardware.append((702, der(2)))
                draft.chain.description.hardware.sort { $0.0 < $1.0 }
            }
        case .memberFlood:
            Definition(.description, .tooManyAuthorizations) {
                for number in 0..<65 as Range<UInt32> { $0.chain.description.setHardware(1_000 + number, derNull) }
            }
        case .memberNotTagged:
            malformed(.unexpectedTag(expected: .context(2), found: .integer)) {
                $0.chain.description.untagged = der(1)
            }
        case .noAuthRequiredNotNull:
            member(503, .unexpectedTag(expected: .null, found: .boolean), derTrue)
        case .purposeNotSet: member(1, .unexpectedTag(expected: .set, found: .integer), der(2))
        case .originNegative: member(702, .negativeInteger, der(.integer, [0xFF]))
        case .deviceLockedNotDER:
            member(704, .invalidBoolean, KeyDescriptionDraft.rootOfTrust(locked: [0x01, 0x01, 0x01]))
        case .bootStateUnknown: member(704, .integerOutOfRange, KeyDescriptionDraft.rootOfTrust(state: 4))
        case .applicationTrailingByte:
            Definition(.description, .malformedAuthorization(709, .trailingBytes)) { draft in
                draft.chain.description.setSoftware(709, der(.octetString, der(.sequence, der(.set), der(.set)) + [0]))
            }

        case .challengeOther: challenge { $0.chain.description.challenge = $0.issuedChallenge.reversed() + [1] }
        case .challengeShortened: challenge { $0.chain.description.challenge.removeLast() }
        case .challengeLonger: challenge { $0.chain.description.challenge.append(0) }
        case .challengeEmpty: challenge { $0.chain.description.challenge = [] }
        case .attestationLevelOther:
            Definition(.level, .securityLevelMismatch) { draft in
                let level = draft.chain.description.attestationSecurityLevel
                let other: UInt8 = level == KeyDescriptionDraft.enumerated(1) ? 2 : 1
                draft.chain.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(other)
            }
        case .attestationLevelSoftware:
            Definition(.level, .securityLevelMismatch) {
                $0.chain.description.attestationSecurityLevel = KeyDescriptionDraft.enumerated(0)
            }
        case .leafKeyOther:
            Definition(.leafKey, .keyMismatch) {
                if case .p256 = $0.chain.links[0].key {
                    $0.chain.links[0].key = AndroidStranger.p384
                } else {
                    $0.chain.links[0].key = AndroidStranger.p256
                }
            }
        case .leafKeyUnsupported:
            Definition(.leafKey, .unsupportedLeafKey) {
                $0.chain.links[0].keyInfo = AndroidStranger.keyOfOtherCurve
            }
        case .leafKeyExponentOne:
            Definition(.leafKey, .malformedRSAKey(.unsupportedExponent, certificate: 0)) {
                $0.chain.links[0].keyInfo = AndroidStranger.keyOfExponentOne
            }
        case .algorithmOther: hardware(.leafKey, .keyMismatch, 2, der(32))
        case .keySizeOther: hardware(.leafKey, .keyMismatch, 3, der(521))
        case .curveOther: hardware(.leafKey, .keyMismatch, 10, der(3))
        default: policyDefinition
        }
    }

    private func malformed(_ error: DERError, _ apply: @escaping (inout AndroidCaseDraft) -> Void) -> Definition {
        Definition(.description, .malformedKeyDescription(error), apply)
    }

    private func member(_ number: UInt32, _ error: DERError, _ value: [UInt8]) -> Definition {
        hardware(.description, .malformedAuthorization(number, error), number, value)
    }

    private func challenge(_ apply: @escaping (inout AndroidCaseDraft) -> Void) -> Definition {
        Definition(.challenge, .challengeMismatch, apply)
    }

    func hardware(_ rule: AndroidRule, _ error: KeyAttestationError, _ number: UInt32, _ value: [UInt8]?) -> Definition
    {
        Definition(rule, error) { $0.chain.description.setHardware(number, value) }
    }
}
