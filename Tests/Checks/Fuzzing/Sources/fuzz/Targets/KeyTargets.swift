import PureBytes
import PureECDSA
import PureSHA2

@testable import PureAttest
@testable import PureAttestServerCore
@testable import PureAttestTesting
@testable import PureDER

/// Fuzzes a signature of a message whose genuine signature (r, s) is known. Only (r, s) and (r, n − s) may be valid.
let signatureTarget = Target(name: "signature", form: .der) { bytes in
    checkSignature(bytes, of: key256, table256, genuine: signature256)
    checkSignature(bytes, of: key384, table384, genuine: signature384)
} seeds: {
    [
        signature256.derRepresentation, signature256.rawRepresentation, signature384.derRepresentation,
        signature384.rawRepresentation, der(.sequence, derInteger([UInt8](genuine256.x963.dropFirst())), der(1)),
    ]
}

private func checkSignature<Key: CurveKey>(
    _ bytes: ArraySlice<UInt8>, of key: Key, _ table: Key.Table, genuine: Key.Signature
) {
    let encoded = try? Key.Signature(derRepresentation: bytes)
    let raw = try? Key.Signature(rawRepresentation: bytes)
    require(encoded.map { $0.derRepresentation.elementsEqual(bytes) } != false, "two encodings of one signature")
    require(raw.map { $0.rawRepresentation.elementsEqual(bytes) } != false, "two forms of one signature")
    for signature in [encoded, raw].compactMap(\.self) {
        let isValid = key.isValidSignature(signature, for: World.clientData)
        require(table.isValidSignature(signature, for: World.clientData) == isValid, "the key's table disagrees")
        let r = genuine.rawRepresentation.prefix(genuine.rawRepresentation.count / 2)
        require(!isValid || signature.rawRepresentation.starts(with: r), "a forged signature")
    }
}

/// Fuzzes a key and a signature. Decoding any encoding of the key must give the same key. A key and its precomputed
/// table must give the same verdict. A signature may be valid only for the genuine key.
let publicKeyTarget = Target(name: "public-key", form: .parts([.der, .bytes])) { bytes in
    let parts = Parts(decoding: bytes, count: 2).parts
    checkKey(parts[0][...], signature: parts[1], genuine: key256, curve: .secp256r1)
    checkKey(parts[0][...], signature: parts[1], genuine: key384, curve: .secp384r1)
} seeds: {
    key256.forms(.secp256r1).map { Parts([$0, signature256.rawRepresentation]).encoded }
        + key384.forms(.secp384r1).map { Parts([$0, signature384.rawRepresentation]).encoded }
}

private func checkKey<Key: CurveKey>(
    _ bytes: ArraySlice<UInt8>, signature: [UInt8], genuine: Key, curve: ASN1ObjectIdentifier
) {
    let decodings = [
        try? Key(rawRepresentation: bytes), try? Key(x963Representation: bytes),
        try? Key(compressedRepresentation: bytes), try? Key(derRepresentation: bytes),
    ]
    for key in decodings.compactMap(\.self) {
        require(key.forms(curve).contains { $0.elementsEqual(bytes) }, "a key in an unknown form")
        require(try! Key(rawRepresentation: key.rawRepresentation) == key, "raw")
        require(try! Key(x963Representation: key.x963Representation) == key, "X9.63")
        require(try! Key(compressedRepresentation: key.compressedRepresentation) == key, "compressed")
        require(try! Key(derRepresentation: key.derRepresentation) == key, "DER")
        let table = key.table
        // Also tries the key's coordinates as a signature.
        for numbers in [signature, key.rawRepresentation] {
            guard let signature = try? Key.Signature(rawRepresentation: numbers) else { continue }
            let isValid = key.isValidSignature(signature, for: World.clientData)
            require(table.isValidSignature(signature, for: World.clientData) == isValid, "the key's table disagrees")
            require(!isValid || key == genuine, "a signature is valid for another key")
        }
    }
}

private protocol CurveSignature {
    init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    var rawRepresentation: [UInt8] { get }
    var derRepresentation: [UInt8] { get }
}

private protocol CurveTable {
    associatedtype Signature
    func isValidSignature(_ signature: Signature, for data: some Collection<UInt8>) -> Bool
}

