import PureBytes
package import PureDER
import PureX509

extension ASN1ObjectIdentifier {
    /// The extension with the key description, 1.3.6.1.4.1.11129.2.1.17.
    package static var keyDescription: Self { Self(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_11) }
    /// The extension with information from the provisioning server, 1.3.6.1.4.1.11129.2.1.30.
    package static var provisioningInformation: Self { Self(encodedAs: 0x2B_06_01_04_01_D6_79_02_01_1E) }
}

extension Certificate {
    /// The value of the subject's only attribute of this type, or `nil` if the subject has no or several such
    /// attributes.
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
    func subject(_ type: ASN1ObjectIdentifier, is text: StaticString) -> Bool {
        subjectText(type).map { isEqual($0, text) } ?? false
    }
}
