import CertificateDrafts
import PureDER
import PureX509

@testable import PureX509Paths

/// Creates `PathError` values that wrap certificate errors, as path validation throws them.
extension PathError {
    static func malformed(_ field: CertificateField, _ error: DERError) -> PathError {
        .certificate(.malformed(field, error))
    }
    static func invalidValue(_ field: CertificateField) -> PathError { .certificate(.invalidValue(field)) }
    static func emptyList(_ field: CertificateField) -> PathError { .certificate(.emptyList(field)) }
    static func invalidSignature(certificate: Int) -> PathError {
        .certificate(.invalidSignature(certificate: certificate))
    }
    static func issuerNotFound(certificate: Int) -> PathError {
        .certificate(.issuerNotFound(certificate: certificate))
    }
    static func notCertificationAuthority(certificate: Int) -> PathError {
        .certificate(.notCertificationAuthority(certificate: certificate))
    }
    static func keyCertSignMissing(certificate: Int) -> PathError {
        .certificate(.keyCertSignMissing(certificate: certificate))
    }
    static func pathLengthExceeded(certificate: Int) -> PathError {
        .certificate(.pathLengthExceeded(certificate: certificate))
    }
    static func notVersion3(certificate: Int) -> PathError { .certificate(.notVersion3(certificate: certificate)) }
    static func notYetValid(certificate: Int, notBefore: UnixTime, at time: UnixTime) -> PathError {
        .certificate(.notYetValid(certificate: certificate, notBefore: notBefore, at: time))
    }
    static func expired(certificate: Int, notAfter: UnixTime, at time: UnixTime) -> PathError {
        .certificate(.expired(certificate: certificate, notAfter: notAfter, at: time))
    }
    static func unsupportedPublicKey(certificate: Int) -> PathError {
        .certificate(.unsupportedPublicKey(certificate: certificate))
    }
    static func unsupportedSignatureAlgorithm(certificate: Int) -> PathError {
        .certificate(.unsupportedSignatureAlgorithm(certificate: certificate))
    }
    static func extendedKeyUsageMissing(certificate: Int) -> PathError {
        .certificate(.extendedKeyUsageMissing(certificate: certificate))
    }
    static func wrongCriticality(_ identifier: ASN1ObjectIdentifier, certificate: Int) -> PathError {
        .certificate(.wrongCriticality(identifier, certificate: certificate))
    }
    static func unhandledCriticalExtension(_ identifier: ASN1ObjectIdentifier, certificate: Int) -> PathError {
        .certificate(.unhandledCriticalExtension(identifier, certificate: certificate))
    }
}

extension TestCertificate {
    func read() throws(PathError) -> Certificate { try wrapping { () throws(X509Error) in try certificate() } }

    func anchor() throws(PathError) -> TrustAnchor {
        try wrapping { () throws(X509Error) in try TrustAnchor(try certificate()) }
    }
}
