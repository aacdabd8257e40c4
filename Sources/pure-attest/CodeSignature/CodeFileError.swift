/// The reason why no code directory hash was computed.
enum CodeFileError: Error, Equatable {
    /// A part of a file, for error messages.
    enum Part: Equatable {
        case machHeader, loadCommands, fatHeader, codeSignature, codeDirectory, identifier, pages, infoPlist
        case slice(Architecture)
        case specialSlot(UInt32)
        case archiveDirectory, archiveEntry
    }

    enum Items: Equatable {
        case architectures, blobs, specialSlots
    }

    // The file
    case unreadable(String)
    case truncated(Part)
    case tooLarge(Part, limit: Int)
    case tooMany(Items, count: UInt32, limit: Int)

    // Mach-O
    case notMachO
    case noArchitecture
    case repeatedArchitecture(Architecture)
    case overlappingSlices(Architecture)
    case otherArchitecture(Architecture, listed: Architecture)
    case malformedLoadCommand(UInt32)
    case repeatedLoadCommand(UInt32)
    case commandCountMismatch
    case unsigned

    // The signature
    case notEmbeddedSignature
    case malformedBlob(slot: UInt32)
    case repeatedBlob(slot: UInt32)
    case noCodeDirectory
    case unsupportedVersion(UInt32)
    case unsupportedHash(type: UInt8, byteCount: UInt8)
    case repeatedHashType(CodeHashType)
    case onlySHA1
    case unsupportedPageSize(shift: UInt8)
    case scattered
    case malformedText
    case pageHashCount(UInt32, codeLimit: UInt64, pageByteCount: UInt64?)

    // The signed content
    case codeLimit(UInt64, signatureOffset: UInt64)
    case bytesAfterSignature(UInt64)
    case pageMismatch(UInt32, of: UInt32)
    case contentMismatch(slot: UInt32)
    case missingContent(slot: UInt32)
    case unsignedContent(slot: UInt32)

    // Apps and archives
    case notApp
    case malformedInfoPlist
    case noExecutableName
    case invalidExecutableName
    case missingExecutable
    case archive(ZipError)
    case inflate(InflateError)

    /// True if the signature was read and does not match the content. For all other errors, the signature could not be
    /// compared with the content.
    var isMismatch: Bool {
        switch self {
        case .codeLimit, .bytesAfterSignature, .pageMismatch, .contentMismatch, .missingContent, .unsignedContent: true
        default: false
        }
    }
}

/// The reason why an archive cannot be read (PKWARE APPNOTE.TXT 6.3).
enum ZipError: Error, Equatable {
    case noEndOfDirectory
    case severalDisks
    case zip64
    case malformedDirectory
    case malformedEntry
    case repeatedEntry
    case encrypted
    case unsupportedMethod(UInt16)
    case impossibleSize
    case sizeMismatch
    case checksumMismatch
    case noApp
    case severalApps
}

/// The reason why a deflate stream cannot be read (RFC 1951).
enum InflateError: Error, Equatable {
    case unexpectedEnd
    case reservedBlockType
    case storedLength
    case tooManyCodes
    case malformedCode
    case noEndOfBlock
    case invalidSymbol
    case distanceTooFar
    case bytesAfterEnd
}

