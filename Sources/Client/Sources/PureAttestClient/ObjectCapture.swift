import Foundation

/// Makes a new key on this device and writes what it signs as an object file, for tests that replay it: `pure-attest verify-attestation FILE.json`
/// and the tests of a server read it.
///
/// For debug builds: the file has nothing secret in it, but each call makes a key, and Apple counts those. The key is not used for anything else,
/// so that its counter goes on in the file alone.
///
/// - Parameters:
///   - appID: the prefix, a dot and the bundle ID; the app itself can't tell.
///   - environment: "development", or "production" for a build from TestFlight or the store.
///   - name: what tests call the file.
///   - assertions: how many assertions follow the attestation.
///   - keyService: the device.
///   - sha256: the hash function.
///   - clock: the time.
/// - Returns: the file, JSON in UTF-8.
public func captureObjectFile(
    appID: String, environment: String, name: String = "captured", assertions: Int = 2,
    keyService: any AttestKeyService,
    sha256: (Data) -> Data, clock: any AttestClock = SystemClock()
) async throws -> Data {
    /// A challenge, as a server would have sent one.
    func challenge() -> Data { Data((0..<32).map { _ in UInt8.random(in: 0...255) }) }

    let keyID = try await keyService.generateKey()
    let first = challenge()
    let attestation = try await keyService.attestKey(keyID, clientDataHash: sha256(first))
    var file = CapturedObjects(
        name: name, appID: appID, environment: environment, verifyAt: Int64(clock.now.timeIntervalSince1970),
        keyID: keyID,
        challenge: first, clientDataHash: sha256(first), attestation: attestation)
    for _ in 0..<max(0, assertions) {
        let clientData = challenge()
        let assertion = try await keyService.generateAssertion(keyID, clientDataHash: sha256(clientData))
        file.assertions.append(
            .init(
                assertion: assertion, clientData: clientData, challenge: clientData,
                verifyAt: Int64(clock.now.timeIntervalSince1970)))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(file)
}

/// The members of an object file (Vectors/README.md). `Data` is written as Base64.
private struct CapturedObjects: Encodable {
    struct Assertion: Encodable {
        var assertion: Data
        var clientData: Data
        var challenge: Data
        var verifyAt: Int64
    }

    var name: String
    var appID: String
    var environment: String
    var verifyAt: Int64
    var keyID: String
    var challenge: Data
    var clientDataHash: Data
    var attestation: Data
    var assertions: [Assertion] = []
}
