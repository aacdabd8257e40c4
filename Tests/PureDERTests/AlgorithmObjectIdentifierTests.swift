import Testing

@testable import PureDER

@Suite struct AlgorithmObjectIdentifierTests {
    /// RFC 5480 §2.1.1, RFC 5758 §3.2, RFC 4055 §5, RFC 5754 §2: compares the identifiers with the dotted forms in
    /// these documents.
    @Test func identifiersMatchTheirDocuments() {
        let expected: [(ASN1ObjectIdentifier, String)] = [
            (.ecPublicKey, "1.2.840.10045.2.1"),
            (.secp256r1, "1.2.840.10045.3.1.7"),
            (.secp384r1, "1.3.132.0.34"),
            (.rsaEncryption, "1.2.840.113549.1.1.1"),
            (.ecdsaWithSHA256, "1.2.840.10045.4.3.2"),
            (.ecdsaWithSHA384, "1.2.840.10045.4.3.3"),
            (.ecdsaWithSHA512, "1.2.840.10045.4.3.4"),
            (.sha256WithRSAEncryption, "1.2.840.113549.1.1.11"),
            (.sha384WithRSAEncryption, "1.2.840.113549.1.1.12"),
            (.sha512WithRSAEncryption, "1.2.840.113549.1.1.13"),
            (.sha256, "2.16.840.1.101.3.4.2.1"),
            (.sha384, "2.16.840.1.101.3.4.2.2"),
            (.sha512, "2.16.840.1.101.3.4.2.3"),
        ]
        for (identifier, text) in expected { #expect(identifier.description == text) }
    }
}
