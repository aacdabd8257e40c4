import Foundation
import PureAttest
import PureAttestServer
import ServiceClient
import Testing

@testable import attest_service

/// Tests that the service knows, reads, checks and explains exactly the settings in the table.
@Suite struct SettingTableTests {
    /// Returns a valid value for a setting, or `nil` if the setting cannot be combined with others.
    private static func good(_ setting: Setting) -> String? {
        switch setting {
        case .database: "memory"
        case .sessionSecret: String(repeating: "5a", count: 32)
        case .formerSessionSecret: String(repeating: "5b", count: 32)
        case .appID: "TEST123456.com.example.app,TEST123456.com.example.mac=macOS"
        case .appEnvironment: "development"
        case .counterPolicy: "slidingWindow"
        case .launchCategories: "appStore,testFlight,77"
        case .launchMinimumVersion: "4.2"
        case .launchVersions, .enrolmentPerThousand: nil
        case .launchBuilds: String(repeating: "0a", count: 32) + "," + String(repeating: "0b", count: 20)
        case .launchTruncatedBuilds, .launchForgeable, .systemUnknown, .selfTest: "1"
        case .launchMissing, .systemPrereleases, .noLimits: "0"
        case .systemMinimumVersion: "18.0"
        case .systemMinimumMacOSVersion: "15.1.2"
        case .systemBuilds: "24B91,24B92"
        case .attestationAge, .keyAge, .counterStep: "1000"
        case .androidApps: "com.example.android=" + String(repeating: "ab", count: 32)
        case .androidRevocationList: "/nonexistent"
        case .androidLevel: "strongbox"
        case .answers: "uniform"
        case .sessionUse: "once"
        case .host: "127.0.0.2"
        case .enrolmentName, .generateKey, .generateModels: "one"
        case .enrolmentFrom: "1700000000"
        case .enrolmentUntil: "1800000000"
        case .forwardedBy, .generateKeyHeader: "X-Header"
        case .metricsToken: "0123456789abcdef"
        case .generateURL: "https://model.example/v1"
        case .generateParts: "image_url=1600,input_audio=2000"
        case .generateTokensMember: "max_completion_tokens"
        case .generateMembers: "temperature"
        case .generateUsage: "usage.total"
        case .purchaseProducts: "com.example.pro=10:5000,com.example.max=20:6000"
        case .purchaseSandboxProducts: "com.example.pro=7:5000"
        case .logLevel: "error"
        case .budgetUnits: "5000"
        default: "7"
        }
    }

    private static let all: [String: String] = {
        var values: [String: String] = [:]
        for setting in Setting.allCases { values[setting.variable] = good(setting) }
        return values
    }()

    private func failure(_ environment: [String: String]) -> String? {
        do {
            _ = try Settings(environment)
            return nil
        } catch { return error.line }
    }

    @Test func everySettingIsRead() throws {
        let variables = try Variables(Self.all)
        let settings = try Settings(reading: variables)
        #expect(Setting.allCases.count == 70)
        #expect(Set(Setting.allCases).subtracting(variables.read) == [])
        #expect(Self.all.count == 68 && settings.deprecated.isEmpty && settings.startWarnings.count == 2)
        let generous = Self.all.merging(["ATTEST_PURCHASE_SANDBOX_PRODUCTS": "com.example.pro=8:5000"]) { $1 }
        #expect(try Settings(generous).startWarnings.count == 3)
    }

    @Test func everySettingIsChecked() {
        for setting in Setting.allCases {
            var environment = Self.all
            environment[setting.variable] = ""
            #expect(failure(environment) == "\(setting.variable) is empty; give it a value or unset it")
            guard let range = setting.help.range else { continue }
            let bounds = "\(setting.variable) must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            let above = range.upperBound.addingReportingOverflow(1)
            for value in ["\(range.lowerBound - 1)", above.overflow ? "x" : "\(above.partialValue)", "1.5", " 7", "٧"] {
                environment[setting.variable] = value
                #expect(failure(environment) == bounds, "\(setting.variable)=\(value)")
            }
        }
    }

    @Test func everySettingHasHelpWithItsChoices() throws {
        let variables = Set(Setting.allCases.map(\.variable))
        for setting in Setting.allCases {
            let text = setting.help.text
            #expect(text.count > 10 && !text.contains("\n"))
            let named = Set(text.matches(of: /\b[A-Z]+_[A-Z_]+\b/).map { String($0.0) })
            #expect(named.isSubset(of: variables), "\(named)")
            var environment = Self.all
            environment[setting.variable] = "?"
            guard let line = failure(environment), let list = line.split(separator: "must be one of ").dropFirst().first
            else { continue }
            for choice in list.components(separatedBy: ", ") where !["0", "1"].contains(choice) {
                #expect(text.contains(choice), "\(setting.variable): \(choice)")
            }
        }
    }

