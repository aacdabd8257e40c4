import PureX509
import PureAttest
import PureDER
import PureECDSA
import PureSHA2

/// The encoding of a receipt's CMS object.
public enum ReceiptEncoding: CaseIterable, Hashable, Sendable {
    /// BER with indefinite lengths, and with the content in chunks of 1,000 octets, as in nearly all genuine receipts.
    case indefiniteLength
    /// DER.
    case definiteLength
}

/// A receipt before encoding: a CMS SignedData (RFC 5652 §5) without signed attributes. It signs a SET of fields.
struct ReceiptDraft: Sendable {
    struct Field: Sendable {
        var type: UInt32
        var version: UInt32 = 1
        var value: [UInt8]
    }

    var fields: [Field]
    var encoding: ReceiptEncoding
    let issuer: ReceiptIssuer
    /// The authority for attestations, which is not allowed to issue receipt signers.
    var attestationAuthority: TestCertificateAuthority?
    /// Changes the encoded payload before signing.
    var alterPayload: @Sendable (inout [UInt8]) -> Void = { _ in }
    var certificates: [[UInt8]]
    /// The encoded issuer name and serial number in the SignerInfo.
    var signerIdentifier: [UInt8]
    var key: SigningKey<P256>
    var alterSignature: @Sendable (inout SignatureNumbers) -> Void = { _ in }
    /// Changes the payload after signing.
    var replacePayload: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Whether the signature covers signed attributes, which contain the digest of the payload (RFC 5652 §5.4). Genuine
    /// receipts have no signed attributes.
    var hasSignedAttributes = false
    var signerVersion: UInt32 = 1
    var signerCount = 1
    /// The content type that the ContentInfo states.
    var contentType = ASN1ObjectIdentifier.signedData
    var hasContent = true
    var digestAlgorithm = ASN1ObjectIdentifier.sha256
    var alterObject: @Sendable (inout [UInt8]) -> Void = { _ in }

    init(fields: [Field], encoding: ReceiptEncoding, issuer: ReceiptIssuer) {
        self.fields = fields
        self.encoding = encoding
        self.issuer = issuer
        certificates = issuer.certificates
        signerIdentifier = issuer.signerIdentifier
        key = issuer.signerKey
    }

    /// Sets field 3, the certificate of the attested key. Call this function after the leaf is encoded.
    mutating func setCertificate(_ certificate: [UInt8]) {
        for index in fields.indices where fields[index].type == FieldType.certificate && fields[index].value.isEmpty {
            fields[index].value = certificate
        }
    }

    mutating func set(_ type: UInt32, _ value: [UInt8]) {
        for index in fields.indices where fields[index].type == type { fields[index].value = value }
    }

    func encoded() -> [UInt8] {
        // The SET OF is not sorted as DER requires (X.690 §11.6), because genuine receipts are not sorted either.
        var payload = der(
            .set,
            fields.flatMap {
                der(.sequence, der($0.type), der($0.version), der(.octetString, $0.value))
            })
        alterPayload(&payload)
        let attributes = hasSignedAttributes ? Self.attributes(of: payload) : []
        var signature = key.sign(hasSignedAttributes ? der(.set, attributes) : payload, hash: SHA256.self)
        alterSignature(&signature)
        replacePayload(&payload)

        let signerInfo = der(
            .sequence, der(signerVersion), der(.sequence, signerIdentifier),
            der(.sequence, der(digestAlgorithm), derNull), hasSignedAttributes ? der(.context(0), attributes) : [],
            SignatureHash.sha256.algorithmIdentifier, der(.octetString, signature.derRepresentation))
        let signerInfos = der(.set, (0..<signerCount).flatMap { _ in signerInfo })
        let content = hasContent ? wrap(.context(0), encodeContent(payload)) : []
        var object = wrap(
            .sequence, der(contentType),
            wrap(
                .context(0),
                wrap(
                    .sequence, der(1), der(.set, der(.sequence, der(.sha256), derNull)),
                    wrap(.sequence, der(.data), content),
                    certificates.isEmpty ? [] : wrap(.context(0), certificates.flatMap { $0 }), signerInfos)))
        alterObject(&object)
        return object
    }

    /// Returns the attributes contentType and messageDigest (RFC 5652 §11.1, §11.2), in the order that DER requires.
    private static func attributes(of payload: [UInt8]) -> [UInt8] {
        let digest = der(.octetString, [UInt8](SHA256.hash(data: payload)))
        return der(.sequence, der(.contentType), der(.set, der(.data)))
            + der(.sequence, der(.messageDigest), der(.set, digest))
    }

    private func wrap(_ tag: DERTag, _ contents: [UInt8]...) -> [UInt8] {
        switch encoding {
        case .definiteLength: der(tag, contents.flatMap { $0 })
        case .indefiniteLength: berIndefinite(tag, contents.flatMap { $0 })
        }
    }

    /// Returns eContent as an OCTET STRING, which in BER is constructed from primitive chunks (X.690 §8.7.3).
    private func encodeContent(_ payload: [UInt8]) -> [UInt8] {
        guard encoding == .indefiniteLength else { return der(.octetString, payload) }
        let chunks = stride(from: 0, to: payload.count, by: 1_000).flatMap {
            der(.octetString, [UInt8](payload[$0..<min($0 + 1_000, payload.count)]))
        }
        return berIndefinite(DERTag(.universal, 4, constructed: true), chunks)
    }
}

/// The types of receipt fields (Apple, "Assessing fraud risk"). Type 7 is undocumented.
enum FieldType {
    static let appID: UInt32 = 2
    static let certificate: UInt32 = 3
    static let clientHash: UInt32 = 4
    static let token: UInt32 = 5
    static let receiptType: UInt32 = 6
    static let environment: UInt32 = 7
    static let creationTime: UInt32 = 12
    static let riskMetric: UInt32 = 17
    static let notBefore: UInt32 = 19
    static let expirationTime: UInt32 = 21
}

/// The validity period of a receipt in seconds: 90 days, as in genuine receipts.
let receiptLifetime: Int64 = 90 * 86_400

func receiptTime(_ time: UnixTime, milliseconds: Int64 = 0) -> [UInt8] {
    Array(CivilTime(time).iso8601(milliseconds: milliseconds).utf8)
}
