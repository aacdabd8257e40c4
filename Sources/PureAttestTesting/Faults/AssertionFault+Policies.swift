import PureAttest

extension AssertionFault {
    /// What the fault is, for faults against the policies of ``VirtualDevice/acceptedApp``: the build, and ages.
    ///
    /// - Parameter time: of the attestation.
    func policyDefinition(previousCounter: UInt32, attestedAt time: UnixTime) -> Definition {
        switch self {
        case .counterJump:
            Definition(
                .counterStepTooLarge(previous: previousCounter, received: previousCounter + 1_001), "The age policy"
            ) {
                $0.authenticatorData.counter = previousCounter + 1_001
            }
        case .keyTooOld:
            Definition(.keyTooOld(attestedAt: time), "The age policy") { _ in }
        case .buildNotAllowed:
            build(.codeDirectoryHashNotAllowed(CodeDirectoryHash(otherBuild))) {
                $0.setBuild(hash: cbor(bytes: otherBuild), type: cbor(bytes: [2]))
            }
        case .buildMissing:
            build(.codeDirectoryHashNotAllowed(nil)) { $0.setBuild(hash: nil, type: nil) }
        case .buildHashLength:
            build(.malformedExtensions) {
                $0.setBuild(hash: cbor(bytes: Array(otherBuild.dropLast())), type: cbor(bytes: [2]))
            }
        case .buildHashTwice:
            build(.malformedCBOR(.duplicateMapKey)) {
                $0.setBuild(hash: cbor(bytes: otherBuild), type: cbor(bytes: [2]))
                $0.extensions.append(CBOREntry(ExtensionName.codeDirectoryHash, cbor(bytes: otherBuild)))
            }
        case .buildUnsigned:
            Definition(.codeDirectoryHashNotAllowed(nil), "The launch policy: builds") { draft in
                let hash = draft.authenticatorData.build ?? otherBuild
                draft.authenticatorData.setBuild(hash: nil, type: nil)
                draft.unsignedEntries = [unsignedBuildEntry(hash)]
            }
        case .unsignedBuildLength:
            Definition(.malformedAssertionObject, "The unsigned member has one form") {
                $0.unsignedEntries = [malformedUnsignedBuild]
            }
        default: preconditionFailure("\(self) has no definition")
        }
    }

    private func build(
        _ error: PureAttestError, _ change: @escaping (inout AuthenticatorDataDraft) -> Void
    ) -> Definition {
        Definition(error, "The launch policy: builds") { change(&$0.authenticatorData) }
    }
}