private protocol CurveKey: Equatable {
    associatedtype Signature: CurveSignature
    associatedtype Table: CurveTable where Table.Signature == Signature
    init(rawRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(x963Representation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(compressedRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    init(derRepresentation bytes: some Collection<UInt8>) throws(ECDSAError)
    var rawRepresentation: [UInt8] { get }
    var x963Representation: [UInt8] { get }
    var compressedRepresentation: [UInt8] { get }
    var derRepresentation: [UInt8] { get }
    var table: Table { get }
    func isValidSignature(_ signature: Signature, for data: some Collection<UInt8>) -> Bool
}

extension CurveKey {
    /// Returns every encoding of the key that an initialiser accepts.
    fileprivate func forms(_ curve: ASN1ObjectIdentifier) -> [[UInt8]] {
        let algorithm = der(.sequence, der(.ecPublicKey), der(curve))
        return [
            rawRepresentation, x963Representation, compressedRepresentation, derRepresentation,
            der(.sequence, algorithm, der(bits: compressedRepresentation)),
        ]
    }
}

extension P256.Signing.ECDSASignature: CurveSignature {}
extension P256.Signing.PrecomputedPublicKey: CurveTable {}
extension P256.Signing.PublicKey: CurveKey {
    fileprivate var table: P256.Signing.PrecomputedPublicKey { P256.Signing.PrecomputedPublicKey(self) }
}
extension P384.Signing.ECDSASignature: CurveSignature {}
extension P384.Signing.PrecomputedPublicKey: CurveTable {}
extension P384.Signing.PublicKey: CurveKey {
    fileprivate var table: P384.Signing.PrecomputedPublicKey { P384.Signing.PrecomputedPublicKey(self) }
}

private let genuine256 = World.issuerKey(10)
private let genuine384: SigningKey<P384> = {
    var random = TestRandom(seed: 10, purpose: "fuzzing")
    return SigningKey(from: &random)
}()
private let key256 = try! P256.Signing.PublicKey(x963Representation: genuine256.x963)
private let key384 = try! P384.Signing.PublicKey(x963Representation: genuine384.x963)
private let table256 = key256.table
private let table384 = key384.table
private let signature256 = try! P256.Signing.ECDSASignature(
    derRepresentation: genuine256.sign(World.clientData, hash: SHA256.self).derRepresentation)
private let signature384 = try! P384.Signing.ECDSASignature(
    derRepresentation: genuine384.sign(World.clientData, hash: SHA384.self).derRepresentation)

/// Fuzzes a stored key: it has exactly one encoding, and advancing its counter and verifying a signature never trap.
let attestedKeyTarget = Target(name: "attested-key", form: .bytes) { bytes in
    guard let key = try? AttestedKey(serialized: bytes) else { return }
    require(key.serialized.elementsEqual(bytes), "two encodings of one key")
    require(!key.hasPublicKeyMultiples || key.withPublicKeyMultiples() == key, "recomputed multiples differ")
    // With arbitrary points as stored multiples, verification must still return a verdict. Without multiples, the
    // genuine key must accept the genuine signature.
    let verdict = key.isValidSignature(signature256, for: SHA256.hash(data: World.clientData))
    let isGenuine = key.publicKeyX963 == genuine256.x963
    require(!isGenuine || verdict || key.hasPublicKeyMultiples, "a genuine signature is rejected")
    require(key.keyID.elementsEqual(SHA256.hash(data: bytes[(bytes.startIndex + 34)...].prefix(65))), "key ID")
    for value in [0, key.counter, key.counter &+ 1, key.counter &- 63, key.counter &- 64, .max] {
        for policy in [CounterPolicy.strict, .slidingWindow] {
            guard let advanced = try? key.accepting(value, policy: policy) else { continue }
            require((try? advanced.accepting(value, policy: policy)) == nil, "a counter value is accepted twice")
            require(try! AttestedKey(serialized: advanced.serialized) == advanced, "a changed advanced key")
        }
    }
} seeds: {
    // Keys without optional fields, with multiples, with the attestation's fields, and with both.
    let keys = [0, 1, 62, 63, 64, UInt32.max].map {
        try! AttestedKey(
            trustingStoredKey: genuine256.x963, appID: World.app, environment: .production, counter: $0)
    }
    let attested = try! World.verifier().verifyAttestation(
        World.attestations[0], keyID: World.key.id, clientDataHash: World.clientDataHash, at: World.time
    ).key
    return (keys + [keys[1].withPublicKeyMultiples(), attested, attested.withPublicKeyMultiples()]).map(\.serialized)
}

/// Fuzzes a session token. Also uses the input as the claims of a token with a correct authentication code, so that the
/// verifier reads the claims.
let sessionTokenTarget = Target(name: "session-token", form: .members) { bytes in
    let text = [UInt8](bytes)
    let key = tokenKeys.current
    for tier in [SessionTier.attested(.production), .unattested] {
        if let token = SessionToken(text, keys: tokenKeys, tier: tier) {
            require(token.signed(with: tokenKeys) == text, "two texts of one token")
            require(tokens.contains(text), "a forged token")
        }
        let signed = key.header + Array(".".utf8) + Base64.encode(text, as: .urlSafeUnpadded)
        let code = Base64.encode(key.code(of: signed, tier: tier), as: .urlSafeUnpadded)
        if let token = SessionToken(signed + Array(".".utf8) + code, keys: tokenKeys, tier: tier) {
            require(token.signed(with: tokenKeys) == signed + Array(".".utf8) + code, "two texts of one token")
        }
    }
} seeds: {
    tokens + tokens.compactMap { try? Base64.decode($0.split(separator: UInt8(ascii: "."))[1], as: .urlSafeUnpadded) }
}

private let tokenKeys = SessionKeys(current: SessionKey(id: "k1", secret: [UInt8](repeating: 7, count: 32))!)
private let tokens = [SessionTier.attested(.production), .attested(.development), .unattested].map {
    SessionToken(
        subject: World.clientDataHash, audience: World.app.rpIDHash, tier: $0, holder: holder, issuedAt: World.time,
        expiresAt: World.time,
        id: [UInt8](World.clientDataHash.prefix(16))
    ).signed(with: tokenKeys)
}
private let holder = {
    var holder = SessionHolder()
    holder.account = AccountID("user")
    holder.category = .appStore
    holder.version = "1.0"
    return holder
}()
