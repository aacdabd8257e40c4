import DebugSampling
import PureDER
import PureECDSA
import PureSHA2
import PureX509
import RSATestKeys
@testable import PureAttestTesting
@testable import PureKeyAttestationTesting
import Testing

@testable import PureKeyAttestation

struct AttestedKeyTests {
    private func key(
        _ signer: AndroidSigningKey = .p256(5), level: SecurityLevel = .trustedEnvironment,
        provisioning: Provisioning = .remote
    ) throws -> AttestedAndroidKey {
        AttestedAndroidKey(
            publicKey: signer.chainKey,
            packageNameUTF8: Array(KeyDescriptionDraft.package.utf8), securityLevel: level, provisioning: provisioning,
            attestedAt: ChainDraft.time)
    }

    @Test func aTrustedPointMustBeOnTheCurve() throws {
        func key(_ point: [UInt8]) -> AttestedAndroidKey? {
            AttestedAndroidKey(
                trustingP256: point, packageNameUTF8: Array(KeyDescriptionDraft.package.utf8),
                securityLevel: .trustedEnvironment, provisioning: .remote, attestedAt: ChainDraft.time)
        }
        let whole = try self.key()
        guard case .p256(let publicKey) = whole.publicKey else {
            Issue.record("the key is not P-256")
            return
        }
        let point = publicKey.x963Representation
        #expect(key(point) == whole)
        #expect(key([4] + point.dropFirst().reversed()) == nil && key([]) == nil)
    }

    /// RFC 5280 §6.1.3 (a)(1): a signature is invalid if the certificate names a different algorithm.
    @Test func keysRejectOtherAlgorithms() {
        let message: [UInt8] = [1, 2, 3]
        let algorithms: [SignatureAlgorithm] = [
            .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512, .sha256WithRSAEncryption, .sha384WithRSAEncryption,
            .sha512WithRSAEncryption, .unsupported(.title),
        ]
        let signers: [(AndroidSigningKey, SignatureAlgorithm)] = [
            (.p256(5), .ecdsaWithSHA256), (.rsa(.bits2048), .sha256WithRSAEncryption),
        ]
        for (signer, own) in signers {
            let signature = signer.sign(message)
            for algorithm in algorithms {
                let isValid = signer.chainKey.isValidSignature(signature[...], algorithm, of: message[...])
                #expect(isValid == (algorithm == own), "\(signer), \(algorithm)")
            }
        }
    }

    /// The version is read only if the record is not too long.
    @Test func longRecordsAreRejected() {
        func rejection(_ count: Int) -> KeyAttestationError? {
            AttestedAndroidKey.rejection(of: [2] + [UInt8](repeating: 0, count: count - 1))
        }
        #expect(rejection(1_024) == .unsupportedKeyRecord(version: 2))
        #expect(rejection(1_025) == .malformedKeyRecord)
    }

    @Test func aRecordHasOneEncoding() throws {
        for signer in [AndroidSigningKey.p256(5), .p384(6), .rsa(.bits2048), .rsa(.bits4096)] {
            let key = try key(signer)
            let record = key.serialized
            #expect(record.count <= AttestedAndroidKey.maximumRecordSize)
            #expect(try AttestedAndroidKey(serialized: record) == key)
            #expect(record.first == 1)
            #expect(key.packageName == KeyDescriptionDraft.package)
            for count in debugSample(Array(record.indices), every: signer.isRSA ? 19 : 1, of: "lengths of a record") {
                #expect(throws: KeyAttestationError.self) { try AttestedAndroidKey(serialized: record.prefix(count)) }
            }
            for index in debugSample(Array(record.indices), every: signer.isRSA ? 19 : 1, of: "octets of a record") {
                var flipped = record
                flipped[index] ^= 1 << (index % 8)
                guard let other = try? AttestedAndroidKey(serialized: flipped) else { continue }
                #expect(other.serialized == flipped)
                #expect(other != key)
            }
            #expect(AttestedAndroidKey.rejection(of: record + [0]) == .malformedKeyRecord)
        }
        let record = try key().serialized
        #expect(AttestedAndroidKey.rejection(of: [2] + record.dropFirst()) == .unsupportedKeyRecord(version: 2))
        let zeros = [UInt8](repeating: 0, count: 2_000)
        #expect(AttestedAndroidKey.rejection(of: record + zeros) == .malformedKeyRecord)
        // Other encodings of the same keys are rejected: a compressed point and a zero-padded modulus.
        guard case .p256(let point) = try key().publicKey else { return }
        let start = record.prefix(13 + KeyDescriptionDraft.package.utf8.count)
        #expect(AttestedAndroidKey.rejection(of: start + point.compressedRepresentation) == .malformedKeyRecord)
        let rsa = try key(.rsa(.bits2048)).serialized
        let padded = Array(rsa.dropLast(258)) + [1, 1, 0] + Array(rsa.suffix(256))
        #expect(AttestedAndroidKey.rejection(of: padded) == .malformedKeyRecord)
    }

    @Test func keysHaveDER() throws {
        for signer in [AndroidSigningKey.p256(5), .p384(6), .rsa(.bits2048)] {
            #expect(try key(signer).publicKey.derRepresentation == signer.subjectPublicKeyInfo)
        }
    }

