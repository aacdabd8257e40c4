// Report findings about policies.

extension VerificationReport.Check {
    /// Whether an applicable declaration requires the check. `launched` has the declarations whose launch policies
    /// apply.
    func isAsked(of app: AppDeclarations?, launched: AppDeclarations?) -> Bool {
        switch self {
        case .systemPolicy: app?.all.contains { $0.systemPolicy.restricts } ?? false
        case .attestationAge: app?.all.contains { $0.agePolicy.maximumAttestationAge != nil } ?? false
        case .keyAge: app?.all.contains { $0.agePolicy.maximumKeyAge != nil } ?? false
        case .accessControlList: app?.id.platform == .macOS
        case .build: launched?.all.contains { $0.launchPolicy.asksForBuild } ?? false
        default: true
        }
    }
}

extension LaunchPolicy {
    fileprivate var asksForBuild: Bool {
        if case .any = builds { false } else { true }
    }

    /// The first versions in the policy's list, or the policy's minimum version.
    var listedVersions: VerificationReport.Value? {
        switch versions {
        case .atLeast(let minimum): .init(.orLater, .text(from: minimum.utf8))
        case .oneOf(let versions): .plain(.listed(versions) { .text(from: $0.utf8) })
        case .any, .matching: nil
        }
    }

    var listedBuilds: VerificationReport.Value? {
        guard case .oneOf(let hashes, _) = builds else { return nil }
        return .plain(.listed(hashes) { .build($0) })
    }
}

extension SystemPolicy {
    fileprivate var restricts: Bool {
        guard case .any = builds else { return true }
        return minimumVersion != nil || minimumMacOSVersion != nil || !acceptsPrereleases
    }
}

extension AcceptedApp {
    func systemFinding(_ error: PureAttestError, _ system: SystemInformation) -> VerificationReport.Finding {
        let minimum = id.platform == .macOS ? systemPolicy.minimumMacOSVersion : systemPolicy.minimumVersion
        var found: [VerificationReport.Parameter] = []
        if let platform = system.platform { found.append(.words(platform.ascii)) }
        if let version = system.version { found.append(.version(version)) }
        if let build = system.build { found.append(.words(build.ascii)) }
        if let releaseType = system.releaseTypeASCII { found.append(.words(releaseType)) }
        let received = VerificationReport.Value(.plain, found)
        return switch error {
        case .systemVersionNotAllowed(nil), .systemBuildNotAllowed(nil):
            .init(because: .systemNotStated)
        case .systemVersionNotAllowed:
            .init(
                expected: minimum.map { .init(.orLater, .version($0)) }, received: received, because: .systemNotUpdated)
        default: .init(received: received)
        }
    }

    /// `unsignedBuild` is the hash in the object's unsigned member `cdHash`.
    func launchFinding(
        _ error: PureAttestError, _ data: AuthenticatorData?, of system: SystemInformation?,
        unsignedBuild: CodeDirectoryHash?
    ) -> VerificationReport.Finding {
        // If the object contains launch information but not this value, the causes of missing information do not apply.
        let isPartial = data.map { launchPolicy.information(in: $0) != LaunchInformation() } ?? false
        let missing = isPartial ? [] : [AppAttestVerifier.causeOfMissingInformation(data, of: system)]
        switch error {
        case .validationCategoryNotAllowed(let category?):
            let causes: [VerificationReport.Cause] =
                switch category {
                case .development: .of(.categoryDevelopment)
                case .testFlight: .of(.categoryTestFlight)
                default: []
                }
            return .init(received: .number(category.rawValue), causes: causes)
        case .bundleVersionNotAllowed(nil): return .init(expected: launchPolicy.listedVersions, causes: missing)
        case .bundleVersionNotAllowed(let version?):
            return .init(
                expected: launchPolicy.listedVersions, received: .text(version.utf8),
                because: .otherBuildVersion, .otherVersionNumber)
        case .codeDirectoryHashNotAllowed(nil):
            guard let unsignedBuild else {
                return .init(expected: launchPolicy.listedBuilds, causes: missing + .of(.noBuildEntitlement))
            }
            return .init(
                expected: launchPolicy.listedBuilds, received: .init(.unsignedBuild, .build(unsignedBuild)),
                because: .buildUnsigned)
        case .codeDirectoryHashNotAllowed(let hash?):
            return .init(
                expected: launchPolicy.listedBuilds, received: .plain(.build(hash)),
                causes: hash.isTruncated ? .of(.buildTruncated) : .of(.otherBuild, .changedApp))
        default: return .init(causes: missing)
        }
    }
}
