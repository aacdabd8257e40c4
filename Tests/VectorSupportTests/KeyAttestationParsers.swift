import Foundation
import PureAttest
import PureAttestServer
import PureDER
import PureKeyAttestation
import PureX509
import VectorSupport

// The parsers for objects from Android devices, each with an object that the parser accepts.

extension PublicParser {
    static func keyAttestations() throws -> [PublicParser] {
        let file = try VectorDirectory.committedFile("android-key-attestation/tegu/sdk36/TEE_EC_2026_ROOT.pem")
        let chain = PemFile(String(decoding: file, as: UTF8.self)).blocks.compactMap { $0.bytes.map { [UInt8]($0) } }
        let challenge = Array("6417f92c-daef-4cc1-8828-5bb39338ffd5".utf8)
        let time = UnixTime(secondsSince1970: 1_772_000_000)
        let digest = [UInt8](Data(base64Encoded: "EDk47kU35Z6O55L2VFBPuDRvxrNG0LvEQV/DOfz8jsE=") ?? Data())
        let verifier = KeyAttestationVerifier(
            apps: [AndroidApp(packageName: "com.google.android.attestation", signingDigests: [digest])])
        let key = try verifier.verify(chain: chain, challenge: challenge, at: time, revocation: .notChecked).key
        let leaf = try Certificate(derEncoded: chain[0])
        let description = leaf.extensions.first { $0.identifier.description == "1.3.6.1.4.1.11129.2.1.17" }?.value ?? []
        let list = Array(#"{"entries":{"1f":{"status":"REVOKED"}}}"#.utf8)
        let revocation = try RevocationStatusList(json: list)
        func replacingLeaf(with leaf: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
            [leaf] + chain.dropFirst().map { $0[...] }
        }
        return [
            PublicParser("KeyDescription.swift", "init(decoding:)", Array(description)) {
                "\(try KeyDescription(decoding: $0))"
            },
            PublicParser("RevocationStatusList.swift", "init(json:)", list) {
                try RevocationStatusList(json: $0).count
            },
            PublicParser("RevocationStatusList.swift", "status(ofSerialNumber:)", [0x00, 0x1f]) {
                revocation.status(ofSerialNumber: $0)
            },
            PublicParser("AttestedAndroidKey.swift", "init(serialized:)", key.serialized) {
                try AttestedAndroidKey(serialized: $0).serialized
            },
            PublicParser("RegisteredKey.swift", "init(serialized:)", RegisteredKey.android(key, .production).serialized)
            {
                try RegisteredKey(serialized: $0).serialized
            },
            PublicParser("CurrentRevocationList.swift", "update(json:fetchedAt:)", list) {
                let current = CurrentRevocationList()
                try current.update(json: $0, fetchedAt: time)
                return current.list(at: time)?.count
            },
            PublicParser("AndroidPublicKey.swift", "isValidSignature(_:for:)", challenge) {
                key.publicKey.isValidSignature($0, for: $0)
            },
            PublicParser("KeyAttestationVerifier.swift", "verify(chain:challenge:at:revocation:)", chain[0]) {
                try verifier.verify(
                    chain: replacingLeaf(with: $0), challenge: challenge, at: time, revocation: revocation
                ).key
                    .serialized
            },
            PublicParser("KeyAttestationVerifier.swift", "verify(chain:challenge:at:revocation:)", challenge) {
                try verifier.verify(chain: chain, challenge: $0, at: time, revocation: revocation).key.serialized
            },
            // The signature is invalid, so no result contains the bytes.
            PublicParser("KeyAttestationVerifier.swift", "verifySignature(_:challenge:signed:key:)", challenge) {
                bytes in
                do {
                    _ = try verifier.verifySignature(bytes, challenge: bytes, key: key)
                    return "verified"
                } catch { return "\(error)" }
            },
            PublicParser("KeyAttestationReport.swift", "explain(chain:challenge:at:revocation:)", challenge) {
                verifier.explain(chain: chain, challenge: $0, at: time, revocation: revocation).results.map(\.error)
            },
        ]
    }
}
