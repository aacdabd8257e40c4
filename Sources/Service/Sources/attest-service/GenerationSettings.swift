import AttestService
import Foundation
import HTTPTypes
import PureAttestServer

extension Variables {
    /// What `/generate` is configured with; `nil` without an address.
    func generation() throws(SettingsError) -> Generation? {
        guard let address = try text("GENERATE_URL") else { return nil }
        guard let url = URL(string: address), let host = url.host(), url.user() == nil, url.fragment() == nil,
            url.scheme == "https" || url.scheme == "http" && ["localhost", "127.0.0.1", "::1"].contains(host)
        else { throw SettingsError("GENERATE_URL is not https://…, or http:// on this machine") }
        let key = try required("GENERATE_KEY")
        // RFC 9110 §5.5: what a field may hold, without what would end it.
        guard key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw SettingsError("GENERATE_KEY has characters that no header has")
        }
        _ = try required("GENERATE_MODELS")
        let models = try list("GENERATE_MODELS") ?? []
        var generation = Generation(
            url: address, key: key, models: models,
            maximumTokens: Int64(try number("GENERATE_TOKENS", 1...10_000_000) ?? 1_024))
        if let header = try text("GENERATE_KEY_HEADER") {
            guard let name = HTTPField.Name(header), name != .contentType, name != .acceptEncoding,
                header.lowercased() != "host"
            else {
                throw SettingsError("GENERATE_KEY_HEADER is not the name of a header that is free")
            }
            generation.keyHeader = header
        }
        if let member = try text("GENERATE_TOKENS_MEMBER") { generation.tokensMember = member }
        generation.members = try list("GENERATE_MEMBERS") ?? []
        let own = Generation.ownMembers + [generation.tokensMember]
        guard !generation.members.contains(where: own.contains),
            !Generation.ownMembers.contains(generation.tokensMember)
        else { throw SettingsError("GENERATE_MEMBERS or GENERATE_TOKENS_MEMBER names what the service writes itself") }
        if let usage = try list("GENERATE_USAGE", separator: ".") { generation.usage = usage }
        if let bytes = try number("GENERATE_BYTES_PER_TOKEN", 0...1_000) { generation.bytesPerToken = bytes }
        if let seconds = try number("GENERATE_SECONDS", 1...900) { generation.seconds = seconds }
        return generation
    }

    /// Where one is needed.
    func budget(atLeast tokens: Int64) throws(SettingsError) -> Budget {
        let range = 1...Int(BudgetAmount.maximum)
        let days = try number("BUDGET_DAYS", 1...3_660) ?? 1
        _ = try required("BUDGET_REQUESTS")
        _ = try required("BUDGET_UNITS")
        let (requests, units) = (try number("BUDGET_REQUESTS", range) ?? 0, try number("BUDGET_UNITS", range) ?? 0)
        guard units >= tokens else {
            throw SettingsError("BUDGET_UNITS is less than GENERATE_TOKENS, so that no answer would fit")
        }
        return Budget(days: Int64(days), requests: Int64(requests), units: Int64(units))
    }

    private func list(_ name: String, separator: Character = ",") throws(SettingsError) -> [String]? {
        guard let text = try text(name) else { return nil }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
            throw SettingsError("\(name) is not a list of names with \"\(separator)\" in between")
        }
        return parts
    }
}
