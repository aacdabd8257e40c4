public import PureAttest
public import PureKeyAttestation

/// An attested key of an Apple or Android device, as a ``KeyRecord`` stores it.
public indirect enum RegisteredKey: Hashable, Sendable {
    /// A key with its counter, attested by Apple's App Attest.
    case appAttest(AttestedKey)
    /// A key without a counter, attested by an Android device's hardware. Android has no environments. The associated
    /// value is the environment of the relying party that registered the key. Relying parties in the other environment
    /// reject the key.
    case android(AttestedAndroidKey, Environment)

    package enum Platform { case appAttest, android }

    package var platform: Platform { if case .appAttest = self { .appAttest } else { .android } }

    /// The key identifier, 32 bytes: a SHA-256. The platforms hash different encodings, so their identifiers never
    /// collide. Not inlined in Embedded Swift, because each of the many uses would contain both hash computations.
    #if hasFeature(Embedded)
        @inline(never)
    #endif
    public var keyID: [UInt8] {
        switch self {
        case .appAttest(let key): key.keyID
        case .android(let key, _): key.keyID
        }
    }

    /// The counter; `nil` for an Android key.
    public var counter: UInt32? { appAttest?.counter }

    /// The App Attest key; `nil` for an Android key.
    public var appAttest: AttestedKey? { if case .appAttest(let key) = self { key } else { nil } }

    /// The Android key; `nil` for an App Attest key.
    public var android: AttestedAndroidKey? { if case .android(let key, _) = self { key } else { nil } }

    /// The environment of the relying party that registered the key. For an App Attest key, Apple also attested this
    /// environment.
    public var environment: Environment {
        switch self {
        case .appAttest(let key): key.environment
        case .android(_, let environment): environment
        }
    }
}

// The stored form of an App Attest key is AttestedKey.serialized, whose first byte is its version, 1 or 2. The stored
// form of an Android key is one byte, 0xA1 (production) or 0xA2 (development), followed by
// AttestedAndroidKey.serialized.

extension RegisteredKey {
    private static func androidMark(_ environment: Environment) -> UInt8 { 0xA0 | environment.rawValue }

    /// The maximum length of a record in bytes.
    public static var maximumRecordSize: Int {
        max(AttestedKey.maximumRecordSize, 1 + AttestedAndroidKey.maximumRecordSize)
    }

    /// The key as bytes to store, at most ``maximumRecordSize``. For an App Attest key, these bytes equal
    /// `AttestedKey.serialized`, so existing records stay valid. The bytes are not authenticated, so store them where
    /// clients cannot write. If you add a MAC, it must cover all the bytes.
    public var serialized: [UInt8] {
        switch self {
        case .appAttest(let key): key.serialized
        case .android(let key, let environment): [Self.androidMark(environment)] + key.serialized
        }
    }

    /// Restores a key from ``serialized``.
    ///
    /// - Throws: the errors of `AttestedKey.init(serialized:)` and `AttestedAndroidKey.init(serialized:)`.
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

/// The reason why stored bytes are not a ``RegisteredKey``.
public enum RegisteredKeyError: Error, Hashable, Sendable {
    /// The bytes are not an App Attest key record.
    case appAttest(PureAttestError)
    /// The bytes are not an Android key record.
    case android(KeyAttestationError)
}

#if !hasFeature(Embedded)
    extension RegisteredKeyError: CustomStringConvertible {
        /// The platform and the reason.
        public var description: String {
            switch self {
            case .appAttest(let error): "invalid App Attest key record: \(error)"
            case .android(let error): "invalid Android key record: \(error)"
            }
        }
    }
#endif