    @Test func verifiesSignatures() throws {
        let verifier = ChainDraft.verifier()
        let data = Array("request with challenge".utf8)
        for signer in [AndroidSigningKey.p256(5), .rsa(.bits2048)] {
            let key = try key(signer)
            let signature = signer.sign(data)
            let verified = try verifier.verifySignature(signature, challenge: data, key: key)
            #expect(verified.key == key)
            #expect(Array(verified.clientData) == data)
            #expect(
                verifier.rejection(of: signature, challenge: data, signed: .clientData(data + [0]), key: key)
                    == .invalidKeySignature)
            for count in [0, 1, signature.count - 1] {
                #expect(
                    verifier.rejection(of: signature.prefix(count), challenge: data, key: key) == .invalidKeySignature)
            }
        }
        // A P-384 key may sign with SHA-256, as in Android's SHA256withECDSA.
        guard case .p384(let private384) = AndroidSigningKey.p384(6) else { return }
        let signature = private384.sign(data, hash: SHA256.self).derRepresentation
        #expect(try verifier.rejection(of: signature, challenge: data, key: key(.p384(6))) == nil)
    }

    /// Rule K17.
    @Test func asksForTheChallenge() throws {
        let verifier = ChainDraft.verifier()
        let key = try key(), data = Array("request with challenge".utf8)
        let signature = AndroidSigningKey.p256(5).sign(data)
        func rejection(_ challenge: [UInt8], _ signed: SignedContent) -> KeyAttestationError? {
            verifier.rejection(of: signature, challenge: challenge, signed: signed, key: key)
        }
        let expected = Array("challenge".utf8)
        #expect(rejection(expected, .clientData(data) { Array($0.suffix(9)) }) == nil)
        #expect(rejection(expected, .clientData(data) { Array($0.suffix(8)) }) == .signedChallengeMismatch)
        #expect(rejection(expected, .clientData(data) { _ in nil }) == .challengeNotFound)
        #expect(rejection(expected, .clientData(data)) == .signedChallengeMismatch)
        for content: SignedContent in [
            .challenge, .clientData(data), .clientData(data) { _ in [] }, .request(method: "", path: "", body: []),
        ] {
            #expect(rejection([], content) == .emptyChallenge)
        }
        #expect(rejection(data, .clientData(data)) == nil)
        #expect(rejection(data, .challenge) == nil)
        for other in [data.dropLast(), data + [0], Array(data.reversed())] {
            #expect(rejection(Array(other), .clientData(data)) == .signedChallengeMismatch)
            // The signature does not cover the expected bytes.
            #expect(rejection(Array(other), .challenge) == .invalidKeySignature)
        }
    }

    @Test func readsOnlySignedBytes() throws {
        let data = Array("request with challenge".utf8)
        let signature = AndroidSigningKey.p256(5).sign(data)
        #expect(throws: KeyAttestationError.invalidKeySignature) {
            try ChainDraft.verifier().verifySignature(
                signature, challenge: [1],
                signed: .clientData(data + [1]) { _ in
                    Issue.record("called with unsigned bytes")
                    return [1]
                }, key: key())
        }
    }

    @Test func verifiesRequests() throws {
        let verifier = ChainDraft.verifier()
        let key = try key()
        let request = SignedContent.request(method: "POST", path: "/pay", body: [1, 2])
        let bytes = request.clientData(challenge: [4, 5, 6], keyID: key.keyID)
        let signature = AndroidSigningKey.p256(5).sign(bytes)
        let verified = try verifier.verifySignature(signature, challenge: [4, 5, 6], signed: request, key: key)
        #expect(Array(verified.clientData) == bytes)
        for (challenge, signed) in [
            ([4, 5], request), ([4, 5, 6], .request(method: "POST", path: "/pay", body: [1, 3])),
            ([4, 5, 6], .request(method: "POST", path: "/pay", query: "", body: [1, 2])),
        ] as [([UInt8], SignedContent)] {
            #expect(throws: KeyAttestationError.invalidKeySignature) {
                try verifier.verifySignature(signature, challenge: challenge, signed: signed, key: key)
            }
        }
        let other = request.clientData(challenge: [4, 5, 6], keyID: [UInt8](repeating: 0, count: 32))
        #expect(throws: KeyAttestationError.invalidKeySignature) {
            try verifier.verifySignature(
                AndroidSigningKey.p256(5).sign(other), challenge: [4, 5, 6], signed: request, key: key)
        }
    }

    @Test func judgesTheStoredKey() throws {
        let data: [UInt8] = [1, 2, 3]
        let signature = AndroidSigningKey.p256(5).sign(data)
        func rejection(_ verifier: KeyAttestationVerifier, _ key: AttestedAndroidKey) -> KeyAttestationError? {
            verifier.rejection(of: signature, challenge: data, key: key)
        }
        let other = AndroidApp(packageName: "com.example.other", signingDigests: [[1]])
        #expect(rejection(ChainDraft.verifier(apps: [other]), try key()) == .keyOfUnknownApp)
        let strongBox = ChainDraft.verifier(KeyAttestationPolicy(minimumSecurityLevel: .strongBox))
        #expect(rejection(strongBox, try key()) == .securityLevelNotAllowed(.trustedEnvironment))
        #expect(rejection(strongBox, try key(level: .strongBox)) == nil)
        let remote = ChainDraft.verifier(KeyAttestationPolicy(requiresRemoteProvisioning: true))
        #expect(rejection(remote, try key()) == nil)
        #expect(rejection(remote, try key(provisioning: .factory)) == .remoteProvisioningRequired)
        #expect(rejection(ChainDraft.verifier(), try key(provisioning: .factory)) == nil)
    }
}
