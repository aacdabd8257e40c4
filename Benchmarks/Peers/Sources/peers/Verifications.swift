import CertificatesAttest
import Crypto
import Foundation
import PureAttest
import PureAttestServer
import PureAttestTesting
import PureBytes

/// Measures whole attestations and assertions with PureAttest and swift-certificates, and batches with PureAttest.
///
/// - Parameter repository: the root folder of the repository, which contains Apple's published sample.
func verifications(repository: URL) async throws -> [Measurement] {
    try await appleSample(repository) + virtualDevice() + assertions() + transactions(repository: repository)
        + batches() + batchesOfManyKeys()
}

/// Measures Apple's published sample. The verifier has tables for the two keys that signed its certificates.
private func appleSample(_ repository: URL) async throws -> [Measurement] {
    struct Sample: Decodable {
        let appID: String
        let keyID, attestation, clientDataHash: Data
        let verifyAt: Int64
    }
    let folder = repository.appending(path: "Vectors")
    let sample = try JSONDecoder().decode(
        Sample.self, from: Data(contentsOf: folder.appending(path: "app-attest/apple-guide-2026.json")))
    let pem = try String(contentsOf: folder.appending(path: "x509/apple-app-attest.pem"), encoding: .utf8)
    let root = pem.split(separator: "-----BEGIN CERTIFICATE-----").last ?? ""
    let base64 = root.prefix { $0 != "-" }.filter { !$0.isWhitespace }
    return try await attestation(
        "attestation", appID: Array(sample.appID.utf8), root: [UInt8](base64Encoded: base64),
        object: Array(sample.attestation), keyID: Array(sample.keyID), clientDataHash: Array(sample.clientDataHash),
        time: sample.verifyAt
    ) { AppAttestVerifier(apps: [$0], environment: .production, launchPolicy: .reportOnly) }
}

private let app = AppID(bytes: Array("TEST123456.com.example.app".utf8))
private let authority = TestCertificateAuthority(seed: 1)
private let now: Int64 = 1_789_473_600

private func testVerifier() -> AppAttestVerifier {
    .trustingTestDevices(of: authority, apps: [app], environment: .production, launchPolicy: .reportOnly)
}

private func testDevice() -> VirtualDevice {
    VirtualDevice(app: app, authority: authority, seed: 1, time: UnixTime(secondsSince1970: now))
}

/// Measures an object of a test authority. The verifier has no tables for the authority's two keys.
private func virtualDevice() async throws -> [Measurement] {
    let device = testDevice()
    let name = await device.generateKey()
    let clientDataHash = Array(SHA256.hash(data: Array("benchmark".utf8)))
    return try await attestation(
        "attestation-unprepared", appID: app.bytes, root: authority.attestationRoot,
        object: device.attestKey(name, clientDataHash: clientDataHash), keyID: [UInt8](base64Encoded: name),
        clientDataHash: clientDataHash, time: now
    ) { _ in testVerifier() }
}

private func attestation(
    _ name: String, appID: [UInt8], root: [UInt8], object: [UInt8], keyID: [UInt8], clientDataHash: [UInt8],
    time: Int64,
    verifier: (AppID) -> AppAttestVerifier
) async throws -> [Measurement] {
    let ours = verifier(AppID(bytes: appID))
    let theirs = try CertificatesVerifier(appID: appID, root: root)
    try await requireRefusals(
        by: theirs, appID, object, keyID, clientDataHash, Date(timeIntervalSince1970: Double(time)))
    return [
        // Each verification time depends on the previous result, so the compiler cannot hoist the call out of the loop.
        Measurement("pure/\(name)") { iterations in
            var time = time
            for _ in 0..<iterations {
                let verified = try ours.verifyAttestation(
                    object, keyID: keyID, clientDataHash: clientDataHash, at: UnixTime(secondsSince1970: time))
                time += Int64(verified.key.counter)
            }
            return iterations
        },
        Measurement("swift-certificates/\(name)") { iterations in
            var time = Date(timeIntervalSince1970: TimeInterval(time))
            for _ in 0..<iterations {
                let key = try await theirs.verifyAttestation(
                    object, keyID: keyID, clientDataHash: clientDataHash, at: time)
                time += TimeInterval(key.x963Representation.count - 65)
            }
            return iterations
        },
    ]
}

/// Checks that the peer really verifies: it must reject a changed object and a different root.
private func requireRefusals(
    by verifier: CertificatesVerifier, _ appID: [UInt8], _ object: [UInt8], _ keyID: [UInt8], _ clientDataHash: [UInt8],
    _ time: Date
) async throws {
    let otherRoot = TestCertificateAuthority(seed: 2).attestationRoot
    for (verifier, object) in [
        (verifier, object.dropLast() + [object[object.count - 1] ^ 1]),
        (try CertificatesVerifier(appID: appID, root: otherRoot), object),
    ] {
        let key = try? await verifier.verifyAttestation(object, keyID: keyID, clientDataHash: clientDataHash, at: time)
        guard key == nil else { throw WrongResult(name: "swift-certificates") }
    }
}

