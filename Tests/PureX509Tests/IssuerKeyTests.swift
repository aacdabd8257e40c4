import CertificateDrafts
import PureDER
import Testing

@testable import PureX509

/// An issuer key gives the same verdicts, whether it is stored as a point or as a table.
@Suite struct IssuerKeyTests {
    private static let keys = [TestKey.p256(51), .p384(52)]

    private func authority(_ key: TestKey) -> TestCertificate {
        TestChain.authority.changing { $0.publicKeyInfo = key.subjectPublicKeyInfo }
    }

    @Test(arguments: keys.indices)
    func forms(_ index: Int) throws {
        let key = Self.keys[index]
        let point = try #require(IssuerKey(authority(key).certificate().publicKey))
        let table = point.precomputed()
        for form in [point, table, table.precomputed()] {
            for hash in [TestKey.Hash.sha256, .sha384, .sha512] {
                let signed = TestCertificate("Leaf", .p256(4), issuer: "CA", signer: key).changing { $0.hash = hash }
                #expect(form.hasSigned(try signed.certificate()))
                let other = signed.changing { $0.signer = .p256(53) }
                #expect(!form.hasSigned(try other.certificate()))
            }
        }
    }
}