    @Test func documentsNameSettings() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let variables = Set(Setting.allCases.map(\.variable))
        let former = Set(Setting.allCases.compactMap(\.deprecatedVariable).filter { $0.contains("_") })
        for (path, least) in [
            ("../../../README.md", 40), ("../../../openapi.json", 4),
            ("../../../../../../Benchmarks/Load/README.md", 7),
            ("../../../../../../Benchmarks/Load/Sources/attest-load/main.swift", 3),
        ] {
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            let named = Set(text.matches(of: /\b[A-Z]+(_[A-Z]+)+\b/).map { String($0.0) })
            #expect(named.intersection(former) == [], "\(path)")
            let settings = named.filter { $0.utf8.starts(with: Setting.prefix.utf8) }
            #expect(settings.count >= least && settings.isSubset(of: variables), "\(path) \(settings.count)")
        }
    }

    @Test func namesWithoutThePrefixAreDeprecated() throws {
        var environment = Self.all
        let former = Setting.allCases.filter { $0.deprecatedVariable != nil && Self.good($0) != nil }
        for setting in former {
            environment[setting.deprecatedVariable ?? ""] = environment.removeValue(forKey: setting.variable)
        }
        let settings = try Settings(environment)
        #expect(former.count == 45 && settings.deprecated == former)
        #expect(settings.port == 7 && settings.database == .memory)
        #expect(settings.startWarnings.contains("DATABASE is deprecated; use ATTEST_DATABASE"))
        #expect(settings.startWarnings.count == 2 + former.count)
        for setting in former where setting != .host && setting != .port {
            let name = setting.deprecatedVariable ?? ""
            let both = Self.all.merging([name: "x"]) { $1 }
            #expect(failure(both) == "\(name) and \(setting.variable) are both set; unset \(name)")
        }
        // Variables that a container platform sets do not override a setting.
        let injected = try Settings(Self.all.merging(["PORT": "9", "HOST": "::1"]) { $1 })
        #expect(injected.port == 7 && injected.deprecated.isEmpty)
        // Newer settings cannot be set without the prefix.
        #expect(failure(Self.all.merging(["LAUNCH_CATEGORIES": "x"]) { $1 }) == nil)
    }

    @Test(arguments: [
        ("ATTEST_DATABSE", "ATTEST_DATABASE"), ("ATTEST_DATABASE_URL", "ATTEST_DATABASE"),
        ("ATTEST_NOLIMITS", "ATTEST_NO_LIMITS"), ("ATTEST_ADRESS_PER_MINUTE", "ATTEST_ADDRESS_PER_MINUTE"),
        ("ATTEST_Port", "ATTEST_PORT"), ("ATTEST_GENERATE_PART", "ATTEST_GENERATE_PARTS"),
    ])
    func misspeltSettingsAreRejected(name: String, nearest: String) {
        #expect(
            failure(Self.all.merging([name: "1"]) { $1 }) == "\(name) is not a setting; did you mean \(nearest)?")
    }

    @Test func aMarkAfterThePrefixHidesNothing() {
        #expect(failure(Self.all.merging(["ATTEST_\u{301}PORT": "1"]) { $1 })?.contains("is not a setting") ?? false)
    }

    @Test func ineffectiveSettingsAreRejected() {
        for setting in Setting.allCases {
            let requirements = setting.requirements
            guard !requirements.isEmpty else { continue }
            var environment = Self.all.filter { name, _ in
                Setting.allCases.first { $0.variable == name }?.requirements != requirements
            }
            for requirement in requirements { environment[requirement.variable] = nil }
            environment[setting.variable] = Self.good(setting)
            let names = requirements.map(\.variable).joined(separator: " or ")
            #expect(
                failure(environment) == "\(setting.variable) has no effect without \(names); set both or neither")
        }
    }

    @Test func appsAndPoliciesAreAsSet() throws {
        let apps = try Settings(Self.all).apps
        #expect(apps.accepted.map(\.id.description) == ["TEST123456.com.example.app", "TEST123456.com.example.mac"])
        #expect(apps.accepted.map(\.id.platform) == [.device, .macOS])
        #expect(apps.environment == .development && apps.counterPolicy == .slidingWindow)
        for app in apps.accepted {
            #expect(app.systemPolicy.minimumVersion == SystemVersion(18))
            #expect(app.systemPolicy.minimumMacOSVersion == SystemVersion(15, 1, 2))
            #expect(!app.systemPolicy.acceptsPrereleases && app.systemPolicy.acceptsUnknown)
            #expect(
                app.agePolicy
                    == AgePolicy(maximumAttestationAge: 1_000, maximumKeyAge: 1_000, maximumCounterStep: 1_000))
        }
        #expect(apps.policies.count == 15)
        let party = try Settings(Self.all).relyingParty
        #expect(party.answerPolicy == .uniform && party.sessionUse == .once)
        #expect(party.sessionLifetime == 7 && party.challengeLifetime == 7)
    }
}
