import PureDER
import PureX509

/// The certificate of the attested key. Reads only the fields that affect a verdict.
///
/// Leaves are written by devices, not by a CA. In genuine leaves, the encoding of keyUsage is not minimal (X.690
/// §11.2.2), so `Certificate` of PureX509 would reject these leaves. The app chooses the subject, the serial number and
/// the dates. Of these values, only the serial number affects a verdict, because the verifier limits its length, and
/// looks it up in the revocation list.
struct LeafCertificate {
    let signed: SignedCertificate
    /// The signature algorithm, or `nil` if its parameters are invalid.
    let signatureAlgorithm: SignatureAlgorithm?
    let serialNumber: ArraySlice<UInt8>
    let issuer: ArraySlice<UInt8>
    let publicKey: CertificatePublicKey
    let subjectPublicKeyInfo: ArraySlice<UInt8>
    let keyDescription: ArraySlice<UInt8>?

    init(_ derEncoded: ArraySlice<UInt8>) throws(KeyAttestationError) {
        let extensions: ArraySlice<UInt8>
        do throws(X509Error) {
            signed = try SignedCertificate(derEncoded)
            let fields = try CertificateFields(signed.tbsCertificate)
            // RFC 5280 §4.1.1.2: the two algorithm identifiers must be equal byte by byte.
            guard signed.signatureAlgorithm == fields.signatureAlgorithm else { throw .signatureAlgorithmMismatch }
            signatureAlgorithm = try? SignatureAlgorithm(signed.signatureAlgorithm)
            guard fields.serialNumber.count <= Certificate.maximumSerialNumberSize else { throw .serialNumberTooLong }
            (serialNumber, issuer, subjectPublicKeyInfo) = (
                fields.serialNumber, fields.issuer, fields.subjectPublicKeyInfo
            )
            publicKey = try CertificatePublicKey(subjectPublicKeyInfo: fields.subjectPublicKeyInfo)
            extensions = fields.extensions ?? []
        } catch {
            throw .malformedCertificate(error, certificate: 0)
        }
        keyDescription = try Self.keyDescription(extensions)
    }

    /// Reads the contents of `Extensions` (RFC 5280 §4.2). Rejects duplicates and unknown critical extensions.
    private static func keyDescription(_ list: ArraySlice<UInt8>) throws(KeyAttestationError) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        var seen: [ASN1ObjectIdentifier] = []
        var reader = DERReader(list)
        while !reader.isAtEnd {
            let identifier: ASN1ObjectIdentifier
            let value: ArraySlice<UInt8>
            var isCritical = false
            do throws(DERError) {
                var item = try reader.enter(.sequence)
                identifier = try item.readObjectIdentifier()
                if try item.peekTag() == .boolean { isCritical = try item.readBoolean() }
                value = try item.readOctetString()
                try item.finish()
            } catch {
                throw .malformedCertificate(.malformed(.extensions, error), certificate: 0)
            }
            guard seen.count < Certificate.maximumExtensionCount else {
                throw .malformedCertificate(.tooManyExtensions, certificate: 0)
            }
            guard !seen.contains(identifier) else {
                throw .malformedCertificate(.duplicateExtension(identifier), certificate: 0)
            }
            seen.append(identifier)
            if identifier == .keyDescription {
                found = value
            } else {
                guard !isCritical || identifier == .keyUsage || identifier == .basicConstraints else {
                    throw .unhandledCriticalExtension(certificate: 0)
                }
            }
        }
        return found
    }
}
