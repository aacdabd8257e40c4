import Foundation
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes
import PureDER
import PureSHA2
@_spi(CheckedByCaller) import PureSignedContent
import VectorSupport

@testable import PureX509
@testable import PureX509Paths

// The parsers for certificates and for objects from devices, each with an object that the parser accepts.

extension PublicParser {
    static func certificates() throws -> [PublicParser] {
        let authority = TestCertificateAuthority(seed: 1)
        let root = authority.attestationRoot
        let certificate = try Certificate(derEncoded: root)
        let (name, key) = (Array(certificate.subject), Array(certificate.subjectPublicKeyInfo))
        let device = try Device(authority)
        return [
            // Runs the initializer for a slice, and then the initializer for any collection.
            PublicParser("Certificate.swift", "init(derEncoded:)", root) { bytes in
                let slice = try Certificate(derEncoded: bytes)
                return (
                    slice.tbsCertificate, slice.serialNumber, slice.issuer, slice.extensions.map(\.value),
                    slice.signature
                )
            },
            PublicParser("Certificate.swift", "init(derEncoded:)", root) { bytes in
                let copy = try Certificate(derEncoded: bytes.lazy.map { $0 })
                return (
                    copy.subject, copy.publicKey, copy.notBefore, copy.notAfter, copy.keyUsage, copy.basicConstraints
                )
            },
            PublicParser("CertificatePEM.swift", "init(pemEncoded:)", PEM.encode(root, label: .certificate)) { bytes in
                try [Certificate](pemEncoded: bytes).map { ($0.derEncoded, $0.pemEncoded) }
            },
            PublicParser("DistinguishedName.swift", "init(derEncoded:)", name) {
                try DistinguishedName(derEncoded: $0).attributes.map { ($0.type.description, $0.value) }
            },
            PublicParser("TrustAnchor.swift", "init(name:subjectPublicKeyInfo:)", name) {
                try TrustAnchor(name: $0, subjectPublicKeyInfo: key[...]).name
            },
            PublicParser("TrustAnchor.swift", "init(name:subjectPublicKeyInfo:)", key) {
                try TrustAnchor(name: name[...], subjectPublicKeyInfo: $0).subjectPublicKeyInfo
            },
            PublicParser("SignedData.swift", "init(berEncoded:)", device.receipt) {
                let data = try SignedData(berEncoded: $0)
                return (data.content, data.certificates.map(\.derEncoded), data.signerSerialNumber, data.signature)
            },
        ]
    }

    static func pathInputs() throws -> [PublicParser] {
        struct Lists: Decodable {
            struct Case: Decodable { let crls: [Data]? }
            let testcases: [Case]
        }
        let file = try VectorDirectory.committedFile("paths/revocation.json")
        let list = [UInt8](try JSONDecoder().decode(Lists.self, from: file).testcases[0].crls![0])
        struct Responses: Decodable {
            struct Case: Decodable { let response: Data }
            let ocspCases: [Case]
        }
        let responses = try VectorDirectory.committedFile("ocsp/responses.json")
        let response = [UInt8](try JSONDecoder().decode(Responses.self, from: responses).ocspCases[0].response)
        // permittedSubtrees of one dNSName, "a.example".
        let constraints: [UInt8] = [0x30, 0x0f, 0xa0, 0x0d, 0x30, 0x0b, 0x82, 0x09] + Array("a.example".utf8)
        return [
            PublicParser("CertificateRevocationList.swift", "init(derEncoded:)", list) { bytes in
                let slice = try CertificateRevocationList(derEncoded: bytes)
                return (
                    slice.fields.tbsCertList, slice.fields.signature, slice.issuer, slice.thisUpdate, slice.nextUpdate
                )
            },
            PublicParser("CertificateRevocationList.swift", "init(derEncoded:)", list) { bytes in
                let copy = try CertificateRevocationList(derEncoded: bytes.lazy.map { $0 })
                return (copy.fields.tbsCertList, copy.fields.signatureAlgorithm, copy.isUsable)
            },
            PublicParser("OCSPResponse.swift", "init(derEncoded:)", response) { bytes in
                let slice = try OCSPResponse(derEncoded: bytes)
                return (slice.derEncoded, slice.fields.tbsResponseData, slice.fields.signature)
            },
            PublicParser("OCSPResponse.swift", "init(derEncoded:)", response) { bytes in
                let copy = try OCSPResponse(derEncoded: bytes.lazy.map { $0 })
                return (copy.fields.tbsResponseData, copy.fields.signatureAlgorithm, copy.certificates.count)
            },
            // The text of the result contains the parsed numbers and bytes.
            PublicParser("NameConstraints.swift", "init(derEncoded:)", constraints) {
                "\(try NameConstraints(derEncoded: $0))"
            },
            PublicParser("ServerIdentity.swift", "init(dNSName:)", Array("a.example".utf8)) {
                ServerIdentity(dNSName: $0)
            },
            PublicParser("ServerIdentity.swift", "init(address:)", [192, 0, 2, 1]) { ServerIdentity(address: $0) },
        ]
    }

