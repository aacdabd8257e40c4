import PureBytes

struct CDHash: Command {
    static let name = "cdhash"
    static let summary = "Check an app's code signature and print its code directory hash for a build policy."
    static let operands = [Operand(value: Value(name: "FILE", kind: .fileOrFolder), isRequired: true)]
    static let options: [Option] = [.json]
    static let discussion = """
        FILE is a Mach-O file (thin or fat), an .app folder or an .ipa file. For an app, the command reads the main executable.
        - is standard input: a file, or a pipe of at most 256 MB.

        Prints one line for each architecture: its name, the hash, the identifier, the team, and remarks in parentheses.
        The hash is the SHA-256 of the code directory that systems use, in hexadecimal. An app with the opt-in CDhash sends it
        as apple_cd_hash_hash_01 with type 2. The JSON also has truncatedHash, which codesign prints and some Macs send instead:
        the first 20 bytes of a hash of the code directory's own type, SHA-256 or SHA-384.

        The command compares every page, the requirements and the entitlements with their hashes in the code directory. For an
        app, it also compares Info.plist and the list of resources. It does not check the resources or the signer's
        certificate: use codesign --verify and spctl. It refuses files with only a SHA-1 code directory.

        Apple signs each app again for distribution: an uploaded file and the installed app have different hashes. Use the file
        from the store, or the hash in an attestation of a device that you trust.

        Exit status: 0 all match; 1 an architecture differs from its signature; 2 usage error, or the file or an architecture
        is unsigned or unreadable. The command prints hashes only for architectures that match.
        """

    private struct Subject {
        /// The kind of input, as printed in JSON.
        var kind: String
        var bundle: AppBundle?
        var results: [SignedCode.Result]
    }

    private let path: String
    private let json: Bool

    init(_ arguments: Arguments) throws {
        json = arguments.flag(.json)
        path = arguments.operands[0]
    }

    func run() throws -> ExitStatus {
        let subject: Subject
        do { subject = try open() } catch { throw UnusableInput("\(inputName(path)): \(describe(error))") }
        print(json ? Self.json(subject, path: path).text + "\n" : Self.text(subject.results))
        var status = ExitStatus.success
        for result in subject.results {
            guard case .failure(let error) = result.outcome else { continue }
            let line = "\(result.architecture.map { "\($0.name): " } ?? "")\(describe(error))"
            if error.isMismatch {
                printErrorLine(.refused, "\(inputName(path)): \(line)")
                status = .refused
            } else {
                printErrorLine(.unusable, "\(inputName(path)): \(line)")
                if status == .success { status = .unusable }
            }
        }
        return status
    }

    private func open() throws(CodeFileError) -> Subject {
        switch try FileKind.find(path) {
        case .missing: throw .unreadable("no such file or folder")
        case .folder: return try Self.subject("app", AppBundle(DiskFolder(path: path)))
        case .file(let source):
            // An archive begins with the header of its first file (PKWARE APPNOTE.TXT §4.3.7).
            let isArchive = try source.read(0..<min(4, source.byteCount)) == [0x50, 0x4b, 3, 4]
            guard isArchive else {
                return Subject(kind: "machO", bundle: nil, results: try SignedCode.results(of: source, nil))
            }
            let archive = try ZipArchive(source)
            return try Self.subject("ipa", AppBundle(ArchiveFolder(archive: archive, prefix: archive.appFolder())))
        }
    }

    private static func subject(_ kind: String, _ bundle: AppBundle) throws(CodeFileError) -> Subject {
        let results = try SignedCode.results(of: bundle.executable, bundle.surroundings)
        return Subject(kind: kind, bundle: bundle, results: results)
    }

    /// Formats a line for each valid architecture.
    private static func text(_ results: [SignedCode.Result]) -> String {
        let good = results.compactMap { try? $0.outcome.get() }
        let width = good.map { $0.code.file.header.architecture.name.count }.max() ?? 0
        return good.map { code, slots in
            let remarks = code.remarks(slots)
            let fields = [
                code.file.header.architecture.name.padded(to: width), hexEncodedString(code.codeDirectoryHash),
                code.directory.identifier, code.directory.teamIdentifier ?? "no team",
            ]
            let line =
                fields.joined(separator: "  ") + (remarks.isEmpty ? "" : "  (\(remarks.joined(separator: "; ")))")
            return line.printable + "\n"
        }.joined()
    }

    private static func json(_ subject: Subject, path: String) -> JSON {
        .object([
            ("file", .string(path)), ("kind", .string(subject.kind)),
            ("executable", .text(subject.bundle?.executablePath)),
            ("bundleIdentifier", .text(subject.bundle?.info.bundleIdentifier)),
            ("bundleVersion", .text(subject.bundle?.info.bundleVersion)),
            ("architectures", .array(subject.results.map(\.json))),
        ])
    }
}
