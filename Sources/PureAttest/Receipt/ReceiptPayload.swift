import PureBytes
import PureDER
import PureX509

/// The fields of a receipt (Apple, "Assessing fraud risk"). Reading them verifies nothing.
public struct ReceiptPayload: Sendable {
    /// The kind of a receipt (field 6), which names the Apple service that made the receipt.
    public enum Kind: Hashable, Sendable {
        /// "ATTEST": made when the key was attested.
        case attestation
        /// "RECEIPT": an answer to a risk query.
        case answer
    }

    /// Field 2: the App ID, UTF-8.
    public let appIDUTF8: ArraySlice<UInt8>
    /// Field 3: the certificate of the attested key, in DER.
    public let certificate: ArraySlice<UInt8>
    /// Field 4: the client data hash. In all six known genuine answers to risk queries, this hash is damaged, because
    /// Apple's service has replaced every byte that is not UTF-8 by U+FFFD.
    public let clientDataHash: ArraySlice<UInt8>
    /// Field 5: Apple's token, if present.
    public let token: ArraySlice<UInt8>?
    /// Field 6: the kind of receipt.
    public let kind: Kind
    /// Field 7: the environment, if the field is present. Apple does not document this field.
    public let environment: Environment?
    /// Field 12: the creation time, without fractions of a second.
    public let creationTime: UnixTime
    /// Field 17: the approximate number of keys that the device has made recently. `nil` means that the field is
    /// absent, not that the number is 0.
    public let riskMetric: UInt32?
    /// Field 19: the earliest time for the next risk query, if present.
    public let notBefore: UnixTime?
    /// Field 21: the time after which the receipt can no longer be used for risk queries.
    public let expirationTime: UnixTime

    /// The maximum number of fields. Genuine receipts have up to ten fields, with field numbers up to 21.
    static let maximumFieldCount = 64

    /// Reads the signed content of a receipt: a SET of SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }.
    ///
    /// Contrary to DER, the SET need not be sorted. Skips unknown fields, and rejects duplicate fields.
    public init(decoding content: ArraySlice<UInt8>) throws(PureAttestError) {
        let fields = try ReceiptFields(content)
        appIDUTF8 = try fields.required(2)
        certificate = try fields.required(3)
        clientDataHash = try fields.required(4)
        token = fields[5]
        let kindText = try fields.required(6)
        if isEqual(kindText, "ATTEST") {
            kind = .attestation
        } else if isEqual(kindText, "RECEIPT") {
            kind = .answer
        } else {
            throw .malformedReceiptField(6)
        }
        environment = try fields.optional(7) { text in
            isEqual(text, "production") ? .production : isEqual(text, "sandbox") ? .development : nil
        }
        creationTime = try fields.time(12)
        riskMetric = try fields.optional(17, decimalNumber)
        notBefore = try fields.optional(19, UnixTime.init(iso8601:))
        expirationTime = try fields.time(21)
    }
}

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
                // The field's version is 1 in all genuine receipts and has no documented meaning.
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

    /// Decodes a field. Returns `nil` if the field is missing, and rejects the receipt if the field cannot be decoded.
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

/// Parses a number of one to nine decimal digits. The digit limit prevents overflow.
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
    /// Parses `YYYY-MM-DDTHH:MM:SSZ` with up to nine fractional digits, and drops these digits. Genuine receipts have
    /// one to three fractional digits.
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
