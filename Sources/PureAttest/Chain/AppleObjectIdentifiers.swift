package import PureDER

/// Apple's identifiers in certificates, as contents octets.
extension ASN1ObjectIdentifier {
    /// The purpose that leaves name since February 2026: 1.2.840.113635.100.4.24.
    @inline(__always) package static var appAttest: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_04_18) }
    /// The leaf's nonce: 1.2.840.113635.100.8.2.
    package static var nonce: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_02) }
    /// Properties of the leaf's key: 1.2.840.113635.100.8.5.
    package static var keyProperties: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_05) }
    /// The access control list of the leaf's key: 1.2.840.113635.100.8.6.
    package static var accessControlList: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_06) }
    /// The version of the device's system: 1.2.840.113635.100.8.7.
    package static var systemInformation: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_08_07) }
    /// "Apple App Attest receipt signing", 1.2.840.113635.100.12.15. It distinguishes signers of receipts from other
    /// certificates under the same root.
    package static var receiptSigning: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_0C_0F) }
}
