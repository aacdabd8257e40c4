import PureBytes
import VectorSupport

/// The help text for the syntax of option values that are bytes. Each command with such options prints it.
let byteValueHelp = """
    BYTES is Base64 (standard or URL alphabet, padding optional), hex:DIGITS, text:CHARACTERS (as UTF-8), or @PATH (the
    bytes of a file; @- is standard input).
    """

func byteValue(_ text: String, of option: String) throws(UnusableInput) -> [UInt8] {
    if let path = text.removing(prefix: "@") { return try fileBytes(path) }
    if let characters = text.removing(prefix: "text:") { return Array(characters.utf8) }
    if let digits = text.removing(prefix: "hex:") {
        do { return try [UInt8](hexEncoded: digits) } catch {
            throw UnusableInput("\(option): \(error)")
        }
    }
    do { return try base64(text) } catch {
        let path = fileExists(text) ? "the file, use @\(excerpt(text))" : "a file, use @PATH"
        throw UnusableInput("\(option): \(error.reason); to read \(path); for text, text:…; for hexadecimal, hex:…")
    }
}

/// Returns true if a value begins with a prefix that names its form.
func isMarkedValue(_ text: String) -> Bool {
    ["@", "text:", "hex:"].contains { text.removing(prefix: $0) != nil }
}

/// Returns the UTF-8 bytes of a value that was decoded as Base64. The user may have meant text, because many texts are
/// also valid Base64.
func byteValueAsText(_ text: String) -> (bytes: [UInt8], alphabet: String)? {
    guard !isMarkedValue(text) else { return nil }
    let isURLSafe =
        text.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") } || !text.utf8.count.isMultiple(of: 4)
    return (Array(text.utf8), isURLSafe ? "base64url" : "Base64")
}

/// Decodes an input that consists entirely of hexadecimal digits or Base64. Ignores white space.
func decodedText(_ text: String) throws(Base64Failure) -> [UInt8] {
    // Tries hexadecimal first, because Base64 text with the length of an object almost never consists of hexadecimal
    // digits only.
    if let bytes = try? [UInt8](hexEncoded: text) { return bytes }
    return try base64(text)
}

struct Base64Failure: Error {
    var reason: String
}

/// Decodes Base64 in the standard or the URL alphabet, with or without padding. Otherwise follows RFC 4648 §3 strictly.
func base64(_ text: String) throws(Base64Failure) -> [UInt8] {
    var digits = Array(text.utf8)
    if digits.count.isMultiple(of: 4) {
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    // A text that mixes both alphabets is rejected: it contains a character outside the selected alphabet.
    let isStandard = digits.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }
    if isStandard { digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4) }
    do { return try Base64.decode(digits, as: isStandard ? .standard : .urlSafeUnpadded) } catch {
        throw Base64Failure(reason: "\(error)")
    }
}
