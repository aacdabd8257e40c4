// CryptoKit's functions on raw pointers, for code that is written for CryptoKit. This package does not use them.

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

// In Embedded Swift a closure cannot throw untyped errors.
#if !hasFeature(Embedded)
    extension Digest {
        /// Calls `body` with the bytes, valid only during the call. Safe equivalent: the digest as a collection.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe Array(self).withUnsafeBytes(body)
        }
    }

    extension HashedAuthenticationCode {
        /// Calls `body` with the bytes, valid only during the call. Safe equivalent: the code as a collection.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe Array(self).withUnsafeBytes(body)
        }
    }

    extension SymmetricKey {
        /// Calls `body` with the bytes, which are valid only during the call. Use this function to store the key; no
        /// other function exposes the bytes of the key.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe bytes.withUnsafeBytes(body)
        }
    }
#endif
