import PureAttest
import PureAttestServer
import Testing

/// Tests the documented defaults, because servers rely on them without setting them.
@Suite struct DefaultTests {
    @Test func defaultsAreAsDocumented() {
        let configuration = RelyingPartyConfiguration()
        let limits = configuration.limits
        #expect(limits.requestsPerClientAddress == RateLimit(burst: 600, perMinute: 600))
        #expect(limits.enrolmentsPerAccount == RateLimit(burst: 10, perMinute: 1))
        #expect(limits.enrolmentsPerClientAddress == RateLimit(burst: 120, perMinute: 120))
        #expect(limits.failuresPerAccount == RateLimit(burst: 20, perMinute: 1))
        #expect(limits.authenticationsPerKey == RateLimit(burst: 20, perMinute: 20))
        #expect(limits.sessionRequestsPerKey == RateLimit(burst: 600, perMinute: 600))
        #expect(limits.unattestedRequestsPerClientAddress == RateLimit(burst: 10, perMinute: 10))
        #expect(limits.capacity == 65_536)
        #expect(configuration.challengeLifetime == 60 && RelyingPartyConfiguration.maximumChallengeLifetime == 300)
        #expect(configuration.sessionLifetime == 900 && RelyingPartyConfiguration.maximumSessionLifetime == 86_400)
        #expect(RelyingPartyConfiguration.clockMargin == 300 && configuration.maximumClientData == 65_536)
        #expect(configuration.sessionUse == .untilRevoked && configuration.answerPolicy == .precise)
        #expect(configuration.publicKeyMultiples == .fromFirstAssertion && configuration.budget == nil)
        #expect(configuration.enrolment.keysPerSecond == 50 && configuration.enrolment.processCount == 1)
        // The global rate is 50 a second, or 3,000 a minute. Each client address gets a twenty-fifth of this rate.
        #expect(limits.enrolmentsPerClientAddress.map { $0.perMinute * 25 } == 3_000)
    }
}
