import PureJSON

extension JSON {
    /// Copies decoded JSON for output. A number that is not an integer of 64 bits loses digits.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let number):
            self = number.int64.map { .integer($0) } ?? .number(Double(decoded(number.literal)) ?? .nan)
        case .string(let string): self = .string(decoded(string))
        case .array(let values): self = .array(values.map { JSON($0) })
        case .object(let object): self = JSON(object)
        }
    }

    /// Copies a decoded object for output.
    init(_ object: JSONObject) { self = .object(object.members.map { (decoded($0.name), JSON($0.value)) }) }
}

private func decoded(_ utf8: ArraySlice<UInt8>) -> String { String(decoding: utf8, as: UTF8.self) }
