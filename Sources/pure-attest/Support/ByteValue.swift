import PureBytes

/// How bytes are written as the value of an option; printed in the help of each command that takes some.
let byteValueHelp = """
    BYTES is Base64 (standard or URL alphabet, padding optional), hex:DIGITS, text:CHARACTERS (their UTF-8), or @PATH
    (the bytes of that file).
    """

/// The bytes that `text`, the value of `option`, stands for.
func byteValue(_ text: String, of option: String) throws(UnusableInput) -> [UInt8] {
    if text.hasPrefix("@") { return try fileBytes(String(text.dropFirst())) }
    if text.hasPrefix("text:") { return Array(text.dropFirst(5).utf8) }
    if text.hasPrefix("hex:") {
        do { return try [UInt8](hexEncoded: String(text.dropFirst(4))) } catch {
            throw UnusableInput("\(option): \(describe(error))")
        }
    }
    do { return try base64(text) } catch { throw UnusableInput("\(option): \(error.reason)") }
}

/// Why a text is not Base64.
struct Base64Failure: Error {
    var reason: String
}

/// Base64 in either alphabet, with or without padding; otherwise as strict as RFC 4648 §3.
func base64(_ text: String) throws(Base64Failure) -> [UInt8] {
    var digits = Array(text.utf8)
    if digits.count.isMultiple(of: 4) {
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    // One alphabet for the decoder; a text that mixes the two has a character left that is in neither.
    let isStandard = digits.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    if isStandard { digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4) }
    do { return try Base64.decode(digits, as: isStandard ? .standard : .urlSafeUnpadded) } catch {
        throw Base64Failure(reason: describe(error))
    }
}

private func describe(_ error: HexError) -> String {
    switch error {
    case .oddLength: "an odd number of hexadecimal digits"
    case .invalidCharacter(let offset): "character \(offset + 1) after hex: is no hexadecimal digit"
    }
}

private func describe(_ error: Base64Error) -> String {
    switch error {
    case .invalidLength: "no Base64 text has this length"
    case .invalidCharacter(let offset): "character \(offset + 1) is not Base64"
    case .nonZeroPaddingBits: "the last Base64 character has bits that belong to no byte"
    }
}
