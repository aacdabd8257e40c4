public import PureBytes

/// A message authentication code of an ``HMAC``. Two are compared in a time that does not depend on their bytes.
public struct HashedAuthenticationCode<H: HashFunction>: RandomAccessCollection, Hashable, Sendable {
    @usableFromInline
    let digest: H.Digest

    @inlinable
    init(_ digest: H.Digest) {
        self.digest = digest
    }

    /// Whether the bytes are those of `b`, in a time that does not depend on them.
    @inlinable
    public static func == (a: Self, b: some Collection<UInt8>) -> Bool { constantTimeEquals(a, b) }

    /// Whether the bytes are not those of `b`, in the same way.
    @inlinable
    public static func != (a: Self, b: some Collection<UInt8>) -> Bool { !constantTimeEquals(a, b) }

    /// The length in bytes, that of the hash function's digest.
    @inlinable
    public static var byteCount: Int { H.Digest.byteCount }

    /// The same.
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

/// HMAC, the keyed message authentication code made of a hash function (RFC 2104; FIPS 198-1).
///
/// *Time:* depends on the lengths of key and message alone.
public struct HMAC<H: HashFunction>: Sendable {
    /// What codes are made with; any collection of bytes will do as well.
    public typealias Key = SymmetricKey

    /// The result for this hash function.
    public typealias MAC = HashedAuthenticationCode<H>

    @usableFromInline
    var inner: H

    @usableFromInline
    var outer: H

    /// Starts a code under `key`, of any length; one longer than a block is replaced by its hash (RFC 2104 §2).
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

    /// Starts a code under `key`.
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

    /// The code of the message so far; more may be appended afterwards.
    @inlinable
    public func finalize() -> MAC {
        var hash = outer
        hash.update(data: inner.finalize())
        return MAC(hash.finalize())
    }

    /// The code of `data` under `key`.
    @inlinable
    public static func authenticationCode(
        for data: some Collection<UInt8>, using key: some Collection<UInt8>
    ) -> MAC {
        var code = Self(key: key)
        code.update(data: data)
        return code.finalize()
    }

    /// Whether `code` is the whole code of `data` under `key`, compared in constant time. A truncated code is not valid.
    @inlinable
    public static func isValidAuthenticationCode(
        _ code: some Collection<UInt8>, authenticating data: some Collection<UInt8>, using key: some Collection<UInt8>
    ) -> Bool {
        constantTimeEquals(code, authenticationCode(for: data, using: key))
    }

    /// The code of `data` under `key`.
    @inlinable
    public static func authenticationCode(for data: some Collection<UInt8>, using key: SymmetricKey) -> MAC {
        authenticationCode(for: data, using: key.bytes)
    }

    /// Whether `code` is the whole code of `data` under `key`, compared in constant time. A truncated code is not valid.
    @inlinable
    public static func isValidAuthenticationCode(
        _ code: some Collection<UInt8>, authenticating data: some Collection<UInt8>, using key: SymmetricKey
    ) -> Bool {
        isValidAuthenticationCode(code, authenticating: data, using: key.bytes)
    }
}
