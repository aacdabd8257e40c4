import PureAttest
import PureAttestServer
import PureECDSA
import PureKeyAttestation

/// 2026-09-15T12:00:00Z.
let now = UnixTime(secondsSince1970: 1_789_473_600)

func time(_ seconds: Int64) -> UnixTime { UnixTime(secondsSince1970: now.secondsSince1970 + seconds) }

/// Bytes that a store mistakes for text, ends of text or numbers, if it mistakes any.
func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    let awkward: [UInt8] = [0x00, 0xFF, 0x27, 0x5C, 0x0A, 0x80]
    return (0..<count).map { i in
        i < 4 ? UInt8(truncatingIfNeeded: seed >> (8 * i)) : awkward[(i + seed) % awkward.count]
    }
}

/// A challenge's identifier, of the length that a relying party gives it.
func consumed(_ seed: Int, until seconds: Int64 = 360) -> ConsumedToken {
    ConsumedToken(id: [UInt8(ascii: "C")] + bytes(16, seed), until: time(seconds))
}

/// The public key with the smallest x from `seed` on, x in its first four bytes: about every other x is on the curve.
func publicKey(_ seed: Int) -> P256.Signing.PublicKey {
    var x = UInt32(truncatingIfNeeded: seed) & 0x7FFF_FFFF
    while true {
        let encoded =
            [2] + (0..<4).map { UInt8(truncatingIfNeeded: x >> (24 - 8 * $0)) } + [UInt8](repeating: 1, count: 28)
        if let key = try? P256.Signing.PublicKey(compressedRepresentation: encoded) { return key }
        x &+= 1
    }
}

/// With the multiples that not every key has, its record is of version 2.
func key(
    _ publicKey: P256.Signing.PublicKey, counter: UInt32, environment: Environment = .production,
    withMultiples: Bool = false
) throws -> RegisteredKey {
    let key = try AttestedKey(
        trustingStoredKey: publicKey.x963Representation,
        appID: AppID(bytes: Array("TEST123456.com.example.app".utf8)), environment: environment, counter: counter)
    return .appAttest(withMultiples ? key.withPublicKeyMultiples() : key)
}

/// An Android key: what `AttestedAndroidKey.serialized` writes of one of a trusted environment, provisioned in the factory in 1970;
/// registered in the environment that most of the others are not of.
func androidKey(_ publicKey: P256.Signing.PublicKey) throws -> RegisteredKey {
    let name = Array("com.example.app".utf8)
    return .android(
        try AttestedAndroidKey(
            serialized: [1, 1, 1] + [UInt8](repeating: 0, count: 8) + [UInt8(name.count)] + name + [1]
                + publicKey.x963Representation), .development)
}

func record(
    _ key: RegisteredKey, account: AccountID? = nil, receipt: [UInt8] = [], dueAt: UnixTime? = nil,
    lastUsedAt: UnixTime? = nil, revokedAt: UnixTime? = nil
) -> KeyRecord {
    KeyRecord(
        key: key, account: account, receipt: receipt, receiptDueAt: dueAt, registeredAt: now, lastUsedAt: lastUsedAt,
        revokedAt: revokedAt)
}

/// Different challenges for different places.
func consumed(_ round: Int, _ task: Int) -> ConsumedToken { consumed(1_000_000 + 10_000 * round + task) }
