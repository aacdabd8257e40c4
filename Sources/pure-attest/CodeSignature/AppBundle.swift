/// The files of an app, in a folder on disk or in an archive.
protocol AppFolder {
    /// Returns the file at `path`, which is relative to the folder, or `nil` if there is no such file.
    func file(_ path: String) throws(CodeFileError) -> (any ByteSource)?
}

struct DiskFolder: AppFolder {
    var path: String

    func file(_ path: String) throws(CodeFileError) -> (any ByteSource)? {
        switch try FileKind.find(self.path + "/" + path) {
        case .file(let source): source
        case .folder, .missing: nil
        }
    }
}

struct ArchiveFolder: AppFolder {
    var archive: ZipArchive
    /// The folder's path, including the final slash.
    var prefix: [UInt8]

    func file(_ path: String) throws(CodeFileError) -> (any ByteSource)? { try archive.file(prefix + Array(path.utf8)) }
}

/// An app: its Info.plist, its executable, and the list of its signed resources.
struct AppBundle {
    /// The maximum size of Info.plist, which is decoded in memory. A genuine Info.plist has a few kilobytes.
    static let maximumInfoByteCount = 1 << 20
    /// The maximum number of container elements. Foundation's XML decoder is recursive: with a stack of 8 MB, 8,000 to
    /// 16,000 nested elements crash the process.
    static let maximumContainerCount = 4_096

    struct Info: Decodable {
        var executable: String?
        var bundleIdentifier: String?
        var bundleVersion: String?

        enum CodingKeys: String, CodingKey {
            case executable = "CFBundleExecutable"
            case bundleIdentifier = "CFBundleIdentifier"
            case bundleVersion = "CFBundleVersion"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) -> String? {
                (try? container.decodeIfPresent(String.self, forKey: key)) ?? nil
            }
            executable = text(.executable)
            bundleIdentifier = text(.bundleIdentifier)
            bundleVersion = text(.bundleVersion)
        }

        init(propertyList bytes: [UInt8]) throws(CodeFileError) {
            if bytes.starts(with: "bplist".utf8) {
                guard BinaryPropertyList(bytes: bytes).hasPossibleCounts else { throw .malformedInfoPlist }
            } else {
                // Accepts only XML in an encoding in which "<" is a single byte, so that elements can be counted. Does
                // not accept property lists in the old text format.
                let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
                let isXML = text.first { !isWhiteSpace($0) } == UInt8(ascii: "<") && !bytes.contains(0)
                guard isXML, Self.containerCount(bytes) <= AppBundle.maximumContainerCount else {
                    throw .malformedInfoPlist
                }
            }
            do { self = try PropertyListDecoder().decode(Info.self, from: Data(bytes)) } catch {
                throw .malformedInfoPlist
            }
        }

        /// Counts the elements that may contain other elements: plist, array and dict. Also counts data and date,
        /// because only the first letter is compared.
        private static func containerCount(_ bytes: [UInt8]) -> Int {
            var count = 0
            for (first, second) in zip(bytes, bytes.dropFirst()) where first == UInt8(ascii: "<") {
                if [UInt8(ascii: "p"), UInt8(ascii: "a"), UInt8(ascii: "d")].contains(second) { count += 1 }
            }
            return count
        }
    }

    let info: Info
    /// The path relative to the folder.
    let executablePath: String
    let executable: any ByteSource
    let surroundings: SignedCode.Surroundings

    /// Finds the parts of an app in one of three layouts. These are a macOS app, a device app, and a device app from
    /// the App Store on a Mac.
    init(_ folder: some AppFolder) throws(CodeFileError) {
        for (contents, executables) in [
            ("Contents/", "Contents/MacOS/"), ("", ""), ("WrappedBundle/", "WrappedBundle/"),
        ] {
            guard let infoPlist = try folder.file(contents + "Info.plist") else { continue }
            info = try Info(
                propertyList: ByteWindow(infoPlist).readAll(limit: Self.maximumInfoByteCount, .infoPlist))
            try infoPlist.checkIntegrity()
            guard let name = info.executable else { throw .noExecutableName }
            // The name must not be a path, because the executable must be directly in its folder.
            guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
                !name.utf8.contains(0)
            else { throw .invalidExecutableName }
            guard let executable = try folder.file(executables + name) else { throw .missingExecutable }
            let resources = try folder.file(contents + "_CodeSignature/CodeResources")
            (executablePath, self.executable) = (executables + name, executable)
            surroundings = SignedCode.Surroundings(infoPlist: infoPlist, codeResources: resources)
            return
        }
        throw .notApp
    }
}
