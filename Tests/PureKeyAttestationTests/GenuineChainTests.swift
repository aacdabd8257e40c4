import DebugSampling
import Foundation
import PureX509
import Testing
import VectorSupport

@testable import PureKeyAttestation

struct GenuineChainTests {
    /// A permissive policy, because the devices have unlocked bootloaders and old patch levels.
    private static let anything = KeyAttestationPolicy(
        requiresLockedDevice: false, acceptsAnyBootState: true, maximumPatchAge: nil)

    static func verifier(
        _ description: KeyDescription, _ policy: KeyAttestationPolicy = anything
    ) throws -> KeyAttestationVerifier {
        let id = try #require(description.softwareEnforced.attestationApplicationID)
        let apps = id.packages.map {
            AndroidApp(packageNameUTF8: [UInt8]($0.name), signingDigests: id.signatureDigests.map { [UInt8]($0) })
        }
        return KeyAttestationVerifier(apps: apps, policy: policy)
    }

    @Test func describesWhatIsExpected() throws {
        var fields = 0
        for name in GenuineChain.described {
            let chain = try GenuineChain(name)
            var expected = chain.expected
            #expect(!expected.isEmpty)
            for list in ["softwareEnforced", "hardwareEnforced"] {
                var members = try #require(expected[list] as? [String: Any])
                let description = try chain.description()
                let found = list == "softwareEnforced" ? description.softwareEnforced : description.hardwareEnforced
                if let ordered = members.removeValue(forKey: "areTagsOrdered") as? Bool {
                    #expect(found.areTagsOrdered == ordered, "\(name) \(list)")
                }
                #expect(found.unknownTags == [], "\(name) \(list)")
                fields += members.count
                expected[list] = members
            }
            fields += expected.count - 2
            let found = try chain.description().object
            #expect(found as NSDictionary == expected as NSDictionary, "\(name): \(found)")
        }
        #expect(fields == 234)
    }

