public import PureAttest
import PureDER
import PureX509

/// The operating system of a ``VirtualDevice``. Each case represents a different format of genuine objects.
public enum DeviceSystem: String, CaseIterable, Hashable, Sendable {
    /// iOS 14: the authenticator data is 164 bytes long, and leaf certificates are valid for three days.
    case iOS14
    /// iOS 17: leaf certificates are valid for most of a year.
    case iOS17
    /// iOS 18.5: the leaf states the platform. If the app requests its build hash, the hash is outside the signed data.
    case iOS18
    /// iOS 26.2: the leaf has an extended key usage and an access control list.
    case iOS26
    /// iOS 27 as in Apple's sample of 2026. A map of extensions follows the key, but the ED flag is clear in
    /// attestations. Therefore nothing proves that the system wrote the map.
    case iOS27
    /// iOS 27.0.1: the ED flag is set if extensions are present.
    case iOS27ExtensionFlag
    /// iOS 27.0.1 with an app that was built with an older SDK: there are no extensions, and the ED flag is clear.
    case iOS27OlderSDK
    /// macOS 27 with Full Security and System Integrity Protection: the leaf has the access control list that Apple
    /// documents.
    case macOS27
    /// macOS 27 betas: attestations and assertions have extensions, but the ED flag is clear in both.
    case macOS27Beta
    /// macOS 27 with an app that was built with an older SDK: there are no extensions, and the ED flag is clear.
    case macOS27OlderSDK
}

extension DeviceSystem {
    /// Whether the system runs on a Mac. If so, the app must be declared for ``/PureAttest/AppID/Platform/macOS``.
    package var isMac: Bool {
        switch self {
        case .macOS27, .macOS27Beta, .macOS27OlderSDK: true
        case .iOS14, .iOS17, .iOS18, .iOS26, .iOS27, .iOS27ExtensionFlag, .iOS27OlderSDK: false
        }
    }

    /// The platform for which the app must be declared.
    public var appPlatform: AppID.Platform { isMac ? .macOS : .device }

    /// Whether objects contain a validation category and a bundle version.
    package var sendsLaunchInformation: Bool {
        switch self {
        case .iOS14, .iOS17, .iOS18, .iOS26, .iOS27OlderSDK, .macOS27OlderSDK: false
        case .iOS27, .iOS27ExtensionFlag, .macOS27, .macOS27Beta: true
        }
    }

    /// The flags in attestations: AT (0x40), and also ED (0x80) if the system declares extensions.
    var attestationFlags: UInt8 {
        switch self {
        case .iOS14, .iOS17, .iOS18, .iOS26, .iOS27, .iOS27OlderSDK, .macOS27Beta, .macOS27OlderSDK: 0x40
        case .iOS27ExtensionFlag, .macOS27: 0xC0
        }
    }

    /// The flags in assertions. AT is set, although assertions contain no credential data.
    package var assertionFlags: UInt8 { self == .iOS27 ? 0xC0 : attestationFlags }

    /// Whether an attestation proves that the system, not the app, wrote the launch information.
    public var attestsLaunchInformation: Bool { attestationFlags & 0x80 != 0 }

    /// The form of the build hash, if the app has the entitlement `app-attest-opt-in` = [`CDhash`].
    var buildForm: BuildForm {
        switch self {
        case .iOS14, .iOS17, .iOS27OlderSDK, .macOS27OlderSDK: .none
        case .iOS18, .iOS26: .unsigned
        case .iOS27, .iOS27ExtensionFlag, .macOS27, .macOS27Beta: .signed
        }
    }

    enum BuildForm {
        case none
        /// A hash of 20 bytes in the unsigned member `cdHash`.
        case unsigned
        /// A hash of 32 bytes in the signed extensions.
        case signed
    }

    /// The length of the leaf's validity period in seconds: 3 days, or 318 days as in genuine leaves of 2024. The
    /// period starts one day before the attestation.
    var leafLifetime: Int64 {
        switch self {
        case .iOS17, .iOS18: 318 * 86_400
        default: 3 * 86_400
        }
    }

    /// The system's version in the leaf certificate.
    public var version: String {
        switch self {
        case .iOS14: "14.3"
        case .iOS17: "17.5.1"
        case .iOS18: "18.5"
        case .iOS26: "26.2"
        case .iOS27, .macOS27, .macOS27Beta, .macOS27OlderSDK: "27.0"
        case .iOS27ExtensionFlag, .iOS27OlderSDK: "27.0.1"
        }
    }

    /// Returns the leaf's extensions, in the order of genuine leaves. The nonce extension has no value yet.
    func leafExtensions(appID: [UInt8]) -> [ExtensionDraft] {
        var extensions = [
            ExtensionDraft.leafBasicConstraints,
            // digitalSignature, contentCommitment, keyEncipherment, dataEncipherment.
            ExtensionDraft(.keyUsage, critical: true, der(.bitString, [4, 0xF0])),
        ]
        if hasAccessControlList {
            extensions.append(ExtensionDraft(.extendedKeyUsage, der(.sequence, der(.appAttest))))
        }
        extensions += [
            ExtensionDraft(.keyProperties, keyAttributes(appID: appID)),
            ExtensionDraft(.systemInformation, systemAttributes),
            ExtensionDraft(.nonce, nil),
        ]
        if hasAccessControlList {
            extensions.append(accessControlListExtension)
        }
        return extensions
    }

