/// Google's list of certificates that are revoked or suspended, as it is at <https://android.googleapis.com/attestation/status>.
///
/// The server fetches it, over HTTPS, as often as the answer's Cache-Control says; it is not signed. A list that can't be read is refused
/// and no verification goes on without one by mistake: a verifier that is to do without is given ``notChecked``.
public struct RevocationStatusList: Hashable, Sendable {
    /// What the list says of a certificate.
    public enum Status: UInt8, Hashable, Sendable {
        /// Its key is known to others, or its device is not what it should be.
        case revoked
        /// The same, for the time being.
        case suspended
    }

    /// The longest list that is read, 16 MiB: bounds memory.
    public static var maximumEncodedSize: Int { 1 << 24 }
    /// The longest serial number in digits: twice the octets of RFC 5280 §4.1.2.2.
    public static var maximumSerialNumberSize: Int { 40 }

    private struct Entry: Hashable, Sendable {
        /// Digits in hexadecimal, lower case, without leading zeros.
        let serialNumber: ArraySlice<UInt8>
        let status: Status
    }

    /// In the order of ``precedes(_:_:)``.
    private let entries: [Entry]

    private init(entries: [Entry]) { self.entries = entries }

    /// A list without entries, for a verifier that does not check revocation: for tests, and for chains of long ago.
    public static var notChecked: RevocationStatusList { RevocationStatusList(entries: []) }

    /// How many certificates the list names.
    public var count: Int { entries.count }

    /// Reads the JSON: an object with `entries`, whose names are serial numbers. Each has a `status`; other members are passed over.
    public init(json: some Collection<UInt8>) throws(KeyAttestationError) {
        guard json.count <= Self.maximumEncodedSize else { throw .malformedRevocationList(offset: 0) }
        try self.init(decoding: ArraySlice(json))
    }

    /// Rule K6.
    private init(decoding json: ArraySlice<UInt8>) throws(KeyAttestationError) {
        var reader = StatusListReader(json)
        var entries: [Entry]?
        try reader.expect("{")
        if !reader.skip("}") {
            repeat {
                let name = try reader.readPlainString()
                try reader.expect(":")
                if name.elementsEqual(Self.entriesName) {
                    guard entries == nil else { throw .duplicateRevocationEntry(offset: reader.offset) }
                    entries = try Self.readEntries(&reader)
                } else {
                    try reader.skipValue()
                }
            } while reader.skip(",")
            try reader.expect("}")
        }
        try reader.finish()
        guard var entries else { throw reader.malformed }
        entries.sort { Self.precedes($0.serialNumber, $1.serialNumber) }
        for i in entries.indices.dropFirst() where entries[i].serialNumber == entries[i - 1].serialNumber {
            throw .duplicateRevocationEntry(offset: entries[i].serialNumber.startIndex - json.startIndex)
        }
        self.init(entries: entries)
    }

    private static func readEntries(_ reader: inout StatusListReader) throws(KeyAttestationError) -> [Entry] {
        var entries: [Entry] = []
        try reader.expect("{")
        if reader.skip("}") { return entries }
        repeat {
            let malformed = reader.malformed
            let serialNumber = try reader.readPlainString()
            // One spelling of each number: another one would not be found.
            guard 1...maximumSerialNumberSize ~= serialNumber.count, serialNumber.first != UInt8(ascii: "0"),
                serialNumber.allSatisfy({ isDigit($0) })
            else { throw malformed }
            try reader.expect(":")
            entries.append(Entry(serialNumber: serialNumber, status: try readStatus(&reader)))
        } while reader.skip(",")
        try reader.expect("}")
        return entries
    }

    private static func readStatus(_ reader: inout StatusListReader) throws(KeyAttestationError) -> Status {
        var status: Status?
        try reader.expect("{")
        if !reader.skip("}") {
            repeat {
                let name = try reader.readPlainString()
                try reader.expect(":")
                guard name.elementsEqual(statusName) else {
                    try reader.skipValue()
                    continue
                }
                guard status == nil else { throw .duplicateRevocationEntry(offset: reader.offset) }
                let malformed = reader.malformed
                let word = try reader.readPlainString()
                if word.elementsEqual(revokedWord) {
                    status = .revoked
                } else if word.elementsEqual(suspendedWord) {
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

    /// What the list says of the certificate with this serial number, the contents of an INTEGER; `nil` if nothing.
    public func status(ofSerialNumber serialNumber: ArraySlice<UInt8>) -> Status? {
        var digits: [UInt8] = []
        for octet in serialNumber {
            for nibble in [octet >> 4, octet & 15] where !digits.isEmpty || nibble > 0 {
                digits.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
            }
        }
        var candidates = entries.startIndex..<entries.endIndex
        while !candidates.isEmpty {
            let middle = candidates.lowerBound + candidates.count / 2
            let found = entries[middle].serialNumber
            if found == digits[...] { return entries[middle].status }
            candidates =
                Self.precedes(found, digits[...])
                ? middle + 1..<candidates.upperBound : candidates.lowerBound..<middle
        }
        return nil
    }

    /// The shorter number first, and numbers of one length digit by digit.
    private static func precedes(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
        a.count != b.count ? a.count < b.count : a.lexicographicallyPrecedes(b)
    }

    private static func isDigit(_ character: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= character || UInt8(ascii: "a")...UInt8(ascii: "f") ~= character
    }

    private static var entriesName: [UInt8] { [0x65, 0x6E, 0x74, 0x72, 0x69, 0x65, 0x73] }
    private static var statusName: [UInt8] { [0x73, 0x74, 0x61, 0x74, 0x75, 0x73] }
    private static var revokedWord: [UInt8] { [0x52, 0x45, 0x56, 0x4F, 0x4B, 0x45, 0x44] }
    private static var suspendedWord: [UInt8] { [0x53, 0x55, 0x53, 0x50, 0x45, 0x4E, 0x44, 0x45, 0x44] }
}
