import PureBytes

/// A JSON object: members in the order of the text, with distinct names.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Sendable {
        /// The name, UTF-8.
        public let name: ArraySlice<UInt8>
        /// The value.
        public let value: JSONValue
    }

    /// The members, in the order of the text.
    public let members: [Member]

    /// Returns `nil` if two names are the same bytes. RFC 7493 §2.3: "Objects in I-JSON messages MUST NOT have members
    /// with duplicate names", compared after escapes are replaced.
    ///
    /// Sorting finds duplicates with n·log n comparisons, even for names that an attacker chose.
    init?(_ members: [Member]) {
        let sorted = sortedIndices(count: members.count) {
            members[$0].name.lexicographicallyPrecedes(members[$1].name)
        }
        guard sorted != nil else { return nil }
        self.members = members
    }

    /// The value of the member with this ASCII name, or `nil`. Searches all members.
    public subscript(name: StaticString) -> JSONValue? {
        // Iterates over indices, because iterating over the members would copy them.
        for i in members.indices where isEqual(members[i].name, name) { return members[i].value }
        return nil
    }
}
