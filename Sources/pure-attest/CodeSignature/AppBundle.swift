#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of an app: a folder on disk, or one in an archive.
protocol AppFolder {
    /// The file at a path below the folder; `nil` if there is none.
    func file(_ path: String) throws(CodeFileError) -> (any ByteSource)?
}

/// An app's folder on disk.
struct DiskFolder: AppFolder {
    var path: String

    func file(_ path: String) throws(CodeFileError) -> (any ByteSource)? {
        switch try FileKind.find(self.path + "/" + path) {
        case .file(let source): source
        case .folder, .missing: nil
        }
    }
}

/// An app's folder in an .ipa file.
struct ArchiveFolder: AppFolder {
    var archive: ZipArchive
    /// With its slash.
    var prefix: [UInt8]

    func file(_ path: String) throws(CodeFileError) -> (any ByteSource)? { try archive.file(prefix + Array(path.utf8)) }
}

/// An app: its Info.plist, the executable that this names, and the list of its signed resources.
struct AppBundle {
    /// It is decoded in memory; a genuine one has some kilobytes.
    static let maximumInfoByteCount = 1 << 20
    /// Foundation's decoder of XML recurses: with a stack of 8 MB it ends the process between 8,000 and 16,000 elements inside
    /// each other.
    static let maximumContainerCount = 4_096

    /// What is needed of Info.plist.
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

        /// Reads a property list, binary or XML.
        init(propertyList bytes: [UInt8]) throws(CodeFileError) {
            if !bytes.starts(with: "bplist".utf8) {
                // XML of which every "<" is one byte, so that they can be counted; old-style text is no Info.plist.
                let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
                let isXML =
                    text.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "<") && !bytes.contains(0)
                guard isXML, Self.containerCount(bytes) <= AppBundle.maximumContainerCount else {
                    throw .malformedInfoPlist
                }
            }
            do { self = try PropertyListDecoder().decode(Info.self, from: Data(bytes)) } catch {
                throw .malformedInfoPlist
            }
        }

        /// How many elements begin that may hold others: plist, array and dict; data and date are counted too.
        private static func containerCount(_ bytes: [UInt8]) -> Int {
            var count = 0
            for (first, second) in zip(bytes, bytes.dropFirst()) where first == UInt8(ascii: "<") {
                if [UInt8(ascii: "p"), UInt8(ascii: "a"), UInt8(ascii: "d")].contains(second) { count += 1 }
            }
            return count
        }
    }

    let info: Info
    /// Below the folder.
    let executablePath: String
    let executable: any ByteSource
    let surroundings: SignedCode.Surroundings

    /// Finds the parts. The layouts are those of macOS, of devices, and of a device's app from the store on a Mac.
    init(_ folder: some AppFolder) throws(CodeFileError) {
        for (contents, executables) in [
            ("Contents/", "Contents/MacOS/"), ("", ""), ("WrappedBundle/", "WrappedBundle/"),
        ] {
            guard let infoPlist = try folder.file(contents + "Info.plist") else { continue }
            info = try Info(
                propertyList: ByteWindow(infoPlist).readAll(limit: Self.maximumInfoByteCount, .infoPlist))
            try infoPlist.checkIntegrity()
            guard let name = info.executable else { throw .noExecutableName }
            // Not a path: it is looked for in one folder.
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
