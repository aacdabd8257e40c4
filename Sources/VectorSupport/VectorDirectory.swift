/// The folders of test vectors.
package enum VectorDirectory {
    /// The folder `Vectors/` of this package, which contains the committed suites.
    package static let committed = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors")

    /// The folder of the suites that are not committed. `Vectors/README.md` names the origin of these suites. The
    /// environment variable `PUREATTEST_EXTRA_VECTORS` names this folder, or its parent if the folder is named
    /// `vectors`. `nil` if the variable is not set; the tests of these suites then report that they did not run.
    package static let extra: URL? = environmentFolder.map { folder in
        let subfolder = folder.appending(path: "vectors")
        return FileManager.default.fileExists(atPath: subfolder.path) ? subfolder : folder
    }

    /// The folder that `PUREATTEST_EXTRA_VECTORS` names. `nil` if the variable is not set.
    static let environmentFolder: URL? = {
        guard let path = ProcessInfo.processInfo.environment["PUREATTEST_EXTRA_VECTORS"], !path.isEmpty else {
            return nil
        }
        return URL(filePath: path)
    }()

    /// Returns the contents of a file in `Vectors/`. `path` is relative to this folder.
    package static func committedFile(_ path: String) throws -> Data {
        try Data(contentsOf: committed.appending(path: path))
    }

    /// Returns the files of a folder and its subfolders, sorted by name; `nil` if the path is not a folder. Follows
    /// symbolic links only to files, so that folders cannot form a cycle. Omits devices and pipes, which could block.
    package static func files(at path: String) throws -> [String]? {
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
