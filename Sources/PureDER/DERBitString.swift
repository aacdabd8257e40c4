/// A BIT STRING (X.690 §8.6, §11.2): whole octets, and how many of the last one's low bits are not part of it.
public struct DERBitString: Hashable, Sendable {
    /// The octets, first bit in the first octet's highest bit. Unused bits are 0.
    public let bytes: ArraySlice<UInt8>
    /// The number of unused bits in the last octet, 0 to 7; 0 if there is no octet.
    public let unusedBitCount: UInt8

    /// Decodes contents octets (§8.6.2, §11.2.1: unused bits are 0).
    public init(contents: ArraySlice<UInt8>) throws(DERError) {
        guard let count = contents.first else { throw .emptyBitString }
        bytes = contents.dropFirst()
        unusedBitCount = count
        guard count <= 7, count == 0 || !bytes.isEmpty else { throw .invalidUnusedBitCount }
        guard let last = bytes.last else { return }
        guard last & (1 << count - 1) == 0 else { throw .nonZeroUnusedBits }
    }

    /// Whether the last bit is 1, or there is none: the shortest form, which §11.2.2 demands where the type names its
    /// bits (`KeyUsage`). Only the caller knows whether it does.
    public var hasNoTrailingZeroBits: Bool {
        guard let last = bytes.last else { return true }
        return last & (1 << unusedBitCount) != 0
    }
}

extension DERReader {
    /// Reads a BIT STRING. `tag` is another one where the type is `IMPLICIT`ly tagged.
    public mutating func readBitString(_ tag: DERTag = .bitString) throws(DERError) -> DERBitString {
        try DERBitString(contents: try read(tag))
    }
}
