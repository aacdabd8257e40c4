/// Encodes DER for tests, without checking the arguments.
package enum DER {
    package static func element(_ identifier: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let count = contents.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            case ..<0x1_0000: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            }
        return [identifier] + length + contents
    }

    package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    package static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
    package static func integer(_ contents: UInt8...) -> [UInt8] { element(0x02, contents) }
    package static func boolean(_ octet: UInt8) -> [UInt8] { element(0x01, [octet]) }
    package static func octets(_ contents: [UInt8]) -> [UInt8] { element(0x04, contents) }
    package static func bits(_ contents: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + contents) }
    package static func oid(_ contents: UInt8...) -> [UInt8] { element(0x06, contents) }
    package static func utf8(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    package static func printable(_ text: String) -> [UInt8] { element(0x13, Array(text.utf8)) }
    package static func utcTime(_ text: String) -> [UInt8] { element(0x17, Array(text.utf8)) }
    package static func generalizedTime(_ text: String) -> [UInt8] { element(0x18, Array(text.utf8)) }
    package static let null: [UInt8] = [0x05, 0x00]

    /// Returns a constructed element with the context tag `[number]`.
    package static func context(_ number: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        element(0xA0 | number, parts.flatMap { $0 })
    }

    /// Returns a primitive element with the context tag `[number]`.
    package static func implicit(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] { element(0x80 | number, contents) }

    /// Returns a name that consists of one common name, a UTF8String.
    package static func name(_ commonName: String) -> [UInt8] { sequence(relativeName(utf8(commonName))) }

    /// Returns a relative name that consists of one common name with any value.
    package static func relativeName(_ value: [UInt8]) -> [UInt8] { set(sequence(oid(0x55, 0x04, 0x03), value)) }
}
