public import PureAttest

/// The keys whose receipts a relying party claims: the App Attest keys of its apps, in its environment.
///
/// Without a scope, relying parties that share a store would claim and postpone each other's receipts.
public struct ReceiptScope: Hashable, Sendable {
    /// One byte for the environment, and the RP ID hash.
    package static let byteCountPerApp = 33

    /// The environment (1 byte) and the RP ID hash (32) of each app. These bytes follow the version in
    /// ``/PureAttest/AttestedKey/serialized``, so a store finds the keys of the scope by the 33 bytes after the
    /// first byte of their records.
    public let bytes: [UInt8]

    /// Creates the scope of apps in an environment.
    public init(apps: [AppID], environment: Environment) {
        bytes = apps.flatMap { [environment.rawValue] + $0.rpIDHash }
    }

    /// Returns whether the key belongs to the scope. Android keys never do, because they have no receipts.
    public func contains(_ key: RegisteredKey) -> Bool {
        guard let key = key.appAttest else { return false }
        let own = [key.environment.rawValue] + key.rpIDHash
        return stride(from: 0, to: bytes.count, by: Self.byteCountPerApp).contains {
            bytes[$0..<$0 + Self.byteCountPerApp].elementsEqual(own)
        }
    }
}

extension RelyingPartyRules {
    /// The scope in which this relying party claims receipts.
    public var receiptScope: ReceiptScope { ReceiptScope(apps: verifier.apps, environment: verifier.environment) }
}
