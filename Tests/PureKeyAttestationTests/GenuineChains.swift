import Foundation
import PureX509
import Testing
import VectorSupport

@testable import PureKeyAttestation

/// A chain from a device, and the expected contents of the key description.
struct GenuineChain: CustomTestStringConvertible {
    let name: String
    /// DER, leaf first.
    let certificates: [[UInt8]]
    let expected: [String: Any]

    var testDescription: String { name }

    init(_ name: String) throws {
        self.name = name
        let folder = VectorDirectory.committed.appending(path: "android-key-attestation")
        let text = try String(contentsOf: folder.appending(path: "\(name).pem"), encoding: .utf8)
        certificates = PemFile(text).blocks.compactMap { $0.bytes.map { [UInt8]($0) } }
        let json = folder.appending(path: "\(name).json")
        expected = FileManager.default.fileExists(atPath: json.path) ? try Self.object(json) : [:]
    }

    /// Reads a JSON file, skipping lines that begin with //.
    static func object(_ url: URL) throws -> [String: Any] {
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        let text = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    func description() throws -> KeyDescription {
        try KeyDescription(decoding: #require(LeafCertificate(certificates[0][...]).keyDescription))
    }

    /// Returns a time at which all issuers below the root are valid.
    func time() throws -> UnixTime {
        let issuers = try certificates.dropFirst().dropLast().map { try Certificate(derEncoded: $0) }
        let start = issuers.map(\.notBefore.secondsSince1970).max() ?? 0
        return UnixTime(secondsSince1970: start + 3_600)
    }

    /// Chains that end at Google's hardware roots and whose leaf key can verify signatures.
    static let accepted = [
        "akita/sdk34/SB_RSA_NONE", "akita/sdk34/TEE_EC_NONE", "akita/sdk34/TEE_RSA_NONE",
        "akita/sdk34/TEE_RSA_NONE_USERAUTH",
        "blueline/sdk28/SB_RSA_NONE", "blueline/sdk28/TEE_RSA_BASE+IMEI", "tegu/sdk36/TEE_EC_2026_ROOT",
        "tegu/sdk37/TEE_MAX_USAGE_COUNT", "tegu/sdk37/TEE_TRUSTED_CONF",
    ]
    static let described = accepted + ["tokay/sdk37/TEE_MLDSA_FACTORY", "marlin/sdk29/TEE_EC_NONE"]
}

extension KeyDescription {
    /// The key description in the JSON form of the expectation files.
    var object: [String: Any] {
        [
            "attestationVersion": "\(attestationVersion)", "attestationSecurityLevel": attestationSecurityLevel.word,
            "keyMintVersion": "\(keyMintVersion)", "keyMintSecurityLevel": keyMintSecurityLevel.word,
            "attestationChallenge": Data(attestationChallenge).base64EncodedString(),
            "uniqueId": Data(uniqueID).base64EncodedString(), "softwareEnforced": softwareEnforced.object,
            "hardwareEnforced": hardwareEnforced.object,
        ]
    }
}

extension SecurityLevel {
    fileprivate var word: String {
        switch self {
        case .software: "SOFTWARE"
        case .trustedEnvironment: "TRUSTED_ENVIRONMENT"
        case .strongBox: "STRONG_BOX"
        }
    }
}

extension AuthorizationList {
    /// The members that are present, in the JSON form of the expectation files.
    var object: [String: Any] {
        var object: [String: Any] = [:]
        func put(_ name: String, _ number: UInt64?) { if let number { object[name] = "\(number)" } }
        func put(_ name: String, _ numbers: [UInt64]?) { if let numbers { object[name] = numbers.map { "\($0)" } } }
        func put(_ name: String, _ flag: Bool) { if flag { object[name] = true } }
        func put(_ name: String, text: ArraySlice<UInt8>?) {
            if let text { object[name] = String(decoding: text, as: UTF8.self) }
        }
        put("purposes", purposes)
        put("algorithms", algorithm)
        put("keySize", keySize)
        put("blockModes", blockModes)
        put("digests", digests)
        put("paddings", paddings)
        put("ecCurve", ecCurve)
        put("mlDsaVariant", mlDsaVariant)
        put("rsaPublicExponent", rsaPublicExponent)
        put("rsaOaepMgfDigests", mgfDigests)
        put("activeDateTime", activeDateTime)
        put("originationExpireDateTime", originationExpireDateTime)
        put("usageExpireDateTime", usageExpireDateTime)
        put("usageCountLimit", usageCountLimit)
        put("noAuthRequired", isNoAuthRequired)
        put("userAuthType", userAuthType)
        put("authTimeout", authTimeout)
        put("allowWhileOnBody", isAllowedWhileOnBody)
        put("trustedUserPresenceRequired", isUserPresenceRequired)
        put("trustedConfirmationRequired", isConfirmationRequired)
        put("unlockedDeviceRequired", isUnlockedDeviceRequired)
        put("creationDateTime", creationDateTime)
        if let origin { object["origin"] = origin == .generated ? "GENERATED" : "\(origin.rawValue)" }
        put("rollbackResistant", isRollbackResistant)
        if let rootOfTrust {
            var root: [String: Any] = [
                "verifiedBootKey": Data(rootOfTrust.verifiedBootKey).base64EncodedString(),
                "deviceLocked": rootOfTrust.isDeviceLocked,
                "verifiedBootState": ["VERIFIED", "SELF_SIGNED", "UNVERIFIED", "FAILED"][
                    Int(rootOfTrust.verifiedBootState.rawValue)],
            ]
            if let hash = rootOfTrust.verifiedBootHash { root["verifiedBootHash"] = Data(hash).base64EncodedString() }
            object["rootOfTrust"] = root
        }
        put("osVersion", osVersion)
        put("osPatchLevel", osPatchLevel)
        if let id = attestationApplicationID {
            let packages: [[String: String]] = id.packages.map { package in
                ["name": String(decoding: package.name, as: UTF8.self), "version": "\(package.version)"]
            }
            let signatures: [String] = id.signatureDigests.map { digest in Data(digest).base64EncodedString() }
            object["attestationApplicationId"] = ["packages": packages, "signatures": signatures] as [String: Any]
        }
        put("attestationIdBrand", text: identifiers.brand)
        put("attestationIdDevice", text: identifiers.device)
        put("attestationIdProduct", text: identifiers.product)
        put("attestationIdSerial", text: identifiers.serial)
        put("attestationIdImei", text: identifiers.imei)
        put("attestationIdMeid", text: identifiers.meid)
        put("attestationIdManufacturer", text: identifiers.manufacturer)
        put("attestationIdModel", text: identifiers.model)
        put("vendorPatchLevel", vendorPatchLevel)
        put("bootPatchLevel", bootPatchLevel)
        put("attestationIdSecondImei", text: identifiers.secondIMEI)
        if let moduleHash { object["moduleHash"] = Data(moduleHash).base64EncodedString() }
        return object
    }
}