    @Test(arguments: GenuineChain.accepted)
    func verifies(_ name: String) throws {
        let chain = try GenuineChain(name)
        let description = try chain.description()
        let verifier = try Self.verifier(description)
        // The system's own app has no signing digests, so it matches no declared app.
        guard description.softwareEnforced.attestationApplicationID?.signatureDigests.isEmpty == false else {
            let error = try verifier.rejection(
                chain.certificates, challenge: description.attestationChallenge, at: chain.time())
            #expect(error == .signingDigestMismatch)
            return
        }
        let verified = try verifier.verify(
            chain: chain.certificates, challenge: description.attestationChallenge, at: chain.time(),
            revocation: .notChecked)
        #expect(verified.description == description)
        #expect(verified.key.provisioning == (chain.certificates.count == 5 ? .remote : .factory))
        #expect(verified.key.securityLevel == (name.contains("/SB_") ? .strongBox : .trustedEnvironment))
        #expect(try AttestedAndroidKey(serialized: verified.key.serialized) == verified.key)
        let issued = verified.provisioningInformation?.certificatesIssued
        #expect(
            issued
                == (name.hasPrefix("akita")
                    ? 8 : name.contains("TRUSTED_CONF") ? 32 : name.hasPrefix("tegu") ? 64 : nil))
        #expect(try verifier.rejection(chain.certificates, challenge: [1], at: chain.time()) == .challengeMismatch)
        // Under a bank's policy, all devices except one are rejected, because their bootloaders are unlocked.
        let standard = try Self.verifier(description, KeyAttestationPolicy(maximumPatchAge: nil))
        let error = try standard.rejection(
            chain.certificates, challenge: description.attestationChallenge, at: chain.time())
        let isLocked = description.hardwareEnforced.rootOfTrust?.isDeviceLocked == true
        #expect(error == (isLocked ? nil : .deviceUnlocked))
    }

    private func rejection(_ name: String, at time: UnixTime? = nil, change: (inout [[UInt8]]) -> Void = { _ in })
        throws
        -> KeyAttestationError?
    {
        let chain = try GenuineChain(name)
        var certificates = chain.certificates
        change(&certificates)
        let description = try GenuineChain(GenuineChain.accepted[6]).description()
        return try Self.verifier(description).rejection(certificates, challenge: [1], at: time ?? chain.time())
    }

    @Test func rejectsUnsupportedChains() throws {
        #expect(try rejection("marlin/sdk29/TEE_EC_NONE") == .softwareRoot)
        #expect(try rejection("invalid/malformed_rot_device_locked") == .malformedAuthorization(704, .invalidBoolean))
        #expect(try rejection("p256_sha384_intermediate") == .untrustedRoot)
        #expect(try rejection("allow_while_on_body") == .wrongCertificateCount(1))
        #expect(try rejection("tokay/sdk37/TEE_MLDSA_FACTORY") == .challengeMismatch)
        let tokay = try GenuineChain("tokay/sdk37/TEE_MLDSA_FACTORY")
        let description = try tokay.description()
        let error = try Self.verifier(description).rejection(
            tokay.certificates, challenge: description.attestationChallenge, at: tokay.time())
        #expect(error == .unsupportedLeafKey)
        let report = try Self.verifier(description).explain(
            chain: tokay.certificates, challenge: description.attestationChallenge, at: tokay.time(),
            revocation: .notChecked)
        #expect(report.error == .unsupportedLeafKey)
        #expect(report.attestationError == nil)
    }

    @Test func readsADescriptionWithAFlag() throws {
        let chain = try GenuineChain("allow_while_on_body")
        #expect(try chain.description().softwareEnforced.isAllowedWhileOnBody)
    }

    /// The verifier rejects a chain in which two certificates are exchanged, or in which one is duplicated or left out.
    /// Only the root may be left out.
    @Test(arguments: ["tegu/sdk36/TEE_EC_2026_ROOT", "blueline/sdk28/SB_RSA_NONE"])
    func rejectsEveryOtherOrder(_ name: String) throws {
        let count = try GenuineChain(name).certificates.count
        for i in 0..<count {
            let without = try rejection(name) { $0.remove(at: i) }
            let twice = try rejection(name) { $0.insert($0[i], at: i) }
            // The last certificate is the root. Without it, the chain is valid, so only the challenge is rejected.
            #expect(without != nil && (without == .challengeMismatch) == (i == count - 1))
            #expect(twice != nil && twice != .challengeMismatch)
            for j in 0..<i {
                let exchanged = try rejection(name) { $0.swapAt(i, j) }
                #expect(exchanged != nil && exchanged != .challengeMismatch, "\(i) and \(j)")
            }
        }
    }

    /// A factory chain may be expired, but a remotely provisioned chain may not. No validity may begin in the future.
    @Test func checksDates() throws {
        let remote = "tegu/sdk36/TEE_EC_2026_ROOT", factory = "blueline/sdk28/SB_RSA_NONE"
        let late = UnixTime(secondsSince1970: 2_100_000_000), early = UnixTime(secondsSince1970: 1_400_000_000)
        let between = UnixTime(secondsSince1970: 1_774_000_000)
        let attestation = try Certificate(derEncoded: GenuineChain(remote).certificates[1])
        let ofFactory = try Certificate(derEncoded: GenuineChain(factory).certificates[1])
        #expect(try rejection(remote) == .challengeMismatch)
        #expect(
            try rejection(remote, at: between)
                == .expired(certificate: 1, notAfter: attestation.notAfter, at: between))
        #expect(
            try rejection(remote, at: early)
                == .notYetValid(certificate: 1, notBefore: attestation.notBefore, at: early))
        #expect(try rejection(factory, at: late) == .challengeMismatch)
        #expect(
            try rejection(factory, at: early)
                == .notYetValid(certificate: 1, notBefore: ofFactory.notBefore, at: early))
    }

    /// The root is not changed, because only its key matters.
    @Test(arguments: ["tegu/sdk36/TEE_EC_2026_ROOT", "blueline/sdk28/SB_RSA_NONE"])
    func rejectsEveryFlip(_ name: String) throws {
        let chain = try GenuineChain(name)
        let description = try chain.description(), time = try chain.time()
        let verifier = try Self.verifier(description)
        for position in chain.certificates.indices.dropLast() {
            let octets = debugSample(
                Array(chain.certificates[position].indices), every: 199, of: "octets of certificate \(position)")
            for index in octets {
                var certificates = chain.certificates
                certificates[position][index] ^= 1 << (index % 8)
                let error = verifier.rejection(certificates, challenge: description.attestationChallenge, at: time)
                #expect(error != nil, "certificate \(position), octet \(index)")
            }
        }
    }

    @Test func rejectsEveryTruncation() throws {
        let chain = try GenuineChain("tegu/sdk36/TEE_EC_2026_ROOT")
        for position in chain.certificates.indices {
            for count in debugSample(Array(chain.certificates[position].indices), every: 97, of: "lengths") {
                let error = try rejection(chain.name) { $0[position] = Array($0[position].prefix(count)) }
                guard case .malformedCertificate(_, let certificate)? = error else {
                    Issue.record("\(position), \(count) bytes: \(String(describing: error))")
                    continue
                }
                #expect(certificate == position)
            }
        }
        let value = try #require(try LeafCertificate(chain.certificates[0][...]).keyDescription)
        for count in 0..<value.count {
            #expect(throws: KeyAttestationError.self) { try KeyDescription(decoding: value.prefix(count)) }
        }
    }

    /// Rule K5: the verifier looks up every serial number of a chain, including the root's.
    @Test func rejectsRevokedCertificates() throws {
        let chain = try GenuineChain("akita/sdk34/TEE_EC_NONE")
        let description = try chain.description()
        let verifier = try Self.verifier(description)
        let serials = [
            "1", "4f47dffaecc3f58346fb7815514e0dcc", "bfc61f12db0cce5bc16832d05e052e488cb284", "388266760658996860e",
            "d50ff25ba3f2d6b3",
        ]
        for (position, serial) in serials.enumerated() {
            for (status, error) in [
                ("REVOKED", KeyAttestationError.revoked(certificate: position)),
                ("SUSPENDED", .suspended(certificate: position)),
            ] {
                let list = try RevocationStatusList(
                    json: Array(
                        #"{"entries": {"\#(serial)": {"status": "\#(status)", "reason": "KEY_COMPROMISE"}}}"#.utf8))
                let found = try verifier.rejection(
                    chain.certificates, challenge: description.attestationChallenge, at: chain.time(),
                    revocation: list)
                #expect(found == error)
            }
        }
    }
}
