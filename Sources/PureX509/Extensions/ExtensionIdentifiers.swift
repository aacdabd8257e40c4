public import PureDER

/// Object identifiers of RFC 5280, as contents octets. They are inlined, so a comparison compares two integers.
extension ASN1ObjectIdentifier {
    /// id-ce-subjectKeyIdentifier, 2.5.29.14.
    @inline(__always) public static var subjectKeyIdentifier: Self { Self(encodedAs: 0x55_1D_0E) }
    /// id-ce-keyUsage, 2.5.29.15.
    @inline(__always) public static var keyUsage: Self { Self(encodedAs: 0x55_1D_0F) }
    /// id-ce-subjectAltName, 2.5.29.17.
    @inline(__always) public static var subjectAlternativeName: Self { Self(encodedAs: 0x55_1D_11) }
    /// id-ce-basicConstraints, 2.5.29.19.
    @inline(__always) public static var basicConstraints: Self { Self(encodedAs: 0x55_1D_13) }
    /// id-ce-nameConstraints, 2.5.29.30.
    @inline(__always) public static var nameConstraints: Self { Self(encodedAs: 0x55_1D_1E) }
    /// id-ce-cRLDistributionPoints, 2.5.29.31.
    @inline(__always) package static var cRLDistributionPoints: Self { Self(encodedAs: 0x55_1D_1F) }
    /// id-ce-certificatePolicies, 2.5.29.32.
    @inline(__always) public static var certificatePolicies: Self { Self(encodedAs: 0x55_1D_20) }
    /// id-ce-policyMappings, 2.5.29.33.
    @inline(__always) public static var policyMappings: Self { Self(encodedAs: 0x55_1D_21) }
    /// id-ce-authorityKeyIdentifier, 2.5.29.35.
    @inline(__always) public static var authorityKeyIdentifier: Self { Self(encodedAs: 0x55_1D_23) }
    /// id-ce-policyConstraints, 2.5.29.36.
    @inline(__always) public static var policyConstraints: Self { Self(encodedAs: 0x55_1D_24) }
    /// id-ce-extKeyUsage, 2.5.29.37.
    @inline(__always) public static var extendedKeyUsage: Self { Self(encodedAs: 0x55_1D_25) }
    /// anyExtendedKeyUsage, 2.5.29.37.0.
    @inline(__always) public static var anyExtendedKeyUsage: Self { Self(encodedAs: 0x55_1D_25_00) }
    /// id-ce-inhibitAnyPolicy, 2.5.29.54.
    @inline(__always) public static var inhibitAnyPolicy: Self { Self(encodedAs: 0x55_1D_36) }
    /// id-pe-authorityInfoAccess, 1.3.6.1.5.5.7.1.1.
    @inline(__always) public static var authorityInformationAccess: Self { Self(encodedAs: 0x2B_06_01_05_05_07_01_01) }
    /// id-qt-cps, 1.3.6.1.5.5.7.2.1.
    @inline(__always) package static var practiceStatement: Self { Self(encodedAs: 0x2B_06_01_05_05_07_02_01) }
    /// id-qt-unotice, 1.3.6.1.5.5.7.2.2.
    @inline(__always) package static var userNotice: Self { Self(encodedAs: 0x2B_06_01_05_05_07_02_02) }
    /// id-kp-serverAuth, 1.3.6.1.5.5.7.3.1.
    @inline(__always) public static var serverAuthentication: Self { Self(encodedAs: 0x2B_06_01_05_05_07_03_01) }
    /// id-kp-clientAuth, 1.3.6.1.5.5.7.3.2.
    @inline(__always) public static var clientAuthentication: Self { Self(encodedAs: 0x2B_06_01_05_05_07_03_02) }
}
