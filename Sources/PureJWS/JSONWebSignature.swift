import PureBytes
public import PureDER
import PureECDSA
import PureSHA2
public import PureX509

/// A JWS in compact serialization (RFC 7515 §7.1), decoded and unverified.
///
/// The JSON serializations and detached payloads are not supported.
public struct JSONWebSignature: Sendable {
    /// The maximum length of a text: 256 KiB. An App Store notification with two nested JWS has up to 20 KB.
    public static var maximumSize: Int { 1 << 18 }

    /// The header.
    public let header: JOSEHeader
    /// The payload, not verified.
    public let unverifiedPayload: [UInt8]
    /// The signature's bytes.
    public let signature: [UInt8]
    /// RFC 7515 §5.1 step 8: ASCII(BASE64URL(header) || '.' || BASE64URL(payload)), as received.
    let signingInput: ArraySlice<UInt8>

    /// Decodes `text`, which must consist of exactly three parts in unpadded base64url, separated by periods.
    public init(compactSerialization text: some Collection<UInt8>) throws(JWSError) {
        guard text.count <= Self.maximumSize else { throw .tooLarge }
        try self.init(ArraySlice(text))
    }

    private init(_ text: ArraySlice<UInt8>) throws(JWSError) {
        let period = UInt8(ascii: ".")
        guard let first = text.firstIndex(of: period), let last = text.lastIndex(of: period), first < last,
            !text[(first + 1)..<last].contains(period)
        else { throw .notCompactSerialization }
        header = try JOSEHeader(decoding: Self.decode(text[..<first], .header))
        unverifiedPayload = try Self.decode(text[(first + 1)..<last], .payload)
        signature = try Self.decode(text[(last + 1)...], .signature)
        signingInput = text[..<last]
    }

    /// RFC 7515 §2: base64url "with all trailing '=' characters omitted".
    private static func decode(_ text: ArraySlice<UInt8>, _ field: JWSField) throws(JWSError) -> [UInt8] {
        do { return try Base64.decode(text, as: .urlSafeUnpadded) } catch { throw .malformedBase64(field, error) }
    }
}

/// A JWS whose signature was verified. Only verification creates such a value.
public struct VerifiedJWS: Sendable {
    /// The header.
    public let header: JOSEHeader
    /// The signed payload. The caller must check the payload's meaning, dates and audience.
    public let payload: [UInt8]
    /// The certificates of `x5c`, the leaf first. Empty if the caller passed a key.
    ///
    /// The leaf and the intermediate certificate were verified. The third certificate, if present, has the name and key
    /// of a trust anchor. Do not rely on the third certificate's other fields, because the sender chooses them.
    public let certificates: [Certificate]

    fileprivate init(_ jws: JSONWebSignature, certificates: [Certificate]) {
        header = jws.header
        payload = jws.unverifiedPayload
        self.certificates = certificates
    }
}

extension JSONWebSignature {
    /// Verifies the signature with a key that the caller trusts (RFC 7515 §5.2).
    public func verify(by key: JWSVerificationKey) throws(JWSError) -> VerifiedJWS {
        try checkAlgorithm(key.algorithm)
        try checkSignature(by: key)
        return VerifiedJWS(self, certificates: [])
    }

    /// Verifies the chain in `x5c` up to one of `trustAnchors`, and the signature with the key of the leaf.
    ///
    /// `x5c` must contain the leaf, one intermediate certificate and, optionally, a root certificate, in this order.
    /// The root must have the name and key of one of `trustAnchors`. The leaf must be allowed to sign data. This call
    /// checks neither revocation nor the leaf's purpose. If an authority issues certificates for several purposes, also
    /// check ``VerifiedJWS/certificates``.
    ///
    /// - Parameters:
    ///   - algorithm: the only accepted algorithm.
    ///   - trustAnchors: the trusted roots. Each trust anchor must contain a certificate.
    ///   - time: the time at which the certificates must be valid.
    public func verify(
        _ algorithm: JWSAlgorithm, trustAnchors: [TrustAnchor], at time: UnixTime
    ) throws(JWSError) -> VerifiedJWS {
        try checkAlgorithm(algorithm)
        let verifier = FixedChainVerifier(trustAnchors: trustAnchors, profile: .rfc5280)
        let certificates = try certificates(by: verifier)
        try Self.checkChain(certificates, by: verifier, at: time)
        try checkSignature(by: Self.key(of: certificates[0], algorithm))
        return VerifiedJWS(self, certificates: certificates)
    }

