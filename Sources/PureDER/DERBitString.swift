/// A BIT STRING (X.690 §8.6, §11.2): octets, and the number of unused bits in the last octet.
public struct DERBitString: Hashable, Sendable {
    /// The octets. The most significant bit comes first in each octet. Unused bits are 0.
    public let bytes: ArraySlice<UInt8>
    /// The number of unused bits in the last octet: 0 to 7, and 0 for an empty string.
    public let unusedBitCount: UInt8

    /// Decodes contents octets (§8.6.2). Rejects unused bits that are not 0 (§11.2.1).
    public init(contents: ArraySlice<UInt8>) throws(DERError) {
        guard let count = contents.first else { throw .emptyBitString }
        bytes = contents.dropFirst()
        unusedBitCount = count
        guard count <= 7, count == 0 || !bytes.isEmpty else { throw .invalidUnusedBitCount }
        guard let last = bytes.last else { return }
        guard last & (1 << count - 1) == 0 else { throw .nonZeroUnusedBits }
    }

    /// Whether the last bit is 1, or the string is empty. §11.2.2 requires this for types with named bits, such as
    /// `KeyUsage`. The caller must know whether its type has named bits.
    public var hasNoTrailingZeroBits: Bool {
        guard let last = bytes.last else { return true }
        return last & (1 << unusedBitCount) != 0
    }
}

extension DERReader {
    /// Reads a BIT STRING. For an `IMPLICIT` type, pass its tag.
    public mutating func readBitString(_ tag: DERTag = .bitString) throws(DERError) -> DERBitString {
        try DERBitString(contents: try read(tag))
    }
}
