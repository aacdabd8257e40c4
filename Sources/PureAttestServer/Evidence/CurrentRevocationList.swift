public import PureAttest
public import PureKeyAttestation
import Synchronization

/// The newest Google revocation list that the server has fetched. All tasks of the server share it.
public final class CurrentRevocationList: Sendable {
    /// The default maximum age of a list in seconds: 3 days. Google permits caching for one day; the two further days
    /// bridge outages.
    public static let defaultMaximumAge: Int64 = 259_200

    private let maximumAge: Int64
    private let newest: Mutex<(list: RevocationStatusList, fetchedAt: UnixTime)?>

    /// Creates an instance without a list; ``update(json:fetchedAt:)`` sets a list. `maximumAge` is the maximum age of
    /// a list in seconds, at least 0.
    public init(maximumAge: Int64 = defaultMaximumAge) {
        self.maximumAge = max(maximumAge, 0)
        newest = Mutex(nil)
    }

    /// Sets a list that was fetched over HTTPS from <https://android.googleapis.com/attestation/status>.
    ///
    /// Replaces the stored list, unless the stored list was fetched after `time`. A stored list that was fetched more
    /// than ``/PureAttestServerCore/RelyingPartyConfiguration/clockMargin`` after `time` is replaced too. Only a wrong
    /// clock can give such a fetch time, and keeping that list would block all later lists.
    ///
    /// - Throws: the reason why the new list is invalid. The stored list stays in place.
    public func update(json: some Collection<UInt8>, fetchedAt time: UnixTime) throws(KeyAttestationError) {
        let list = try RevocationStatusList(json: json)
        newest.withLock { newest in
            if let fetchedAt = newest?.fetchedAt, fetchedAt > time,
                fetchedAt <= time.adding(RelyingPartyConfiguration.clockMargin)
            {
                return
            }
            newest = (list, time)
        }
    }

    /// Returns the list; `nil` if there is no list, or if the list is older than the maximum age at `time`.
    ///
    /// Also returns `nil` if the server fetched the list more than
    /// ``/PureAttestServerCore/RelyingPartyConfiguration/clockMargin`` after `time`. Clock skew does not explain such a
    /// fetch time, so the list's age is unknown.
    public func list(at time: UnixTime) -> RevocationStatusList? {
        newest.withLock { newest in
            guard let newest, time <= newest.fetchedAt.adding(maximumAge),
                newest.fetchedAt <= time.adding(RelyingPartyConfiguration.clockMargin)
            else { return nil }
            return newest.list
        }
    }
}

extension AndroidVerification {
    /// Creates rules that check keys against the newest list that the server has fetched.
    public init(verifier: KeyAttestationVerifier, revocationList: CurrentRevocationList) {
        self.init(verifier: verifier) { revocationList.list(at: $0) }
    }
}
