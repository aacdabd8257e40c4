public import PureBytes

/// A message authentication code that ``HMAC`` computes. Comparison takes constant time.
public struct HashedAuthenticationCode<H: HashFunction>: RandomAccessCollection, Hashable, Sendable {
    @usableFromInline
    let digest: H.Digest

    @inlinable
    init(_ digest: H.Digest) {
        self.digest = digest
    }

    /// Returns whether the code's bytes equal `b`, in time that does not depend on the bytes.
    @inlinable
    public static func == (a: Self, b: some Collection<UInt8>) -> Bool { constantTimeEquals(a, b) }

    /// Returns whether the code's bytes differ from `b`, in time that does not depend on the bytes.
    @inlinable
    public static func != (a: Self, b: some Collection<UInt8>) -> Bool { !constantTimeEquals(a, b) }

    /// The length of the hash function's digest in bytes.
    @inlinable
    public static var byteCount: Int { H.Digest.byteCount }

    /// The length of the hash function's digest in bytes.
    @inlinable
    public var byteCount: Int { Self.byteCount }

    /// Always 0.
    @inlinable
    public var startIndex: Int { 0 }

    /// Always `byteCount`.
    @inlinable
    public var endIndex: Int { Self.byteCount }

    /// Byte `position`, in `0 ..< byteCount`.
    @inlinable
    public subscript(position: Int) -> UInt8 { digest[position] }
}

/// HMAC, the keyed message authentication code based on a hash function (RFC 2104; FIPS 198-1).
///
/// *Time:* depends only on the lengths of key and message.
public struct HMAC<H: HashFunction>: Sendable {
    /// The key type. The functions also accept any collection of bytes as the key.
    public typealias Key = SymmetricKey

    /// The type of authentication codes with this hash function.
    public typealias MAC = HashedAuthenticationCode<H>

    @usableFromInline
    var inner: H

    @usableFromInline
    var outer: H

    /// Starts an authentication code under a key of any length. Hashes a key that is longer than a block (RFC 2104 §2).
    @inlinable
    public init(key: some Collection<UInt8>) {
        var block = [UInt8](repeating: 0, count: H.blockByteCount)
        if key.count > block.count {
            for (i, byte) in H.hash(data: key).enumerated() { block[i] = byte }
        } else {
            for (i, byte) in key.enumerated() { block[i] = byte }
        }
        // ipad and opad of RFC 2104 §2.
        inner = H()
        inner.update(data: block.map { $0 ^ 0x36 })
        outer = H()
        outer.update(data: block.map { $0 ^ 0x5C })
    }

    /// Starts an authentication code under `key`.
    @inlinable
    public init(key: SymmetricKey) {
        self.init(key: key.bytes)
    }

    /// Appends `data` to the message.
    @inlinable
    public mutating func update(data: some Collection<UInt8>) {
        inner.update(data: data)
    }

    /// Appends `bytes` to the message.
    @inlinable
    public mutating func update(bytes: RawSpan) {
        inner.update(bytes: bytes)
    }

    /// Returns the authentication code of the message so far. More data may follow.
    @inlinable
    public func finalize() -> MAC {
        var hash = outer
        hash.update(data: inner.finalize())
        return MAC(hash.finalize())
    }

    /// Returns the authentication code of `data` under `key`.
    @inlinable
    public static func authenticationCode(
        for data: some Collection<UInt8>, using key: some Collection<UInt8>
    ) -> MAC {
        var code = Self(key: key)
        code.update(data: data)
        return code.finalize()
    }

    /// Returns whether `code` is the untruncated authentication code of `data` under `key`; compares in constant time.
    @inlinable
    public static func isValidAuthenticationCode(
        _ code: some Collection<UInt8>, authenticating data: some Collection<UInt8>, using key: some Collection<UInt8>
    ) -> Bool {
        constantTimeEquals(code, authenticationCode(for: data, using: key))
    }

    /// Returns the authentication code of `data` under `key`.
    @inlinable
    public static func authenticationCode(for data: some Collection<UInt8>, using key: SymmetricKey) -> MAC {
        authenticationCode(for: data, using: key.bytes)
    }

    /// Returns whether `code` is the untruncated authentication code of `data` under `key`; compares in constant time.
    @inlinable
    public static func isValidAuthenticationCode(
        _ code: some Collection<UInt8>, authenticating data: some Collection<UInt8>, using key: SymmetricKey
    ) -> Bool {
        isValidAuthenticationCode(code, authenticating: data, using: key.bytes)
    }
}
