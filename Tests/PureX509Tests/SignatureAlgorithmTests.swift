import CertificateDrafts
import PureDER
import Testing

@testable import PureX509

@Suite struct SignatureAlgorithmTests {
    /// The object identifiers 1.2.840.113549.1.1.11 to 13.
    private static let rsa: [(last: UInt8, algorithm: SignatureAlgorithm)] = [
        (11, .sha256WithRSAEncryption), (12, .sha384WithRSAEncryption), (13, .sha512WithRSAEncryption),
    ]

    private func algorithm(_ last: UInt8, _ parameters: [UInt8]) throws -> SignatureAlgorithm {
        try SignatureAlgorithm((DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, last) + parameters)[...])
    }

    /// RFC 4055 §5: the parameters for RSA are NULL.
    @Test func parametersOfRSA() throws {
        for (last, expected) in Self.rsa {
            let read = try algorithm(last, DER.null)
            #expect(read == expected && read.isSupported && !read.isECDSA)
            for parameters in [[], DER.element(0x05, [0]), DER.octets([])] {
                let other = try algorithm(last, parameters)
                guard case .unsupported = other else {
                    Issue.record("\(parameters): \(other)")
                    continue
                }
                #expect(!other.isSupported && !other.isECDSA)
            }
        }
        // sha1WithRSAEncryption.
        #expect(try !algorithm(5, DER.null).isSupported)
    }

    @Test(arguments: [SignatureAlgorithm.ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512])
    func curves(_ algorithm: SignatureAlgorithm) {
        #expect(algorithm.isSupported && algorithm.isECDSA)
    }

    /// A valid ECDSA signature is rejected if the algorithm names RSA.
    @Test func keysOnCurvesRejectRSA() throws {
        let key = TestKey.p256(54)
        let certificate = try TestCertificate("Leaf", .p256(4), issuer: "CA", signer: key).certificate()
        let authority = TestChain.authority.changing { $0.publicKeyInfo = key.subjectPublicKeyInfo }
        let issuer = try #require(IssuerKey(authority.certificate().publicKey))
        func isValid(_ algorithm: SignatureAlgorithm) -> Bool {
            issuer.isValidSignature(
                certificate.signature, algorithm: algorithm, message: certificate.tbsCertificate)
        }
        #expect(isValid(.ecdsaWithSHA256) && !isValid(.ecdsaWithSHA384))
        for (_, algorithm) in Self.rsa { #expect(!isValid(algorithm)) }
        #expect(try !isValid(algorithm(5, DER.null)))
    }
}
