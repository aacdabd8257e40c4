import PureAttest
import PureAttestServer
import PureECDSA

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

func challenge(_ seed: Int, account: AccountID? = nil, lifetime: Int64 = 60) -> Challenge {
    Challenge(
        id: bytes(Challenge.idByteCount, seed), value: bytes(Challenge.valueByteCount, seed + 1),
        purpose: seed.isMultiple(of: 2) ? .attestation : .assertion, keyID: bytes(32, seed + 2), account: account,
        issuedAt: now, expiresAt: time(lifetime))
}

/// The public key with the smallest x from `seed` on, x in its first two bytes: about every other x is on the curve.
func publicKey(_ seed: UInt16) -> P256.Signing.PublicKey {
    var x = seed
    while true {
        let encoded = [2, UInt8(x >> 8), UInt8(x & 0xFF)] + [UInt8](repeating: 1, count: 30)
        if let key = try? P256.Signing.PublicKey(compressedRepresentation: encoded) { return key }
        x &+= 1
    }
}

func key(_ publicKey: P256.Signing.PublicKey, counter: UInt32, environment: Environment = .production) throws
    -> AttestedKey
{
    try AttestedKey(
        trustingStoredKey: publicKey.x963Representation,
        appID: AppID(bytes: Array("TEST123456.com.example.app".utf8)), environment: environment, counter: counter)
}

func record(_ key: AttestedKey, account: AccountID? = nil, receipt: [UInt8] = [], revokedAt: UnixTime? = nil)
    -> KeyRecord
{
    KeyRecord(key: key, account: account, unverifiedReceipt: receipt, registeredAt: now, revokedAt: revokedAt)
}
