package import PureDER

/// Apple's object identifiers in certificates, encoded as DER contents octets.
extension ASN1ObjectIdentifier {
    /// The extended key usage of leaves since February 2026: 1.2.840.113635.100.4.24.
    @inline(__always) package static var appAttest: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_04_18) }
    /// The leaf's nonce: 1.2.840.113635.100.8.2.
    package static var nonce: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_02) }
    /// The properties of the leaf's key: 1.2.840.113635.100.8.5.
    package static var keyProperties: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_05) }
    /// The access control list of the leaf's key: 1.2.840.113635.100.8.6.
    package static var accessControlList: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_06) }
    /// The system information of the leaf: 1.2.840.113635.100.8.7.
    package static var systemInformation: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_07) }
    /// "Apple App Attest receipt signing", 1.2.840.113635.100.12.15. Only receipt signers have this extension.
    package static var receiptSigning: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_0C_0F) }
}
