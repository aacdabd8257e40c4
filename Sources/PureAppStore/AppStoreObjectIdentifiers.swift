import PureDER

/// Apple's identifiers of the certificates that sign App Store data, as contents octets.
extension ASN1ObjectIdentifier {
    /// The leaf's: Mac App Store Receipt Signing, 1.2.840.113635.100.6.11.1.
    static var appStoreReceiptSigning: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_06_0B_01) }
    /// The intermediate's: Apple Worldwide Developer Relations, 1.2.840.113635.100.6.2.1.
    static var worldwideDeveloperRelations: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_06_02_01) }
}
