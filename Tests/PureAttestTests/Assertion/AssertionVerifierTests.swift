import PureAttest
import Testing
import VectorSupport

/// `AssertionVerifier` gives the same results as `AppAttestVerifier`, including the policies.
@Suite struct AssertionVerifierTests {
    @Test(arguments: [CounterPolicy.strict, .slidingWindow])
    func sameResults(_ counterPolicy: CounterPolicy) throws {
        let app = TestDevice().appID
        let other = AppID(bytes: [UInt8]("A1B2C3D4E5.com.example.other".utf8))
        var device = TestDevice()
        device.counter = 7
        let (assertion, challenge) = (device.assertion, device.challenge)
        var outcomes: [Outcome: Int] = [:]
        for apps in [[app], [other, app], [other], []] {
            for environment in [Environment.production, .development] {
                for launchPolicy in [LaunchPolicy.reportOnly, .only([.appStore])] {
                    for stored: UInt32 in [0, 6, 7, 8] {
                        let whole = AppAttestVerifier(
                            apps: apps, environment: environment, launchPolicy: launchPolicy,
                            counterPolicy: counterPolicy)
                        let alone = AssertionVerifier(
                            apps: apps, environment: environment, launchPolicy: launchPolicy,
                            counterPolicy: counterPolicy)
                        #expect(alone.apps == whole.apps && alone.environment == whole.environment)
                        #expect(alone.counterPolicy == whole.assertionVerifier.counterPolicy)
                        let key = try device.storedKey(counter: stored)
                        let outcome = try Outcome {
                            try alone.verifyAssertion(assertion, challenge: challenge, key: key)
                        }
                        let ofWhole = try Outcome {
                            try whole.verifyAssertion(assertion, challenge: challenge, key: key)
                        }
                        #expect(outcome == ofWhole)
                        outcomes[outcome, default: 0] += 1
                    }
                }
            }
        }
        // In 32 of the 64 cases, the environment is wrong. In 16 of the remaining 32 cases, the app is unknown. The
        // counter check rejects 8 of the remaining 16 cases, and the policy then rejects 4 of the remaining 8.
        #expect(outcomes[.refused(.keyOfOtherEnvironment(.production))] == 32)
        #expect(outcomes[.refused(.keyOfUnknownApp)] == 16)
        #expect(outcomes[.refused(.validationCategoryNotAllowed(nil))] == 4)
        #expect(outcomes.filter { if case .verified = $0.key { true } else { false } }.map(\.value) == [2, 2])
    }

    @Test func requests() throws {
        var device = TestDevice()
        device.counter = 1
        let request = SignedContent.request(method: "POST", path: "/pay", body: [1, 2, 3])
        device.challenge = request.clientData(challenge: [4, 5, 6], keyID: TestDevice.key.keyID)
        let verifier = AssertionVerifier(
            apps: [device.appID], environment: .production, launchPolicy: .reportOnly)
        let key = try device.storedKey()
        let assertion = device.assertion
        #expect(try verifier.verifyAssertion(assertion, challenge: [4, 5, 6], signed: request, key: key).counter == 1)
        let other = SignedContent.request(method: "POST", path: "/pay", body: [1, 2, 4])
        #expect(throws: PureAttestError.invalidSignature) {
            try verifier.verifyAssertion(assertion, challenge: [4, 5, 6], signed: other, key: key)
        }
    }

    private enum Outcome: Hashable {
        case verified([UInt8])
        case refused(PureAttestError)

        init(_ verify: () throws -> VerifiedAssertion) throws {
            do { self = .verified(try verify().key.serialized) } catch let error as PureAttestError {
                self = .refused(error)
            }
        }
    }
}
