package import PureAttestTesting
package import PureDER
import PureX509

package struct LinkDraft: Sendable {
    /// `[0] { INTEGER 2 }`: version 3.
    package var version = der(.context(0), der(2))
    package var serialNumber: [UInt8] = [1]
    package var subject: [(ASN1ObjectIdentifier, String)]
    /// The issuer name. The default is the subject of the next certificate.
    package var issuer: [(ASN1ObjectIdentifier, String)]?
    package var notBefore: UnixTime
    package var notAfter: UnixTime
    package var key: AndroidSigningKey
    /// A SubjectPublicKeyInfo that replaces the encoding of `key`.
    package var keyInfo: [UInt8]?
    /// The encoded AlgorithmIdentifier. The default is the actual algorithm of the issuer's key.
    package var algorithmIdentifier: [UInt8]?
    package var extensions: [ExtensionDraft]
    package var alterSignature: @Sendable (inout [UInt8]) -> Void = { _ in }

    package init(
        serialNumber: [UInt8] = [1], subject: [(ASN1ObjectIdentifier, String)],
        notBefore: UnixTime = TestAndroidAuthority.validity.lowerBound,
        notAfter: UnixTime = TestAndroidAuthority.validity.upperBound, key: AndroidSigningKey,
        extensions: [ExtensionDraft] = LinkDraft.extensionsOfAuthority()
    ) {
        (self.serialNumber, self.subject, self.notBefore, self.notAfter) = (serialNumber, subject, notBefore, notAfter)
        (self.key, self.extensions) = (key, extensions)
    }

    /// Returns the basicConstraints and keyUsage (keyCertSign) of an issuer.
    package static func extensionsOfAuthority(_ pathLength: UInt32? = nil) -> [ExtensionDraft] {
        [
            ExtensionDraft(
                .basicConstraints, critical: true, der(.sequence, derTrue, pathLength.map { der($0) } ?? [])),
            ExtensionDraft(.keyUsage, critical: true, [0x03, 0x02, 0x02, 0x04]),
        ]
    }

    /// Signs the certificate and returns it in DER. `isShared` states that other chains contain the same certificate.
    package func encoded(signedBy issuer: LinkDraft, isShared: Bool = false) -> [UInt8] {
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
