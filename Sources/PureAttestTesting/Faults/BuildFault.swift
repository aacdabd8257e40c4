import PureAttest
import PureCBOR

/// Faults in the build extension, which attestations and assertions contain.
enum BuildFault {
    case notAllowed, otherType, missing, hashLength, hashTwice, typeMissing, unsigned

    var error: PureAttestError {
        switch self {
        case .notAllowed: .codeDirectoryHashNotAllowed(CodeDirectoryHash(otherBuild))
        case .otherType: .codeDirectoryHashNotAllowed(CodeDirectoryHash(type: 4, bytes: otherBuild))
        case .missing, .unsigned: .codeDirectoryHashNotAllowed(nil)
        case .hashLength, .typeMissing: .malformedExtensions
        case .hashTwice: .malformedCBOR(.duplicateMapKey)
        }
    }

    func apply(to draft: inout some ObjectDraft) {
        let hash = cbor(bytes: otherBuild), type = cbor(bytes: [2])
        switch self {
        case .notAllowed: draft.authenticatorData.setBuild(hash: hash, type: type)
        case .otherType: draft.authenticatorData.setBuild(hash: hash, type: cbor(bytes: [4]))
        case .missing: draft.authenticatorData.setBuild(hash: nil, type: nil)
        case .hashLength: draft.authenticatorData.setBuild(hash: cbor(bytes: Array(otherBuild.dropLast())), type: type)
        case .hashTwice:
            draft.authenticatorData.setBuild(hash: hash, type: type)
            draft.authenticatorData.extensions.append(CBOREntry(ExtensionName.codeDirectoryHash, hash))
        case .typeMissing: draft.authenticatorData.setBuild(hash: hash, type: nil)
        case .unsigned:
            let sent = draft.authenticatorData.build ?? otherBuild
            draft.authenticatorData.setBuild(hash: nil, type: nil)
            draft.unsignedEntries = [unsignedBuildEntry(sent)]
        }
    }
}

extension FaultDefinition where Draft: ObjectDraft {
    static func build(_ fault: BuildFault) -> Self {
        Self(fault.error, "The launch policy: builds") { fault.apply(to: &$0) }
    }
}

/// A build that no declaration accepts.
let otherBuild = [UInt8](repeating: 0xC0, count: 32)

/// An unsigned member `cdHash` with 32 bytes instead of 20.
let malformedUnsignedBuild = CBOREntry(
    "cdHash", cbor(map: [CBOREntry("hash", cbor(bytes: otherBuild)), CBOREntry("type", cbor(bytes: [2]))]))

extension AuthenticatorDataDraft {
    /// The build hash in the extensions, or `nil` if there is none.
    var build: [UInt8]? {
        extensions.first { $0.key == cbor(text: ExtensionName.codeDirectoryHash) }.map { Array($0.value.dropFirst(2)) }
    }

    /// Replaces the build in the extensions. `nil` removes the hash or the type.
    mutating func setBuild(hash: [UInt8]?, type: [UInt8]?) {
        let keys = [ExtensionName.codeDirectoryHash, ExtensionName.codeDirectoryHashType].map { cbor(text: $0) }
        extensions.removeAll { keys.contains($0.key) }
        if let hash { extensions.append(CBOREntry(ExtensionName.codeDirectoryHash, hash)) }
        if let type { extensions.append(CBOREntry(ExtensionName.codeDirectoryHashType, type)) }
    }
}
