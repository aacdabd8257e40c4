import PureX509

/// A `Mailbox` (RFC 5280 §4.2.1.6, RFC 2821 §4.1.2): the unquoted local part, and the host.
struct Mailbox: Sendable {
    let local: [UInt8]
    let host: ArraySlice<UInt8>

    /// Returns `nil` if the mailbox is malformed, or its host is an IP address, which name constraints cannot cover.
    init?(_ text: ArraySlice<UInt8>) {
        guard let (local, host) = text.first == Self.quote ? Self.splitQuoted(text) : Self.splitPlain(text),
            HostName.isValid(host), !HostName.isAddress(host)
        else { return nil }
        self.local = local
        self.host = host
    }

    private static var quote: UInt8 { UInt8(ascii: "\"") }
    private static var at: UInt8 { UInt8(ascii: "@") }

    /// Splits `Dot-string "@" Domain`.
    private static func splitPlain(_ text: ArraySlice<UInt8>) -> ([UInt8], ArraySlice<UInt8>)? {
        guard let index = text.firstIndex(of: at) else { return nil }
        let local = text[..<index]
        let isDotString = local.split(separator: HostName.dot, omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy(isAtomCharacter)
        }
        return isDotString ? (Array(local), text[(index + 1)...]) : nil
    }

    /// Splits `Quoted-string "@" Domain`. A backslash escapes the next character.
    private static func splitQuoted(_ text: ArraySlice<UInt8>) -> ([UInt8], ArraySlice<UInt8>)? {
        var local: [UInt8] = []
        var index = text.startIndex + 1
        while index < text.endIndex, text[index] != quote {
            if text[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < text.endIndex, 0x20...0x7E ~= text[index] else { return nil }
            local.append(text[index])
            index += 1
        }
        let rest = text[index...].dropFirst()
        guard !local.isEmpty, rest.first == at else { return nil }
        return (local, rest.dropFirst())
    }

    /// RFC 2822 §3.2.4, `atext`.
    private static func isAtomCharacter(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "^"),
            UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
