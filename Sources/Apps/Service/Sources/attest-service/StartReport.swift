import Foundation
import Logging
import NIOCore
import PureAttest
import PureAttestServer

/// The start log: one line about the configuration, and a warning for each unsafe or deprecated setting. It contains no
/// secret, path or connection string.
extension Settings {
    var startMetadata: [(name: String, value: String)] {
        let store =
            switch database {
            case .memory: "memory"
            case .sqlite: "sqlite"
            case .postgreSQL: "postgresql"
            }
        let ids = apps.accepted.map { "\($0.id)\($0.id.platform == .macOS ? "=macOS" : "")" }
        return [
            ("apps", ids.joined(separator: ",")),
            ("environment", apps.environment == .production ? "production" : "development"), ("store", store),
            ("answers", "\(relyingParty.answerPolicy)"), ("sessions", "\(relyingParty.sessionUse)"),
            ("policies", apps.policies.isEmpty ? "none" : apps.policies.joined(separator: " ")),
            ("limits", hasLimits ? "on" : "off"),
            (
                "android",
                android.map {
                    $0.apps.map { String(decoding: $0.packageNameUTF8, as: UTF8.self) }.joined(separator: ",")
                } ?? "none"
            ),
            ("generate", generation == nil ? "off" : "on"),
            ("purchases", purchases?.products.map { "\($0.environment)" }.joined(separator: ",") ?? "none"),
        ]
    }

    var startWarnings: [String] {
        var warnings: [String] = []
        if testAuthority != nil {
            warnings.append(
                "\(Setting.testAuthority.variable) is set: anyone can make virtual devices that pass. For tests only")
        }
        if !hasLimits {
            warnings.append("\(Setting.noLimits.variable) is set: no request is limited. For load runs only")
        }
        if database == .memory {
            warnings.append(
                "\(Setting.database.variable) is memory: all keys and refunds are lost when the process ends")
        }
        if purchases?.isGenerousInSandbox(besides: relyingParty.budget) == true {
            warnings.append(
                "\(Setting.purchaseSandboxProducts.variable) raises budgets: TestFlight's testers buy for free")
        }
        return warnings
            + deprecated.map { "\($0.deprecatedVariable ?? "") is deprecated; use \($0.variable)" }
    }

    func logStart(_ logger: Logger) {
        let text = startMetadata.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: " ")
        logger.info("The service serves: \(text)")
        for warning in startWarnings { logger.warning("\(warning)") }
    }

    func listenFailure(_ error: any Error) -> String? {
        let (hostName, portName) = (Setting.host.variable, Setting.port.variable)
        if error is SocketAddressError || error is SocketAddressError.UnknownHost {
            return "\(hostName): \(host) is not an address or a host name that resolves; give one of this machine"
        }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            return "\(portName): \(port) is in use on \(host); choose another or stop the other process"
        case EADDRNOTAVAIL:
            return "\(hostName): \(host) is not an address of this machine; give one of its own, or 0.0.0.0 for all"
        case EACCES, EPERM:
            return "\(portName): this process may not listen on \(port); choose 1024 or more"
        default: return nil
        }
    }
}
