/// A list of cases that go another way than their suites say, each with its reason: a JSON file, as `pure-attest vectors --help`
/// and `Vectors/README.md` describe it.
public struct SuiteDeviations: Sendable {
    /// One case.
    public struct Entry: Decodable, Hashable, Sendable {
        /// The suite's file: its name, or the end of its path.
        public let file: String
        /// The case, as the runner names it when it fails.
        public let `case`: String
        /// What comes of it.
        public let outcome: SuiteOutcome.Finding
        /// Why that is right.
        public let reason: String

        /// Whether the file at a path is the one that is meant: the path ends with ``file``, at a whole component.
        public func isOf(_ path: String) -> Bool {
            path == file || path.removing(suffix: file.removing(prefix: "/") == nil ? "/" + file : file) != nil
        }
    }

    /// In the order of the list.
    public let entries: [Entry]

    /// Reads a list.
    ///
    /// - Throws: a decoding error; ``VectorFileError/missingMember`` for an entry without a name, a file or a reason, and
    ///   ``VectorFileError/caseTwice`` for two of the same case.
    public init(json: Data) throws {
        struct File: Decodable { let deviations: [Entry] }
        entries = try JSONDecoder().decode(File.self, from: json).deviations
        var names: Set<[String]> = []
        for entry in entries {
            guard !entry.file.isEmpty, !entry.case.isEmpty, !entry.reason.isEmpty else {
                throw VectorFileError.missingMember
            }
            guard names.insert([entry.file, entry.case]).inserted else { throw VectorFileError.caseTwice }
        }
    }

    /// The entries for the file at a path.
    public func entries(of path: String) -> [Entry] { entries.filter { $0.isOf(path) } }
}
