import PureX509

/// Functions for host names, which are ASCII labels separated by dots (RFC 1034 §3.1). Comparisons follow RFC 5280
/// §4.2.1.6 and §4.2.1.10. In internationalised names, the labels are A-labels (RFC 9549 §2), which are ASCII.
enum HostName {
    /// The maximum length of a name without a trailing dot. It corresponds to 255 octets on the wire (RFC 1034 §3.1).
    static var longestName: Int { 253 }
    /// The maximum length of a label (RFC 1034 §3.1).
    static var longestLabel: Int { 63 }

    static func lowercased(_ octet: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= octet ? octet | 0x20 : octet
    }

    /// Whether every label is non-empty and contains only letters, digits, hyphens and underscores. A dot at either end
    /// is not allowed. Underscores are allowed because they occur in practice.
    static func isValid(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= longestName else { return false }
        return name.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
            1...longestLabel ~= label.count && label.allSatisfy { isHostCharacter($0) || $0 == UInt8(ascii: "_") }
        }
    }

    /// Whether the name consists of LDH labels (RFC 5890 §2.3.1): no "_", and no hyphen at either end of a label.
    static func isLDHName(_ name: ArraySlice<UInt8>) -> Bool {
        isValid(name) && !name.contains(UInt8(ascii: "_"))
            && name.split(separator: dot).allSatisfy { $0.first != hyphen && $0.last != hyphen }
    }

    /// Whether the last label is a number. URI parsers may read such a name ("127.1", "0x7f.1") as an IPv4 address.
    static func isAddress(_ name: ArraySlice<UInt8>) -> Bool {
        guard let last = name.split(separator: dot).last else { return false }
        let isDecimal = last.allSatisfy { isDigit($0) }
        return isDecimal
            || last.first == UInt8(ascii: "0") && last.dropFirst().first.map(lowercased) == UInt8(ascii: "x")
    }

    /// Compares host names, ignoring case (RFC 5280 §7.2).
    static func areEqual(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { lowercased($0) == lowercased($1) }
    }

    /// Whether `name` consists of at least one label followed by `base`.
    static func isBelow(_ name: ArraySlice<UInt8>, _ base: ArraySlice<UInt8>) -> Bool {
        guard name.count > base.count + 1 else { return false }
        return name.dropLast(base.count).last == dot && areEqual(name.suffix(base.count), base)
    }

    /// Returns the name after the first label and its dot, or `nil` if there is only one label.
    static func parent(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        name.firstIndex(of: dot).map { name[($0 + 1)...] }
    }

    /// Returns the name after "*.", if the first label is exactly "*" (RFC 9525 §6.3).
    static func wildcardParent(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        name.starts(with: [UInt8(ascii: "*"), dot]) ? name.dropFirst(2) : nil
    }

    static var dot: UInt8 { UInt8(ascii: ".") }
    private static var hyphen: UInt8 { UInt8(ascii: "-") }

    static func isDigit(_ octet: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet }

    private static func isHostCharacter(_ octet: UInt8) -> Bool {
        isDigit(octet) || octet == hyphen || UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(octet)
    }
}
