import Foundation

/// Makes a new key on this device, and returns an object file with the key's attestation and assertions. Tests replay
/// these objects.
///
/// `pure-attest verify-attestation FILE.json` and a server's tests read the file. Use this function only in debug
/// builds, because each call makes a key, and Apple counts keys. The file contains no secrets. No other code uses the
/// key, so only the assertions in the file advance the key's counter.
///
/// - Parameters:
///   - appID: the App ID, which is the prefix, a dot and the bundle ID. An app cannot determine its own prefix.
///   - environment: "development", or "production" for a build from TestFlight or the App Store.
///   - name: the file's name in tests.
///   - assertions: the number of assertions after the attestation.
///   - keyService: the device.
///   - sha256: the hash function.
///   - clock: the time.
/// - Returns: the file, JSON in UTF-8.
public func captureObjectFile(
    appID: String, environment: String, name: String = "captured", assertions: Int = 2,
    keyService: any AttestKeyService,
    sha256: (Data) -> Data, clock: any AttestClock = SystemClock()
) async throws -> Data {
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
