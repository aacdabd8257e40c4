#if !hasFeature(Embedded)
    // What reports say of policies.

    extension LaunchPolicy {
        /// Whether the build decides anything.
        var asksForBuild: Bool {
            if case .any = builds { false } else { true }
        }

        /// The first listed versions.
        var listedVersions: String? {
            switch versions {
            case .atLeast(let minimum): "\(printable(minimum.utf8)) or later"
            case .oneOf(let versions):
                versions.isEmpty
                    ? "none"
                    : versions.prefix(4).map { printable($0.utf8) }.joined(separator: " or ")
                        + (versions.count > 4 ? " or \(versions.count - 4) more" : "")
            case .any, .matching: nil
            }
        }

        /// The first listed builds.
        var listedBuilds: String? {
            guard case .oneOf(let hashes, _) = builds else { return nil }
            let listed = hashes.prefix(4).map { "\($0)" }.joined(separator: " or ")
            return hashes.count > 4 ? "\(listed) or \(hashes.count - 4) more" : hashes.isEmpty ? "none" : listed
        }
    }

    extension SystemPolicy {
        /// Whether anything is refused.
        var restricts: Bool {
            guard case .any = builds else { return true }
            return minimumVersion != nil || minimumMacOSVersion != nil || !acceptsPrereleases
        }
    }
#endif
