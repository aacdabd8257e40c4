import PureDER
import PureX509

/// The fields of a receipt (Apple, "Assessing fraud risk"). Nothing is verified by reading.
public struct ReceiptPayload: Sendable {
    /// Which of Apple's services made a receipt (field 6).
    public enum Kind: Hashable, Sendable {
        /// "ATTEST": made with the attestation of the key.
        case attestation
        /// "RECEIPT": an answer to a risk query.
        case answer
    }

    /// Field 2: the App ID, UTF-8.
    public let appIDUTF8: ArraySlice<UInt8>
    /// Field 3: the attested key, as its certificate in DER.
    public let certificate: ArraySlice<UInt8>
    /// Field 4: the client data hash. In answers to risk queries Apple's service has passed it through a text: every byte
    /// that is not UTF-8 has become U+FFFD, in all six genuine ones seen.
    public let clientDataHash: ArraySlice<UInt8>
    /// Field 5: Apple's token, if there.
    public let token: ArraySlice<UInt8>?
    /// Field 6.
    public let kind: Kind
    /// Field 7, which Apple does not document: the environment, if there.
    public let environment: Environment?
    /// Field 12: when the receipt was made; fractions of a second are dropped.
    public let creationTime: UnixTime
    /// Field 17: how many keys the device has made lately, roughly; `nil` if the receipt names no number, which is not 0.
    public let riskMetric: UInt32?
    /// Field 19: the earliest time for the next risk query, if there.
    public let notBefore: UnixTime?
    /// Field 21: when the receipt ceases to be good for risk queries.
    public let expirationTime: UnixTime

    /// How many fields a receipt may have: 64. Genuine ones have up to ten, numbered up to 21.
    static let maximumFieldCount = 64

    /// Reads the signed content of a receipt: a SET of SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }, not
    /// sorted as DER would have it. Fields of unknown types are passed over; no type may come twice.
    public init(decoding content: ArraySlice<UInt8>) throws(PureAttestError) {
        let fields = try ReceiptFields(content)
        appIDUTF8 = try fields.required(2)
        certificate = try fields.required(3)
        clientDataHash = try fields.required(4)
        token = fields[5]
        let kindText = try fields.required(6)
        if kindText.isText("ATTEST") {
            kind = .attestation
        } else if kindText.isText("RECEIPT") {
            kind = .answer
        } else {
            throw .malformedReceiptField(6)
        }
        environment = try fields.optional(7) { text in
            text.isText("production") ? .production : text.isText("sandbox") ? .development : nil
        }
        creationTime = try fields.time(12)
        riskMetric = try fields.optional(17, decimalNumber)
        notBefore = try fields.optional(19, UnixTime.init(iso8601:))
        expirationTime = try fields.time(21)
    }
}

/// The values of a receipt's fields by type.
private struct ReceiptFields {
    private var entries: [(type: Int64, value: ArraySlice<UInt8>)] = []

    init(_ content: ArraySlice<UInt8>) throws(PureAttestError) {
        do {
            var outer = DERReader(content)
            var set = try outer.enter(.set)
            try outer.finish()
            while !set.isAtEnd {
                var field = try set.enter(.sequence)
                let type = try field.readInt64()
                // The version is 1 in all genuine receipts and has no documented meaning.
                _ = try field.readInt64()
                let value = try field.readOctetString()
                try field.finish()
                entries.append((type, value))
                if entries.count > ReceiptPayload.maximumFieldCount { break }
            }
        } catch { throw .malformedReceipt(error) }
        guard entries.count <= ReceiptPayload.maximumFieldCount else { throw .tooManyReceiptFields }
        for index in entries.indices where entries[..<index].contains(where: { $0.type == entries[index].type }) {
            throw .duplicateReceiptField(entries[index].type)
        }
    }

    subscript(type: Int64) -> ArraySlice<UInt8>? { entries.first { $0.type == type }?.value }

    func required(_ type: Int64) throws(PureAttestError) -> ArraySlice<UInt8> {
        guard let value = self[type] else { throw .receiptFieldMissing(type) }
        return value
    }

    /// The decoded field, `nil` if there is none; one that can't be decoded is refused.
    func optional<T>(_ type: Int64, _ decode: (ArraySlice<UInt8>) -> T?) throws(PureAttestError) -> T? {
        guard let value = self[type] else { return nil }
        guard let decoded = decode(value) else { throw .malformedReceiptField(type) }
        return decoded
    }

    func time(_ type: Int64) throws(PureAttestError) -> UnixTime {
        guard let time = try optional(type, UnixTime.init(iso8601:)) else { throw .receiptFieldMissing(type) }
        return time
    }
}

extension ArraySlice<UInt8> {
    /// Whether these are the bytes of `text`.
    fileprivate func isText(_ text: StaticString) -> Bool {
        // The buffer belongs to a literal of the program and outlives the closure, which only compares it.
        text.withUTF8Buffer { unsafe elementsEqual($0) }
    }
}

/// A number in up to nine decimal digits, which no overflow can reach.
func decimalNumber(_ text: ArraySlice<UInt8>) -> UInt32? {
    guard 1...9 ~= text.count else { return nil }
    var number: UInt32 = 0
    for character in text {
        let digit = character &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number * 10 + UInt32(digit)
    }
    return number
}

extension UnixTime {
    /// `YYYY-MM-DDTHH:MM:SSZ` with up to nine digits of a fraction, which are dropped; receipts have one to three.
    init?(iso8601 text: ArraySlice<UInt8>) {
        func number(_ offset: Int, _ count: Int) -> Int? {
            decimalNumber(text.dropFirst(offset).prefix(count)).map { Int($0) }
        }
        func has(_ character: Unicode.Scalar, at offset: Int) -> Bool {
            text.dropFirst(offset).first == UInt8(ascii: character)
        }
        guard 20...30 ~= text.count, has("-", at: 4), has("-", at: 7), has("T", at: 10), has(":", at: 13),
            has(":", at: 16), text.last == UInt8(ascii: "Z"),
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2)
        else { return nil }
        let fraction = text.dropFirst(19).dropLast()
        guard fraction.isEmpty || has(".", at: 19) && decimalNumber(fraction.dropFirst()) != nil else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }
}
