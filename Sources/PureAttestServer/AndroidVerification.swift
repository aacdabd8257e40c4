public import PureKeyAttestation
import Synchronization

/// Which keys of Android devices a ``RelyingParty`` accepts, beside those of App Attest.
public struct AndroidVerification: Sendable {
    /// What verifies chains and signatures.
    public let verifier: KeyAttestationVerifier
    /// Google's list as it is at a time; `nil` if the server has none that is new enough.
    let revocationList: @Sendable (UnixTime) -> RevocationStatusList?

    /// Keys that `verifier` accepts and Google's list does not name.
    ///
    /// - Parameters:
    ///   - verifier: for the apps and the policy.
    ///   - revocationList: the list at a time, as ``CurrentRevocationList/list(at:)`` gives it. While it is `nil` no key is
    ///     registered (``Refusal/revocationListMissing``); keys that are registered can sign.
    public init(
        verifier: KeyAttestationVerifier, revocationList: @escaping @Sendable (UnixTime) -> RevocationStatusList?
    ) {
        self.verifier = verifier
        self.revocationList = revocationList
    }

    /// The same with a list that the server keeps up to date.
    public init(verifier: KeyAttestationVerifier, revocationList: CurrentRevocationList) {
        self.init(verifier: verifier) { revocationList.list(at: $0) }
    }
}

/// The newest of Google's revocation lists that a server has fetched, shared by its tasks.
public final class CurrentRevocationList: Sendable {
    /// How old a list may be unless told otherwise, in seconds: three days. Google lets it be cached for a day; the others are for
    /// outages.
    public static let defaultMaximumAge: Int64 = 259_200

    private let maximumAge: Int64
    private let newest: Mutex<(list: RevocationStatusList, fetchedAt: UnixTime)?>

    /// Without a list, until ``update(json:fetchedAt:)`` brings one.
    ///
    /// - Parameter maximumAge: in seconds; 0 at least.
    public init(maximumAge: Int64 = defaultMaximumAge) {
        self.maximumAge = max(maximumAge, 0)
        newest = Mutex(nil)
    }

    /// Takes a list that was fetched over HTTPS from <https://android.googleapis.com/attestation/status>.
    ///
    /// Of two lists the later one stays; but one that was fetched more than ``RelyingPartyConfiguration/clockMargin`` after this one was
    /// fetched by a clock that was wrong, and would keep all later lists out.
    ///
    /// - Throws: why it is none; the one before stays.
    public func update(json: some Collection<UInt8>, fetchedAt time: UnixTime) throws(KeyAttestationError) {
        let list = try RevocationStatusList(json: json)
        newest.withLock { newest in
            if let fetchedAt = newest?.fetchedAt, fetchedAt > time,
                fetchedAt <= time.advanced(by: RelyingPartyConfiguration.clockMargin)
            {
                return
            }
            newest = (list, time)
        }
    }

    /// The list; `nil` if there is none, or if it is older at `time` than this server accepts, or from later than clocks differ: how old
    /// that one is nobody knows.
    public func list(at time: UnixTime) -> RevocationStatusList? {
        newest.withLock { newest in
            guard let newest, time <= newest.fetchedAt.advanced(by: maximumAge),
                newest.fetchedAt <= time.advanced(by: RelyingPartyConfiguration.clockMargin)
            else { return nil }
            return newest.list
        }
    }
}
