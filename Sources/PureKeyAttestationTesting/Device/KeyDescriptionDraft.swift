import PureBytes
import PureAttestTesting
import PureDER

/// A KeyDescription that is not yet encoded. Each field is an encoded element, so a fault can replace any field.
package struct KeyDescriptionDraft: Sendable {
    package var attestationVersion = der(300)
    package var attestationSecurityLevel = enumerated(1)
    package var keyMintVersion = der(300)
    package var keyMintSecurityLevel = enumerated(1)
    package var challenge: [UInt8] = Array("challenge".utf8)
    package var uniqueID = der(.octetString)
    package var software: [(UInt32, [UInt8])] = [
        (701, derInteger(bigEndian(UInt64(1_780_000_000_000)))), (709, KeyDescriptionDraft.application()),
    ]
    package var hardware: [(UInt32, [UInt8])] = [
        (1, der(.set, der(2), der(3))), (2, der(3)), (3, der(256)), (5, der(.set, der(4))), (10, der(1)),
        (503, derNull), (702, der(0)), (704, KeyDescriptionDraft.rootOfTrust()), (705, der(160_000)),
        (706, der(202_605)), (718, der(20_260_505)), (719, der(20_260_505)),
    ]
    /// Encoded elements without a context tag, which are appended to the hardware-enforced list.
    package var untagged: [UInt8] = []

    /// Describes a P-256 key of the app ``package``, in a trusted environment on Android 16, patched in May 2026.
    package init() {}

    package static let package = "com.example.app"
    package static let digest = [UInt8](repeating: 0xD1, count: 32)
    package static let bootKey = [UInt8](repeating: 0xB0, count: 32)

    package static func enumerated(_ number: UInt8) -> [UInt8] { [0x0A, 1, number] }

    package static func rootOfTrust(key: [UInt8] = bootKey, locked: [UInt8] = derTrue, state: UInt8 = 0) -> [UInt8] {
        der(
            .sequence, der(.octetString, key), locked, enumerated(state),
            der(.octetString, [UInt8](repeating: 7, count: 32)))
    }

    package static func application(
        packages: [(String, UInt32)] = [(package, 7)], digests: [[UInt8]] = [digest]
    ) -> [UInt8] {
        let packages = packages.flatMap { der(.sequence, der(.octetString, Array($0.0.utf8)), der($0.1)) }
        return der(
            .octetString, der(.sequence, der(.set, packages), der(.set, digests.flatMap { der(.octetString, $0) })))
    }

    /// Replaces a value in the hardware-enforced list. `nil` removes the member.
    package mutating func setHardware(_ number: UInt32, _ value: [UInt8]?) { Self.set(number, value, in: &hardware) }

    package mutating func setSoftware(_ number: UInt32, _ value: [UInt8]?) { Self.set(number, value, in: &software) }

    private static func set(_ number: UInt32, _ value: [UInt8]?, in list: inout [(UInt32, [UInt8])]) {
        list.removeAll { $0.0 == number }
        if let value { list.append((number, value)) }
        list.sort { $0.0 < $1.0 }
    }

    package var encoded: [UInt8] {
        func list(_ members: [(UInt32, [UInt8])], _ more: [UInt8] = []) -> [UInt8] {
            der(.sequence, members.flatMap { der(.context($0.0), $0.1) } + more)
        }
        return der(
            .sequence, attestationVersion, attestationSecurityLevel, keyMintVersion, keyMintSecurityLevel,
            der(.octetString, challenge), uniqueID, list(software), list(hardware, untagged))
    }
}
