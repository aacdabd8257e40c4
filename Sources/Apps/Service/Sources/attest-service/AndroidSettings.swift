import Foundation
import Logging
import PureAttest
import PureAttestServer
import PureBytes
import PureKeyAttestation
import ServiceLifecycle

struct AndroidSettings {
    var apps: [AndroidApp]
    var policy: KeyAttestationPolicy
    var list: RevocationListFile
}

extension Variables {
    func android() throws(SettingsError) -> AndroidSettings? {
        let level = try choice(.androidLevel, [("tee", SecurityLevel.trustedEnvironment), ("strongbox", .strongBox)])
        let path = text(.androidRevocationList)
        guard let apps = text(.androidApps) else { return nil }
        guard let path else {
            let missing = Setting.androidRevocationList
            throw SettingsError("\(missing.variable) is not set; set it to \(missing.help.text)")
        }
        var accepted: [AndroidApp] = []
        for app in apps.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = app.split(separator: "=", omittingEmptySubsequences: false)
            let digests = parts.count == 2 ? parts[1].split(separator: "+", omittingEmptySubsequences: false) : []
            let decoded = digests.compactMap { try? [UInt8](hexEncoded: String($0)) }.filter { $0.count == 32 }
            guard !digests.isEmpty, decoded.count == digests.count, !parts[0].isEmpty,
                parts[0].utf8.count <= AttestedAndroidKey.maximumPackageNameSize
            else {
                throw SettingsError(
                    "\(Setting.androidApps.variable) must look like com.example.app=DIGEST, with 64 hexadecimal digits")
            }
            accepted.append(AndroidApp(packageName: String(parts[0]), signingDigests: decoded))
        }
        var policy = KeyAttestationPolicy.standard
        if let level { policy.minimumSecurityLevel = level }
        return AndroidSettings(apps: accepted, policy: policy, list: RevocationListFile(path: path))
    }
}

/// Google's revocation list in a file, whose modification time is the time of its download.
final class RevocationListFile: Service {
    let path: String
    let current = CurrentRevocationList()
    private static let setting = Setting.androidRevocationList.variable

    init(path: String) { self.path = path }

    /// Reads the file; keeps the previous list if reading fails.
    func read() throws(SettingsError) {
        let fetched: UnixTime
        let json: Data
        do {
            let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            fetched = UnixTime(secondsSince1970: Int64((date ?? .distantPast).timeIntervalSince1970))
            json = try contents()
        } catch { throw SettingsError("\(Self.setting) can't be read; put Google's list there") }
        guard fetched.secondsSince1970 - now().secondsSince1970 <= RelyingPartyConfiguration.clockMargin else {
            throw SettingsError("\(Self.setting) is dated in the future; give the file the time of its download")
        }
        do { try current.update(json: [UInt8](json), fetchedAt: fetched) } catch {
            throw SettingsError("\(Self.setting): \(error)")
        }
    }

    private func contents() throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        return try file.read(upToCount: RevocationStatusList.maximumEncodedSize + 1) ?? Data()
    }

    func run() async throws {
        let logger = Logger(label: "attest-service")
        try? await cancelWhenGracefulShutdown { [self] in
            var known: Date?
            var said: String?
            while true {
                try await Task.sleep(for: .seconds(5))
                let changed = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
                guard changed != known || changed == nil else { continue }
                do throws(SettingsError) {
                    try read()
                    (known, said) = (changed, nil)
                } catch {
                    // Retry until reading succeeds, even if the file's time stays the same: the writer may not have
                    // finished. Log each reason only once.
                    if said != error.line {
                        logger.warning("The list is not read", metadata: ["reason": "\(error.line)"])
                    }
                    said = error.line
                }
            }
        }
    }
}
