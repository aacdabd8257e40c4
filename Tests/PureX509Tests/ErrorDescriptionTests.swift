import PureX509
import Testing

/// `ErrorSentenceTests` checks the form of all descriptions. The tests in this suite check the content.
@Suite struct ErrorDescriptionTests {
    /// An error description names the document that defines the structure.
    @Test func standards() {
        let expected: [(CertificateField, String)] = [
            (.ocspResponse, "an OCSP response has a value that RFC 6960 does not allow"),
            (.revocationList, "a revocation list has a value that RFC 5280 does not allow"),
            (.keyUsage, "a certificate's keyUsage has a value that RFC 5280 does not allow"),
        ]
        for (field, text) in expected { #expect(X509Error.invalidValue(field).description == text) }
    }
}
