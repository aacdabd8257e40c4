import PureBytes
import PureKeyAttestation
import VectorSupport

extension RefusalReason {
    init(_ error: KeyAttestationError) {
        statement = "\(error)"
        hint = nil
        code = caseName(of: error) ?? "unknown"
        if case .malformedCertificate(let error, _) = error { detail = caseName(of: error) } else { detail = nil }
    }
}

extension Report {
    init(_ description: KeyDescription) {
        add("attestationVersion", "Version", .number(Int64(description.attestationVersion)))
        add(
            "attestationSecurityLevel", "Attested by", .text("\(description.attestationSecurityLevel)"),
            shown: AndroidNames.name(description.attestationSecurityLevel))
        add("keyMintVersion", "KeyMint version", .number(Int64(description.keyMintVersion)))
        add(
            "keyMintSecurityLevel", "Kept by", .text("\(description.keyMintSecurityLevel)"),
            shown: AndroidNames.name(description.keyMintSecurityLevel))
        add("attestationChallenge", "Challenge", .bytes([UInt8](description.attestationChallenge)))
        add("uniqueID", "Unique ID", .bytes([UInt8](description.uniqueID)))
        add("softwareEnforced", "Enforced by the system", .group(Report(description.softwareEnforced)))
        add("hardwareEnforced", "Enforced by the hardware", .group(Report(description.hardwareEnforced)))
    }

    init(_ list: AuthorizationList) {
        self.init()
        number("algorithm", "Algorithm", list.algorithm, AndroidNames.algorithms)
        number("keySize", "Key size", list.keySize)
        number("ecCurve", "Curve", list.ecCurve, AndroidNames.curves)
        number("mlDsaVariant", "ML-DSA variant", list.mlDsaVariant, AndroidNames.mlDsaVariants)
        number("rsaPublicExponent", "RSA exponent", list.rsaPublicExponent)
        numbers("purposes", "Purposes", list.purposes, AndroidNames.purposes)
        numbers("digests", "Digests", list.digests, AndroidNames.digests)
        numbers("paddings", "Paddings", list.paddings, AndroidNames.paddings)
        numbers("blockModes", "Block modes", list.blockModes, AndroidNames.blockModes)
        numbers("mgfDigests", "MGF digests", list.mgfDigests, AndroidNames.digests)
        number("origin", "Origin", list.origin?.rawValue, AndroidNames.origins)
        number("activeDateTime", "Active from, ms", list.activeDateTime)
        number("originationExpireDateTime", "Signs until, ms", list.originationExpireDateTime)
        number("usageExpireDateTime", "Verifies until, ms", list.usageExpireDateTime)
        number("usageCountLimit", "Usage count limit", list.usageCountLimit)
        // Always reports the identifier as text. It is a random 64-bit number, and `.unsigned` would return text only
        // above the range of `Int64`.
        if let user = list.userSecureID { add("userSecureID", "User", .text("\(user)")) }
        if let set = list.userAuthType {
            add(
                "userAuthType", "User authentication", .unsigned(set), shown: AndroidNames.userAuthenticators(set))
        }
        number("authTimeout", "Authentication timeout, s", list.authTimeout)
        number("creationDateTime", "Created, ms", list.creationDateTime)
        flag("noAuthRequired", "No authentication required", list.isNoAuthRequired)
        flag("allowWhileOnBody", "Allowed while on body", list.isAllowedWhileOnBody)
        flag("trustedUserPresenceRequired", "User presence required", list.isUserPresenceRequired)
        flag("trustedConfirmationRequired", "Confirmation required", list.isConfirmationRequired)
        flag("unlockedDeviceRequired", "Unlocked device required", list.isUnlockedDeviceRequired)
        flag("allApplications", "For all applications", list.isForAllApplications)
        flag("rollbackResistance", "Rollback resistance", list.hasRollbackResistance || list.isRollbackResistant)
        flag("earlyBootOnly", "Early boot only", list.isEarlyBootOnly)
        if let root = list.rootOfTrust {
            var report = Report()
            report.add("verifiedBootKey", "Boot key", .bytes([UInt8](root.verifiedBootKey)))
            report.add("deviceLocked", "Bootloader locked", .bool(root.isDeviceLocked))
            report.add(
                "verifiedBootState", "Boot state", .text("\(root.verifiedBootState)"),
                shown: AndroidNames.name(root.verifiedBootState))
            report.add("verifiedBootHash", "Boot hash", root.verifiedBootHash.map { .bytes([UInt8]($0)) } ?? .absent)
            add("rootOfTrust", "Root of trust", .group(report))
        }
        number("osVersion", "System version", list.osVersion)
        number("osPatchLevel", "System patches", list.osPatchLevel)
        number("vendorPatchLevel", "Vendor patches", list.vendorPatchLevel)
        number("bootPatchLevel", "Boot patches", list.bootPatchLevel)
        if let app = list.attestationApplicationID {
            add(
                "packages", "Package",
                .list(
                    app.packages.map { package in
                        var report = Report()
                        report.add("name", "Name", .text(String(decoding: package.name, as: UTF8.self)))
                        report.add("version", "Version", .number(package.version))
                        return report
                    }))
            add("signingDigests", "Signing digests", .words(app.signatureDigests.map { hexEncodedString($0) }))
        }
        let device = list.identifiers
        text("brand", "Brand", device.brand)
        text("device", "Device", device.device)
        text("product", "Product", device.product)
        text("serial", "Serial number", device.serial)
        text("imei", "IMEI", device.imei)
        text("meid", "MEID", device.meid)
        text("manufacturer", "Manufacturer", device.manufacturer)
        text("model", "Model", device.model)
        text("secondIMEI", "Second IMEI", device.secondIMEI)
        if let hash = list.moduleHash { add("moduleHash", "Module hash", .bytes([UInt8](hash))) }
        if !list.unknownTags.isEmpty {
            add("unknownTags", "Unknown members", .words(list.unknownTags.map { "\($0)" }))
        }
        if !list.areTagsOrdered { add("areTagsOrdered", "Members in order", .bool(false)) }
    }

    private mutating func number(_ key: String, _ label: String, _ number: UInt64?, _ names: [UInt64: String] = [:]) {
        if let number { add(key, label, .unsigned(number), shown: names[number]) }
    }

    private mutating func numbers(_ key: String, _ label: String, _ numbers: [UInt64]?, _ names: [UInt64: String]) {
        guard let numbers else { return }
        let shown = numbers.map { names[$0] ?? "\($0)" }.joined(separator: ", ")
        add(key, label, .words(numbers.map { "\($0)" }), shown: numbers.isEmpty ? nil : shown)
    }

    private mutating func flag(_ key: String, _ label: String, _ flag: Bool) {
        if flag { add(key, label, .bool(true)) }
    }

    private mutating func text(_ key: String, _ label: String, _ text: ArraySlice<UInt8>?) {
        if let text { add(key, label, .text(String(decoding: text, as: UTF8.self))) }
    }
}

extension Report.Content {
    /// Returns a number above the range of `Int64` as text, because few JSON readers support such numbers.
    fileprivate static func unsigned(_ number: UInt64) -> Report.Content {
        Int64(exactly: number).map { .number($0) } ?? .text("\(number)")
    }
}
