/// Object identifiers of algorithms, as contents octets. The constants are inlined, so comparing an identifier with a
/// constant compares two integers.
extension ASN1ObjectIdentifier {
    // Keys.

    /// id-ecPublicKey, 1.2.840.10045.2.1 (RFC 5480 §2.1.1).
    @inlinable @inline(__always) package static var ecPublicKey: Self { Self(encodedAs: 0x2A_86_48_CE_3D_02_01) }
    /// secp256r1, 1.2.840.10045.3.1.7 (RFC 5480 §2.1.1.1).
    @inlinable @inline(__always) package static var secp256r1: Self { Self(encodedAs: 0x2A_86_48_CE_3D_03_01_07) }
    /// secp384r1, 1.3.132.0.34 (RFC 5480 §2.1.1.1).
    @inlinable @inline(__always) package static var secp384r1: Self { Self(encodedAs: 0x2B_81_04_00_22) }
    /// rsaEncryption, 1.2.840.113549.1.1.1 (RFC 3279 §2.3.1).
    @inlinable @inline(__always)
    package static var rsaEncryption: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_01_01) }

    // Signatures.

    /// ecdsa-with-SHA256, 1.2.840.10045.4.3.2 (RFC 5758 §3.2).
    @inlinable @inline(__always) package static var ecdsaWithSHA256: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_03_02) }
    /// ecdsa-with-SHA384, 1.2.840.10045.4.3.3 (RFC 5758 §3.2).
    @inlinable @inline(__always) package static var ecdsaWithSHA384: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_03_03) }
    /// ecdsa-with-SHA512, 1.2.840.10045.4.3.4 (RFC 5758 §3.2).
    @inlinable @inline(__always) package static var ecdsaWithSHA512: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_03_04) }
    /// sha256WithRSAEncryption, 1.2.840.113549.1.1.11 (RFC 4055 §5).
    @inlinable @inline(__always)
    package static var sha256WithRSAEncryption: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0B) }
    /// sha384WithRSAEncryption, 1.2.840.113549.1.1.12 (RFC 4055 §5).
    @inlinable @inline(__always)
    package static var sha384WithRSAEncryption: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0C) }
    /// sha512WithRSAEncryption, 1.2.840.113549.1.1.13 (RFC 4055 §5).
    @inlinable @inline(__always)
    package static var sha512WithRSAEncryption: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_01_0D) }

    // Hash functions.

    /// id-sha256, 2.16.840.1.101.3.4.2.1 (RFC 5754 §2.2).
    @inlinable @inline(__always) package static var sha256: Self { Self(encodedAs: 0x60_86_48_01_65_03_04_02_01) }
    /// id-sha384, 2.16.840.1.101.3.4.2.2 (RFC 5754 §2.3).
    @inlinable @inline(__always) package static var sha384: Self { Self(encodedAs: 0x60_86_48_01_65_03_04_02_02) }
    /// id-sha512, 2.16.840.1.101.3.4.2.3 (RFC 5754 §2.4).
    @inlinable @inline(__always) package static var sha512: Self { Self(encodedAs: 0x60_86_48_01_65_03_04_02_03) }
}
