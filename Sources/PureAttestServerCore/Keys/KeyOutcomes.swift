/// The outcome of `RelyingPartyStore.insertKey(_:consuming:)`.
public enum KeyInsertion: Hashable, Sendable {
    /// The record was stored and the challenge consumed.
    case inserted
    /// The store already contained a record of the key, which is returned and stays unchanged. The challenge was
    /// consumed.
    case existing(KeyRecord)
    /// The challenge was consumed before; nothing changed.
    case alreadyConsumed
}

/// The outcome of `RelyingPartyStore.recordUse(from:to:at:consuming:)`.
public enum KeyUse: Hashable, Sendable {
    /// The key's next state was stored and the challenge consumed.
    case recorded
    /// The record is missing or revoked, or holds a different state of the key. The challenge was not consumed; nothing
    /// changed.
    case keyChanged
    /// The challenge was consumed before; nothing changed.
    case alreadyConsumed
}
