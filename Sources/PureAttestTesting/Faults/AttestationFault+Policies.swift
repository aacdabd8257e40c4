import PureAttest
import PureDER

extension AttestationFault {
    /// Defines faults that break the policies of ``VirtualDevice/acceptedApp`` on builds, systems and ages. `time` is
    /// the time of the attestation.
    func policyDefinition(at time: UnixTime) -> Definition {
        switch self {
        case .systemTooOld:
            Definition(.systemVersionNotAllowed(SystemVersion(13, 7)), "The system policy") { draft in
                draft.leaf.edit(.systemInformation) {
                    $0.value = DeviceSystem.iOS14.systemAttributes(version: "13.7", releaseType: nil)
                }
            }
        case .systemBeta:
            Definition(.prereleaseNotAllowed, "The system policy") { draft in
                draft.leaf.edit(.systemInformation) {
                    $0.value = DeviceSystem.iOS27.systemAttributes(version: "99.0", releaseType: "Beta")
                }
            }
        case .attestationTooOld:
            Definition(.attestationTooOld(made: time.adding(-7_200), at: time), "The age policy") { draft in
                draft.leaf.notBefore = der(time.adding(-7_200 - leafBackdating))
            }
        case .buildNotAllowed: .build(.notAllowed)
        case .buildOtherType: .build(.otherType)
        case .buildMissing: .build(.missing)
        case .buildHashLength: .build(.hashLength)
        case .buildHashTwice: .build(.hashTwice)
        case .buildTypeMissing: .build(.typeMissing)
        case .buildUnsigned: .build(.unsigned)
        case .unsignedBuildLength:
            Definition(.malformedAttestationObject, "The unsigned member has one form") {
                $0.unsignedEntries = [malformedUnsignedBuild]
            }
        default: preconditionFailure("\(self) has no definition")
        }
    }
}