private func assertions() throws -> [Measurement] {
    let (key, signed) = try signedAssertions(2)
    let verifier = testVerifier()
    func ours(_ name: String, _ key: AttestedKey) -> Measurement {
        .verdict(name) { i in
            let verified = try verifier.verifyAssertion(
                signed[i].assertion, challenge: signed[i].challenge,
                key: key)
            return verified.counter == UInt32(i + 1)
        }
    }
    let theirs = try CertificatesVerifier(appID: app.bytes, root: authority.attestationRoot)
    let theirKey = try P256.Signing.PublicKey(x963Representation: key.publicKeyX963)
    return [
        ours("pure/assertion", key), ours("pure/assertion-multiples", key.withPublicKeyMultiples()),
        ours("pure/assertion-table", key.withPublicKeyTable()),
        .verdict("swift-certificates/assertion") { i in
            try theirs.verifyAssertion(
                signed[i].assertion, clientData: signed[i].challenge, challenge: signed[i].challenge, key: theirKey,
                counter: 0) == UInt32(i + 1)
        },
    ]
}

/// A new attestation and assertion of a virtual device, and a genuine transaction. The attestation is valid now,
/// because some peers can only verify at the current time.
struct SharedObjects: Encodable {
    let appID, transaction, bundleID: String
    let root, keyID, attestation, challenge, assertion, clientData, publicKey, appStoreRoot: Data

    init(repository: URL) throws {
        let genuine = try GenuineTransaction(repository: repository)
        (transaction, bundleID, appStoreRoot) = (genuine.jws, genuine.bundleID, genuine.root)
        let device = VirtualDevice(
            app: app, authority: authority, seed: 1,
            time: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
        let name = device.generateKey()
        let challenge = Array("challenge".utf8), hash = Array(SHA256.hash(data: challenge))
        let attestation = try device.attestKey(name, clientDataHash: hash)
        let keyID = try [UInt8](base64Encoded: name)
        let verified = try testVerifier().verifyAttestation(
            attestation, keyID: keyID, challenge: challenge,
            at: UnixTime(secondsSince1970: Int64(Date().timeIntervalSince1970)))
        appID = String(decoding: app.bytes, as: UTF8.self)
        root = Data(authority.attestationRoot)
        self.keyID = Data(keyID)
        self.attestation = Data(attestation)
        self.challenge = Data(challenge)
        assertion = Data(try device.generateAssertion(name, clientDataHash: hash))
        clientData = Data(challenge)
        publicKey = Data(verified.key.publicKeyX963)
    }
}

/// Returns a key and its assertions, with counters from 1.
private func signedAssertions(_ count: Int, by device: VirtualDevice = testDevice()) throws -> (
    key: AttestedKey, signed: [(challenge: [UInt8], assertion: [UInt8])]
) {
    let name = device.generateKey()
    let attested = try testVerifier().verifyAttestation(
        device.attestKey(name, clientDataHash: Array(SHA256.hash(data: [1]))), keyID: [UInt8](base64Encoded: name),
        challenge: [1], at: UnixTime(secondsSince1970: now))
    let signed = try (0..<count).map { i in
        let challenge = Array(SHA256.hash(data: Array("challenge \(i)".utf8)))
        return (challenge, try device.generateAssertion(name, clientDataHash: Array(SHA256.hash(data: challenge))))
    }
    return (attested.key, signed)
}

/// Measures batches of assertions by one key, with the default number of child tasks and with one task.
private func batches() throws -> [Measurement] {
    let (key, signed) = try signedAssertions(256)
    let assertions = signed.map { AssertionToVerify(assertion: $0.assertion, challenge: $0.challenge, key: key) }
    return [1, 10, 100, 1_000, 10_000, 100_000].flatMap { batch("pure/batch/\($0)", of: assertions, size: $0) }
}

/// Measures batches of assertions by 64 different keys. None, half or all of the keys have precomputed multiples in
/// their records.
private func batchesOfManyKeys() throws -> [Measurement] {
    let device = testDevice()
    let signed = try (0..<64).map { _ in try signedAssertions(1, by: device) }
    let kinds: [(name: String, hasMultiples: (Int) -> Bool)] = [
        ("unknown", { _ in false }), ("half", { $0 % 2 == 1 }), ("multiples", { _ in true }),
    ]
    return kinds.flatMap { kind in
        let assertions = signed.enumerated().map { i, item in
            let key = kind.hasMultiples(i) ? item.key.withPublicKeyMultiples() : item.key
            return AssertionToVerify(
                assertion: item.signed[0].assertion, challenge: item.signed[0].challenge, key: key)
        }
        return [64, 1_000].flatMap { batch("pure/batch/\($0)/\(kind.name)", of: assertions, size: $0) }
    }
}

/// One assertion counts as one operation.
private func batch(_ name: String, of assertions: [AssertionToVerify], size: Int) -> [Measurement] {
    let verifier = testVerifier()
    let batch = (0..<size).map { assertions[$0 % assertions.count] }
    return [("all", AppAttestVerifier.defaultBatchTasks), ("one", 1)].map { cores, tasks in
        let name = "\(name)/\(cores)"
        return Measurement(name) { iterations in
            let repetitions = (iterations + size - 1) / size
            for _ in 0..<repetitions {
                for verdict in try await verifier.verifyAssertions(batch, tasks: tasks) {
                    guard case .success = verdict else { throw WrongResult(name: name) }
                }
            }
            return repetitions * size
        }
    }
}
