package import PureDER
package import PureECDSA
import PureSHA2

package enum IssuerSigningKey: Sendable {
    case p256(SigningKey<P256>)
    case p384(SigningKey<P384>)

    package var subjectPublicKeyInfo: [UInt8] {
        switch self {
        case .p256(let key): PureAttestTesting.subjectPublicKeyInfo(.secp256r1, point: key.x963)
        case .p384(let key): PureAttestTesting.subjectPublicKeyInfo(.secp384r1, point: key.x963)
        }
    }

    /// The keyIdentifier (RFC 5280 §4.2.1.2): the SHA-256 hash truncated to 20 octets (RFC 7093 §2 method 1), the
    /// length that Apple uses.
    var keyIdentifier: [UInt8] {
        switch self {
        case .p256(let key): [UInt8](SHA256.hash(data: key.x963).prefix(20))
        case .p384(let key): [UInt8](SHA256.hash(data: key.x963).prefix(20))
        }
    }

    package func sign(_ message: [UInt8], with algorithm: SignatureHash) -> SignatureNumbers {
        switch (self, algorithm) {
        case (.p256(let key), .sha256): key.sign(message, hash: SHA256.self)
        case (.p256(let key), .sha384): key.sign(message, hash: SHA384.self)
        case (.p384(let key), .sha256): key.sign(message, hash: SHA256.self)
        case (.p384(let key), .sha384): key.sign(message, hash: SHA384.self)
        }
    }
}

/// The hash functions with which Apple signs certificates.
package enum SignatureHash: Sendable {
    case sha256, sha384

    /// The AlgorithmIdentifier of ECDSA with this hash function. It has no parameters (RFC 5758 §3.2).
    package var algorithmIdentifier: [UInt8] {
        switch self {
        case .sha256: der(.sequence, der(.ecdsaWithSHA256))
        case .sha384: der(.sequence, der(.ecdsaWithSHA384))
        }
    }
}

/// Returns a SubjectPublicKeyInfo with a named curve (RFC 5480 §2).
package func subjectPublicKeyInfo(_ curve: ASN1ObjectIdentifier, point: [UInt8]) -> [UInt8] {
    der(.sequence, der(.sequence, der(.ecPublicKey), der(curve)), der(bits: point))
}

/// Returns a SubjectPublicKeyInfo of RSA (RFC 3279 §2.3.1). The default modulus has 2,048 bits. It need not be a product
/// of two primes, because no verifier computes with it.
package func rsaPublicKeyInfo(
    modulus: [UInt8] = [UInt8](repeating: 0xAB, count: 256), exponent: UInt32 = 65_537
) -> [UInt8] {
    let key = der(.sequence, derInteger(modulus), der(exponent))
    return der(.sequence, der(.sequence, der(.rsaEncryption), derNull), der(bits: key))
}

/// Returns a Name (RFC 5280 §4.1.2.4) in which each RDN has one attribute. Countries are PrintableStrings, and all
/// other values are UTF8Strings.
package func der(name attributes: [(ASN1ObjectIdentifier, String)]) -> [UInt8] {
    der(
        .sequence,
        attributes.flatMap { type, text in
            let value =
                type == .countryName ? der(.printableString, Array(text.utf8)) : der(utf8: text)
            return der(.set, der(.sequence, der(type), value))
        })
}

package struct ExtensionDraft: Sendable {
    package var identifier: ASN1ObjectIdentifier
    /// The encoded field `critical`, or no bytes if the value is false.
    package var critical: [UInt8]
    /// The contents of extnValue; `nil` for the nonce extension, computed later from the authenticator data.
    package var value: [UInt8]?

    package init(_ identifier: ASN1ObjectIdentifier, critical: Bool = false, _ value: [UInt8]?) {
        self.identifier = identifier
        self.critical = critical ? derTrue : []
        self.value = value
    }
}

/// A certificate (RFC 5280 §4.1) before encoding. Each field is an encoded element, so a fault can replace it.
package struct CertificateDraft: Sendable {
    /// `[0] { INTEGER 2 }`: version 3.
    package var version = der(.context(0), der(2))
    package var serialNumber: [UInt8]
    /// The field `signature` in the signed part, which names the algorithm.
    package var innerAlgorithm: [UInt8]
    package var issuer: [UInt8]
    package var notBefore: [UInt8]
    package var notAfter: [UInt8]
    package var subject: [UInt8]
    package var subjectPublicKeyInfo: [UInt8]
    package var extensions: [ExtensionDraft]
    package var hasExtensions = true
    /// The field `signatureAlgorithm` outside the signed part.
    package var outerAlgorithm: [UInt8]
    /// The hash function of the signature. The two algorithm identifiers may claim a different hash function.
    package var hash: SignatureHash
    package var alterSignature: @Sendable (inout SignatureNumbers) -> Void = { _ in }
    package var encodeSignature: @Sendable (SignatureNumbers) -> [UInt8] = { der(bits: $0.derRepresentation) }
    package var alterSignedPart: @Sendable (inout [UInt8]) -> Void = { _ in }

    package init(
        serialNumber: [UInt8], issuer: [UInt8], subject: [UInt8], subjectPublicKeyInfo: [UInt8],
        from notBefore: UnixTime,
        to notAfter: UnixTime, hash: SignatureHash, extensions: [ExtensionDraft]
    ) {
        self.serialNumber = derInteger(serialNumber)
        innerAlgorithm = hash.algorithmIdentifier
        outerAlgorithm = hash.algorithmIdentifier
        self.hash = hash
        self.issuer = issuer
        self.notBefore = der(notBefore)
        self.notAfter = der(notAfter)
        self.subject = subject
        self.subjectPublicKeyInfo = subjectPublicKeyInfo
        self.extensions = extensions
    }

    /// Inserts `nonce` into the extension whose value is `nil`, signs the certificate, and returns it in DER.
    package func encoded(signedBy key: IssuerSigningKey, nonce: [UInt8] = []) -> [UInt8] {
        let list = extensions.flatMap { item in
            der(.sequence, der(item.identifier), item.critical, der(.octetString, item.value ?? nonce))
        }
        let tbs = der(
            .sequence, version, serialNumber, innerAlgorithm, issuer, der(.sequence, notBefore, notAfter), subject,
            subjectPublicKeyInfo, hasExtensions ? der(.context(3), der(.sequence, list)) : [])
        var numbers = key.sign(tbs, with: hash)
        alterSignature(&numbers)
        var altered = tbs
        alterSignedPart(&altered)
        return der(.sequence, altered, outerAlgorithm, encodeSignature(numbers))
    }

    package mutating func edit(_ identifier: ASN1ObjectIdentifier, _ change: (inout ExtensionDraft) -> Void) {
        for index in extensions.indices where extensions[index].identifier == identifier { change(&extensions[index]) }
    }

    package mutating func remove(_ identifier: ASN1ObjectIdentifier) {
        extensions.removeAll { $0.identifier == identifier }
    }
}