    var accessControlListExtension: ExtensionDraft {
        ExtensionDraft(.accessControlList, wrapped(accessControlList, tag: 3))
    }

    private var hasAccessControlList: Bool {
        switch self {
        case .iOS14, .iOS17, .iOS18: false
        default: true
        }
    }

    /// Extension 1.2.840.113635.100.8.5, as in genuine leaves. Only attribute 1204 (the App ID) has a known meaning.
    private func keyAttributes(appID: [UInt8]) -> [UInt8] {
        let isRecent = hasAccessControlList
        var attributes: [[UInt8]] = [
            attribute(4, isMac ? 13 : 10), attribute(1200, isRecent ? 0 : 1), attribute(1201, 0),
            attribute(1202, isRecent ? 0 : 1),
            attribute(1203, isRecent ? 0 : 1), attribute(1204, appID),
        ]
        if !isRecent { attributes.append(attribute(5, Array("sks ".utf8))) }
        attributes += [attribute(1206, isRecent ? 4 : 5), attribute(1207, 0), attribute(1209, 0), attribute(1210, 0)]
        if self != .iOS14 { attributes.append(attribute(1211, 0)) }
        if isRecent { attributes.append(attribute(10, 0)) }
        return der(.sequence, attributes.flatMap { $0 })
    }

    /// The value of extension 1.2.840.113635.100.8.7. Attribute 1400 is the system version, and 1403 is the system
    /// build. The build is "TEST", which no genuine system has.
    var systemAttributes: [UInt8] { systemAttributes(version: version, releaseType: releaseType) }

    func systemAttributes(version: String, releaseType: String?) -> [UInt8] {
        let version = Array(version.utf8), build = Array("TEST".utf8)
        var attributes = [attribute(1400, version)]
        switch self {
        case .iOS14: break
        case .iOS17:
            attributes += [
                attribute(1104, 0xFFFF_FFFE), attribute(1403, build), attribute(1405, version), attribute(1406, 0),
                attribute(1420, Array("0.0.0.0.0,0".utf8)),
            ]
        default:
            attributes += [
                attribute(1104, 2), attribute(1401, Array("1.0.0".utf8)), attribute(1403, build),
                attribute(1404, version), attribute(1405, version),
            ]
            attributes += (1406...1411).map { attribute($0, 0) }
            attributes += [attribute(1412, 1), attribute(1413, 0)]
            attributes += (1418...1420).map { attribute($0, Array("0.0.0.0.0,0".utf8)) }
            attributes.append(attribute(1026, platformName))
            if let releaseType { attributes.append(attribute(1029, Array(releaseType.utf8))) }
        }
        return der(.sequence, attributes.flatMap { $0 })
    }

    /// The release type that the leaf states, or `nil` for a public release. Apple's sample states "Internal".
    var releaseType: String? {
        switch self {
        case .iOS27: "Internal"
        case .macOS27Beta: "Beta"
        default: nil
        }
    }

    private var platformName: [UInt8] { Array((isMac ? "macosx" : "iphoneos").utf8) }

    /// The access control list of the key. The list for iPhones is from Apple's sample of 2026. The list for Macs is
    /// from Apple's documentation ("Validating apps that connect to your server"): `base64 -d` of
    /// `MEAmAjExMDowCQwCb2uhAwEB/zAJDAJvYaEDAQH/MAsMBG9kZWyhAwEB/zAVDARvc2duoAYMBHJzZWMwBaYDAgEB`.
    private var accessControlList: [UInt8] {
        func entry(_ name: String, _ value: [UInt8]) -> [UInt8] { der(.sequence, der(utf8: name), value) }
        let yes = der(.context(1), derTrue)
        if isMac {
            let signing = der(.context(0), der(utf8: "rsec")) + der(.sequence, der(.context(6), der(1)))
            return der(
                .sequence, der(utf8: "11"),
                der(.sequence, entry("ok", yes), entry("oa", yes), entry("odel", yes), entry("osgn", signing)))
        }
        return der(
            .sequence, der(utf8: "11"),
            der(
                .sequence, entry("okd", yes), entry("oa", yes), entry("osgn", yes), entry("odel", yes),
                entry("ock", yes)))
    }
}

/// `SEQUENCE { [tag] { OCTET STRING } }`, the format of the nonce (tag 1) and of the access control list (tag 3).
func wrapped(_ octets: [UInt8], tag: UInt32) -> [UInt8] {
    der(.sequence, der(.context(tag), der(.octetString, octets)))
}

private func attribute(_ tag: UInt32, _ number: UInt32) -> [UInt8] { der(.context(tag), der(number)) }

private func attribute(_ tag: UInt32, _ octets: [UInt8]) -> [UInt8] {
    der(.context(tag), der(.octetString, octets))
}
