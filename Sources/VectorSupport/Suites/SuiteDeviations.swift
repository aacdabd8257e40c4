/// A list of deliberate deviations from suites, with reasons. `pure-attest vectors --help` describes the JSON file.
package struct SuiteDeviations: Sendable {
    /// The deviation for one case.
    package struct Entry: Decodable, Hashable, Sendable {
        /// The suite's file, identified by its name or by the end of its path.
        package let file: String
        /// The name of the case, as the runner prints it in failure messages.
        package let `case`: String
        /// The result of this package for the case.
        package let outcome: SuiteOutcome.Finding
        /// The justification.
        package let reason: String

        /// Returns whether the entry applies to a path, which must equal ``file`` or end with its components.
        package func isOf(_ path: String) -> Bool {
            path == file || path.removing(suffix: file.removing(prefix: "/") == nil ? "/" + file : file) != nil
        }
    }

    /// The entries, in the order of the list.
    package let entries: [Entry]

    /// Reads a list.
    ///
    /// - Throws: a decoding error. ``VectorFileError/missingMember`` if an entry has no case, file or reason.
    ///   ``VectorFileError/caseTwice`` if two entries are for the same case.
    package init(json: Data) throws {
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
    package func entries(of path: String) -> [Entry] { entries.filter { $0.isOf(path) } }
}
