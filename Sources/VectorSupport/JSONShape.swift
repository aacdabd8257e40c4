/// The member names that identify the format of a JSON file. Values are ignored.
struct JSONShape: Decodable {
    /// The names of the members, if the file is an object.
    private(set) var members: Set<String> = []
    /// For each member that is a list, the member names of the list's first element.
    private(set) var firstElements: [String: Set<String>] = [:]
    /// The member names of the first element, if the file is a list.
    private(set) var firstElement: Set<String> = []

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: MemberName.self) {
            members = object.names
            for name in object.allKeys {
                guard var list = try? object.nestedUnkeyedContainer(forKey: name) else { continue }
                firstElements[name.stringValue] = list.namesOfNext()
            }
        } else {
            var list = try decoder.unkeyedContainer()
            firstElement = list.namesOfNext()
        }
    }
}

struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<MemberName> {
    fileprivate var names: Set<String> { Set(allKeys.map(\.stringValue)) }
}

extension UnkeyedDecodingContainer {
    /// Returns an empty set if there is no further element, or if the element is not an object.
    fileprivate mutating func namesOfNext() -> Set<String> {
        (try? nestedContainer(keyedBy: MemberName.self))?.names ?? []
    }
}
