// What reports say of policies.

extension LaunchPolicy {
    /// Whether the build decides anything.
    var asksForBuild: Bool {
        if case .any = builds { false } else { true }
    }

    /// The first listed versions.
    var listedVersions: VerificationReport.Value? {
        switch versions {
        case .atLeast(let minimum): .init(.orLater, .text(from: minimum.utf8))
        case .oneOf(let versions): .plain(.listed(versions) { .text(from: $0.utf8) })
        case .any, .matching: nil
        }
    }

    /// The first listed builds.
    var listedBuilds: VerificationReport.Value? {
        guard case .oneOf(let hashes, _) = builds else { return nil }
        return .plain(.listed(hashes) { .build($0) })
    }
}

extension SystemPolicy {
    /// Whether anything is refused.
    var restricts: Bool {
        guard case .any = builds else { return true }
        return minimumVersion != nil || minimumMacOSVersion != nil || !acceptsPrereleases
    }
}
