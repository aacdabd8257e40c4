package import PureDER

/// Object identifiers in certificates and receipts that no verifier compares. Each number contains the contents octets
/// of an identifier.
extension ASN1ObjectIdentifier {
    /// ecdsa-with-SHA1, 1.2.840.10045.4.1 (RFC 3279 §2.2.3).
    package static var ecdsaWithSHA1: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_01) }

    // X.520 attribute types.
    package static var countryName: Self { Self(encodedAs: 0x55_04_06) }
    static var stateName: Self { Self(encodedAs: 0x55_04_08) }
    package static var organizationalUnitName: Self { Self(encodedAs: 0x55_04_0B) }

    /// id-ad-ocsp, 1.3.6.1.5.5.7.48.1 (RFC 5280 §4.2.2.1).
    static var ocsp: Self { Self(encodedAs: 0x2B_06_01_05_05_07_30_01) }

    // CMS (RFC 5652 §6.1, §11).
    static var envelopedData: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_07_03) }
    static var contentType: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_09_03) }
    static var messageDigest: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_09_04) }

    /// Returns Apple's identifier 1.2.840.113635.100.`arcs`. Each arc must be below 128.
    package static func apple(_ arcs: UInt8...) -> Self {
        var number: UInt128 = 0x2A_86_48_86_F7_63_64
        for arc in arcs { number = number << 8 | UInt128(arc) }
        return Self(encodedAs: number)
    }
}