    private struct Device {
        let app = AppID(teamID: "A1B2C3D4E5", bundleID: "test.slices")
        let time = UnixTime(secondsSince1970: 1_789_473_600)
        let challenge = Array("0123456789abcdef".utf8)
        let verifier: AppAttestVerifier
        let keyID: [UInt8]
        let attestation: [UInt8]
        let assertion: [UInt8]
        /// An assertion that signs `request`.
        let boundAssertion: [UInt8]
        let key: AttestedKey
        let receipt: [UInt8]

        let request = SignedContent.request(method: "POST", path: "/", body: Array("body".utf8))

        init(_ authority: TestCertificateAuthority) throws {
            verifier = .trustingTestDevices(
                of: authority, apps: [app], environment: .production, launchPolicy: .reportOnly)
            let device = VirtualDevice(app: app, authority: authority, seed: 2, time: time)
            let name = device.generateKey()
            keyID = try [UInt8](base64Encoded: name)
            let hash = SHA256.hash(data: challenge)
            attestation = try device.attestKey(name, clientDataHash: hash)
            assertion = try device.generateAssertion(name, clientDataHash: hash)
            boundAssertion = try device.generateAssertion(name, challenge: challenge, signed: request)
            let verified = try verifier.verifyAttestation(attestation, keyID: keyID, challenge: challenge, at: time)
            key = verified.key
            receipt = Array(verified.unverifiedReceipt.unverifiedBytes)
        }
    }

