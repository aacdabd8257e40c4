// What code that was written for CryptoKit has of raw pointers, over the safe functions beside it. Nothing here uses these.

extension HashFunction {
    /// Appends `bytes` to the message.
    public mutating func update(bytes: RawSpan) {
        update(bytes: Span<UInt8>(_bytes: bytes))
    }

    /// Appends the bytes of `bufferPointer` to the message. ``update(bytes:)-(RawSpan)`` is the safe equivalent.
    @unsafe
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        update(bytes: unsafe RawSpan(_unsafeBytes: bufferPointer))
    }
}

// Embedded Swift has no untyped errors for a closure to throw.
#if !hasFeature(Embedded)
    extension Digest {
        /// Calls `body` with the bytes, which are there as long as it runs. The digest is a collection of them itself.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe Array(self).withUnsafeBytes(body)
        }
    }

    extension HashedAuthenticationCode {
        /// Calls `body` with the bytes, which are there as long as it runs. The code is a collection of them itself.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe Array(self).withUnsafeBytes(body)
        }
    }

    extension SymmetricKey {
        /// Calls `body` with the bytes, which are there as long as it runs: to store the key, which nothing else here shows.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe bytes.withUnsafeBytes(body)
        }
    }
#endif
