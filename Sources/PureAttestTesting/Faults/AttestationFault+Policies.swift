import PureAttest
import PureDER

extension AttestationFault {
    /// What the fault is, for faults against the policies of ``VirtualDevice/acceptedApp``: the build, the system, and ages.
    ///
    /// - Parameter time: of the attestation.
    func policyDefinition(at time: UnixTime) -> Definition {
        switch self {
        case .systemTooOld:
            Definition(.systemVersionNotAllowed(SystemVersion(13, 7)), "The system policy") { draft in
                draft.leaf.edit(.apple(8, 7)) {
                    $0.value = DeviceSystem.iOS14.systemAttributes(version: "13.7", releaseType: nil)
                }
            }
        case .systemBeta:
            Definition(.prereleaseNotAllowed, "The system policy") { draft in
                draft.leaf.edit(.apple(8, 7)) {
                    $0.value = DeviceSystem.iOS27.systemAttributes(version: "99.0", releaseType: "Beta")
                }
            }
        case .attestationTooOld:
            Definition(.attestationTooOld(made: time.adding(-7_200)), "The age policy") { draft in
                draft.leaf.notBefore = der(time.adding(-7_200 - leafBackdating))
            }
        case .buildNotAllowed:
            build(.codeDirectoryHashNotAllowed(CodeDirectoryHash(otherBuild))) {
                $0.setBuild(hash: cbor(bytes: otherBuild), type: cbor(bytes: [2]))
            }
        case .buildOtherType:
            build(.codeDirectoryHashNotAllowed(CodeDirectoryHash(type: 4, bytes: otherBuild))) {
                $0.setBuild(hash: cbor(bytes: otherBuild), type: cbor(bytes: [4]))
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
        case .buildTypeMissing:
            build(.malformedExtensions) { $0.setBuild(hash: cbor(bytes: otherBuild), type: nil) }
        case .buildUnsigned:
            Definition(.codeDirectoryHashNotAllowed(nil), "The launch policy: builds") { draft in
                let hash = draft.authenticatorData.build ?? otherBuild
                draft.authenticatorData.setBuild(hash: nil, type: nil)
                draft.unsignedEntries = [unsignedBuildEntry(hash)]
            }
        case .unsignedBuildLength:
            Definition(.malformedAttestationObject, "The unsigned member has one form") {
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

/// A build that is on nobody's list.
let otherBuild = [UInt8](repeating: 0xC0, count: 32)

/// A member `cdHash` of 32 bytes.
let malformedUnsignedBuild = CBOREntry(
    "cdHash", cbor(map: [CBOREntry("hash", cbor(bytes: otherBuild)), CBOREntry("type", cbor(bytes: [2]))]))

extension AuthenticatorDataDraft {
    /// The build in the extensions.
    var build: [UInt8]? {
        extensions.first { $0.key == cbor(text: ExtensionName.codeDirectoryHash) }.map { Array($0.value.dropFirst(2)) }
    }

    /// Replaces the build in the extensions; `nil` removes.
    mutating func setBuild(hash: [UInt8]?, type: [UInt8]?) {
        let keys = [ExtensionName.codeDirectoryHash, ExtensionName.codeDirectoryHashType].map { cbor(text: $0) }
        extensions.removeAll { keys.contains($0.key) }
        if let hash { extensions.append(CBOREntry(ExtensionName.codeDirectoryHash, hash)) }
        if let type { extensions.append(CBOREntry(ExtensionName.codeDirectoryHashType, type)) }
    }
}
