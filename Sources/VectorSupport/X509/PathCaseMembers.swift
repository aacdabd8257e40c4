/// The effect of a path case's member on the verdict of the case.
enum PathCaseMember: Hashable {
    /// The member changes the verdict, because the runner reads it or it is an input of RFC 5280 §6.1.1.
    case changesVerdict
    /// The member is a description or bookkeeping of the suite, and does not change the verdict.
    case informs
    /// The member is unknown. The case is skipped, unless the caller declares the member informational.
    case unknown

    /// The known members that do not change verdicts, by suite.
    private static let informing: [String: [String]] = [
        "x509-limbo": ["description", "importance", "conflicts_with", "validation_kind", "peer_certificate_key"],
        "BoringSSL": ["expected_errors"],
        "Vectors/paths": ["description", "rule"],
        "PKITS as JSON": ["number", "section", "subsection", "title", "name", "names", "family", "related"],
        "any suite": [
            "author", "authors", "bug", "bugs", "category", "cve", "explanation", "keywords", "license", "link",
            "links",
            "origin", "rationale", "reason", "reference", "references", "remark", "remarks", "see_also", "source",
            "summary", "tags", "url", "urls", "why",
        ],
    ]
    private static let informingNames = Set(informing.values.joined())
    /// Words in a member name that mark an author's comment, as in `author_note` and `policyComment`.
    private static let informingWords: Set<String> = ["comment", "comments", "note", "notes"]

    init(named name: String) {
        let words = Self.words(of: name)
        if X509ChainFile.Case.memberNames.contains(name) || X509PolicyInput.names.contains(name) {
            self = .changesVerdict
        } else if Self.informingNames.contains(name) || !Self.informingWords.isDisjoint(with: words) {
            self = .informs
        } else {
            self = Self.namesPolicies(name) || Self.namesSubtrees(name) ? .changesVerdict : .unknown
        }
    }

    /// Returns whether a member concerns policies (RFC 5280 §6.1.1 (c), (e) to (g)), in any spelling.
    static func namesPolicies(_ name: String) -> Bool { name.lowercasedASCII.contains("polic".utf8) }

    /// Returns whether a member concerns permitted or excluded subtrees (RFC 5280 §6.1.1 (h), (i)), in any spelling.
    static func namesSubtrees(_ name: String) -> Bool { name.lowercasedASCII.contains("subtree".utf8) }

    /// Splits a name in `snake_case`, `kebab-case` or `camelCase` into words, in lower case.
    private static func words(of name: String) -> [String] {
        var words = [[UInt8]()]
        for byte in name.utf8 {
            let isUpper = (0x41...0x5A).contains(byte), isLower = (0x61...0x7A).contains(byte)
            if !isLower { words.append([]) }
            if isUpper || isLower { words[words.count - 1].append(byte | 0x20) }
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Members of path cases that a caller declares informational, in addition to the known members.
package struct InformationalMembers: Sendable {
    let names: Set<String>

    /// Declares no member.
    package init() { names = [] }

    /// Declares members by their names.
    ///
    /// - Throws: ``VectorFileError/memberChangesVerdict(_:)`` if one of the members changes verdicts.
    package init(_ names: some Sequence<String>) throws(VectorFileError) {
        let names = Set(names)
        if let name = names.sorted().first(where: { PathCaseMember(named: $0) == .changesVerdict }) {
            throw .memberChangesVerdict(name)
        }
        self.names = names
    }
}
