import PureX509

/// Names of hosts as octets of ASCII: labels between dots (RFC 1034 §3.1), as RFC 5280 §4.2.1.6 and §4.2.1.10 compare them. Labels
/// of internationalised names are A-labels (RFC 9549 §2), which are ASCII.
enum HostName {
    /// The longest name without a dot at its end (RFC 1034 §3.1: 255 octets as they are sent).
    static var longestName: Int { 253 }
    /// The longest label (RFC 1034 §3.1).
    static var longestLabel: Int { 63 }

    static func lowercased(_ octet: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= octet ? octet | 0x20 : octet
    }

    /// Labels of letters, digits, hyphens and underscores, which are in use; none is empty, so that there is no dot at either end.
    static func isValid(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= longestName else { return false }
        return name.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
            1...longestLabel ~= label.count && label.allSatisfy { isHostCharacter($0) || $0 == UInt8(ascii: "_") }
        }
    }

    /// The same without underscores, and without hyphens at the ends of labels (RFC 5890 §2.3.1, LDH labels).
    static func isLDHName(_ name: ArraySlice<UInt8>) -> Bool {
        isValid(name) && !name.contains(UInt8(ascii: "_"))
            && name.split(separator: dot).allSatisfy { $0.first != hyphen && $0.last != hyphen }
    }

    /// Whether `name` ends in a number, so that a reader of URIs may take it for an IPv4 address ("127.1", "0x7f.1").
    static func isAddress(_ name: ArraySlice<UInt8>) -> Bool {
        guard let last = name.split(separator: dot).last else { return false }
        let isDecimal = last.allSatisfy { isDigit($0) }
        return isDecimal
            || last.first == UInt8(ascii: "0") && last.dropFirst().first.map(lowercased) == UInt8(ascii: "x")
    }

    /// Without regard to case, as names of hosts are (RFC 5280 §7.2).
    static func areEqual(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { lowercased($0) == lowercased($1) }
    }

    /// Whether `name` is below `base`: one label or more are added on its left.
    static func isBelow(_ name: ArraySlice<UInt8>, _ base: ArraySlice<UInt8>) -> Bool {
        guard name.count > base.count + 1 else { return false }
        return name.dropLast(base.count).last == dot && areEqual(name.suffix(base.count), base)
    }

    /// What follows the first label and its dot; `nil` if there is one label.
    static func parent(of name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        name.firstIndex(of: dot).map { name[($0 + 1)...] }
    }

    /// What follows "*.", if that is all that the first label is (RFC 9525 §6.3).
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
