public import PureAttest
import PureBytes
import PureSHA2

/// The rules that decide when a device may enrol a new key with Apple's service.
///
/// `RelyingParty.issueChallenge(purpose:keyID:account:clientAddress:at:)` applies these rules to attestation
/// challenges, before the device calls Apple's service. A later rejection would waste a key that Apple has attested.
/// Devices that must wait use the unattested tier. Registered keys are not affected.
public struct Enrolment: Hashable, Sendable {
    /// Which accounts may enrol.
    public enum Rollout: Hashable, Sendable {
        /// All accounts.
        case everyone
        /// A share of the accounts, per thousand; values above 1000 admit all accounts. If the share grows, accounts
        /// that were admitted stay admitted.
        case share(perThousand: UInt32)
        /// No account before `from`, and all accounts from `until` on. Between these times, accounts are admitted at a
        /// constant rate.
        case gradual(from: UnixTime, until: UnixTime)
    }

    /// Which accounts may enrol.
    public var rollout = Rollout.everyone
    /// The name of the roll-out. If you change the name, each account gets a different place in the order of admission.
    public var rolloutName: String {
        get { String(decoding: rolloutNameUTF8, as: UTF8.self) }
        set { rolloutNameUTF8 = [UInt8](newValue.utf8) }
    }
    /// The UTF-8 bytes of ``rolloutName``.
    package var rolloutNameUTF8: [UInt8] = []
    /// The maximum number of new keys per second in all processes together; `nil` means unlimited. Apple advises fewer
    /// than a hundred. The default is half of that number, because in one second devices may also use the allowance
    /// left from the previous second.
    ///
    /// ``RelyingPartyConfiguration/Limits/enrolmentsPerAccount`` limits each account's share of this rate. For requests
    /// without an account, ``RelyingPartyConfiguration/Limits/enrolmentsPerClientAddress`` applies. If the caller
    /// passes neither an account nor a client address, any client can exhaust the rate. A client with enough addresses
    /// can always exhaust it. New devices then wait in the unattested tier.
    public var keysPerSecond: UInt32? = 50
    /// The number of processes among which the rate is divided. Each process counts separately, so the limit needs no
    /// write to the store. If fewer processes run, the total rate is lower; if more processes run, the total rate is
    /// higher.
    public var processCount: UInt32 = 1

    /// Creates rules that let everyone enrol, at the default rate.
    public init() {}

    /// The limit for a single process.
    var limit: RateLimit? {
        guard let keysPerSecond else { return nil }
        // Computed in 64 bits, so that 2³² · 60 fits. ``RateLimit`` raises a rate below one key per minute to one.
        let perMinute = UInt64(keysPerSecond) &* 60 / UInt64(max(processCount, 1))
        return RateLimit(
            burst: UInt32(truncatingIfNeeded: perMinute / 60), perMinute: UInt32(clamping: perMinute))
    }

    /// Returns the wait before `name` may enrol; `nil` if it may enrol now.
    ///
    /// `name` is the account's name, or the key identifier if there is no account. A device could choose a different
    /// key identifier. This is harmless, because the roll-out only limits load and does not establish trust.
    func wait(for name: [UInt8], at time: UnixTime) -> Wait? {
        switch rollout {
        case .everyone: return nil
        case .share(let perThousand):
            return (place(of: name) &* 1_000) >> 32 < UInt64(perThousand) ? nil : .unknown
        case .gradual(let start, let end):
            let (start, end, now) = (start.secondsSince1970, end.secondsSince1970, time.secondsSince1970)
            if now >= end { return nil }
            guard start < end else { return .seconds(Self.distance(from: now, to: end)) }
            // Computes length · place / 2³² from the two 32-bit halves of the length: a product of two numbers below
            // 2³² fits in 64 bits. The place is below 2³², so the sum is before the end.
            let (length, place) = (UInt64(bitPattern: end &- start), place(of: name))
            let turn = start &+ Int64(bitPattern: (length >> 32) &* place &+ ((length & 0xFFFF_FFFF) &* place) >> 32)
            return now >= turn ? nil : .seconds(Self.distance(from: now, to: turn))
        }
    }

    enum Wait: Hashable {
        case seconds(Int64)
        case unknown
    }

    /// Returns `end` − `start`, clamped to `Int64.max`. The difference must not be negative.
    private static func distance(from start: Int64, to end: Int64) -> Int64 {
        Int64(clamping: UInt64(bitPattern: end &- start))
    }

    /// Returns a number below 2³² that depends only on `name` and the roll-out's name.
    private func place(of name: [UInt8]) -> UInt64 {
        var hash = SHA256()
        hash.update(data: ascii("PureAttest enrolment cohort"))
        hash.update(data: SHA256.hash(data: rolloutNameUTF8))
        hash.update(data: name)
        return hash.finalize().prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
