import PureX509

/// The host of a URI (RFC 3986 §3). Name constraints ignore the rest of the URI.
enum ResourceIdentifier {
    /// Returns the host name of the URI, or `nil` if there is no authority, the host is an IP address, or parsers may
    /// disagree. RFC 5280 §4.2.1.10: URIs without a host name are rejected if URIs are constrained.
    static func host(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), isScheme(text[..<colon]) else { return nil }
        let rest = text[(colon + 1)...]
        guard rest.starts(with: [slash, slash]) else { return nil }
        var authority = rest.dropFirst(2).prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        // User information precedes "@", which must occur only once. A "\" is rejected, because some parsers treat "\"
        // as "/", so they would end the authority there.
        guard !authority.contains(UInt8(ascii: "\\")) else { return nil }
        if let at = authority.firstIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            guard authority[(colon + 1)...].allSatisfy(HostName.isDigit) else { return nil }
            authority = authority[..<colon]
        }
        return HostName.isValid(authority) && !HostName.isAddress(authority) ? authority : nil
    }

    private static var slash: UInt8 { UInt8(ascii: "/") }

    private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        func isLetter(_ octet: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= HostName.lowercased(octet)
        }
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy {
            isLetter($0) || HostName.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == HostName.dot
        }
    }
}
