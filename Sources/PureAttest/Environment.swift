/// The App Attest service that attested a key. A key is valid only in the environment in which it was attested.
public enum Environment: UInt8, Hashable, Sendable {
    /// The service for apps from the App Store, TestFlight and enterprise distribution, and for development builds that
    /// select it by an entitlement.
    case production = 1
    /// The service for builds signed for development, which Apple calls "sandbox".
    case development = 2

    /// Reads the environment from the AAGUID (Apple, attestation step 8). Compares all 16 bytes, because the first nine
    /// bytes are the same in both environments.
    init?(aaguid: UInt128) {
        switch aaguid {
        case 0x6170_7061_7474_6573_7464_6576_656c_6f70: self = .development  // "appattestdevelop"
        case 0x6170_7061_7474_6573_7400_0000_0000_0000: self = .production  // "appattest" and seven zeros
        default: return nil
        }
    }
}
