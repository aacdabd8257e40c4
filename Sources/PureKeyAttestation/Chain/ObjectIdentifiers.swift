package import PureDER
import PureX509

extension ASN1ObjectIdentifier {
    /// The extension with the key description, 1.3.6.1.4.1.11129.2.1.17.
    package static var keyDescription: Self { Self(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_11) }
    /// The extension with information from the provisioning server, 1.3.6.1.4.1.11129.2.1.30.
    package static var provisioningInformation: Self { Self(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_1E) }
}

extension Certificate {
    /// The value of the subject attribute of this type, or `nil` unless the subject has exactly one such attribute.
    func subjectText(_ type: ASN1ObjectIdentifier) -> ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        var count = 0
        for attribute in subjectName.attributes where attribute.type == type {
            found = attribute.value.content
            count += 1
        }
        return count == 1 ? found : nil
    }

    /// Whether the subject has exactly one attribute of this type, and the value of this attribute is `text`.
    func subject(_ type: ASN1ObjectIdentifier, is text: [UInt8]) -> Bool {
        subjectText(type)?.elementsEqual(text) ?? false
    }
}

/// Names in the subjects of Google's authorities and of attestation certificates, in ASCII: "Droid CA2", "Droid CA3",
/// "Google LLC", "TEE" and "StrongBox".
enum AuthorityName {
    static var droidCA2: [UInt8] { [0x44, 0x72, 0x6F, 0x69, 0x64, 0x20, 0x43, 0x41, 0x32] }
    static var droidCA3: [UInt8] { [0x44, 0x72, 0x6F, 0x69, 0x64, 0x20, 0x43, 0x41, 0x33] }
    static var google: [UInt8] { [0x47, 0x6F, 0x6F, 0x67, 0x6C, 0x65, 0x20, 0x4C, 0x4C, 0x43] }
    static var trustedEnvironment: [UInt8] { [0x54, 0x45, 0x45] }
    static var strongBox: [UInt8] { [0x53, 0x74, 0x72, 0x6F, 0x6E, 0x67, 0x42, 0x6F, 0x78] }
}
