import PureAttest
import PureBytes

/// The accepted Apple apps and their policies: one policy of each kind for all apps.
struct AppSettings {
    let accepted: [AcceptedApp]
    let environment: PureAttest.Environment
    let counterPolicy: CounterPolicy
    /// The policies as text, for the start log.
    let policies: [String]

    var verifier: AppAttestVerifier {
        AppAttestVerifier(acceptedApps: accepted, environment: environment, counterPolicy: counterPolicy)
    }
}

extension Variables {
    func apps() throws(SettingsError) -> AppSettings {
        let ids = try appIDs()
        let (launch, system, age) = (try launchPolicy(), try systemPolicy(), try agePolicy())
        let environment =
            try choice(
                .appEnvironment, [("production", PureAttest.Environment.production), ("development", .development)])
            ?? .production
        let counters: CounterPolicy =
            try choice(.counterPolicy, [("strict", .strict), ("slidingWindow", .slidingWindow)]) ?? .strict
        let policies: [Setting] = [
            .launchCategories, .launchMinimumVersion, .launchVersions, .launchBuilds, .launchTruncatedBuilds,
            .launchMissing, .launchForgeable, .systemMinimumVersion, .systemMinimumMacOSVersion, .systemBuilds,
            .systemPrereleases, .systemUnknown, .attestationAge, .keyAge, .counterStep, .counterPolicy,
        ]
        return AppSettings(
            accepted: ids.map { AcceptedApp($0, launchPolicy: launch, systemPolicy: system, agePolicy: age) },
            environment: environment, counterPolicy: counters,
            policies: policies.compactMap { setting in text(setting).map { "\(setting.rawValue)=\($0)" } })
    }

    private func appIDs() throws(SettingsError) -> [AppID] {
        let text = try required(.appID)
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        var ids: [AppID] = []
        for part in parts {
            let isMac = part.hasSuffix("=macOS")
            let name = isMac ? String(part.dropLast("=macOS".count)) : part
            guard Self.isAppID(name) else {
                throw SettingsError(
                    "\(Setting.appID.variable) must look like A1B2C3D4E5.com.example.app; several have commas in between"
                )
            }
            let id = AppID(bytes: Array(name.utf8), platform: isMac ? .macOS : .device)
            guard !ids.contains(id) else {
                throw SettingsError("\(Setting.appID.variable) has \(name) twice; remove one")
            }
            ids.append(id)
        }
        return ids
    }

    /// An App ID is a prefix of 10 letters or digits, a dot, and a bundle ID, which must not contain a separator of the
    /// setting.
    private static func isAppID(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard 12...255 ~= bytes.count, bytes[10] == UInt8(ascii: ".") else { return false }
        let prefix = bytes.prefix(10).allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
        }
        let isPrintable = bytes.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "=") }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return prefix && isPrintable && !parts.contains { $0.isEmpty }
    }

    private func launchPolicy() throws(SettingsError) -> LaunchPolicy {
        let categories = try launchCategories()
        let versions = try launchVersions()
        let builds = try launchBuilds()
        var policy =
            try flag(.launchMissing, default: true)
            ? LaunchPolicy.onlyOrMissing(categories, versions: versions, builds: builds)
            : LaunchPolicy.only(categories, versions: versions, builds: builds)
        if try flag(.launchForgeable) { policy = policy.believingForgeableInformation() }
        return policy
    }

    private func launchCategories() throws(SettingsError) -> [ValidationCategory]? {
        let names: [(String, ValidationCategory)] = [
            ("platform", .platform), ("testFlight", .testFlight), ("development", .development),
            ("appStore", .appStore), ("enterprise", .enterprise), ("developerID", .developerID),
            ("uncategorized", .uncategorized),
        ]
        guard let list = try list(.launchCategories) else { return nil }
        var categories: [ValidationCategory] = []
        for name in list {
            let named = names.first { $0.0 == name }?.1
            guard let category = named ?? UInt32(name).map({ ValidationCategory(rawValue: $0) }) else {
                let known = names.map(\.0).joined(separator: ", ")
                throw SettingsError("\(Setting.launchCategories.variable) must be numbers or some of \(known)")
            }
            categories.append(category)
        }
        return categories
    }

    private func launchVersions() throws(SettingsError) -> LaunchPolicy.Versions {
        let minimum = text(.launchMinimumVersion).map { BundleVersion(utf8: $0.utf8) }
        let versions = try list(.launchVersions)
        switch (minimum, versions) {
        case (nil, nil): return .any
        case (nil, let versions?): return .oneOf(versions.map { BundleVersion(utf8: $0.utf8) })
        case (let minimum?, nil):
            // Reject any other format, because such a minimum version would accept no version.
            guard minimum.isAtLeast(minimum) else {
                throw SettingsError("\(Setting.launchMinimumVersion.variable) must be numbers with dots, such as 4.2")
            }
            return .atLeast(minimum)
        default:
            throw SettingsError(
                "\(Setting.launchMinimumVersion.variable) and \(Setting.launchVersions.variable) are both set; unset one"
            )
        }
    }

    private func launchBuilds() throws(SettingsError) -> LaunchPolicy.Builds {
        let acceptsTruncated = try flag(.launchTruncatedBuilds)
        guard let list = try list(.launchBuilds) else { return .any }
        let hashes = list.compactMap { CodeDirectoryHash(hexEncoded: $0) }
        guard hashes.count == list.count else {
            throw SettingsError(
                "\(Setting.launchBuilds.variable) must be hashes of 64 hexadecimal digits, as pure-attest cdhash prints them"
            )
        }
        guard acceptsTruncated || !hashes.contains(where: \.isTruncated) else {
            throw SettingsError(
                "\(Setting.launchBuilds.variable) has a hash of 40 digits; set \(Setting.launchTruncatedBuilds.variable)=1 or give all 64"
            )
        }
        return .oneOf(hashes, acceptsTruncated: acceptsTruncated)
    }

    private func systemPolicy() throws(SettingsError) -> SystemPolicy {
        var policy = SystemPolicy(
            minimumVersion: try systemVersion(.systemMinimumVersion),
            minimumMacOSVersion: try systemVersion(.systemMinimumMacOSVersion),
            acceptsPrereleases: try flag(.systemPrereleases, default: true),
            acceptsUnknown: try flag(.systemUnknown))
        if let list = try list(.systemBuilds) {
            let builds = list.compactMap { SystemBuild(ascii: $0.utf8) }
            guard builds.count == list.count else {
                throw SettingsError("\(Setting.systemBuilds.variable) must be builds such as 24B91")
            }
            policy.builds = .oneOf(builds)
        }
        return policy
    }

    private func systemVersion(_ setting: Setting) throws(SettingsError) -> SystemVersion? {
        guard let text = text(setting) else { return nil }
        guard let version = SystemVersion(ascii: text.utf8) else {
            throw SettingsError("\(setting.variable) must be one to three numbers with dots, such as 18.0")
        }
        return version
    }

    private func agePolicy() throws(SettingsError) -> AgePolicy {
        AgePolicy(
            maximumAttestationAge: try number(.attestationAge).map { UInt32($0) },
            maximumKeyAge: try number(.keyAge).map { UInt32($0) },
            maximumCounterStep: try number(.counterStep).map { UInt32($0) })
    }
}
