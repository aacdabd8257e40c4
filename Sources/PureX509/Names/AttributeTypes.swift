package import PureDER

/// Attribute types of names (RFC 5280 appendix A.1), written as contents octets.
extension ASN1ObjectIdentifier {
    /// id-at-commonName, 2.5.4.3.
    package static var commonName: Self { Self(encodedAs: 0x55_04_03) }
    /// id-at-serialNumber, 2.5.4.5.
    package static var serialNumber: Self { Self(encodedAs: 0x55_04_05) }
    /// id-at-organizationName, 2.5.4.10.
    package static var organizationName: Self { Self(encodedAs: 0x55_04_0A) }
    /// id-at-title, 2.5.4.12.
    package static var title: Self { Self(encodedAs: 0x55_04_0C) }
}
