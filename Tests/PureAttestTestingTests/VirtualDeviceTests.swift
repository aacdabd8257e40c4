import PureAttest
import PureBytes
import Testing

@testable import PureAttestTesting

/// What a faultless device makes is accepted under its authority, and nowhere else.
@Suite struct VirtualDeviceTests {
    @Test(arguments: Setting.all)
    func attestationAndAssertionsVerify(_ setting: Setting) throws {
        let device = setting.device
        let keyID = device.generateKey()
        let attestation = try device.attestKey(keyID, clientDataHash: clientDataHash(Setting.challenge))
        let verified = try setting.verifier.verify(attestation, keyID: keyID)
        #expect(verified.key.keyID == (try Base64.decode(Array(keyID.utf8))))
        #expect(verified.key.counter == 0 && verified.key.environment == setting.environment)
        #expect(verified.appID == setting.app)
        #expect(verified.osVersion == setting.system.version)
        #expect(verified.validationCategory == (setting.system.sendsLaunchInformation ? .appStore : nil))
        #expect(verified.bundleVersion == (setting.system.sendsLaunchInformation ? "1.0" : nil))

        var key = verified.key
        for counter in 1...3 as ClosedRange<UInt32> {
            let clientData = Array("request \(counter)".utf8)
            let assertion = try device.generateAssertion(keyID, clientDataHash: clientDataHash(clientData))
            let verified = try setting.verifier.verifyAssertion(
                assertion, clientData: clientData, challenge: .clientDataIs(clientData), key: key)
            #expect(verified.counter == counter)
            key = verified.key
        }
        #expect(try device.counter(of: keyID) == 3)
    }
}
