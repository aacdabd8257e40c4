import PureDER
import Testing

@testable import PureX509

@Suite struct ObjectIdentifierTests {
    /// RFC 5280 appendix A.1 and §4.2.1, RFC 5652 §4 and §5.1: the dotted forms as these documents print them.
    @Test func identifiersMatchTheirDocuments() {
        let expected: [(ASN1ObjectIdentifier, String)] = [
            (.commonName, "2.5.4.3"),
            (.serialNumber, "2.5.4.5"),
            (.organizationName, "2.5.4.10"),
            (.title, "2.5.4.12"),
            (.cRLDistributionPoints, "2.5.29.31"),
            (.practiceStatement, "1.3.6.1.5.5.7.2.1"),
            (.userNotice, "1.3.6.1.5.5.7.2.2"),
            (.data, "1.2.840.113549.1.7.1"),
            (.signedData, "1.2.840.113549.1.7.2"),
        ]
        for (identifier, text) in expected { #expect(identifier.description == text) }
    }
}
