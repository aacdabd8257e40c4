import Foundation

/// A validator for the subset of JSON Schema that `openapi.json` uses. It rejects undeclared members of objects, and
/// unknown keywords in schemas.
struct JSONSchema {
    let document: [String: Any]

    private static let known: Set<String> = [
        "$ref", "anyOf", "type", "enum", "properties", "required", "additionalProperties", "items", "minItems",
        "minimum", "description",
    ]

    func faults(of value: Any, by schema: [String: Any], at place: String = "$") -> [String] {
        if let reference = schema["$ref"] as? String {
            return faults(of: value, by: resolved(reference), at: place)
        }
        let unknown = Set(schema.keys).subtracting(Self.known)
        guard !schema.isEmpty, unknown.isEmpty else { return ["\(place): keywords \(unknown)"] }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let all = choices.map { faults(of: value, by: $0, at: place) }
            return all.contains { $0.isEmpty } ? [] : all.flatMap { $0 }
        }
        let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
        guard types.contains(where: { Self.has(value, type: $0) }) else { return ["\(place): no \(types)"] }
        if let values = schema["enum"] as? [String], !values.contains(value as? String ?? "") {
            return ["\(place): none of \(values)"]
        }
        if let minimum = schema["minimum"] as? Int, let number = value as? Int, number < minimum {
            return ["\(place): less than \(minimum)"]
        }
        if let object = value as? [String: Any] { return faults(ofObject: object, by: schema, at: place) }
        guard let array = value as? [Any] else { return [] }
        guard array.count >= schema["minItems"] as? Int ?? 0, let items = schema["items"] as? [String: Any] else {
            return ["\(place): too short, or items without a schema"]
        }
        return array.enumerated().flatMap { faults(of: $1, by: items, at: "\(place)[\($0)]") }
    }

    private func faults(ofObject object: [String: Any], by schema: [String: Any], at place: String) -> [String] {
        let properties = schema["properties"] as? [String: Any] ?? [:]
        let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
        return missing.map { "\(place).\($0): missing" }
            + object.flatMap { name, value in
                guard let property = properties[name] as? [String: Any] else { return ["\(place).\(name): undeclared"] }
                return faults(of: value, by: property, at: "\(place).\(name)")
            }
    }

    func resolved(_ reference: String) -> [String: Any] {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] as? [String: Any] ?? [:] }
    }

    private static func has(_ value: Any, type: String) -> Bool {
        // In Foundation, a JSON Boolean is also a number.
        let isTruth = (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
        return switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "boolean": isTruth
        case "integer": !isTruth && value is Int
        case "null": value is NSNull
        default: false
        }
    }
}
