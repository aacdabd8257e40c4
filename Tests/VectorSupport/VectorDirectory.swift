/// Where test vectors are read from.
public enum VectorDirectory {
    /// `Vectors/` of this package: the suites that the repository holds.
    public static let committed = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors")

    /// The folder of the suites that the repository does not hold (`Vectors/README.md` says where they come from): the one that the
    /// environment variable `PUREATTEST_EXTRA_VECTORS` names, or its subfolder `vectors` where there is one. `nil` when the
    /// variable is not set: the tests of those suites then say that they did not run.
    public static let extra: URL? = {
        guard let path = ProcessInfo.processInfo.environment["PUREATTEST_EXTRA_VECTORS"], !path.isEmpty else {
            return nil
        }
        let folder = URL(filePath: path)
        let subfolder = folder.appending(path: "vectors")
        return FileManager.default.fileExists(atPath: subfolder.path) ? subfolder : folder
    }()

    /// The content of a file of `Vectors/`, named by its path from there.
    public static func committedFile(_ path: String) throws -> Data {
        try Data(contentsOf: committed.appending(path: path))
    }
}
