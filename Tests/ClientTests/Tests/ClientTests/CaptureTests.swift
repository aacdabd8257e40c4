import Foundation
import PureAttest
import PureAttestClient
import PureAttestTesting
import Testing

/// The tests of a server can replay objects that the app captured.
@Suite struct CaptureTests {
    private struct File: Decodable {
        struct Assertion: Decodable {
            var assertion: Data
            var clientData: Data
            var challenge: Data
            var verifyAt: Int64
        }

        var name: String
        var appID: String
        var environment: String
        var verifyAt: Int64
        var keyID: Data
        var challenge: Data
        var clientDataHash: Data
        var attestation: Data
        var assertions: [Assertion]
    }

    private let verifier = AppAttestVerifier.trustingTestDevices(
        of: TestCertificateAuthority(seed: 1), apps: [Service.app], environment: .production, launchPolicy: .reportOnly)

    private func capture(_ device: Device, assertions: Int = 3) async throws -> Data {
        try await captureObjectFile(
            appID: "TEST123456.com.example.app", environment: "production", name: "mine", assertions: assertions,
            keyService: device,
            sha256: hash, clock: SystemClock())
    }

    @Test func aCapturedFileVerifies() async throws {
        let file = try JSONDecoder().decode(File.self, from: try await capture(Device()))
        #expect(file.name == "mine" && file.environment == "production" && file.appID == "TEST123456.com.example.app")
        #expect(file.clientDataHash == hash(file.challenge) && file.challenge.count == 32)
        var key = try verifier.verifyAttestation(
            file.attestation, keyID: file.keyID, challenge: file.challenge,
            at: UnixTime(secondsSince1970: file.verifyAt)
        ).key
        for item in file.assertions {
            #expect(item.clientData == item.challenge)
            key = try verifier.verifyAssertion(
                item.assertion, challenge: item.challenge, signed: .clientData(item.clientData), key: key
            ).key
        }
        #expect(file.assertions.count == 3 && key.counter == 3)
    }

    @Test func eachCaptureHasAKeyAndChallengesOfItsOwn() async throws {
        let device = Device()
        let files = try [await capture(device, assertions: 0), await capture(device, assertions: -1)].map {
            try JSONDecoder().decode(File.self, from: $0)
        }
        #expect(device.state.value.keys.count == 2 && files[0].challenge != files[1].challenge)
        #expect(files.allSatisfy { $0.assertions.isEmpty })
    }

    @Test func passesOnErrorsOfTheDevice() async throws {
        let device = Device()
        device.state.change { $0.attestFailures = [.featureUnsupported] }
        await #expect(throws: KeyServiceError.featureUnsupported) { try await capture(device) }
    }
}
