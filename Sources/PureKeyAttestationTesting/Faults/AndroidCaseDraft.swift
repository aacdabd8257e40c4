import PureBytes
import PureX509
import PureAttestTesting
import PureDER
import PureECDSA
import PureKeyAttestation

/// The messages of a device and the settings of the verifier. A fault can change them before they are encoded.
struct AndroidCaseDraft {
    let provisioning: Provisioning
    let time: UnixTime
    let issuedChallenge: [UInt8]
    var chain: ChainDraft
    var alterCertificates: (inout [[UInt8]]) -> Void = { _ in }
    var revocationList = Array(#"{"entries":{}}"#.utf8)
    var app: AndroidApp
    var policy = KeyAttestationPolicy.standard
    var signed: [UInt8]
    /// The bytes that the client sends, if they differ from ``signed``.
    var sent: [UInt8]?
    /// The key that signs the request, if it is not the attested key.
    var signer: AndroidSigningKey?
    var alterSignature: (inout [UInt8]) -> Void = { _ in }
}

extension AndroidCaseDraft {
    /// The position of the last certificate before the root.
    var last: Int { chain.links.count - 2 }

    /// Omits the root certificate. `change` may change the root's draft before the certificates are signed.
    mutating func leaveRootOut(_ change: (inout LinkDraft) -> Void = { _ in }) {
        change(&chain.links[last + 1])
        alterCertificates = { $0.removeLast() }
    }

    /// Extends the chain: the attested key signs a certificate of an untrusted key, with the same description.
    mutating func extendChain() {
        var forged = chain.links[0]
        (forged.subject, forged.key) = (AndroidStranger.name, AndroidStranger.p256)
        chain.links[0].extensions.append(ExtensionDraft(.keyDescription, chain.description.encoded))
        chain.links.insert(forged, at: 0)
    }

    /// Replaces the empty revocation list by a list that contains the certificate at `position`.
    mutating func list(_ position: Int, as status: String = "REVOKED", times: Int = 1) {
        let digits = Hex.encode(chain.links[position].serialNumber).drop { $0 == UInt8(ascii: "0") }
        let entry = "\"\(String(decoding: digits, as: UTF8.self))\":{\"status\":\"\(status)\"}"
        let entries = [String](repeating: entry, count: times).joined(separator: ",")
        revocationList = Array("{\"entries\":{\(entries)}}".utf8)
    }

    mutating func alterDescription(_ change: (inout [UInt8]) -> Void) {
        var encoded = chain.description.encoded
        change(&encoded)
        chain.isDescribed = false
        chain.links[0].extensions.append(ExtensionDraft(.keyDescription, encoded))
    }

    mutating func setProvisioningInformation(_ value: [UInt8]) {
        chain.links[1].extensions.removeAll { $0.identifier == .provisioningInformation }
        chain.links[1].extensions.append(ExtensionDraft(.provisioningInformation, value))
    }

    mutating func setApplication(packages: [(String, UInt32)]? = nil, digests: [[UInt8]]? = nil) {
        chain.description.setSoftware(
            709,
            KeyDescriptionDraft.application(
                packages: packages ?? [app.attestedPackage], digests: digests ?? app.signingDigests))
    }

    mutating func moveToSoftware(_ number: UInt32) {
        guard let member = chain.description.hardware.first(where: { $0.0 == number }) else { return }
        chain.description.setHardware(number, nil)
        chain.description.setSoftware(number, member.1)
    }
}

/// Keys and values that no case trusts.
enum AndroidStranger {
    static var p256: AndroidSigningKey { .p256(.max) }
    static var p384: AndroidSigningKey { .p384(.max) }
    static var name: [(ASN1ObjectIdentifier, String)] { [(.commonName, "stranger")] }
    /// A key on an unknown curve.
    static var keyOfOtherCurve: [UInt8] { subjectPublicKeyInfo(.keyDescription, point: [4, 1, 2]) }
    static var keyOfExponentOne: [UInt8] { rsaPublicKeyInfo(exponent: 1) }
    static var criticalExtension: ExtensionDraft {
        ExtensionDraft(ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_7F), critical: true, derNull)
    }
    static var digest: [UInt8] { [UInt8](repeating: 0x5A, count: 32) }
}
