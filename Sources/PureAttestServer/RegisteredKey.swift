public import PureAttest
public import PureKeyAttestation

/// A key that a device attested, of either platform: what a ``KeyRecord`` is of.
public enum RegisteredKey: Hashable, Sendable {
    /// Attested by Apple's App Attest, with its counter.
    case appAttest(AttestedKey)
    /// Attested by an Android device's hardware. It has no counter, and Android has no environments: the one that is kept beside it is that
    /// of the relying party that registered it, so that no other one takes it for its own.
    case android(AttestedAndroidKey, Environment)

    /// The platforms.
    enum Platform { case appAttest, android }

    /// Who attested the key.
    var platform: Platform { appAttest == nil ? .android : .appAttest }

    /// The key's own identifier, 32 bytes. The platforms' identifiers are SHA-256 of different encodings, so they never meet.
    public var keyID: [UInt8] {
        switch self {
        case .appAttest(let key): key.keyID
        case .android(let key, _): key.keyID
        }
    }

    /// The counter; `nil` of an Android key.
    public var counter: UInt32? { appAttest?.counter }

    /// The key, if it is Apple's.
    public var appAttest: AttestedKey? { if case .appAttest(let key) = self { key } else { nil } }

    /// The key, if it is an Android device's.
    public var android: AttestedAndroidKey? { if case .android(let key, _) = self { key } else { nil } }

    /// The environment of the relying party that registered it; of an Apple key the one that Apple attested, which is the same.
    public var environment: Environment {
        switch self {
        case .appAttest(let key): key.environment
        case .android(_, let environment): environment
        }
    }
}

// The stored form: what AttestedKey.serialized writes, whose first byte is its version, 1 or 2; or the byte 0xA1 of the
// production or 0xA2 of the development environment, and what AttestedAndroidKey.serialized writes.

extension RegisteredKey {
    private static func androidMark(_ environment: Environment) -> UInt8 { 0xA0 | environment.rawValue }

    /// The longest record in bytes.
    public static var maximumRecordSize: Int {
        max(AttestedKey.maximumRecordSize, 1 + AttestedAndroidKey.maximumRecordSize)
    }

    /// The key as bytes to store, at most ``maximumRecordSize``: of an Apple key its `AttestedKey.serialized`, so that what stores hold
    /// already stays as it is. Not authenticated: keep it where clients can't write; a MAC over it must cover all of it.
    public var serialized: [UInt8] {
        switch self {
        case .appAttest(let key): key.serialized
        case .android(let key, let environment): [Self.androidMark(environment)] + key.serialized
        }
    }

    /// Restores what ``serialized`` wrote.
    ///
    /// - Throws: as `AttestedKey.init(serialized:)` and `AttestedAndroidKey.init(serialized:)`.
    public init(serialized: some Collection<UInt8>) throws(RegisteredKeyError) {
        guard
            let environment = [Environment.production, .development].first(where: {
                serialized.first == Self.androidMark($0)
            })
        else {
            do { self = .appAttest(try AttestedKey(serialized: serialized)) } catch { throw .appAttest(error) }
            return
        }
        do { self = .android(try AttestedAndroidKey(serialized: serialized.dropFirst()), environment) } catch {
            throw .android(error)
        }
    }
}

/// Why stored bytes are not a ``RegisteredKey``.
public enum RegisteredKeyError: Error, Hashable, Sendable {
    /// The bytes are not an App Attest key record.
    case appAttest(PureAttestError)
    /// The bytes are not an Android key record.
    case android(KeyAttestationError)
}

extension RegisteredKeyError: CustomStringConvertible {
    /// The platform, and its sentence.
    public var description: String {
        switch self {
        case .appAttest(let error): "invalid App Attest key record: \(error)"
        case .android(let error): "invalid Android key record: \(error)"
        }
    }
}