    static func attestations() throws -> [PublicParser] {
        let authority = TestCertificateAuthority(seed: 1)
        let device = try Device(authority)
        let (verifier, time, challenge, key) = (device.verifier, device.time, device.challenge, device.key)
        let object = try AttestationObject(decoding: device.attestation[...])
        let signed = try AssertionObject(decoding: device.assertion[...])
        let payload = try SignedData(berEncoded: device.receipt[...]).content
        let request = device.request
        func verified(_ attestation: VerifiedAttestation) -> [[UInt8]] {
            [attestation.key.serialized, Array(attestation.unverifiedReceipt.unverifiedBytes)]
        }
        return [
            PublicParser("AppAttestVerifier.swift", "preparing(_:)", authority.attestationIntermediate) {
                try verifier.preparing([$0]).apps.count
            },
            PublicParser("AppID.swift", "init(bytes:platform:)", device.app.bytes) { AppID(bytes: $0).rpIDHash },
            PublicParser("AssertionObject.swift", "init(decoding:)", device.assertion) {
                try AssertionObject(decoding: $0)
            },
            PublicParser("AttestationObject.swift", "init(decoding:)", device.attestation) {
                try AttestationObject(decoding: $0)
            },
            PublicParser("AuthenticatorData.swift", "init(attestation:)", Array(object.authenticatorData)) {
                try AuthenticatorData(attestation: $0)
            },
            PublicParser("AuthenticatorData.swift", "init(assertion:)", Array(signed.authenticatorData)) {
                try AuthenticatorData(assertion: $0)
            },
            PublicParser(
                "AttestationVerification.swift", "verifyAttestation(_:keyID:challenge:at:)", device.attestation
            ) {
                verified(
                    try verifier.verifyAttestation($0, keyID: device.keyID[...], challenge: challenge[...], at: time))
            },
            PublicParser("AttestationVerification.swift", "verifyAttestation(_:keyID:challenge:at:)", device.keyID) {
                verified(try verifier.verifyAttestation(device.attestation, keyID: $0, challenge: challenge, at: time))
            },
            PublicParser("AttestationVerification.swift", "verifyAttestation(_:keyID:challenge:at:)", challenge) {
                verified(
                    try verifier.verifyAttestation(device.attestation, keyID: device.keyID, challenge: $0, at: time))
            },
            PublicParser(
                "AttestationVerification.swift", "verifyAttestation(_:keyID:clientDataHash:at:)",
                Array(SHA256.hash(data: challenge))
            ) {
                verified(
                    try verifier.verifyAttestation(
                        device.attestation, keyID: device.keyID, clientDataHash: $0, at: time))
            },
            PublicParser(
                "AssertionVerification.swift", "verifyAssertion(_:challenge:signed:key:at:)", device.assertion
            ) {
                try verifier.verifyAssertion($0, challenge: challenge, key: key).key.serialized
            },
            PublicParser("AssertionVerification.swift", "verifyAssertion(_:challenge:signed:key:at:)", challenge) {
                try verifier.verifyAssertion(device.assertion, challenge: $0, key: key).key.serialized
            },
            PublicParser(
                "AssertionVerification.swift", "verifyAssertion(_:clientDataCheckedByCaller:key:at:)", challenge
            ) {
                try verifier.assertionVerifier.verifyAssertion(
                    device.assertion, clientDataCheckedByCaller: $0, key: key
                ).key.serialized
            },
            PublicParser("AttestedKey.swift", "init(trustingStoredKey:appID:environment:counter:)", key.publicKeyX963) {
                try AttestedKey(trustingStoredKey: $0, appID: device.app, environment: .production, counter: 7)
                    .serialized
            },
            PublicParser("SystemInformation.swift", "init(ascii:)", Array("27.2.1".utf8)) {
                "\(SystemVersion(ascii: $0)?.description ?? "") \(SystemBuild(ascii: $0)?.description ?? "")"
            },
            PublicParser("CodeDirectoryHash.swift", "init(_:)", (0..<32).map { UInt8($0) }) {
                CodeDirectoryHash($0)?.description
            },
            PublicParser("AttestedKey+Serialization.swift", "init(serialized:)", key.serialized) {
                try AttestedKey(serialized: $0).serialized
            },
            PublicParser("BoundKey.swift", "verifyBoundKey(_:keyID:clientData:challenge:at:claims:)", challenge) {
                try verifier.verifyBoundKey(
                    device.attestation[...], keyID: device.keyID[...], clientData: $0, challenge: challenge, at: time,
                    claims: { BoundKeyClaims(challenge: Array($0), publicKey: Array($0.dropFirst())) }
                ).publicKey
            },
            PublicParser("SignedContent.swift", "request(method:target:body:)", challenge) {
                SignedContent.request(method: $0, target: $0, body: $0).clientData(challenge: challenge, keyID: [])
            },
            PublicParser("SignedContent.swift", "request(method:path:query:body:)", challenge) {
                SignedContent.request(method: "POST", path: "/", body: $0).clientData(challenge: challenge, keyID: [])
            },
            PublicParser("SignedContent.swift", "clientData(_:challengeBy:)", challenge) {
                try verifier.verifyAssertion(
                    device.assertion, challenge: challenge, signed: .clientData($0) { Array($0) }, key: key
                ).key.serialized
            },
            PublicParser("SignedContent.swift", "clientDataCheckedByCaller(_:)", challenge) {
                SignedContent.clientDataCheckedByCaller($0).clientData(challenge: [], keyID: [])
            },
            PublicParser("SignedContent.swift", "clientData(challenge:keyID:)", device.keyID) {
                request.clientData(challenge: $0, keyID: $0)
            },
            PublicParser(
                "AssertionVerification.swift", "verifyAssertion(_:challenge:signed:key:at:)", device.boundAssertion
            ) {
                try verifier.verifyAssertion($0, challenge: challenge, signed: request, key: key).key.serialized
            },
            PublicParser("BundleVersion.swift", "init(utf8:)", Array("1.0".utf8)) {
                BundleVersion(utf8: $0).description
            },
            PublicParser("ReceiptPayload.swift", "init(decoding:)", Array(payload)) {
                try ReceiptPayload(decoding: $0)
            },
            PublicParser("ReceiptRefresh.swift", "init(receipt:environment:teamID:keyID:at:)", device.receipt) {
                try ReceiptRefresh(
                    receipt: $0, environment: .production, teamID: "A1B2C3D4E5", keyID: "ABC", at: time
                ).request(signature: [UInt8](repeating: 1, count: 64))
            },
            PublicParser("ReceiptRefresh.swift", "request(signature:)", [UInt8](repeating: 1, count: 64)) {
                try ReceiptRefresh(
                    receipt: [1], environment: .production, teamID: "A1B2C3D4E5", keyID: "ABC", at: time
                ).request(signature: $0)
            },
            PublicParser("ReceiptRefreshAnswer.swift", "init(status:body:)", Base64.encode(device.receipt)) {
                ReceiptRefreshAnswer(status: 200, body: $0)
            },
            PublicParser("UnverifiedReceipt.swift", "receipt(_:of:)", device.receipt) {
                try verifier.receipt($0, of: key).verify(at: time, maximumAge: nil)
            },
            PublicParser("AssertionReport.swift", "explainAssertion(_:challenge:signed:key:at:)", device.assertion) {
                verifier.explainAssertion($0, challenge: challenge, key: key)
            },
            PublicParser(
                "AssertionReport.swift", "explainAssertion(_:clientDataCheckedByCaller:key:at:)", challenge
            ) {
                verifier.explainAssertion(device.assertion, clientDataCheckedByCaller: $0, key: key)
            },
            PublicParser("AttestationReport.swift", "explainAttestation(_:keyID:challenge:at:)", device.attestation) {
                verifier.explainAttestation($0, keyID: device.keyID, challenge: challenge, at: time)
            },
            PublicParser(
                "AttestationReport.swift", "explainAttestation(_:keyID:clientDataHash:at:)", device.attestation
            ) {
                verifier.explainAttestation($0, keyID: device.keyID, clientDataHash: challenge, at: time)
            },
            PublicParser("AccountID.swift", "init(bytes:)", challenge) { AccountID(bytes: $0).bytes },
            PublicParser("ClientAddress.swift", "init(bytes:)", challenge) { ClientAddress(bytes: $0).bytes },
            PublicParser("SessionKeys.swift", "init(id:secret:)", [UInt8](repeating: 9, count: 32)) {
                SessionKey(id: "1", secret: $0) != nil
            },
            PublicParser("SessionKeys.swift", "init(idASCII:secret:)", [UInt8](repeating: 9, count: 32)) {
                SessionKey(idASCII: [UInt8(ascii: "1")], secret: $0) != nil
            },
        ]
    }
}
