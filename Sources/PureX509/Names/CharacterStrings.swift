import PureBytes
import PureDER

/// Whether a character string contains only characters that its type allows (X.680 §41, X.690 §8.23). Also returns
/// `true` for elements of all other types. These types include T61String, because implementations decode a T61String
/// differently.
func isValidCharacterString(_ element: DERElement) -> Bool {
    let contents = element.content
    switch element.tag {
    case .utf8String: return isValidUTF8(contents)
    case .printableString: return contents.allSatisfy(isPrintable)
    case .ia5String: return contents.allSatisfy { $0 < 0x80 }
    // NumericString, VisibleString.
    case DERTag(.universal, 18, constructed: false): return contents.allSatisfy { $0 == 0x20 || 0x30...0x39 ~= $0 }
    case DERTag(.universal, 26, constructed: false): return contents.allSatisfy { 0x20...0x7E ~= $0 }
    // UniversalString has four octets per character, and BMPString has two.
    case DERTag(.universal, 28, constructed: false): return contents.count.isMultiple(of: 4)
    case DERTag(.universal, 30, constructed: false): return contents.count.isMultiple(of: 2)
    default: return true
    }
}

/// Whether PrintableString allows the character: X.680 §41.4, table 10.
private func isPrintable(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "'"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "?"):
        true
    default: false
    }
}
