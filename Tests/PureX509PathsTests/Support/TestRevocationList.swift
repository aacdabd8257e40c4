import CertificateDrafts
import PureX509Paths

/// A revocation list in which a test may replace each part with a different encoding, well-formed or malformed.
struct TestRevocationList {
    var version = DER.integer(1)
    var issuer: [UInt8]
    var times = DER.utcTime("241201000000Z") + DER.utcTime("250201000000Z")
    /// The field revokedCertificates including its header, or empty to omit the field.
    var entries: [UInt8] = []
    var extensions = [TestExtension.standard(0x14, DER.integer(1))]
    /// Octets after the list of extensions, but inside the context tag that contains the list.
    var extensionsTail: [UInt8] = []
    /// Octets after the last field of the signed part.
    var tail: [UInt8] = []
    /// Octets after the signature.
    var outerTail: [UInt8] = []
    var signer: TestKey

    init(_ issuer: String, _ signer: TestKey) {
        self.issuer = DER.name(issuer)
        self.signer = signer
    }

    var encoded: [UInt8] {
        let algorithm = TestCertificate.algorithm(.sha256)
        let toBeSigned = DER.sequence(
            version, algorithm, issuer, times, entries,
            DER.context(0, DER.element(0x30, extensions.flatMap { $0 }), extensionsTail), tail)
        return DER.sequence(toBeSigned, algorithm, DER.bits(signer.sign(toBeSigned, .sha256)), outerTail)
    }

    func list() throws(PathError) -> CertificateRevocationList { try CertificateRevocationList(derEncoded: encoded) }

    func changing(_ change: (inout TestRevocationList) -> Void) -> TestRevocationList {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns an element of revokedCertificates, in which `rest` follows the date.
    static func entry(_ serial: UInt8, _ rest: [UInt8]...) -> [UInt8] {
        DER.sequence(DER.integer(serial), DER.utcTime("241201000000Z"), rest.flatMap { $0 })
    }
}
