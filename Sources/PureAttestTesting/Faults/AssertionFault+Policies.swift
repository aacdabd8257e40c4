import PureAttest
import PureDER

extension AssertionFault {
    /// The smallest step that ``VirtualDevice/agePolicy`` rejects.
    static let counterJumpStep: UInt32 = 1_001

    /// Defines faults that break the policies of ``VirtualDevice/acceptedApp`` on builds and ages.
    func policyDefinition(previousCounter: UInt32, attestedAt time: UnixTime) -> Definition {
        switch self {
        case .counterJump:
            // Adds with wrapping, so that `rule` and `expectedError` do not trap for any counter. The device itself
            // rejects keys whose counter would overflow.
            Definition(
                .counterStepTooLarge(previous: previousCounter, received: previousCounter &+ Self.counterJumpStep),
                "The age policy"
            ) {
                $0.authenticatorData.counter = previousCounter &+ Self.counterJumpStep
            }
        case .keyTooOld:
            Definition(.keyTooOld(attestedAt: time, at: time.adding(presentationDelay)), "The age policy") { _ in }
        case .buildNotAllowed: .build(.notAllowed)
        case .buildMissing: .build(.missing)
        case .buildHashLength: .build(.hashLength)
        case .buildHashTwice: .build(.hashTwice)
        case .buildUnsigned: .build(.unsigned)
        case .unsignedBuildLength:
            Definition(.malformedAssertionObject, "The unsigned member has one form") {
                $0.unsignedEntries = [malformedUnsignedBuild]
            }
        default: preconditionFailure("\(self) has no definition")
        }
    }
}
