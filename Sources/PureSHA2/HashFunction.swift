/// A cryptographic hash function that accepts its message in parts.
///
/// ``SHA256``, ``SHA384`` and ``SHA512`` (FIPS 180-4) conform. The names are the same as in CryptoKit.
public protocol HashFunction: Sendable {
    /// The result. Each hash function has its own digest type, so digests of different functions cannot be mixed up.
    associatedtype Digest: PureSHA2.Digest

    /// The length of a block in bytes. HMAC pads its key to this length.
    static var blockByteCount: Int { get }

    /// Creates the hash of the empty message.
    init()

    /// Appends `bytes` to the message.
    mutating func update(bytes: Span<UInt8>)

    /// Returns the digest of the message so far. More data may follow.
    func finalize() -> Digest
}

extension HashFunction {
    /// The length of the digest in bytes.
    @inlinable
    public static var byteCount: Int { Digest.byteCount }

    /// Appends `data` to the message.
    ///
    /// Reads a contiguous collection in place. Copies any other collection to the stack, 128 bytes at a time.
    @inlinable
    public mutating func update(data: some Collection<UInt8>) {
        let isDone: Void? = data.withContiguousStorageIfAvailable {
            // The unsafe span is safe, because it does not outlive the closure, and the buffer is valid in the closure.
            update(bytes: unsafe Span(_unsafeElements: $0))
        }
        if isDone == nil { updateBytewise(data: data) }
    }

    /// `update(data:)` for a collection without contiguous storage.
    @inlinable
    mutating func updateBytewise(data: some Collection<UInt8>) {
        var chunk = InlineArray<128, UInt8>(repeating: 0)
        var count = 0
        for byte in data {
            chunk[count] = byte
            count += 1
            if count == chunk.count {
                update(bytes: chunk.span)
                count = 0
            }
        }
        update(bytes: chunk.span.extracting(first: count))
    }

    /// Returns the digest of `data`.
    @inlinable
    public static func hash(data: some Collection<UInt8>) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// Returns the digest of `bytes`.
    @inlinable
    public static func hash(bytes: Span<UInt8>) -> Digest {
        var function = Self()
        function.update(bytes: bytes)
        return function.finalize()
    }
}
