import PureAttestTesting
import PureBytes
import PureDER
import PureECDSA
import PureSHA2

/// Signed data before it is encoded, so that faults can replace any part of it.
struct SignedDataDraft {
    /// The header's members before `x5c`, as JSON.
    var headerMembers = #""alg":"ES256""#
    /// The header's members after `x5c`, each with a leading comma.
    var moreHeaderMembers = ""
    var payload: [UInt8]
    var leaf: CertificateDraft { didSet { signedLeaf = nil } }
    var intermediate: CertificateDraft { didSet { signedIntermediate = nil } }
    /// The encoding of ``leaf``, or `nil` if a fault changed it or its issuer's key. All data of an App Store share
    /// this encoding and ``signedIntermediate``, because signing takes longer than the rest.
    var signedLeaf: [UInt8]?
    /// The encoding of ``intermediate``, or `nil` if a fault changed it or its issuer's key.
    var signedIntermediate: [UInt8]?
    var root: [UInt8]
    var leafKey: SigningKey<P256>
    var intermediateKey: IssuerSigningKey { didSet { signedLeaf = nil } }
    var rootKey: IssuerSigningKey { didSet { signedIntermediate = nil } }
    var alterCertificates: (inout [[UInt8]]) -> Void = { _ in }
    var encodeCertificate: ([UInt8]) -> [UInt8] = { Base64.encode($0) }
    var sign: (_ key: SigningKey<P256>, _ input: [UInt8]) -> [UInt8] = { $0.rawSignature(of: $1) }
    var alterParts: (inout [[UInt8]]) -> Void = { _ in }
    var separator: [UInt8] = [UInt8(ascii: ".")]

    func encoded() -> [UInt8] {
        var certificates = [
            signedLeaf ?? leaf.encoded(signedBy: intermediateKey),
            signedIntermediate ?? intermediate.encoded(signedBy: rootKey), root,
        ]
        alterCertificates(&certificates)
        let list = certificates.map { #"""# + String(decoding: encodeCertificate($0), as: UTF8.self) + #"""# }
        let x5c = certificates.isEmpty ? "" : #","x5c":["# + list.joined(separator: ",") + "]"
        let header = Array("{\(headerMembers)\(x5c)\(moreHeaderMembers)}".utf8)
        var parts = [header, payload].map { Base64.encode($0, as: .urlSafeUnpadded) }
        parts.append(Base64.encode(sign(leafKey, parts[0] + [UInt8(ascii: ".")] + parts[1]), as: .urlSafeUnpadded))
        alterParts(&parts)
        return Array(parts.joined(separator: separator))
    }
}

extension SigningKey<P256> {
    /// r ‖ s of a signature with SHA-256 (RFC 7518 §3.4).
    func rawSignature(of input: [UInt8]) -> [UInt8] {
        let numbers = sign(input, hash: SHA256.self)
        return [numbers.r, numbers.s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
    }
}
