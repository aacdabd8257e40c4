import PureAttestTesting
import PureDER
import PureECDSA
import PureKeyAttestation

/// What a device sends and a server expects, before it is encoded.
struct AndroidCaseDraft {
    let provisioning: Provisioning
    let time: UnixTime
    let issuedChallenge: [UInt8]
    var chain: ChainDraft
    var alterCertificates: (inout [[UInt8]]) -> Void = { _ in }
    var revocationList = Array(#"{"entries":{}}"#.utf8)
    var app: AndroidApp
    var policy = KeyAttestationPolicy.standard
    /// What the key signs.
    var signed: [UInt8]
    /// What is sent, if it is something else.
    var sent: [UInt8]?
    /// Who signs, if not the key.
    var signer: AndroidSigningKey?
    var alterSignature: (inout [UInt8]) -> Void = { _ in }
}

extension AndroidCaseDraft {
    /// The number of the certificate that the root issued.
    var last: Int { chain.links.count - 2 }

    /// Ends the chain below its root, which may be another one.
    mutating func leaveRootOut(_ change: (inout LinkDraft) -> Void = { _ in }) {
        change(&chain.links[last + 1])
        alterCertificates = { $0.removeLast() }
    }

    /// Lets the attested key sign a certificate for a stranger's key, with the same description.
    mutating func extendChain() {
        var forged = chain.links[0]
        (forged.subject, forged.key) = (AndroidStranger.name, AndroidStranger.p256)
        chain.links[0].extensions.append(ExtensionDraft(.keyDescription, chain.description.encoded))
        chain.links.insert(forged, at: 0)
    }

    /// Puts a revocation list with a status of the certificate at `position` in place of the empty one.
    mutating func list(_ position: Int, as status: String = "REVOKED", times: Int = 1) {
        let digits = chain.links[position].serialNumber.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let entry = "\"\(String(digits.drop { $0 == "0" }))\":{\"status\":\"\(status)\"}"
        let entries = [String](repeating: entry, count: times).joined(separator: ",")
        revocationList = Array("{\"entries\":{\(entries)}}".utf8)
    }

    /// Changes the encoded description.
    mutating func alterDescription(_ change: (inout [UInt8]) -> Void) {
        var encoded = chain.description.encoded
        change(&encoded)
        chain.isDescribed = false
        chain.links[0].extensions.append(ExtensionDraft(.keyDescription, encoded))
    }

    /// Changes the extension of the attestation certificate about its provisioning.
    mutating func setProvisioningInformation(_ value: [UInt8]) {
        chain.links[1].extensions.removeAll { $0.identifier == .provisioningInformation }
        chain.links[1].extensions.append(ExtensionDraft(.provisioningInformation, value))
    }

    /// Changes attestationApplicationId.
    mutating func setApplication(packages: [(String, UInt32)]? = nil, digests: [[UInt8]]? = nil) {
        let name = String(decoding: app.packageNameUTF8, as: UTF8.self)
        chain.description.setSoftware(
            709,
            KeyDescriptionDraft.application(
                packages: packages ?? [(name, UInt32(clamping: app.minimumVersion ?? 1))],
                digests: digests ?? app.signingDigests))
    }

    /// Moves a member from the hardware's list to the system's.
    mutating func moveToSoftware(_ number: UInt32) {
        guard let member = chain.description.hardware.first(where: { $0.0 == number }) else { return }
        chain.description.setHardware(number, nil)
        chain.description.setSoftware(number, member.1)
    }
}

/// What belongs to nobody.
enum AndroidStranger {
    static var p256: AndroidSigningKey { .p256(.max) }
    static var p384: AndroidSigningKey { .p384(.max) }
    static var name: [(ASN1ObjectIdentifier, String)] { [(.commonName, "stranger")] }
    /// A key of a curve that nobody knows.
    static var keyOfOtherCurve: [UInt8] {
        subjectPublicKeyInfo(.keyDescription, point: [4, 1, 2])
    }
    /// An RSA key with the exponent 1.
    static var keyOfExponentOne: [UInt8] {
        // A modulus that is odd and of 2,048 bits: nothing is ever computed with it.
        let modulus = [UInt8](repeating: 0xAB, count: 256)
        return der(
            .sequence, der(.sequence, der(ASN1ObjectIdentifier(encodedAs: 0x2A_86_48_86_F7_0D_01_01_01)), derNull),
            der(bits: der(.sequence, der(unsigned: modulus), der(1))))
    }
    static var criticalExtension: ExtensionDraft {
        ExtensionDraft(ASN1ObjectIdentifier(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_7F), critical: true, derNull)
    }
    static var digest: [UInt8] { [UInt8](repeating: 0x5A, count: 32) }
}
