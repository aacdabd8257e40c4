/// The App Attest service that attested a key. Keys of the two services never mix.
public enum Environment: UInt8, Hashable, Sendable {
    /// The App Store, TestFlight, enterprise distribution, and development builds that opt in by entitlement.
    case production = 1
    /// Builds signed for development, which Apple calls "sandbox".
    case development = 2

    /// Reads the environment from the AAGUID (Apple, attestation step 8). All 16 bytes are compared, because the first
    /// nine are the same in both environments.
    init?(aaguid: UInt128) {
        switch aaguid {
        case 0x6170_7061_7474_6573_7464_6576_656c_6f70: self = .development  // "appattestdevelop"
        case 0x6170_7061_7474_6573_7400_0000_0000_0000: self = .production  // "appattest" and seven zeros
        default: return nil
        }
    }
}
