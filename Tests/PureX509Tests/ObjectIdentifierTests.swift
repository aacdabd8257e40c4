import PureDER
import Testing

@testable import PureX509

@Suite struct ObjectIdentifierTests {
    /// RFC 5280 appendix A.1 and §4.2.1, RFC 5652 §4 and §5.1: the dotted forms as these documents print them. The last
    /// nine identifiers are PureDER's.
    @Test func identifiersMatchTheirDocuments() {
        let expected: [(ASN1ObjectIdentifier, String)] = [
            (.commonName, "2.5.4.3"), (.serialNumber, "2.5.4.5"), (.organizationName, "2.5.4.10"),
            (.title, "2.5.4.12"), (.data, "1.2.840.113549.1.7.1"), (.signedData, "1.2.840.113549.1.7.2"),
            (.subjectKeyIdentifier, "2.5.29.14"), (.keyUsage, "2.5.29.15"), (.subjectAlternativeName, "2.5.29.17"),
            (.basicConstraints, "2.5.29.19"), (.nameConstraints, "2.5.29.30"), (.cRLDistributionPoints, "2.5.29.31"),
            (.certificatePolicies, "2.5.29.32"), (.policyMappings, "2.5.29.33"),
            (.authorityKeyIdentifier, "2.5.29.35"), (.policyConstraints, "2.5.29.36"),
            (.extendedKeyUsage, "2.5.29.37"), (.anyExtendedKeyUsage, "2.5.29.37.0"), (.inhibitAnyPolicy, "2.5.29.54"),
            (.authorityInformationAccess, "1.3.6.1.5.5.7.1.1"), (.practiceStatement, "1.3.6.1.5.5.7.2.1"),
            (.userNotice, "1.3.6.1.5.5.7.2.2"), (.serverAuthentication, "1.3.6.1.5.5.7.3.1"),
            (.clientAuthentication, "1.3.6.1.5.5.7.3.2"), (.ecPublicKey, "1.2.840.10045.2.1"),
            (.secp256r1, "1.2.840.10045.3.1.7"), (.secp384r1, "1.3.132.0.34"),
            (.ecdsaWithSHA256, "1.2.840.10045.4.3.2"), (.ecdsaWithSHA384, "1.2.840.10045.4.3.3"),
            (.ecdsaWithSHA512, "1.2.840.10045.4.3.4"), (.sha256WithRSAEncryption, "1.2.840.113549.1.1.11"),
            (.sha384WithRSAEncryption, "1.2.840.113549.1.1.12"), (.sha512WithRSAEncryption, "1.2.840.113549.1.1.13"),
        ]
        for (identifier, text) in expected { #expect(identifier.description == text) }
    }
}
