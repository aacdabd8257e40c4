import AttestService
import Foundation
import HTTPTypes
import PureAttestServer

extension Variables {
    func generation() throws(SettingsError) -> Generation? {
        // Read all settings before the guard, so that each setting is checked even if no address is set.
        let tokens = try number(.generateTokens) ?? 1_024
        let (bytesPerToken, seconds) = (try number(.generateBytesPerToken), try number(.generateSeconds))
        let (header, tokensMember) = (try keyHeader(), text(.generateTokensMember))
        let (members, usage) = (try list(.generateMembers) ?? [], try list(.generateUsage, separator: "."))
        let (models, parts) = (try list(.generateModels), try parts())
        let key = text(.generateKey)
        guard let url = text(.generateURL) else { return nil }
        try check(url: url)
        guard let key, let models else {
            let missing = key == nil ? Setting.generateKey : .generateModels
            throw SettingsError("\(missing.variable) is not set; set it to \(missing.help.text)")
        }
        // Allow only visible characters (RFC 9110 §5.5), because they cannot end a header field.
        guard key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw SettingsError("\(Setting.generateKey.variable) must be printable ASCII without spaces")
        }
        var generation = Generation(url: url, key: key, models: models, maximumTokens: Int64(tokens))
        generation.members = members
        generation.parts = parts
        if let header { generation.keyHeader = header }
        if let tokensMember { generation.tokensMember = tokensMember }
        if let usage { generation.usage = usage }
        if let bytesPerToken { generation.bytesPerToken = bytesPerToken }
        if let seconds { generation.seconds = seconds }
        try checkMembers(of: generation)
        return generation
    }

    private func check(url: String) throws(SettingsError) {
        guard let url = URL(string: url), let host = url.host(), url.user() == nil, url.fragment() == nil,
            url.scheme == "https" || url.scheme == "http" && ["localhost", "127.0.0.1", "::1"].contains(host)
        else {
            throw SettingsError("\(Setting.generateURL.variable) must be https://…, or http:// on this machine")
        }
    }

    private func keyHeader() throws(SettingsError) -> String? {
        guard let header = text(.generateKeyHeader) else { return nil }
        guard let name = HTTPField.Name(header), name != .contentType, name != .acceptEncoding,
            header.lowercased() != "host"
        else {
            throw SettingsError(
                "\(Setting.generateKeyHeader.variable) must be the name of a header that the service does not set")
        }
        return header
    }

    private func parts() throws(SettingsError) -> [String: Int64] {
        var parts: [String: Int64] = [:]
        for part in try list(.generateParts) ?? [] {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[0].isEmpty, sides[0] != "text", parts[sides[0]] == nil,
                let tokens = Int64(sides[1]), 1...10_000_000 ~= tokens
            else {
                throw SettingsError(
                    "\(Setting.generateParts.variable) must look like image_url=1600,input_audio=2000, each type once and not text"
                )
            }
            parts[sides[0]] = tokens
        }
        return parts
    }

    private func checkMembers(of generation: Generation) throws(SettingsError) {
        guard !Generation.ownMembers.contains(generation.tokensMember) else {
            throw SettingsError(
                "\(Setting.generateTokensMember.variable) must not be \(generation.tokensMember), which the service writes itself"
            )
        }
        if let member = generation.members.first(where: generation.refusedMembers.contains) {
            throw SettingsError(
                "\(Setting.generateMembers.variable) must not have \(member): the service writes it, or no reserve covers its cost"
            )
        }
    }

    func budget(atLeast tokens: Int64) throws(SettingsError) -> Budget {
        let days = try number(.budgetDays) ?? 1
        _ = try required(.budgetRequests)
        _ = try required(.budgetUnits)
        let (requests, units) = (try number(.budgetRequests) ?? 0, try number(.budgetUnits) ?? 0)
        guard units >= tokens else {
            throw SettingsError(
                "\(Setting.budgetUnits.variable) must be \(Setting.generateTokens.variable) or more, \(tokens); less admits no request"
            )
        }
        return Budget(days: Int64(days), requests: Int64(requests), units: Int64(units))
    }
}
