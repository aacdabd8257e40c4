import PureBytes
import PureDER
import PureKeyAttestation
import VectorSupport

/// A certificate chain to verify. The file contains certificates in PEM or DER, or JSON that also contains the
/// verification inputs.
struct KeyAttestationFile {
    struct Request: Decodable {
        let challenge, clientData, signature: Data
    }

    /// The test root and the server's policy. Only files of `simulate` contain these members.
    struct Test {
        let root: [UInt8]
        let policy: KeyAttestationPolicy
    }

    var chain: [[UInt8]] = []
    var challenge: [UInt8]?
    var packageName: String?
    var minimumVersion: Int64?
    var signingDigests: [[UInt8]] = []
    var verifyAt: Int64?
    var revocationList: [UInt8]?
    var request: Request?
    var test: Test?

    private struct Members: Decodable {
        let chain: [Data]
        let challenge: Data?
        let packageName: String?
        let minimumVersion: Int64?
        let signingDigests: [String]?
        let verifyAt: Int64?
        let revocationList: String?
        let request: Request?
        let testRoot: Data?
        let policy: Policy?
    }

    private struct Policy: Decodable {
        let minimumSecurityLevel: String?
        let minimumOSVersion, minimumPatchLevel, maximumCertificatesIssued: UInt64?
        let requiresRemoteProvisioning: Bool?

        /// The standard policy, with the additions from the file.
        var value: KeyAttestationPolicy {
            KeyAttestationPolicy(
                minimumSecurityLevel: minimumSecurityLevel == "strongBox" ? .strongBox : .trustedEnvironment,
                minimumOSVersion: minimumOSVersion, minimumPatchLevel: minimumPatchLevel,
                requiresRemoteProvisioning: requiresRemoteProvisioning ?? false,
                maximumCertificatesIssued: maximumCertificatesIssued)
        }
    }

    private static func certificates(_ bytes: [UInt8], name: String) throws(UnusableInput) -> [[UInt8]] {
        var reader = DERReader(bytes[...])
        var chain: [[UInt8]] = []
        while !reader.isAtEnd {
            guard let element = try? reader.readElement(), element.tag == .sequence else {
                throw UnusableInput("\(name): expected PEM certificates, certificates in DER, or JSON with a chain")
            }
            chain.append([UInt8](element.encoded))
        }
        return chain
    }

    init(path: String) throws(UnusableInput) {
        let bytes = try fileBytes(path), name = inputName(path)
        switch try TextForm(bytes, name: name) {
        case .json: break
        case .pem:
            do { chain = try PEM.decodeAll(bytes, label: .certificate).map(\.bytes) } catch {
                throw UnusableInput("\(name): \(error)")
            }
            return
        case .object(let certificates):
            chain = try Self.certificates(certificates, name: name)
            return
        }
        let members: Members
        do { members = try JSONDecoder().decode(Members.self, from: Data(bytes)) } catch {
            throw UnusableInput("\(name): expected PEM certificates, or JSON with a chain of certificates in Base64")
        }
        chain = members.chain.map { [UInt8]($0) }
        challenge = members.challenge.map { [UInt8]($0) }
        (packageName, minimumVersion) = (members.packageName, members.minimumVersion)
        for text in members.signingDigests ?? [] {
            guard let digest = try? [UInt8](hexEncoded: text) else {
                throw UnusableInput("\(name): a signing digest is not hexadecimal")
            }
            signingDigests.append(digest)
        }
        verifyAt = members.verifyAt
        revocationList = members.revocationList.map { Array($0.utf8) }
        request = members.request
        test = members.testRoot.map { Test(root: [UInt8]($0), policy: members.policy?.value ?? .standard) }
    }
}
