import PureAttest
import PureBytes
import PureDER
import PureECDSA
import PureKeyAttestation
import PureSHA2
import PureX509
import VectorSupport

extension Report {
    init(certificate bytes: ArraySlice<UInt8>) {
        do { self = Report(try Certificate(derEncoded: bytes)) } catch {
            add("malformed", "Malformed", .text("\(error)"))
            if let description = Self.keyDescription(ofLeaf: bytes) {
                add("keyDescription", "Android key description", .group(Report(description)))
            }
            add("bytes", "Bytes", .bytes([UInt8](bytes)))
        }
    }

    /// Returns the key description in a leaf that violates RFC 5280. Genuine devices create such leaves: keyUsage is
    /// not encoded in the shortest form.
    static func keyDescription(ofLeaf bytes: ArraySlice<UInt8>) -> KeyDescription? {
        KeyAttestationVerifier(apps: []).explain(
            chain: [bytes], challenge: [UInt8](), at: UnixTime(secondsSince1970: 0), revocation: .notChecked
        ).unverifiedDescription
    }

    init(_ certificate: Certificate) {
        add("subject", "Subject", .text(name(certificate.subject)))
        add("issuer", "Issuer", .text(name(certificate.issuer)))
        add("serialNumber", "Serial number", .bytes([UInt8](certificate.serialNumber)))
        add("notBefore", "Not before", .time(certificate.notBefore))
        add("notAfter", "Not after", .time(certificate.notAfter))
        switch certificate.publicKey {
        case .p256(let key): add("publicKey", "Public key, P-256", .bytes(key.x963Representation))
        case .p384(let key):
            add("publicKey", "Public key, P-384", .bytes(key.compressedRepresentation), note: "compressed")
        case .unsupported(let algorithm):
            add("publicKeyAlgorithm", "Public key algorithm", .text(algorithm.description))
        }
        add("signatureAlgorithm", "Signed with", .text(algorithmName(certificate.signatureAlgorithm)))
        add("sha256", "SHA-256", .bytes([UInt8](SHA256.hash(data: certificate.derEncoded))))
        var extensions = Report()
        for item in certificate.extensions {
            let identifier = item.identifier.description
            let label = extensionNames[identifier].map { "\($0) (\(identifier))" } ?? identifier
            extensions.add(
                identifier, label, content(of: item, in: certificate), note: item.isCritical ? "critical" : nil)
        }
        add("extensions", "Extensions", .group(extensions))
    }
}

/// The names of attribute types in RFC 4514 §3, by object identifier.
private let attributeNames = [
    "2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O", "2.5.4.11": "OU",
]

/// The names of extensions in RFC 5280 §4.2, and the meanings of Apple's and Android's extensions, by object
/// identifier.
private let extensionNames = [
    "2.5.29.14": "subjectKeyIdentifier", "2.5.29.15": "keyUsage", "2.5.29.17": "subjectAltName",
    "2.5.29.19": "basicConstraints", "2.5.29.30": "nameConstraints", "2.5.29.31": "cRLDistributionPoints",
    "2.5.29.32": "certificatePolicies", "2.5.29.35": "authorityKeyIdentifier", "2.5.29.37": "extKeyUsage",
    "1.3.6.1.5.5.7.1.1": "authorityInfoAccess",
    "1.3.6.1.4.1.11129.2.1.17": "Android key description",
    "1.3.6.1.4.1.11129.2.1.30": "Android provisioning information",
    "1.2.840.113635.100.8.2": "App Attest nonce", "1.2.840.113635.100.8.5": "App Attest app",
    "1.2.840.113635.100.8.6": "App Attest access control list", "1.2.840.113635.100.8.7": "App Attest system",
    "1.2.840.113635.100.6.2.1": "Apple Worldwide Developer Relations",
    "1.2.840.113635.100.6.11.1": "App Store signing",
]

/// Returns a distinguished name as text, in the order of the encoding.
private func name(_ derEncoded: ArraySlice<UInt8>) -> String {
    let parts = DistinguishedName(validated: derEncoded).attributes.map { attribute in
        let type = attribute.type.description
        return
            "\(attributeNames[type] ?? type)=\(text(of: attribute.value) ?? hexEncodedString(attribute.value.encoded))"
    }
    return parts.isEmpty ? "empty" : parts.joined(separator: ", ")
}

/// Returns the text of a string element whose encoding is UTF-8 or a subset of UTF-8.
private func text(of element: DERElement) -> String? {
    switch element.tag {
    case .utf8String, .printableString, .ia5String: String(validating: element.content, as: UTF8.self)
    default: nil
    }
}

private func algorithmName(_ algorithm: SignatureAlgorithm) -> String {
    switch algorithm {
    case .ecdsaWithSHA256: "ECDSA with SHA-256"
    case .ecdsaWithSHA384: "ECDSA with SHA-384"
    case .ecdsaWithSHA512: "ECDSA with SHA-512"
    case .sha256WithRSAEncryption: "1.2.840.113549.1.1.11"
    case .sha384WithRSAEncryption: "1.2.840.113549.1.1.12"
    case .sha512WithRSAEncryption: "1.2.840.113549.1.1.13"
    case .unsupported(let identifier): identifier.description
    }
}

/// Returns the decoded content of an extension, or its DER if this tool does not know the extension.
private func content(of item: CertificateExtension, in certificate: Certificate) -> Report.Content {
    switch item.identifier.description {
    case "2.5.29.14":
        if let identifier = certificate.subjectKeyIdentifier { return .bytes([UInt8](identifier)) }
    case "2.5.29.15":
        if let usage = certificate.keyUsage { return .words(usage.names) }
    case "2.5.29.19":
        if let constraints = certificate.basicConstraints {
            guard constraints.isCertificationAuthority else { return .text("not a CA") }
            return .text("CA" + (constraints.pathLength.map { ", path length \($0)" } ?? ""))
        }
    case "2.5.29.35":
        if let identifier = certificate.authorityKeyIdentifier?.keyIdentifier { return .bytes([UInt8](identifier)) }
    case "2.5.29.37":
        if let usage = certificate.extendedKeyUsage { return .words(usage.purposes.map(\.description)) }
    case "1.3.6.1.4.1.11129.2.1.17":
        if let description = try? KeyDescription(decoding: item.value) { return .group(Report(description)) }
    case "1.2.840.113635.100.8.2", "1.2.840.113635.100.8.5", "1.2.840.113635.100.8.6", "1.2.840.113635.100.8.7":
        if let values = try? Report(appleExtension: item.value, item.identifier.description) { return .group(values) }
    default: break
    }
    return .bytes([UInt8](item.value))
}
