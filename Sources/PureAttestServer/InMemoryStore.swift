public import PureAttest
import Synchronization

/// The store has no room, and nothing in it may be dropped.
public struct InMemoryStoreFull: Error, Hashable, Sendable {}

/// A store in the memory of one process, bounded: for tests, and for servers that may forget keys when they restart (devices
/// attest again once).
///
/// A flood of challenges pushes out the oldest ones; keys and listed tokens are never pushed out, as that would make used
/// ones good again.
public final class InMemoryStore: RelyingPartyStore {
    /// Why a call fails.
    public typealias Failure = InMemoryStoreFull

    /// How much is kept.
    public struct Capacity: Hashable, Sendable {
        /// Challenges, about 300 bytes each.
        public var challenges: Int
        /// Keys, about 5 KB each, most of it the receipt, which is kept up to ``InMemoryStore/maximumReceiptByteCount``.
        public var keys: Int
        /// Listed tokens, about 100 bytes each.
        public var tokens: Int

        /// A capacity; at least 1 of each.
        public init(challenges: Int = 65_536, keys: Int = 65_536, tokens: Int = 1_048_576) {
            self.challenges = max(challenges, 1)
            self.keys = max(keys, 1)
            self.tokens = max(tokens, 1)
        }
    }

    /// The longest receipt that is kept, in bytes: 6 KiB, half as much again as the largest genuine one. Nothing of a receipt is
    /// proved when its key is registered, so a device can send one of any length up to its attestation's. A longer one is dropped
    /// and the key kept without, as the key works all the same; ``Registration/attestation`` still has the receipt.
    public static let maximumReceiptByteCount = 6_144

    private let capacity: Capacity
    private let state: Mutex<State>

    private struct State {
        var challenges = ExpiringTable<Challenge>()
        var keys: [[UInt8]: KeyRecord] = [:]
        var tokens = ExpiringTable<Void>()
    }

    /// An empty store.
    public init(capacity: Capacity = Capacity()) {
        self.capacity = capacity
        state = Mutex(State())
    }

    /// How many challenges, keys and listed tokens there are, expired ones included.
    public var count: (challenges: Int, keys: Int, tokens: Int) {
        state.withLock { ($0.challenges.count, $0.keys.count, $0.tokens.count) }
    }

    /// Keeps a challenge. Expired ones go, and the oldest if there is no room.
    public func insertChallenge(_ challenge: Challenge) {
        state.withLock { state in
            state.challenges.removeExpiredFirst(at: challenge.issuedAt)
            while state.challenges.count >= capacity.challenges { state.challenges.removeFirst() }
            _ = state.challenges.insert(challenge, id: challenge.id, expiresAt: challenge.expiresAt)
        }
    }

    /// Removes the challenge and returns it.
    public func consumeChallenge(_ id: [UInt8]) -> Challenge? {
        state.withLock { $0.challenges.remove(id) }
    }

    /// Drops expired challenges and listed tokens. Only the latter need it: challenges go by themselves.
    public func removeExpired(at time: UnixTime) {
        state.withLock { state in
            state.challenges.removeAllExpired(at: time)
            state.tokens.removeAllExpired(at: time)
        }
    }

    /// Keeps a key unless it is there; returns the record that was. Of a receipt longer than ``maximumReceiptByteCount`` nothing is
    /// kept.
    public func insertKey(_ record: KeyRecord) throws(InMemoryStoreFull) -> KeyRecord? {
        let kept = record.unverifiedReceipt.count <= Self.maximumReceiptByteCount ? record : record.withoutReceipt
        return try state.withLock { (state) throws(InMemoryStoreFull) in
            let keyID = record.key.keyID
            if let existing = state.keys[keyID] { return existing }
            guard state.keys.count < capacity.keys else { throw InMemoryStoreFull() }
            state.keys[keyID] = kept
            return nil
        }
    }

    /// The record of a key, the revoked ones included.
    public func key(_ keyID: [UInt8]) -> KeyRecord? {
        state.withLock { $0.keys[keyID] }
    }

    /// Replaces `current` by `advanced`, if it is what the record holds.
    public func advanceCounter(from current: AttestedKey, to advanced: AttestedKey) -> Bool {
        state.withLock { state in
            guard let record = state.keys[current.keyID], record.key == current, record.revokedAt == nil,
                advanced.keyID == current.keyID
            else { return false }
            state.keys[current.keyID] = KeyRecord(
                key: advanced, account: record.account, unverifiedReceipt: record.unverifiedReceipt,
                registeredAt: record.registeredAt, revokedAt: nil)
            return true
        }
    }

    /// Marks a key as revoked; returns whether this call did.
    public func revokeKey(_ keyID: [UInt8], at time: UnixTime) -> Bool {
        state.withLock { state in
            guard let record = state.keys[keyID], record.revokedAt == nil else { return false }
            state.keys[keyID] = KeyRecord(
                key: record.key, account: record.account, unverifiedReceipt: record.unverifiedReceipt,
                registeredAt: record.registeredAt, revokedAt: time)
            return true
        }
    }

    /// Lists an identifier; returns whether it was not listed before.
    public func denyToken(_ id: [UInt8], until: UnixTime) throws(InMemoryStoreFull) -> Bool {
        try state.withLock { (state) throws(InMemoryStoreFull) in
            guard state.tokens.count < capacity.tokens || state.tokens.contains(id) else { throw InMemoryStoreFull() }
            return state.tokens.insert((), id: id, expiresAt: until)
        }
    }

    /// Whether the identifier is listed.
    public func isTokenDenied(_ id: [UInt8]) -> Bool {
        state.withLock { $0.tokens.contains(id) }
    }
}

extension KeyRecord {
    fileprivate var withoutReceipt: KeyRecord {
        KeyRecord(key: key, account: account, unverifiedReceipt: [], registeredAt: registeredAt, revokedAt: revokedAt)
    }
}
