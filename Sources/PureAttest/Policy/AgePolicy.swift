import PureDER

/// The limits on the ages of attestations and keys, and on increases of the counter. `nil` means no limit.
public struct AgePolicy: Hashable, Sendable {
    /// The maximum age of an attestation, in seconds. Without this limit, an attestation is accepted while its leaf
    /// certificate is valid, which is three days to a year.
    public var maximumAttestationAge: UInt32?
    /// The maximum age of a key, in seconds since its attestation. If a key is older, the device must attest a new key.
    /// With this limit, verifying an assertion needs the current time.
    public var maximumKeyAge: UInt32?
    /// The maximum increase of a new counter value over the greatest earlier value. Lost assertions cause gaps in the
    /// counter values. A key that also signs for a different server causes large gaps.
    public var maximumCounterStep: UInt32?

    /// No limit.
    public static let unlimited = AgePolicy()

    /// Creates a policy. Omitted limits do not apply.
    public init(
        maximumAttestationAge: UInt32? = nil, maximumKeyAge: UInt32? = nil, maximumCounterStep: UInt32? = nil
    ) {
        self.maximumAttestationAge = maximumAttestationAge
        self.maximumKeyAge = maximumKeyAge
        self.maximumCounterStep = maximumCounterStep
    }

    /// The seconds from the start of a leaf's validity period to the attestation: a day in every genuine leaf.
    static var leafBackdating: Int64 { 86_400 }

    /// Rule A8: checks that the attestation is recent. Apple's service issues the leaf at the time of the attestation,
    /// and backdates the leaf by a day.
    func checkAttestation(leafNotBefore: UnixTime, at time: UnixTime, clockSkew: UInt32) throws(PureAttestError) {
        guard let maximumAttestationAge else { return }
        let made = leafNotBefore.adding(Self.leafBackdating)
        guard time <= made.adding(Int64(maximumAttestationAge)).adding(Int64(clockSkew)) else {
            throw .attestationTooOld(made: made, at: time)
        }
    }

    /// Rule A9: checks that the key's attestation is recent. A key with an unknown attestation time counts as too old.
    func checkKey(_ key: AttestedKey, at time: UnixTime?) throws(PureAttestError) {
        guard let maximumKeyAge else { return }
        guard let time else { throw .timeMissing }
        guard let attestedAt = key.attestedAt, time <= attestedAt.adding(Int64(maximumKeyAge)) else {
            throw .keyTooOld(attestedAt: key.attestedAt, at: time)
        }
    }

    /// Rule A10: checks that the counter does not increase by more than the policy allows.
    func checkCounter(_ value: UInt32, of key: AttestedKey) throws(PureAttestError) {
        guard let maximumCounterStep, value > key.counter else { return }
        guard value - key.counter <= maximumCounterStep else {
            throw .counterStepTooLarge(previous: key.counter, received: value)
        }
    }
}