    /// Decodes `x5c`. The chain verifier returns a prepared certificate without parsing it again.
    package func certificates(by verifier: FixedChainVerifier) throws(JWSError) -> [Certificate] {
        guard let texts = header.certificateTexts else { throw .certificatesMissing }
        guard texts.count > 1 else { throw .certificateCount(texts.count) }
        var certificates: [Certificate] = []
        for index in texts.indices {
            let der: [UInt8]
            do { der = try Base64.decode(texts[index]) } catch { throw .malformedBase64(.certificate(index), error) }
            if let known = verifier.preparedCertificate(der[...]) ?? verifier.anchorCertificate(der[...]) {
                certificates.append(known)
                continue
            }
            do { certificates.append(try Certificate(derEncoded: der[...])) } catch {
                throw .malformedCertificate(index, error)
            }
        }
        return certificates
    }

    /// RFC 8725 §3.1: the caller chooses the algorithm, and the header must name the same algorithm.
    package func checkAlgorithm(_ algorithm: JWSAlgorithm) throws(JWSError) {
        guard let name = header.algorithmUTF8, isEqual(name, algorithm.name) else {
            throw .algorithmMismatch(expected: algorithm)
        }
    }

    /// Checks the certificate chain. RFC 7515 §4.1.6: "The certificate containing the public key corresponding to the
    /// key used to digitally sign the JWS MUST be the first certificate". The issuer's certificate follows, and then
    /// optionally the trust anchor's.
    package static func checkChain(
        _ certificates: [Certificate], by verifier: FixedChainVerifier, at time: UnixTime
    ) throws(JWSError) {
        if certificates.count > 2 {
            // An anchor is a name and a key (RFC 5280 §6.1.1 d), so any certificate with the same name and key is
            // accepted.
            let root = certificates[2]
            let isAnchor = verifier.trustAnchors.contains {
                $0.name == root.subject && $0.subjectPublicKeyInfo == root.subjectPublicKeyInfo
            }
            guard isAnchor else { throw .untrustedRoot }
        }
        do {
            try verifier.verify(certificates[0], issuedBy: certificates[1], at: time) { (leaf) throws(X509Error) in
                try leaf.checkSignsData(requiresKeyUsage: false, position: 0)
            }
        } catch { throw .certificateChain(error) }
    }

    package static func key(
        of leaf: Certificate, _ algorithm: JWSAlgorithm
    ) throws(JWSError) -> JWSVerificationKey {
        switch (leaf.publicKey, algorithm) {
        case (.p256(let key), .es256): return .es256(key)
        case (.p384(let key), .es384): return .es384(key)
        default: throw .keyOfOtherAlgorithm(expected: algorithm)
        }
    }

    /// RFC 7518 §3.4: the signature is r ‖ s, each of fixed length, over the signing input.
    package func checkSignature(by key: JWSVerificationKey) throws(JWSError) {
        let isValid: Bool
        do throws(ECDSAError) {
            switch key {
            case .es256(let key):
                isValid = key.isValidSignature(
                    try P256.Signing.ECDSASignature(rawRepresentation: signature),
                    for: SHA256.hash(data: signingInput))
            case .es384(let key):
                isValid = key.isValidSignature(
                    try P384.Signing.ECDSASignature(rawRepresentation: signature),
                    for: SHA384.hash(data: signingInput))
            }
        } catch { throw .malformedSignature(error) }
        guard isValid else { throw .invalidSignature }
    }
}
