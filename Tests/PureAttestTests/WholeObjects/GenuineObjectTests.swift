import Foundation
import PureAttest
import Testing
import VectorSupport

/// Verifies objects from genuine devices, each at the time that its file states.
@Suite struct GenuineObjectTests {
    @Test(arguments: objects)
    func attestation(_ object: ObjectFile) throws {
        let attestation = try object.verify()
        let expected = object.expect
        #expect(expected.verifies)
        #expect(attestation.key.keyID == [UInt8](object.keyID))
        #expect(attestation.key.publicKeyX963 == [UInt8](expected.publicKeyX963))
        #expect(attestation.key.counter == expected.counter)
        #expect(attestation.key.environment == object.environmentValue)
        #expect(attestation.key.rpIDHash == object.app.rpIDHash)
        #expect(attestation.appID == object.app && attestation.appID.description == object.appID)
        // The ED flag of the Apple sample is clear, so its launch information is unverified.
        let believed = attestation.launchInformation
        let sent = attestation.unverifiedLaunchInformation ?? believed
        #expect(sent.validationCategory?.rawValue == expected.validationCategory)
        #expect(sent.bundleVersion?.description == expected.bundleVersion)
        #expect((attestation.unverifiedLaunchInformation != nil) == (object.name == "apple-guide-2026"))
        #expect(believed.validationCategory == nil && believed.bundleVersion == nil)
        #expect(attestation.key.attestedAt == object.time)
        #expect(attestation.system == attestation.key.system)
        #expect(attestation.system.version?.description == expected.osVersion)
        #expect(attestation.system.platform?.description == (object.name.hasPrefix("apple-guide") ? "iphoneos" : nil))
        #expect(attestation.osVersion == expected.osVersion)
    }

    @Test(arguments: objects.filter { $0.challenge != nil })
    func attestationByChallenge(_ object: ObjectFile) throws {
        let challenge = try #require(object.challenge)
        let attestation = try object.verifier().verifyAttestation(
            object.attestation, keyID: object.keyID, challenge: challenge, at: object.time)
        #expect(try attestation.key == object.verify().key)
    }

    @Test(arguments: objects.filter { !$0.assertions.isEmpty })
    func assertions(_ object: ObjectFile) throws {
        var key = try object.verify().key
        for expected in object.assertions {
            let assertion = try object.verifier().verifyAssertion(
                expected.assertion, challenge: expected.clientData, key: key)
            #expect(expected.verifies)
            #expect(assertion.counter == expected.counter && assertion.key.counter == expected.counter)
            #expect(assertion.key.keyID == key.keyID && assertion.key != key)
            #expect(assertion.appID == object.app)
            #expect(assertion.clientData.elementsEqual(expected.clientData))
            let launched = assertion.launchInformation
            #expect(launched.validationCategory?.rawValue == expected.validationCategory)
            #expect(launched.bundleVersion?.description == expected.bundleVersion)
            key = assertion.key
        }
    }

    @Test(
        .enabled(if: hasExtraObjects, "PUREATTEST_EXTRA_VECTORS is not set: only Apple's sample of 2026 was verified"))
    func nothingWasSkipped() {
        #expect(objects.count == 8)
        #expect(objects.flatMap(\.assertions).count == 3)
    }

    @Test func severalApps() throws {
        let other = AppID(teamID: "ABCDE12345", bundleID: "com.example.other")
        for object in objects {
            #expect(try object.verify(object.verifier(apps: [other, object.app])).appID == object.app)
            #expect(throws: PureAttestError.appIDMismatch) { try object.verify(object.verifier(apps: [other])) }
            #expect(throws: PureAttestError.appIDMismatch) { try object.verify(object.verifier(apps: [])) }
        }
    }
}
