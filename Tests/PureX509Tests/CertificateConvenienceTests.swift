import PureBytes
import PureDER
import PureECDSA
import PureX509
import Testing
import VectorSupport

@Suite struct CertificateConvenienceTests {
    private static func file() throws -> [UInt8] {
        [UInt8](try VectorDirectory.committedFile("x509/apple-app-attest.pem"))
    }

    @Test func severalInOneFile() throws {
        let file = try Self.file()
        let certificates = try [Certificate](pemEncoded: file)
        #expect(certificates.count == 3)
        #expect(
            certificates
                == (try GenuineCertificateTests.certificates("apple-app-attest").map { try Certificate(derEncoded: $0) })
        )
        let written = certificates.map(\.pemEncoded).joined()
        #expect(try [Certificate](pemEncoded: written) == certificates)
        #expect(try Certificate(pemEncoded: certificates[0].pemEncoded) == certificates[0])
        #expect(throws: X509Error.malformedPEM(.severalBlocks)) { try Certificate(pemEncoded: written) }
        #expect(throws: X509Error.malformedPEM(.noBlock)) { try [Certificate](pemEncoded: "no certificate") }
    }

    /// A PEM block with a different label, such as a private key, is not skipped but causes an error.
    @Test func otherLabels() throws {
        let certificate = try [Certificate](pemEncoded: try Self.file())[0]
        for label in ["X509 CERTIFICATE", "TRUSTED CERTIFICATE", "PRIVATE KEY"] {
            let other = pemEncodedString(certificate.derEncoded, label: try #require(PEM.Label(label)))
            #expect(throws: X509Error.malformedPEM(.unexpectedLabel)) {
                try [Certificate](pemEncoded: certificate.pemEncoded + other)
            }
            #expect(throws: X509Error.malformedPEM(.unexpectedLabel)) { try Certificate(pemEncoded: other) }
        }
        #expect(throws: X509Error.malformed(.certificate, .trailingBytes)) {
            try Certificate(pemEncoded: pemEncodedString(certificate.derEncoded + [0], label: .certificate))
        }
    }

    @Test func keysByType() throws {
        let certificates = try [Certificate](pemEncoded: try Self.file())
        let keys = certificates.map { (P256.Signing.PublicKey($0.publicKey), P384.Signing.PublicKey($0.publicKey)) }
        #expect(keys.map { $0.0 != nil } == [true, false, false] && keys.map { $0.1 != nil } == [false, true, true])
        #expect(certificates.map { $0.publicKey == keys[0].0.map { .p256($0) } } == [true, false, false])
    }
}
