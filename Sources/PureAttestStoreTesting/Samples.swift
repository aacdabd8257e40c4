import PureBytes
import PureAttest
import PureAttestServer
import PureECDSA
import PureKeyAttestation

/// 2100-01-01T00:00:00Z. The time lies in the future, because a store may delete expired tokens by its own clock.
let now = UnixTime(secondsSince1970: 4_102_444_800)

func time(_ seconds: Int64) -> UnixTime { UnixTime(secondsSince1970: now.secondsSince1970 + seconds) }

/// Returns bytes that expose a store that treats bytes as text, string terminators or numbers.
func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
    let awkward: [UInt8] = [0x00, 0xFF, 0x27, 0x5C, 0x0A, 0x80]
    return (0..<count).map { i in
        i < 4 ? UInt8(truncatingIfNeeded: seed >> (8 * i)) : awkward[(i + seed) % awkward.count]
    }
}

/// Returns a consumed token. Its identifier has the length of a challenge's identifier.
func consumed(_ seed: Int) -> ConsumedToken {
    ConsumedToken(id: [UInt8(ascii: "C")] + bytes(16, seed), until: time(360))
}

/// Returns the first public key whose x-coordinate starts with a number ≥ `seed`. About half of all numbers give a
/// public key.
func publicKey(_ seed: Int) -> P256.Signing.PublicKey {
    var x = UInt32(truncatingIfNeeded: seed) & 0x7FFF_FFFF
    while true {
        let encoded =
            [2] + (0..<4).map { UInt8(truncatingIfNeeded: x >> (24 - 8 * $0)) } + [UInt8](repeating: 1, count: 28)
        if let key = try? P256.Signing.PublicKey(compressedRepresentation: encoded) { return key }
        x &+= 1
    }
}

let app = AppID(bytes: "TEST123456.com.example.app".utf8)
let otherApp = AppID(bytes: "TEST123456.com.example.other".utf8)
let appWithoutKeys = AppID(bytes: "TEST123456.com.example.none".utf8)

/// Returns an App Attest key. The record of a key with public key multiples has version 2.
func key(
    _ publicKey: P256.Signing.PublicKey, counter: UInt32, app: AppID = app, environment: Environment = .production,
    withMultiples: Bool = false
) throws -> RegisteredKey {
    let key = try AttestedKey(
        trustingStoredKey: publicKey.x963Representation, appID: app, environment: environment, counter: counter)
    return .appAttest(withMultiples ? key.withPublicKeyMultiples() : key)
}

/// Returns a key with the greatest counter 100 and these used counters (bit i: 100 − i). Replaces the used counters in
/// `AttestedKey.serialized`, where they follow 103 bytes.
func key(_ publicKey: P256.Signing.PublicKey, usedCounters: UInt64) throws -> RegisteredKey {
    let serialized = try key(publicKey, counter: 100).serialized
    return try RegisteredKey(serialized: serialized[..<103] + bigEndian(usedCounters))
}

/// Returns an Android key from a trusted environment, provisioned in the factory and attested in 1970. Creates the key
/// from bytes in the format of `AttestedAndroidKey.serialized`. Unlike most samples, the key is registered in the
/// development environment.
func androidKey(_ publicKey: P256.Signing.PublicKey) throws -> RegisteredKey {
    let name = Array("com.example.app".utf8)
    return .android(
        try AttestedAndroidKey(
            serialized: [1, 1, 1] + [UInt8](repeating: 0, count: 8) + [UInt8(name.count)] + name + [1]
                + publicKey.x963Representation), .development)
}

/// Accounts that a wrong store confuses. The two long names differ only in the last byte, which a store may truncate.
/// The two short names differ only in the case of their Base64 (AAAA, AAAa), which a store may ignore.
let similarAccounts = [bytes(256, 9), bytes(255, 9) + [1], [0, 0, 0], [0, 0, 26]].map { AccountID(bytes: $0) }

func record(
    _ key: RegisteredKey, account: AccountID? = nil, receipt: [UInt8] = [], dueAt: UnixTime? = nil
) -> KeyRecord {
    KeyRecord(key: key, account: account, receipt: receipt, receiptDueAt: dueAt, registeredAt: now)
}

func consumed(_ round: Int, _ task: Int) -> ConsumedToken { consumed(1_000_000 + 10_000 * round + task) }
