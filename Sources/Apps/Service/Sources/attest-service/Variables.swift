import PureAttestServer
import PureBytes

final class Variables {
    private let values: [Setting: String]
    let deprecated: [Setting]
    /// The settings that the program has read, whether they are set or not.
    private(set) var read: Set<Setting> = []

    /// Reads the variables with the prefix, and the deprecated variables without it. Rejects an unknown variable with
    /// the prefix.
    init(_ environment: [String: String]) throws(SettingsError) {
        var values: [Setting: String] = [:]
        var deprecated: [Setting] = []
        for setting in Setting.allCases {
            values[setting] = environment[setting.variable]
            guard let former = setting.deprecatedVariable, let value = environment[former] else { continue }
            guard values[setting] == nil else {
                // Container platforms set `HOST` and `PORT` for every program.
                if setting == .host || setting == .port { continue }
                throw SettingsError("\(former) and \(setting.variable) are both set; unset \(former)")
            }
            values[setting] = value
            deprecated.append(setting)
        }
        let known = Set(Setting.allCases.map(\.variable))
        for name in environment.keys.sorted()
        where name.utf8.starts(with: Setting.prefix.utf8) && !known.contains(name) {
            throw SettingsError("\(name) is not a setting; did you mean \(Self.nearest(to: name))?")
        }
        for setting in Setting.allCases {
            guard let value = values[setting] else { continue }
            guard !value.isEmpty else {
                throw SettingsError("\(setting.variable) is empty; give it a value or unset it")
            }
            let requirements = setting.requirements
            guard requirements.isEmpty || requirements.contains(where: { values[$0] != nil }) else {
                let names = requirements.map(\.variable).joined(separator: " or ")
                throw SettingsError("\(setting.variable) has no effect without \(names); set both or neither")
            }
        }
        (self.values, self.deprecated) = (values, deprecated)
    }

    func text(_ setting: Setting) -> String? {
        read.insert(setting)
        return values[setting]
    }

    func required(_ setting: Setting) throws(SettingsError) -> String {
        guard let value = text(setting) else {
            throw SettingsError("\(setting.variable) is not set; set it to \(setting.help.text)")
        }
        return value
    }

    func number(_ setting: Setting) throws(SettingsError) -> Int? {
        guard let range = setting.help.range else { preconditionFailure("\(setting) has no range") }
        guard let value = text(setting) else { return nil }
        guard let number = Int(value), range.contains(number) else {
            throw SettingsError(
                "\(setting.variable) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func limit(_ setting: Setting, default value: UInt32?) throws(SettingsError) -> UInt32? {
        guard let number = try number(setting) else { return value }
        return number == 0 ? nil : UInt32(number)
    }

    func choice<Value>(_ setting: Setting, _ choices: [(name: String, Value)]) throws(SettingsError) -> Value? {
        guard let value = text(setting) else { return nil }
        guard let choice = choices.first(where: { $0.name == value }) else {
            throw SettingsError("\(setting.variable) must be one of \(choices.map(\.name).joined(separator: ", "))")
        }
        return choice.1
    }

    func flag(_ setting: Setting, default isSet: Bool = false) throws(SettingsError) -> Bool {
        try choice(setting, [("0", false), ("1", true)]) ?? isSet
    }

    func list(_ setting: Setting, separator: Character = ",") throws(SettingsError) -> [String]? {
        guard let text = text(setting) else { return nil }
        let parts = text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
            throw SettingsError("\(setting.variable) must be names with \"\(separator)\" in between and no spaces")
        }
        return parts
    }

    func secret(_ setting: Setting) throws(SettingsError) -> [UInt8]? {
        guard let value = text(setting) else { return nil }
        guard let bytes = try? [UInt8](hexEncoded: value), bytes.count >= SessionKey.minimumSecretByteCount else {
            throw SettingsError(
                "\(setting.variable) must be 32 bytes or more in hexadecimal; make one with openssl rand -hex 32")
        }
        return bytes
    }

    private static func nearest(to name: String) -> String {
        Setting.allCases.map(\.variable).min { distance($0, name) < distance($1, name) } ?? ""
    }

    /// Returns the Levenshtein distance of two names in bytes.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8.prefix(100))
        var row = Array(0...right.count)
        for (index, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
