public import Crypto
public import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// An App Attest verifier on swift-certificates and swift-crypto, as a server developer would write it. It is a peer
/// for the comparison, not for production. It performs only the checks that Apple's documentation lists, in the
/// documented order. It does not check key usage (which `RFC5280Policy` omits), launch information or limits.
public struct CertificatesVerifier: Sendable {
    private let rpIDHash: [UInt8]
    private let roots: CertificateStore

    /// - Parameters:
    ///   - appID: prefix, ".", bundle identifier.
    ///   - root: the DER of the trusted root; without it, every attestation is rejected.
    public init(appID: [UInt8], root: [UInt8]? = nil) throws {
        rpIDHash = Array(SHA256.hash(data: appID))
        roots = CertificateStore(try root.map { [try Certificate(derEncoded: $0)] } ?? [])
    }

    /// Verifies an attestation of a production device and returns the key.
    public func verifyAttestation(
        _ attestation: [UInt8], keyID: [UInt8], clientDataHash: [UInt8], at time: Date
    ) async throws -> P256.Signing.PublicKey {
        let object = try CBOR(decoding: attestation[...])
        guard case .text("apple-appattest")? = object["fmt"], let statement = object["attStmt"],
            case .array(let encoded)? = statement["x5c"], let authData = object["authData"]?.bytes
        else { throw CertificatesAttestError.malformed }
        let certificates = try encoded.map { item in
            guard let bytes = item.bytes else { throw CertificatesAttestError.malformed }
            return try Certificate(derEncoded: Array(bytes))
        }
        guard certificates.count == 2 else { throw CertificatesAttestError.malformed }
        let leaf = certificates[0]
        var verifier = Verifier(rootCertificates: roots) { RFC5280Policy(fixedExpiryValidationTime: time) }
        guard
            case .validCertificate = await verifier.validate(
                leaf: leaf, intermediates: CertificateStore(certificates.dropFirst()))
        else { throw CertificatesAttestError.refused("1: certificate path") }
        let nonce = SHA256.hash(data: authData + clientDataHash)
        try check("4: nonce", Self.nonce(of: leaf).elementsEqual(nonce))
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else { throw CertificatesAttestError.malformed }
        let point = key.x963Representation
        try check("5: key identifier", SHA256.hash(data: point).elementsEqual(keyID))
        let data = try AuthenticatorData(authData)
        try check("6: App ID", data.rpIDHash.elementsEqual(rpIDHash))
        try check("7: counter", data.counter == 0)
        guard data.rest.count >= 18 + 32 else { throw CertificatesAttestError.malformed }
        try check("8: environment", data.rest.prefix(16).elementsEqual("appattest\0\0\0\0\0\0\0".utf8))
        var rest = data.rest.dropFirst(16)
        try check("9: credential identifier", rest.prefix(2).elementsEqual([0, 32]))
        try check("9: credential identifier", rest.dropFirst(2).prefix(32).elementsEqual(keyID))
        rest = rest.dropFirst(34)
        let coseKey = try CBOR(from: &rest, depth: 0)
        guard let x = coseKey[-2]?.bytes, let y = coseKey[-3]?.bytes else { throw CertificatesAttestError.malformed }
        try check("9: credential key", point.elementsEqual([4] + x + y))
        return key
    }

    /// Verifies an assertion and returns its counter.
    public func verifyAssertion(
        _ assertion: [UInt8], clientData: [UInt8], challenge: [UInt8], key: P256.Signing.PublicKey, counter: UInt32
    ) throws -> UInt32 {
        let object = try CBOR(decoding: assertion[...])
        guard let signature = object["signature"]?.bytes, let authData = object["authenticatorData"]?.bytes else {
            throw CertificatesAttestError.malformed
        }
        let nonce = SHA256.hash(data: authData + SHA256.hash(data: clientData))
        try check(
            "3: signature",
            key.isValidSignature(
                try P256.Signing.ECDSASignature(derRepresentation: Array(signature)), for: Array(nonce)))
        let data = try AuthenticatorData(authData)
        try check("4: App ID", data.rpIDHash.elementsEqual(rpIDHash))
        try check("5: counter", data.counter > counter)
        try check("6: challenge", clientData == challenge)
        return data.counter
    }

    private func check(_ step: String, _ condition: Bool) throws {
        guard condition else { throw CertificatesAttestError.refused(step) }
    }

    /// Returns the octets in `SEQUENCE { [1] { OCTET STRING } }`.
    private static func nonce(of leaf: Certificate) throws -> ArraySlice<UInt8> {
        guard let value = leaf.extensions[oid: [1, 2, 840, 113_635, 100, 8, 2]]?.value else {
            throw CertificatesAttestError.refused("4: nonce")
        }
        return try DER.sequence(try DER.parse(value), identifier: .sequence) { nodes in
            let octets = try DER.explicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { node in
                try ASN1OctetString(derEncoded: node)
            }
            return octets.bytes
        }
    }
}

/// The fields of authenticator data before the credential data. Only attestations contain credential data.
private struct AuthenticatorData {
    let rpIDHash: ArraySlice<UInt8>
    let counter: UInt32
    let rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) throws {
        guard bytes.count >= 37 else { throw CertificatesAttestError.malformed }
        rpIDHash = bytes.prefix(32)
        counter = bytes.dropFirst(33).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        rest = bytes.dropFirst(37)
    }
}
