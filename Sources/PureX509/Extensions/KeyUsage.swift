package import PureDER

/// keyUsage (RFC 5280 §4.2.1.3): the operations for which the key may be used.
public struct KeyUsage: OptionSet, Hashable, Sendable {
    /// The usages as a bit mask. Bit `n` of the BIT STRING, numbered as in ASN.1, becomes bit `n` of this number.
    public let rawValue: UInt16

    /// Creates a set of usages from bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// digitalSignature (0).
    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    /// nonRepudiation, or contentCommitment (1).
    public static let contentCommitment = KeyUsage(rawValue: 1 << 1)
    /// keyEncipherment (2).
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    /// dataEncipherment (3).
    public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    /// keyAgreement (4).
    public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    /// keyCertSign (5).
    public static let keyCertSign = KeyUsage(rawValue: 1 << 5)
    /// cRLSign (6).
    public static let cRLSign = KeyUsage(rawValue: 1 << 6)
    /// encipherOnly (7).
    public static let encipherOnly = KeyUsage(rawValue: 1 << 7)
    /// decipherOnly (8).
    public static let decipherOnly = KeyUsage(rawValue: 1 << 8)

    init(_ value: ArraySlice<UInt8>) throws(X509Error) {
        var reader = FieldReader(value, .keyUsage)
        rawValue = try reader.readNamedBits()
        try reader.finish()
    }
}

extension FieldReader {
    /// Reads nine named bits (KeyUsage or ReasonFlags). At least one must be 1. Bit `n` becomes bit `n` of the result.
    package mutating func readNamedBits(_ tag: DERTag = .bitString) throws(X509Error) -> UInt16 {
        let bits = try readBitString(tag)
        var rawValue: UInt16 = 0
        // X.690 §11.2.2: no trailing zero bits.
        guard 1...2 ~= bits.bytes.count, bits.hasNoTrailingZeroBits else { throw .invalidValue(field) }
        for octet in bits.bytes.reversed() {
            for bit in 0..<8 { rawValue = rawValue << 1 | UInt16(octet >> bit & 1) }
        }
        guard rawValue >> 9 == 0 else { throw .invalidValue(field) }
        return rawValue
    }
}
