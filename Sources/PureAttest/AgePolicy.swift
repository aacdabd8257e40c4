import PureDER
import PureX509

/// How old things may be, and how far a counter may jump. Nothing is limited unless it is given.
public struct AgePolicy: Hashable, Sendable {
    /// How many seconds after it was made an attestation is accepted. Without, it is as long as its certificate is valid: three days to a
    /// year.
    public var maximumAttestationAge: UInt32?
    /// How many seconds after its attestation a key is accepted: then the device has to attest a new one. Assertions need the time
    /// then.
    public var maximumKeyAge: UInt32?
    /// How far above the greatest one so far a counter may be: assertions that never arrived leave gaps, and a key that signs elsewhere
    /// leaves large ones.
    public var maximumCounterStep: UInt32?

    /// No limit.
    public static let unlimited = AgePolicy()

    /// A policy; what is not given does not restrict.
    public init(
        maximumAttestationAge: UInt32? = nil, maximumKeyAge: UInt32? = nil, maximumCounterStep: UInt32? = nil
    ) {
        self.maximumAttestationAge = maximumAttestationAge
        self.maximumKeyAge = maximumKeyAge
        self.maximumCounterStep = maximumCounterStep
    }

    /// How long before the attestation a leaf's validity starts, in seconds: a day, in every genuine leaf.
    static var leafBackdating: Int64 { 86_400 }

    /// Rule A8: the attestation was made lately. Apple's service wrote the leaf then, and dates it back by a day.
    func checkAttestation(leafNotBefore: UnixTime, at time: UnixTime, clockSkew: UInt32) throws(PureAttestError) {
        guard let maximumAttestationAge else { return }
        let made = leafNotBefore.adding(Self.leafBackdating)
        guard time <= made.adding(Int64(maximumAttestationAge)).adding(Int64(clockSkew)) else {
            throw .attestationTooOld(made: made, at: time)
        }
    }

    /// Rule A9: the key was attested lately. A key of which that is not known is too old.
    func checkKey(_ key: AttestedKey, at time: UnixTime?) throws(PureAttestError) {
        guard let maximumKeyAge else { return }
        guard let time else { throw .timeMissing }
        guard let attestedAt = key.attestedAt, time <= attestedAt.adding(Int64(maximumKeyAge)) else {
            throw .keyTooOld(attestedAt: key.attestedAt, at: time)
        }
    }

    /// Rule A10: the counter has not jumped.
    func checkCounter(_ value: UInt32, of key: AttestedKey) throws(PureAttestError) {
        guard let maximumCounterStep, value > key.counter else { return }
        guard value - key.counter <= maximumCounterStep else {
            throw .counterStepTooLarge(previous: key.counter, received: value)
        }
    }
}
