public import PureAttest
import PureSHA2

/// When devices may make new keys: Apple's service attests each, and the server decides who enrols when.
///
/// ``RelyingParty/issueChallenge(purpose:keyID:account:clientAddress:at:)`` asks this for challenges to attest with, before the device calls
/// Apple's service: a refusal afterwards would have cost Apple a key. Devices that have to wait use the unattested tier meanwhile.
/// Keys that are there are not concerned.
public struct Enrolment: Hashable, Sendable {
    /// Which accounts may enrol.
    public enum Rollout: Hashable, Sendable {
        /// All.
        case everyone
        /// So many of a thousand; more than 1000 are all. Whoever is among them stays among them when the number grows.
        case share(perThousand: UInt32)
        /// Nobody before the first moment and all from the second on, and in between one after the other, evenly.
        case gradual(from: UnixTime, until: UnixTime)
    }

    /// Which accounts may enrol.
    public var rollout = Rollout.everyone
    /// Names the roll-out: another name puts each account at another place.
    public var rolloutName = ""
    /// How many keys may be made a second, over all processes; `nil`: any number. Apple's advice is to stay under a hundred; as a
    /// second may see what was saved up before it, half of that is the default.
    ///
    /// A request with an account takes from it within ``RelyingPartyConfiguration/Limits/enrolmentsPerAccount``, one without an account but with
    /// a client address within ``RelyingPartyConfiguration/Limits/enrolmentsPerClientAddress``. Where a caller names neither, anybody can use it up, and so can
    /// somebody with addresses enough: new devices then wait, in the unattested tier, and those that have a key notice nothing.
    public var keysPerSecond: UInt32? = 50
    /// Among how many processes that is divided. Each counts for itself, so that limiting them takes no write; with fewer processes
    /// than this the enrolment rate is lower, with more it is higher.
    public var processCount: UInt32 = 1

    /// Everyone, at the default rate.
    public init() {}

    /// What one process may do.
    var limit: RateLimit? {
        guard let keysPerSecond else { return nil }
        // In 64 bits, where 2³² · 60 has room. A share below one key a minute counts as one.
        let perMinute = UInt64(keysPerSecond) * 60 / UInt64(max(processCount, 1))
        return RateLimit(
            burst: UInt32(truncatingIfNeeded: perMinute / 60), perMinute: UInt32(clamping: perMinute))
    }

    /// How long whoever has this name has to wait: `nil` if they may enrol.
    ///
    /// - Parameter name: the account's, or the key identifier's where there is none. A device can choose that one anew; that is no
    ///   harm, as this is about load and not about trust.
    func wait(for name: [UInt8], at time: UnixTime) -> Wait? {
        switch rollout {
        case .everyone: return nil
        case .share(let perThousand):
            return (place(of: name) * 1_000) >> 32 < UInt64(perThousand) ? nil : .unknown
        case .gradual(let start, let end):
            let (start, end, now) = (start.secondsSince1970, end.secondsSince1970, time.secondsSince1970)
            if now >= end { return nil }
            guard start < end else { return .seconds(Self.distance(from: now, to: end)) }
            // Below the length, so that the sum is before the end.
            let length = UInt64(bitPattern: end &- start)
            let (high, low) = length.multipliedFullWidth(by: place(of: name))
            let turn = start &+ Int64(bitPattern: high << 32 | low >> 32)
            return now >= turn ? nil : .seconds(Self.distance(from: now, to: turn))
        }
    }

    enum Wait: Hashable {
        case seconds(Int64)
        case unknown
    }

    /// `end` − `start`, which is not negative; the greatest number there is instead of a greater one.
    private static func distance(from start: Int64, to end: Int64) -> Int64 {
        Int64(clamping: UInt64(bitPattern: end &- start))
    }

    /// A number below 2³² that depends on nothing but the names.
    private func place(of name: [UInt8]) -> UInt64 {
        var hash = SHA256()
        hash.update(data: "PureAttest enrolment cohort".utf8)
        hash.update(data: SHA256.hash(data: rolloutName.utf8))
        hash.update(data: name)
        return hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
