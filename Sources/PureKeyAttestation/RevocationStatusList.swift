import PureBytes
import PureJSON

/// Google's list of revoked and suspended certificates, from <https://android.googleapis.com/attestation/status>.
///
/// The list is not signed, so the server must fetch it over HTTPS, as often as the Cache-Control header of the response
/// specifies. A malformed list is rejected. To skip the revocation check, pass ``notChecked`` explicitly.
public struct RevocationStatusList: Hashable, Sendable {
    /// The status of a listed certificate.
    public enum Status: Hashable, Sendable {
        /// The certificate is revoked, for example because its key leaked or the device is compromised.
        case revoked
        /// The certificate is suspended until further notice.
        case suspended
    }

    /// The maximum length of a list, 16 MiB. This limit bounds memory.
    public static var maximumEncodedSize: Int { 1 << 24 }
    /// The maximum number of hexadecimal digits in a serial number: two for each of 20 octets (RFC 5280 §4.1.2.2).
    public static var maximumSerialNumberSize: Int { 40 }

    private struct Entry: Hashable, Sendable {
        /// The serial number in lower-case hexadecimal digits, without leading zeros.
        let serialNumber: ArraySlice<UInt8>
        let status: Status
    }

    /// Sorted by ``precedes(_:_:)``.
    private let entries: [Entry]

    private init(entries: [Entry]) { self.entries = entries }

    /// An empty list, which disables revocation checks. Use this list only for tests and for old chains.
    public static var notChecked: RevocationStatusList { RevocationStatusList(entries: []) }

    /// The number of certificates in the list.
    public var count: Int { entries.count }

    /// Decodes the JSON format that Google publishes. The member `entries` is an object that maps serial numbers to
    /// objects with a `status`. Other members are ignored.
    public init(json: some Collection<UInt8>) throws(KeyAttestationError) {
        guard json.count <= Self.maximumEncodedSize else { throw .malformedRevocationList(offset: 0) }
        try self.init(decoding: ArraySlice(json))
    }

    /// The maximum nesting depth in the value of an ignored member. The values that are read have a nesting depth of 3.
    static var maximumSkippedDepth: Int { 7 }

    /// Rule K6.
    private init(decoding json: ArraySlice<UInt8>) throws(KeyAttestationError) {
        var reader = JSONReader(json)
        do throws(JSONError) {
            var entries = try Self.readList(&reader)
            entries.sort { Self.precedes($0.serialNumber, $1.serialNumber) }
            for i in entries.indices.dropFirst() where entries[i].serialNumber == entries[i - 1].serialNumber {
                throw .duplicateName(offset: entries[i].serialNumber.startIndex - json.startIndex)
            }
            self.init(entries: entries)
        } catch {
            throw switch error {
            case .malformed(let offset): .malformedRevocationList(offset: offset)
            case .duplicateName(let offset): .duplicateRevocationEntry(offset: offset)
            default: .malformedRevocationList(offset: reader.offset)
            }
        }
    }

    private static func readList(_ reader: inout JSONReader) throws(JSONError) -> [Entry] {
        var entries: [Entry]?
        try reader.expect("{")
        if !reader.skip("}") {
            repeat {
                let name = try reader.readPlainString()
                try reader.expect(":")
                if isEqual(name, "entries") {
                    guard entries == nil else { throw .duplicateName(offset: reader.offset) }
                    entries = try readEntries(&reader)
                } else {
                    try reader.skipValue(depth: maximumSkippedDepth)
                }
            } while reader.skip(",")
            try reader.expect("}")
        }
        try reader.finish()
        guard let entries else { throw reader.malformed }
        return entries
    }

    private static func readEntries(_ reader: inout JSONReader) throws(JSONError) -> [Entry] {
        var entries: [Entry] = []
        try reader.expect("{")
        if reader.skip("}") { return entries }
        repeat {
            let malformed = reader.malformed
            let serialNumber = try reader.readPlainString()
            // Rejects every other spelling of a serial number, because a lookup would not find it.
            guard 1...maximumSerialNumberSize ~= serialNumber.count, serialNumber.first != UInt8(ascii: "0"),
                serialNumber.allSatisfy({ isDigit($0) })
            else { throw malformed }
            try reader.expect(":")
            entries.append(Entry(serialNumber: serialNumber, status: try readStatus(&reader)))
        } while reader.skip(",")
        try reader.expect("}")
        return entries
    }

    private static func readStatus(_ reader: inout JSONReader) throws(JSONError) -> Status {
        var status: Status?
        try reader.expect("{")
        if !reader.skip("}") {
            repeat {
                let name = try reader.readPlainString()
                try reader.expect(":")
                guard isEqual(name, "status") else {
                    try reader.skipValue(depth: maximumSkippedDepth)
                    continue
                }
                guard status == nil else { throw .duplicateName(offset: reader.offset) }
                let malformed = reader.malformed
                let word = try reader.readPlainString()
                if isEqual(word, "REVOKED") {
                    status = .revoked
                } else if isEqual(word, "SUSPENDED") {
                    status = .suspended
                } else {
                    throw malformed
                }
            } while reader.skip(",")
            try reader.expect("}")
        }
        guard let status else { throw reader.malformed }
        return status
    }

    /// Returns a certificate's status, or `nil` if it is not listed. `serialNumber` is the contents of the INTEGER.
    public func status(ofSerialNumber serialNumber: ArraySlice<UInt8>) -> Status? {
        let digits = Hex.encode(serialNumber).drop { $0 == UInt8(ascii: "0") }
        var candidates = entries.startIndex..<entries.endIndex
        while !candidates.isEmpty {
            let middle = candidates.lowerBound + candidates.count / 2
            let found = entries[middle].serialNumber
            if found == digits { return entries[middle].status }
            candidates =
                Self.precedes(found, digits)
                ? middle + 1..<candidates.upperBound : candidates.lowerBound..<middle
        }
        return nil
    }

    /// Orders serial numbers by length first, and then digit by digit.
    private static func precedes(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= character || UInt8(ascii: "a")...UInt8(ascii: "f") ~= character
    }
}
