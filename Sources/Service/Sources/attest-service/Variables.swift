import PureAttestServer
import PureBytes

/// Variables of an environment; what is set and empty is a mistake and not a default.
struct Variables {
    let values: [String: String]

    func text(_ name: String) throws(SettingsError) -> String? {
        guard let value = values[name] else { return nil }
        guard !value.isEmpty else { throw SettingsError("\(name) is set and empty") }
        return value
    }

    func required(_ name: String) throws(SettingsError) -> String {
        guard let value = try text(name) else { throw SettingsError("\(name) is not set") }
        return value
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(SettingsError) -> Int? {
        guard let value = try text(name) else { return nil }
        guard let number = Int(value), range.contains(number) else {
            throw SettingsError("\(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func choice<Value>(_ name: String, _ choices: [String: Value]) throws(SettingsError) -> Value? {
        guard let value = try text(name) else { return nil }
        guard let choice = choices[value] else {
            throw SettingsError("\(name) is none of \(choices.keys.sorted().joined(separator: ", "))")
        }
        return choice
    }

    func secret(_ name: String) throws(SettingsError) -> [UInt8]? {
        guard let value = try text(name) else { return nil }
        guard let bytes = try? [UInt8](hexEncoded: value), bytes.count >= SessionKey.minimumSecretByteCount else {
            throw SettingsError("\(name) is not 32 bytes or more in hexadecimal")
        }
        return bytes
    }
}
