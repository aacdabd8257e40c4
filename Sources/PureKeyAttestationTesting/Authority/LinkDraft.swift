import PureAttestTesting
import PureDER
import PureX509

struct LinkDraft: Sendable {
    /// `[0] { INTEGER 2 }`: version 3.
    var version = der(.context(0), der(2))
    var serialNumber: [UInt8] = [1]
    var subject: [(ASN1ObjectIdentifier, String)]
    /// The issuer name. The default is the subject of the next certificate.
    var issuer: [(ASN1ObjectIdentifier, String)]?
    var notBefore = TestAndroidAuthority.validity.lowerBound
    var notAfter = TestAndroidAuthority.validity.upperBound
    var key: AndroidSigningKey
    /// A SubjectPublicKeyInfo that replaces the encoding of `key`.
    var keyInfo: [UInt8]?
    /// The encoded AlgorithmIdentifier. The default is the actual algorithm of the issuer's key.
    var algorithmIdentifier: [UInt8]?
    var extensions = LinkDraft.extensionsOfAuthority()
    var alterSignature: @Sendable (inout [UInt8]) -> Void = { _ in }

    /// Returns the basicConstraints and keyUsage (keyCertSign) of an issuer.
    static func extensionsOfAuthority(_ pathLength: UInt32? = nil) -> [ExtensionDraft] {
        [
            .issuerBasicConstraints(pathLength: pathLength),
            ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x02, 0x04]),
        ]
    }

    /// Signs the certificate and returns it in DER. `isShared` states that other chains contain the same certificate.
    func encoded(signedBy issuer: LinkDraft, isShared: Bool = false) -> [UInt8] {
        let list = extensions.flatMap {
            der(.sequence, der($0.identifier), $0.critical, der(.octetString, $0.value ?? []))
        }
        let algorithm = algorithmIdentifier ?? issuer.key.algorithmIdentifier
        let tbs = der(
            .sequence, version, derInteger(serialNumber), algorithm, der(name: self.issuer ?? issuer.subject),
            der(.sequence, der(notBefore), der(notAfter)), der(name: subject), keyInfo ?? key.subjectPublicKeyInfo,
            version.isEmpty ? [] : der(.context(3), der(.sequence, list)))
        var signature = issuer.key.sign(certificate: tbs, isShared: isShared)
        alterSignature(&signature)
        return der(.sequence, tbs, algorithm, der(bits: signature))
    }
}
