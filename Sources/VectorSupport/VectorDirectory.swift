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

    /// The files of a folder and of its folders, by name; `nil` if the path is none of a folder. Links are followed to files
    /// alone, so that no folder is its own, and devices and pipes are left out: one could be waited on for ever.
    public static func files(at path: String) throws -> [String]? {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else { return nil }
        var (folders, paths) = ([path], [String]())
        while let folder = folders.popLast() {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let path = folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
                switch fileType(path) {
                case .typeDirectory: folders.append(path)
                case .typeRegular: paths.append(path)
                case .typeSymbolicLink:
                    if fileType(URL(filePath: path).resolvingSymlinksInPath().path) == .typeRegular {
                        paths.append(path)
                    }
                default: break
                }
            }
        }
        return paths.sorted()
    }

    private static func fileType(_ path: String) -> FileAttributeType? {
        try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    }
}
