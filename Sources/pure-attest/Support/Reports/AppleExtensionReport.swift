import PureBytes
import PureDER

// Reports the content of Apple's extensions in an App Attest leaf. Apple documents only the nonce and a Mac's access
// control list. The meanings of the other fields were derived from genuine leaves of known devices.

extension Report {
    /// Reports an extension that is a SEQUENCE of context-tagged elements, each with one value.
    init(appleExtension value: ArraySlice<UInt8>, _ identifier: String) throws(DERError) {
        let meanings = fieldMeanings[identifier] ?? [:]
        var outer = DERReader(value)
        var sequence = try outer.enter(.sequence)
        while !sequence.isAtEnd {
            let element = try sequence.readElement()
            var inner = DERReader(element.content)
            let value = try inner.readElement()
            let number = element.tag.number
            add(
                "\(number)", "[\(number)]", content(of: value), note: meanings[number] ?? "of unknown meaning")
        }
    }
}

private let fieldMeanings: [String: [UInt32: String]] = [
    "1.2.840.113635.100.8.2": [1: "nonce"],
    "1.2.840.113635.100.8.5": [
        4: "10 on iOS, 13 on macOS", 5: "the service that holds the key, before iOS 26", 1204: "App ID",
    ],
    "1.2.840.113635.100.8.6": [3: "access control list of the key"],
    "1.2.840.113635.100.8.7": [
        1026: "platform", 1029: "kind of release, if not public", 1400: "system version", 1403: "build",
        1404: "system version", 1405: "system version", 1418: "build as numbers", 1419: "build as numbers",
        1420: "build as numbers",
    ],
]

private func content(of value: DERElement) -> Report.Content {
    var reader = DERReader(value.encoded)
    switch value.tag {
    case .octetString:
        if let text = printableText(value.content) { return .text(text) }
        if let entries = try? accessControlEntries(value.content) { return .words(entries) }
        return .bytes([UInt8](value.content))
    case .integer:
        if let number = try? reader.readInt64() { return .number(number) }
        return .bytes([UInt8](value.content))
    case .boolean: return .bytes([UInt8](value.content))
    default: return .bytes([UInt8](value.encoded))
    }
}

/// Returns the entries of an access control list, `SEQUENCE { version, SEQUENCE OF SEQUENCE { operation, value } }`. An
/// entry is printed like "oa: yes", or with the value's DER in hexadecimal.
private func accessControlEntries(_ octets: ArraySlice<UInt8>) throws(DERError) -> [String] {
    var outer = DERReader(octets)
    var list = try outer.enter(.sequence)
    try outer.finish()
    _ = try list.read(.utf8String)
    var entries = try list.enter(.sequence)
    try list.finish()
    var words: [String] = []
    while !entries.isAtEnd {
        var entry = try entries.enter(.sequence)
        let operation = String(decoding: try entry.read(.utf8String), as: UTF8.self)
        let value = try entry.readElement()
        // [1] { TRUE }.
        let isAllowed = value.encoded.elementsEqual([0xa1, 0x03, 0x01, 0x01, 0xff])
        words.append("\(operation): \(isAllowed ? "yes" : hexEncodedString(value.encoded + entry.remaining))")
    }
    return words
}

private func printableText(_ octets: ArraySlice<UInt8>) -> String? {
    guard !octets.isEmpty, octets.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return nil }
    return String(decoding: octets, as: UTF8.self)
}
