import AttestMiddleware
import NIOCore
import PureAttest
import PureAttestServer

extension Variables {
    /// Returns the relying party's configuration, without its budget.
    func relyingParty(hasLimits: Bool) throws(SettingsError) -> RelyingPartyConfiguration {
        var party = RelyingPartyConfiguration()
        party.answerPolicy = try choice(.answers, [("precise", .precise), ("uniform", .uniform)]) ?? .precise
        party.sessionUse =
            try choice(
                .sessionUse, [("untilRevoked", .untilRevoked), ("untilExpiry", .untilExpiry), ("once", .once)])
            ?? .untilRevoked
        if let seconds = try number(.sessionSeconds) { party.sessionLifetime = Int64(seconds) }
        if let seconds = try number(.challengeSeconds) { party.challengeLifetime = Int64(seconds) }
        party.enrolment = try enrolment()
        if let perMinute = try number(.addressPerMinute) {
            party.limits.requestsPerClientAddress =
                perMinute == 0 ? nil : RateLimit(burst: UInt32(perMinute / 6), perMinute: UInt32(perMinute))
        }
        if let perMinute = try number(.enrolmentPerAddress) {
            party.limits.enrolmentsPerClientAddress =
                perMinute == 0 ? nil : RateLimit(burst: UInt32(perMinute), perMinute: UInt32(perMinute))
        }
        guard !hasLimits else { return party }
        // A load run uses few keys, and signs far more often with each key than a user's device.
        party.limits.authenticationsPerKey = nil
        party.limits.sessionRequestsPerKey = nil
        party.limits.unattestedRequestsPerClientAddress = nil
        party.limits.requestsPerClientAddress = nil
        party.limits.failuresPerAccount = nil
        party.limits.enrolmentsPerAccount = nil
        party.limits.enrolmentsPerClientAddress = nil
        party.enrolment.keysPerSecond = nil
        return party
    }

    func connectionLimits(hasLimits: Bool, isForwarded: Bool) throws(SettingsError) -> ConnectionLimits {
        var limits = ConnectionLimits()
        if let seconds = try number(.headerSeconds) { limits.header = .seconds(Int64(seconds)) }
        if let seconds = try number(.bodySeconds) { limits.body = .seconds(Int64(seconds)) }
        if let seconds = try number(.idleSeconds) { limits.idle = .seconds(Int64(seconds)) }
        // Behind a proxy, all connections have the proxy's address.
        if isForwarded { limits.perAddress = nil }
        if let most = try number(.connectionsPerAddress) { limits.perAddress = most == 0 ? nil : most }
        if !hasLimits { limits.perAddress = nil }
        return limits
    }

    private func enrolment() throws(SettingsError) -> Enrolment {
        var enrolment = Enrolment()
        enrolment.keysPerSecond = try limit(.enrolmentPerSecond, default: enrolment.keysPerSecond)
        enrolment.processCount = UInt32(try number(.processes) ?? 1)
        enrolment.rolloutName = text(.enrolmentName) ?? ""
        let share = try number(.enrolmentPerThousand)
        let (start, end) = (try number(.enrolmentFrom), try number(.enrolmentUntil))
        let (from, until) = (Setting.enrolmentFrom.variable, Setting.enrolmentUntil.variable)
        switch (share, start, end) {
        case (nil, nil, nil): break
        case (let share?, nil, nil): enrolment.rollout = .share(perThousand: UInt32(share))
        case (nil, let start?, let end?) where start < end:
            enrolment.rollout = .gradual(
                from: UnixTime(secondsSince1970: Int64(start)), until: UnixTime(secondsSince1970: Int64(end)))
        case (nil, _, _): throw SettingsError("\(from) and \(until) must both be set, the second to a later moment")
        default:
            throw SettingsError(
                "\(Setting.enrolmentPerThousand.variable) and \(from) are two kinds of roll-out; unset one of them")
        }
        return enrolment
    }
}