func describe(_ error: CodeFileError) -> String {
    switch error {
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .truncated(let part): "it ends before \(describe(part)) does"
    case .tooLarge(let part, let limit): "\(describe(part)) is larger than the limit of \(limit) bytes"
    case .tooMany(let items, let count, let limit): "it has \(count) \(describe(items)); the limit is \(limit)"

    case .notMachO: "it is neither a Mach-O file nor an app"
    case .noArchitecture: "it is a fat file without architectures"
    case .repeatedArchitecture(let architecture): "it has \(architecture.name) twice"
    case .overlappingSlices(let architecture): "its part for \(architecture.name) overlaps another part"
    case .otherArchitecture(let found, let listed): "the part listed as \(listed.name) is for \(found.name)"
    case .malformedLoadCommand(let command): "its load command \(hexadecimal(command)) is malformed"
    case .repeatedLoadCommand(let command): "its load command \(hexadecimal(command)) is duplicated"
    case .commandCountMismatch: "the number and the length of its load commands disagree"
    case .unsigned: "it is not signed: there is no load command LC_CODE_SIGNATURE"

    case .notEmbeddedSignature: "its signature is not an embedded signature (CSMAGIC_EMBEDDED_SIGNATURE)"
    case .malformedBlob(let slot): "the blob of slot \(hexadecimal(slot)) in its signature is malformed"
    case .repeatedBlob(let slot): "its signature has slot \(hexadecimal(slot)) twice"
    case .noCodeDirectory: "its signature has no code directory in slot 0"
    case .unsupportedVersion(let version): "its code directory has the unknown version \(hexadecimal(version))"
    case .unsupportedHash(let type, let byteCount):
        "its code directory has an unknown hash: type \(type), \(byteCount) bytes"
    case .repeatedHashType(let type): "its signature has two code directories with \(type.name)"
    case .onlySHA1:
        "its only code directory uses SHA-1, which is not supported: sign the file again with SHA-256 (codesign)"
    case .unsupportedPageSize(let shift): "its code directory has pages of 2^\(shift) bytes"
    case .scattered: "its code directory is scattered (it has a list of page ranges), which is not supported"
    case .malformedText: "the identifier or the team identifier in its code directory is empty or not UTF-8"
    case .pageHashCount(let count, let limit, let pageByteCount):
        "its code directory has \(count) page hashes for \(limit) bytes in "
            + (pageByteCount.map { "pages of \($0) bytes" } ?? "one page")

    case .codeLimit(let limit, let offset):
        "only the first \(limit) of the \(offset) bytes before the signature are signed"
    case .bytesAfterSignature(let count): "\(count) unsigned bytes follow the signature"
    case .pageMismatch(let page, let count): "page \(UInt64(page) + 1) of \(count) does not match its signed hash"
    case .contentMismatch(let slot): "does not match its signed hash: \(SignedCode.name(ofSpecialSlot: slot))"
    case .missingContent(let slot): "signed but missing: \(SignedCode.name(ofSpecialSlot: slot))"
    case .unsignedContent(let slot): "present but not signed: \(SignedCode.name(ofSpecialSlot: slot))"

    case .notApp: "the folder is not an app: it has no Info.plist, nor has its folder Contents"
    case .malformedInfoPlist: "Info.plist is not a binary or XML property list"
    case .noExecutableName: "Info.plist has no CFBundleExecutable"
    case .invalidExecutableName: "CFBundleExecutable in Info.plist is not the name of a file"
    case .missingExecutable: "the executable that Info.plist names is missing"
    case .archive(let error): describe(error)
    case .inflate(let error): "a file in the archive cannot be decompressed: \(describe(error))"
    }
}

private func describe(_ part: CodeFileError.Part) -> String {
    switch part {
    case .machHeader: "the header of a Mach-O file"
    case .loadCommands: "the list of load commands"
    case .fatHeader: "the list of architectures"
    case .codeSignature: "the signature"
    case .codeDirectory: "the code directory"
    case .identifier: "an identifier in the code directory"
    case .pages: "the signed part"
    case .infoPlist: "Info.plist"
    case .slice(let architecture): "the part for \(architecture.name)"
    case .specialSlot(let slot): SignedCode.name(ofSpecialSlot: slot)
    case .archiveDirectory: "the directory of the archive"
    case .archiveEntry: "a file in the archive"
    }
}

private func describe(_ items: CodeFileError.Items) -> String {
    switch items {
    case .architectures: "architectures (is it a Java class file?)"
    case .blobs: "blobs in its signature"
    case .specialSlots: "special slots"
    }
}

private func describe(_ error: ZipError) -> String {
    switch error {
    case .noEndOfDirectory: "the ZIP archive is truncated: the end of its directory is missing"
    case .severalDisks: "it is one part of a multi-part archive"
    case .zip64:
        "ZIP64 archives are not supported: unpack the archive and give the .app folder"
    case .malformedDirectory: "the directory of the archive is malformed"
    case .malformedEntry: "a file in the archive does not match the directory entry"
    case .repeatedEntry: "a required file is in the archive twice"
    case .encrypted: "the archive is encrypted with a password"
    case .unsupportedMethod(let method): "a file in the archive is compressed with method \(method), not with deflate"
    case .impossibleSize: "a file in the archive has an impossible size for its compressed bytes"
    case .sizeMismatch: "the size of a file in the archive differs from its directory entry"
    case .checksumMismatch: "the checksum (CRC-32) of a file in the archive differs from its directory entry"
    case .noApp: "the archive has no folder Payload with an .app in it"
    case .severalApps: "the archive has more than one .app in its folder Payload"
    }
}

private func describe(_ error: InflateError) -> String {
    switch error {
    case .unexpectedEnd: "the stream is truncated"
    case .reservedBlockType: "a block has the reserved type"
    case .storedLength: "the length of a stored block and its complement disagree"
    case .tooManyCodes: "a block declares more code lengths than there are"
    case .malformedCode: "the code lengths of a block do not form a prefix code"
    case .noEndOfBlock: "a block has no code for its end"
    case .invalidSymbol: "a code has no symbol"
    case .distanceTooFar: "a distance points before the start of the output"
    case .bytesAfterEnd: "bytes follow the last block"
    }
}

private func hexadecimal(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }
