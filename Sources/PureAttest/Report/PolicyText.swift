#if !hasFeature(Embedded)
    // What reports say of policies.

    extension LaunchPolicy {
        /// Whether the build decides anything.
        var asksForBuild: Bool {
            if case .any = builds { false } else { true }
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
