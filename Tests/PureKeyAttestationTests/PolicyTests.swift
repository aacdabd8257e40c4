import PureBytes
import PureDER
import RSATestKeys
import ReferenceModel
@testable import PureAttestTesting
@testable import PureKeyAttestationTesting
import Testing

@testable import PureKeyAttestation

/// Tests each policy rule just inside and just outside its limit.
struct PolicyTests {
    private func rejection(
        _ policy: KeyAttestationPolicy = .standard, apps: [AndroidApp] = [ChainDraft.app],
        at time: UnixTime = ChainDraft.time,
        _ change: (inout KeyDescriptionDraft) -> Void = { _ in }
    ) -> KeyAttestationError? {
        var draft = ChainDraft.factory
        change(&draft.description)
        return draft.rejection(policy, apps: apps, at: time)
    }

    /// Rule K11.
    @Test func securityLevels() {
        #expect(
            rejection(KeyAttestationPolicy(minimumSecurityLevel: .strongBox))
                == .securityLevelNotAllowed(.trustedEnvironment))
        #expect(
            rejection { $0.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(0) }
                == .securityLevelNotAllowed(.software))
        // The policy applies to the lower of the two security levels.
        #expect(rejection { $0.keyMintSecurityLevel = KeyDescriptionDraft.enumerated(2) } == nil)
    }

    /// Rule K12.
    @Test func boot() {
        func root(_ root: [UInt8]?, _ policy: KeyAttestationPolicy = .standard) -> KeyAttestationError? {
            rejection(policy) { $0.setHardware(704, root) }
        }
        let derFalse: [UInt8] = [0x01, 0x01, 0x00]
        let key = KeyDescriptionDraft.bootKey
        #expect(root(nil) == .rootOfTrustMissing)
        #expect(root(KeyDescriptionDraft.rootOfTrust(locked: derFalse)) == .deviceUnlocked)
        #expect(
            root(KeyDescriptionDraft.rootOfTrust(locked: derFalse), KeyAttestationPolicy(requiresLockedDevice: false))
                == nil)
        #expect(root(KeyDescriptionDraft.rootOfTrust(state: 1)) == .bootKeyNotAllowed)
        #expect(
            root(
                KeyDescriptionDraft.rootOfTrust(state: 1), KeyAttestationPolicy(acceptedSelfSignedBootKeys: [[1], key]))
                == nil)
        #expect(
            root(
                KeyDescriptionDraft.rootOfTrust(state: 1),
                KeyAttestationPolicy(acceptedSelfSignedBootKeys: [Array(key.dropLast())])) == .bootKeyNotAllowed)
        // A system that was not verified is rejected even with an accepted boot key.
        for state: UInt8 in [2, 3] {
            let error = KeyAttestationError.bootStateNotAllowed(VerifiedBootState(rawValue: state)!)
            #expect(root(KeyDescriptionDraft.rootOfTrust(state: state)) == error)
            #expect(
                root(
                    KeyDescriptionDraft.rootOfTrust(state: state),
                    KeyAttestationPolicy(acceptedSelfSignedBootKeys: [key])) == error)
            #expect(
                root(KeyDescriptionDraft.rootOfTrust(state: state), KeyAttestationPolicy(acceptsAnyBootState: true))
                    == nil)
        }
        // A root of trust in the software-enforced list is ignored.
        #expect(
            rejection {
                $0.setHardware(704, nil)
                $0.software.insert((704, KeyDescriptionDraft.rootOfTrust()), at: 1)
            } == .rootOfTrustMissing)
    }

    /// Rule K13.
    @Test func keys() {
        #expect(rejection { $0.setHardware(702, der(2)) } == .originNotAllowed(.imported))
        #expect(rejection { $0.setHardware(702, nil) } == .originNotAllowed(nil))
        let imported = KeyAttestationPolicy(acceptsImportedKeys: true)
        for origin: UInt32 in [0, 2, 4] {
            #expect(rejection(imported) { $0.setHardware(702, der(origin)) } == nil)
        }
        #expect(rejection(imported) { $0.setHardware(702, nil) } == .originNotAllowed(nil))
        for origin: UInt32 in [1, 3, 5] {
            #expect(
                rejection(imported) { $0.setHardware(702, der(origin)) }
                    == .originNotAllowed(KeyOrigin(rawValue: UInt64(origin))))
        }
        #expect(rejection { $0.setHardware(1, nil) } == .purposeNotAllowed)
        #expect(rejection { $0.setHardware(1, der(.set, der(3))) } == .purposeNotAllowed)
        #expect(rejection { $0.setHardware(1, der(.set, der(7))) } == .purposeNotAllowed)
        #expect(rejection { $0.setHardware(1, der(.set, der(2), der(7))) } == .purposeNotAllowed)
        #expect(rejection { $0.setHardware(600, derNull) } == .keyForAllApplications)
        #expect(rejection { $0.software.insert((600, derNull), at: 0) } == .keyForAllApplications)
        // An origin in the software-enforced list is ignored.
        #expect(
            rejection {
                $0.setHardware(702, nil)
                $0.software.append((702, der(0)))
            } == .originNotAllowed(nil))
    }

    /// Rule K10: the leaf's key must match the key that the hardware-enforced list describes.
    @Test func leafKeys() {
        #expect(rejection { $0.setHardware(2, der(1)) } == .keyMismatch)
        #expect(rejection { $0.setHardware(3, der(384)) } == .keyMismatch)
        #expect(rejection { $0.setHardware(2, nil) } == .keyMismatch)
        #expect(rejection { $0.setHardware(10, der(2)) } == .keyMismatch)
        #expect(rejection { $0.setHardware(3, nil) } == nil)
        #expect(rejection { $0.setHardware(10, nil) } == nil)
        var draft = ChainDraft.factory
        draft.links[0].key = .rsa(.bits3072)
        #expect(draft.rejection() == .keyMismatch)
        draft.description.setHardware(2, der(1))
        draft.description.setHardware(3, der(3072))
        #expect(draft.rejection() == .keyMismatch)
        draft.description.setHardware(10, nil)
        #expect(draft.rejection() == nil)
        draft.description.setHardware(200, der(65_537))
        #expect(draft.rejection() == nil)
        draft.description.setHardware(200, der(3))
        #expect(draft.rejection() == .keyMismatch)
        #expect(rejection { $0.setHardware(200, der(65_537)) } == .keyMismatch)
        draft.description.setHardware(200, nil)
        draft.links[0].key = .p384(7)
        draft.description.setHardware(2, der(3))
        draft.description.setHardware(3, der(384))
        #expect(draft.rejection() == nil)
        draft.description.setHardware(10, der(1))
        #expect(draft.rejection() == .keyMismatch)
        draft.description.setHardware(10, der(2))
        #expect(draft.rejection() == nil)
    }

    /// Rule K14.
    @Test func applications() {
        let digest = KeyDescriptionDraft.digest, other = [UInt8](repeating: 2, count: 32)
        func application(
            _ packages: [(String, UInt32)] = [(KeyDescriptionDraft.package, 7)], digests: [[UInt8]] = [digest],
            apps: [AndroidApp] = [ChainDraft.app]
        ) -> KeyAttestationError? {
            rejection(apps: apps) { draft in
                draft.software = draft.software.map {
                    $0.0 == 709 ? (709, KeyDescriptionDraft.application(packages: packages, digests: digests)) : $0
                }
            }
        }
        #expect(application() == nil)
        #expect(application(apps: []) == .packageNotAllowed)
        #expect(application([("com.example.ap", 7)]) == .packageNotAllowed)
        #expect(application([("com.example.app\0", 7)]) == .packageNotAllowed)
        #expect(application([]) == .applicationMissing)
        // The key description must contain exactly the signing digests that the app declares.
        #expect(application(digests: []) == .signingDigestMismatch)
        #expect(application(digests: [other]) == .signingDigestMismatch)
        #expect(application(digests: [digest, other]) == .signingDigestMismatch)
        #expect(application(digests: [Array(digest.dropLast())]) == .signingDigestMismatch)
        let two = AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [other, digest])
        #expect(application(digests: [digest], apps: [two]) == .signingDigestMismatch)
        #expect(application(digests: [digest, other], apps: [two]) == nil)
        #expect(
            application(digests: [], apps: [AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [])])
                == .signingDigestMismatch)
        // If several apps share a user ID, every one of these apps must be declared.
        let second = AndroidApp(packageName: "com.example.second", signingDigests: [digest])
        let both: [(String, UInt32)] = [(KeyDescriptionDraft.package, 7), ("com.example.second", 1)]
        #expect(application(both) == .packageNotAllowed)
        #expect(application(both, apps: [second, ChainDraft.app]) == nil)
        let old = AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [digest], minimumVersion: 8)
        #expect(application(apps: [old]) == .packageNotAllowed)
        let same = AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [digest], minimumVersion: 7)
        #expect(application(apps: [same]) == nil)
        // An app may have several declarations, each with its own digests and versions.
        let debug = AndroidApp(packageName: KeyDescriptionDraft.package, signingDigests: [other])
        #expect(application(apps: [debug, ChainDraft.app]) == nil)
        #expect(application(apps: [old, debug]) == .signingDigestMismatch)
        #expect(application(digests: [digest, other], apps: [debug, ChainDraft.app]) == .signingDigestMismatch)
        #expect(rejection { $0.software.removeAll { $0.0 == 709 } } == .applicationMissing)
        #expect(rejection { $0.setHardware(709, KeyDescriptionDraft.application()) } == .applicationMissing)
    }

    /// Rule K15.
    @Test func systems() {
        func policy(version: UInt64? = nil, level: UInt64? = nil, age: UInt32? = nil) -> KeyAttestationPolicy {
            KeyAttestationPolicy(minimumOSVersion: version, minimumPatchLevel: level, maximumPatchAge: age)
        }
        #expect(rejection(policy(version: 160_000)) == nil)
        #expect(rejection(policy(version: 160_001)) == .osVersionNotAllowed(160_000))
        #expect(rejection(policy(version: 1)) { $0.setHardware(705, nil) } == .osVersionNotAllowed(nil))
        #expect(rejection(policy(level: 202_605)) == nil)
        #expect(rejection(policy(level: 202_606)) == .patchLevelNotAllowed(202_605))
        for tag: UInt32 in [706, 718, 719] {
            #expect(
                rejection(policy(level: 202_605)) { $0.setHardware(tag, der(202_604)) }
                    == .patchLevelNotAllowed(202_604))
            #expect(rejection(policy(level: 202_605)) { $0.setHardware(tag, der(202_605)) } == nil)
            #expect(rejection(policy(level: 202_605)) { $0.setHardware(tag, nil) } == .patchLevelNotAllowed(nil))
        }
        for level: UInt32 in [0, 202_613, 202_600, 99_999_999, .max] {
            #expect(
                rejection(policy(age: 1_000)) { $0.setHardware(706, der(level)) }
                    == .patchLevelNotAllowed(UInt64(level)))
        }
        // The patch levels and the time of verification are all in May 2026. 1,780,000,000 is 2026-05-28.
        #expect(rejection(policy(age: 0)) == nil)
        #expect(
            rejection(policy(age: 0), at: UnixTime(secondsSince1970: 1_780_272_000)) == .patchLevelNotAllowed(202_605))
        #expect(rejection(policy(age: 1), at: UnixTime(secondsSince1970: 1_780_272_000)) == nil)
        #expect(rejection { $0.setHardware(706, der(202_505)) } == nil)
        #expect(rejection { $0.setHardware(706, der(202_504)) } == .patchLevelNotAllowed(202_504))
    }

    /// Tests the first and the last second of each month from 1970 to 2105, and earlier times.
    @Test func monthsOfTimes() throws {
        let policy = KeyAttestationPolicy(maximumPatchAge: 0)
        var descriptions: [UInt64: KeyDescription] = [:]
        func description(_ level: UInt64) throws -> KeyDescription {
            if let known = descriptions[level] { return known }
            var draft = KeyDescriptionDraft()
            draft.setHardware(706, derInteger(bigEndian(level)))
            let description = try KeyDescription(decoding: draft.encoded[...])
            descriptions[level] = description
            return description
        }
        func accepts(_ level: UInt64, at seconds: Int64) throws -> Bool {
            let description = try description(level)
            let time = UnixTime(secondsSince1970: seconds)
            return (try? policy.checkSystem(description, at: time)) != nil
        }
        var start: Int64 = 0
        for year: UInt64 in 1970...2105 {
            for month: UInt64 in 1...12 {
                let isLeap = year % 4 == 0 && year % 100 != 0 || year == 2000
                let days: Int64 = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
                let level = 100 * year + month
                for seconds in [start, start + 86_400 * days - 1] {
                    #expect(try accepts(level, at: seconds), "\(level)")
                    #expect(try !accepts(month == 1 ? level - 89 : level - 1, at: seconds), "\(level)")
                }
                start += 86_400 * days
            }
        }
        #expect(try accepts(190_001, at: -1))
        #expect(try accepts(190_001, at: .min))
        #expect(try !accepts(190_000, at: -1))
        #expect(try accepts(999_912, at: .max / 1_000_000_000))
    }

    /// Rule K8.
    @Test func challenges() {
        #expect(rejection { $0.challenge = Array("challenge2".utf8) } == .challengeMismatch)
        #expect(rejection { $0.challenge = [] } == .challengeMismatch)
        #expect(ChainDraft.verifier().rejection(ChainDraft.factory.certificates, challenge: []) == .emptyChallenge)
    }
}
