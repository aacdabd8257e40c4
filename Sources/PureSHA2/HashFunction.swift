/// A cryptographic hash function that is fed piecewise.
///
/// The three of FIPS 180-4 in this module conform: ``SHA256``, ``SHA384``, ``SHA512``. The names are CryptoKit's.
public protocol HashFunction: Sendable {
    /// The result, a type of its own for each function so that digests can't be mixed up.
    associatedtype Digest: PureSHA2.Digest

    /// The length in bytes of the block that the compression function takes in; HMAC pads its key to it.
    static var blockByteCount: Int { get }

    /// The hash of the empty message, ready to be fed.
    init()

    /// Appends `bytes` to the message.
    mutating func update(bytes: Span<UInt8>)

    /// The digest of the message so far. The function can be fed further: this does not end the message.
    func finalize() -> Digest
}

extension HashFunction {
    /// The length of the digest in bytes.
    @inlinable
    public static var byteCount: Int { Digest.byteCount }

    /// Appends `data` to the message.
    ///
    /// A collection with contiguous storage is read in place; of any other, one block at a time is copied to the stack.
    @inlinable
    public mutating func update(data: some Collection<UInt8>) {
        let isDone: Void? = data.withContiguousStorageIfAvailable {
            // Safe: the span does not outlive the closure, in which the buffer is valid.
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

    /// The digest of `data`.
    @inlinable
    public static func hash(data: some Collection<UInt8>) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// The digest of `bytes`.
    @inlinable
    public static func hash(bytes: Span<UInt8>) -> Digest {
        var function = Self()
        function.update(bytes: bytes)
        return function.finalize()
    }
}
