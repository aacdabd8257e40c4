import PureBytes
import PureSHA2

/// The sender of a request, as the server sees it. Before verification, limits can distinguish clients only by this
/// address and by the logged-in account.
public struct ClientAddress: Hashable, Sendable {
    /// The name under which limits count this address, at most 96 bytes.
    package let bytes: [UInt8]

    private static let maximumByteCount = 64

    /// Creates an address from any bytes, such as a value from a reverse proxy. Shortens a value of more than 64 bytes
    /// to its first 64 bytes followed by the SHA-256 of all its bytes.
    public init(bytes: some Collection<UInt8>) {
        let all = [UInt8](bytes)
        // An unchanged name is at most 64 bytes long, and a shortened name is 96 bytes long, so the two never collide.
        self.bytes =
            all.count <= Self.maximumByteCount
            ? all : Array(all.prefix(Self.maximumByteCount)) + [UInt8](SHA256.hash(data: all))
    }

    /// Reads a network address as text (RFC 4291 §2.2), without a port.
    ///
    /// Keeps only the first 64 bits of an IPv6 address, because each customer controls at least a /64 (RFC 6177 §2).
    /// Keeps all 32 bits of an IPv4 address, even if it is written as an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2).
    /// Accepts a zone (RFC 4007 §11) only in a link-local address, such as a socket's peer address.
    ///
    /// - Returns: `nil` if the text is not an address. Reject such a request, because no limit per client address would
    ///   count it.
    public init?(ipAddress text: String) { self.init(ipAddress: Array(text.utf8)) }

    /// Reads a network address like the initialiser for a `String`, from the bytes of the text.
    public init?(ipAddress text: [UInt8]) {
        let percent = text.firstIndex(of: UInt8(ascii: "%"))
        let address = text[..<(percent ?? text.endIndex)]
        if let octets = Self.ipv4(address), percent == nil {
            bytes = [4] + octets
        } else if let octets = Self.ipv6(address) {
            // RFC 4291 §2.5.6: fe80::/10.
            let isLinkLocal = octets[0] == 0xFE && octets[1] & 0xC0 == 0x80
            if let percent { guard isLinkLocal, Self.isZone(text[(percent + 1)...]) else { return nil } }
            let isMapped = octets[..<10].allSatisfy { $0 == 0 } && octets[10] == 0xFF && octets[11] == 0xFF
            bytes = isMapped ? [4] + octets[12...] : [6] + octets[..<8]
        } else {
            return nil
        }
    }

    /// Returns whether the text can be the name or number of a network interface.
    private static func isZone(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "%") }
    }

    /// Rejects leading zeros, which some parsers read as octal.
    private static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: [UInt8] = []
        for part in parts {
            guard 1...3 ~= part.count, part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
                part.count == 1 || part.first != UInt8(ascii: "0")
            else { return nil }
            let number = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            guard number <= 255 else { return nil }
            octets.append(UInt8(number))
        }
        return octets
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // The longest form has six groups of four digits and an IPv4 address: 6 · 5 + 15 = 45 characters.
        guard 2...45 ~= text.count else { return nil }
        let colon = UInt8(ascii: ":")
        var gap: Int?
        for index in text.indices.dropLast() where text[index] == colon && text[index + 1] == colon {
            guard gap == nil else { return nil }  // ":::" too
            gap = index
        }
        guard let gap else {
            guard let octets = groups(text, mayEndInIPv4: true), octets.count == 16 else { return nil }
            return octets
        }
        guard let head = groups(text[..<gap], mayEndInIPv4: false),
            let tail = groups(text[(gap + 2)...], mayEndInIPv4: true),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Returns the octets of the groups between colons; an empty array for an empty text.
    private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var octets: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, let last = ipv4(part) {
                octets += last
                continue
            }
            guard 1...4 ~= part.count else { return nil }
            var number: UInt16 = 0
            for byte in part {
                guard let digit = Hex.value(of: byte) else { return nil }
                number = number << 4 | UInt16(digit)
            }
            octets += bigEndian(number)
        }
        return octets.count <= 16 ? octets : nil
    }
}
