/// A list of deliberate deviations from suites, each with its reason: a JSON file, described in
/// `pure-attest vectors --help`.
public struct SuiteDeviations: Sendable {
    /// One case.
    public struct Entry: Decodable, Hashable, Sendable {
        /// The suite's file: its name, or the end of its path.
        public let file: String
        /// The case, by the runner's name for it in a failure.
        public let `case`: String
        /// The package's result.
        public let outcome: SuiteOutcome.Finding
        /// The justification.
        public let reason: String

        /// Returns whether the entry is for the file at a path: the path ends with ``file``, at a whole component.
        public func isOf(_ path: String) -> Bool {
            path == file || path.removing(suffix: file.removing(prefix: "/") == nil ? "/" + file : file) != nil
        }
    }

    /// The entries, in the order of the list.
    public let entries: [Entry]

    /// Reads a list.
    ///
    /// - Throws: a decoding error; ``VectorFileError/missingMember`` for an entry without a name, a file or a reason;
    ///   ``VectorFileError/caseTwice`` for two entries for the same case.
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

    /// Returns the entries for the file at a path.
    public func entries(of path: String) -> [Entry] { entries.filter { $0.isOf(path) } }
}
