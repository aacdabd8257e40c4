/// The receipt inside an attestation. No step of the attestation's verification covers it: anyone on the way can have
/// changed it.
public struct UnverifiedReceipt: Hashable, Sendable {
    /// The bytes as they came, to send to Apple's service or to keep. Nothing of them is proved.
    public let unverifiedBytes: ArraySlice<UInt8>
}
