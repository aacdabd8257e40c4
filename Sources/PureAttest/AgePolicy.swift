import PureDER
import PureX509

/// The limits on the age of attestations and keys and on counter jumps. `nil` means no limit.
public struct AgePolicy: Hashable, Sendable {
    /// The maximum age of an attestation, in seconds. `nil`: as long as its certificate is valid, three days to a year.
    public var maximumAttestationAge: UInt32?
    /// The maximum time since a key's attestation, in seconds. After it, the device must attest a new key. Verifying an
    /// assertion then needs the time.
    public var maximumKeyAge: UInt32?
    /// The maximum step from the greatest counter so far to a new one. Lost assertions leave gaps, and a key that also
    /// signs elsewhere leaves large ones.
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

    /// The time from the start of a leaf's validity to its attestation, in seconds: a day, in every genuine leaf.
    static var leafBackdating: Int64 { 86_400 }

    /// Rule A8: the attestation is recent. Apple's service writes the leaf at the attestation and backdates it by a
    /// day.
    func checkAttestation(leafNotBefore: UnixTime, at time: UnixTime, clockSkew: UInt32) throws(PureAttestError) {
        guard let maximumAttestationAge else { return }
        let made = leafNotBefore.adding(Self.leafBackdating)
        guard time <= made.adding(Int64(maximumAttestationAge)).adding(Int64(clockSkew)) else {
            throw .attestationTooOld(made: made, at: time)
        }
    }

    /// Rule A9: the key's attestation is recent. A key without a known time of attestation is too old.
    func checkKey(_ key: AttestedKey, at time: UnixTime?) throws(PureAttestError) {
        guard let maximumKeyAge else { return }
        guard let time else { throw .timeMissing }
        guard let attestedAt = key.attestedAt, time <= attestedAt.adding(Int64(maximumKeyAge)) else {
            throw .keyTooOld(attestedAt: key.attestedAt, at: time)
        }
    }

    /// Rule A10: the counter does not jump too far.
    func checkCounter(_ value: UInt32, of key: AttestedKey) throws(PureAttestError) {
        guard let maximumCounterStep, value > key.counter else { return }
        guard value - key.counter <= maximumCounterStep else {
            throw .counterStepTooLarge(previous: key.counter, received: value)
        }
    }
}
