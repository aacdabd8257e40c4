import PureKeyAttestation

/// Google's names for Android's enumeration values. Sources: the attestation schema (source.android.com, "Key and ID
/// attestation"), and the AIDL files of android.hardware.security.keymint.
enum AndroidNames {
    static let purposes: [UInt64: String] = [
        0: "ENCRYPT", 1: "DECRYPT", 2: "SIGN", 3: "VERIFY", 5: "WRAP_KEY", 6: "AGREE_KEY", 7: "ATTEST_KEY",
    ]
    static let algorithms: [UInt64: String] = [1: "RSA", 3: "EC", 32: "AES", 33: "TRIPLE_DES", 128: "HMAC"]
    static let blockModes: [UInt64: String] = [1: "ECB", 2: "CBC", 3: "CTR", 32: "GCM"]
    static let digests: [UInt64: String] = [
        0: "NONE", 1: "MD5", 2: "SHA1", 3: "SHA_2_224", 4: "SHA_2_256", 5: "SHA_2_384", 6: "SHA_2_512",
    ]
    static let paddings: [UInt64: String] = [
        1: "NONE", 2: "RSA_OAEP", 3: "RSA_PSS", 4: "RSA_PKCS1_1_5_ENCRYPT", 5: "RSA_PKCS1_1_5_SIGN", 64: "PKCS7",
    ]
    static let curves: [UInt64: String] = [0: "P_224", 1: "P_256", 2: "P_384", 3: "P_521", 4: "CURVE_25519"]
    static let origins: [UInt64: String] = [
        0: "GENERATED", 1: "DERIVED", 2: "IMPORTED", 3: "RESERVED", 4: "SECURELY_IMPORTED",
    ]
    static let mlDsaVariants: [UInt64: String] = [1: "ML_DSA_65"]
    private static let authenticators: [(bit: UInt64, name: String)] = [(1, "PASSWORD"), (2, "FINGERPRINT")]

    static func name(_ level: SecurityLevel) -> String {
        switch level {
        case .software: "Software"
        case .trustedEnvironment: "TrustedEnvironment"
        case .strongBox: "StrongBox"
        }
    }

    static func name(_ state: VerifiedBootState) -> String {
        switch state {
        case .verified: "Verified"
        case .selfSigned: "SelfSigned"
        case .unverified: "Unverified"
        case .failed: "Failed"
        }
    }

    /// Returns the names of the bits in a set of user authenticators, or the set as a number if a bit has no name.
    static func userAuthenticators(_ set: UInt64) -> String {
        if set == 0 { return "NONE" }
        if set == 0xffff_ffff { return "ANY" }
        let named = authenticators.filter { set & $0.bit != 0 }
        guard named.reduce(0, { $0 | $1.bit }) == set else { return "\(set)" }
        return named.map(\.name).joined(separator: ", ")
    }
}
