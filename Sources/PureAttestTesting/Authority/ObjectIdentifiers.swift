package import PureDER

/// Identifiers of certificates and receipts that PureX509 lacks, as contents octets.
extension ASN1ObjectIdentifier {
    // RFC 5480 §2.1.1, RFC 5758 §3.2.
    package static var ecPublicKey: Self { Self(encodedAs: 0x2A_86_48_CE_3D_02_01) }
    package static var secp256r1: Self { Self(encodedAs: 0x2A_86_48_CE_3D_03_01_07) }
    package static var secp384r1: Self { Self(encodedAs: 0x2B_81_04_00_22) }
    package static var ecdsaWithSHA1: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_01) }
    package static var ecdsaWithSHA256: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_03_02) }
    static var ecdsaWithSHA384: Self { Self(encodedAs: 0x2A_86_48_CE_3D_04_03_03) }
    /// rsaEncryption, 1.2.840.113549.1.1.1 (RFC 3279 §2.3.1).
    static var rsaEncryption: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_01_01) }

    // X.520 attribute types.
    package static var commonName: Self { Self(encodedAs: 0x55_04_03) }
    static var countryName: Self { Self(encodedAs: 0x55_04_06) }
    static var stateName: Self { Self(encodedAs: 0x55_04_08) }
    package static var organizationName: Self { Self(encodedAs: 0x55_04_0A) }
    static var organizationalUnitName: Self { Self(encodedAs: 0x55_04_0B) }

    /// id-ce-cRLDistributionPoints, 2.5.29.31 (RFC 5280 §4.2.1.13).
    static var crlDistributionPoints: Self { Self(encodedAs: 0x55_1D_1F) }
    /// id-ad-ocsp, 1.3.6.1.5.5.7.48.1 (RFC 5280 §4.2.2.1).
    static var ocsp: Self { Self(encodedAs: 0x2B_06_01_05_05_07_30_01) }

    // CMS (RFC 5652 §4, §5), SHA-256 (RFC 5754 §2.2).
    static var data: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_07_01) }
    static var signedData: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_07_02) }
    static var contentType: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_09_03) }
    static var messageDigest: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_09_04) }
    static var sha256: Self { Self(encodedAs: 0x60_86_48_01_65_03_04_02_01) }
    static var sha384: Self { Self(encodedAs: 0x60_86_48_01_65_03_04_02_02) }
    static var envelopedData: Self { Self(encodedAs: 0x2A_86_48_86_F7_0D_01_07_03) }

    /// Apple's 1.2.840.113635.100.`arcs`: each arc below 128.
    static func apple(_ arcs: UInt8...) -> Self {
        var number: UInt128 = 0x2A_86_48_86_F7_63_64
        for arc in arcs { number = number << 8 | UInt128(arc) }
        return Self(encodedAs: number)
    }

    /// The leaf's nonce extension.
    static var nonce: Self { apple(8, 2) }
    /// The extension that distinguishes receipt signers from other certificates under their root.
    static var receiptSigning: Self { apple(12, 15) }
    /// The leaf's access control list extension.
    static var accessControlList: Self { apple(8, 6) }
}
