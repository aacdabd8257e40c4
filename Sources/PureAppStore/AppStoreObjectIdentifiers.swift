import PureDER

/// The object identifiers of Apple's extensions in certificates for App Store data, as contents octets.
extension ASN1ObjectIdentifier {
    /// Mac App Store Receipt Signing, 1.2.840.113635.100.6.11.1, in the leaf.
    static var appStoreReceiptSigning: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_06_0B_01) }
    /// Apple Worldwide Developer Relations, 1.2.840.113635.100.6.2.1, in the intermediate.
    static var worldwideDeveloperRelations: Self { Self(encodedAs: 0x2A_86_48_86_F7_63_64_06_02_01) }
}
