import PureSHA2

/// A Mach-O file whose signature was read and compared with the file's content.
struct SignedCode {
    let file: MachOFile
    let directory: CodeDirectory
    let hashTypes: [CodeHashType]
    /// The hash that codesign prints and some Macs attest. The kernel computes it with the CodeDirectory's own hash
    /// function (xnu, `ubc_subr.c`, `csb_cdhash`).
    let truncatedHash: [UInt8]
    private let blobs: CodeSignatureBlob

    /// The other files of an app that the executable's signature covers.
    final class Surroundings {
        private let infoPlist: any ByteSource
        private let codeResources: (any ByteSource)?
        /// A cache by slot and hash type, so that each file is read only once for all architectures.
        private var hashes: [UInt32: [CodeHashType: [UInt8]]] = [:]

        init(infoPlist: any ByteSource, codeResources: (any ByteSource)?) {
            self.infoPlist = infoPlist
            self.codeResources = codeResources
        }

        func hash(ofSlot slot: UInt32, _ type: CodeHashType) throws(CodeFileError) -> [UInt8]? {
            if let known = hashes[slot]?[type] { return known }
            guard let source = slot == 1 ? infoPlist : codeResources else { return nil }
            let hash = try CodeHasher.hash(ByteWindow(source), type, .specialSlot(slot))
            try source.checkIntegrity()
            hashes[slot, default: [:]][type] = hash
            return hash
        }
    }

    /// A special slot, and whether its content was available and was checked.
    struct SpecialSlot: Equatable {
        var number: UInt32
        var isChecked: Bool
    }

    /// The hash that devices attest with type 2: the SHA-256 of the CodeDirectory.
    var codeDirectoryHash: [UInt8] { Array(SHA256.hash(data: directory.bytes)) }

    /// Reads the headers and the signature, but not the signed content. The signatures of all architectures are in
    /// memory at the same time; `signatureLimit` is the number of bytes that remain for them.
    init(_ bytes: ByteWindow, _ header: MachOFile.Header, signatureLimit: inout Int) throws(CodeFileError) {
        file = try MachOFile(bytes, header)
        guard file.signatureByteCount <= signatureLimit else {
            throw .tooLarge(.codeSignature, limit: CodeSignatureBlob.maximumByteCount)
        }
        signatureLimit -= Int(file.signatureByteCount)
        blobs = try CodeSignatureBlob(
            bytes.read(at: file.signatureOffset, count: Int(file.signatureByteCount), .codeSignature))
        (directory, hashTypes) = try blobs.directories()
        // codesign and linkers sign all bytes before the signature. Another code limit would leave a part unsigned.
        guard directory.codeLimit == file.signatureOffset else {
            throw .codeLimit(directory.codeLimit, signatureOffset: file.signatureOffset)
        }
        let hash = try CodeHasher.hash(directory.bytes, directory.hashType)
        truncatedHash = Array(hash.prefix(CodeHashType.sha256Truncated.byteCount))
    }

    func checkPages() throws(CodeFileError) {
        let pageByteCount = directory.pageByteCount ?? directory.codeLimit
        var page: UInt32 = 0
        var missing = min(pageByteCount, directory.codeLimit)
        let empty = try CodeHasher(directory.hashType)
        var hasher = empty
        var mismatch: UInt32?
        try file.bytes.window(at: 0, count: directory.codeLimit, .pages).forEachPiece(.pages) { piece in
            var piece = piece
            while !piece.isEmpty, mismatch == nil {
                let part = piece.prefix(Int(min(missing, UInt64(piece.count))))
                hasher.update(part)
                piece = piece.dropFirst(part.count)
                missing -= UInt64(part.count)
                guard missing == 0 else { continue }
                if !directory.pageHash(page).elementsEqual(hasher.finalize()) { mismatch = page }
                hasher = empty
                page += 1
                // The code limit equals the signature's offset, below 2³², so adding a page size does not overflow.
                missing = min(
                    pageByteCount, directory.codeLimit - min(directory.codeLimit, UInt64(page) * pageByteCount))
            }
        }
        if let mismatch { throw .pageMismatch(mismatch, of: directory.pageHashCount) }
    }

    /// Compares the hashes in the special slots with the blobs of the signature. For an app, also compares them with
    /// the app's other files. Returns the slots that contain a hash.
    func checkSpecialSlots(_ surroundings: Surroundings?) throws(CodeFileError) -> [SpecialSlot] {
        let embedded = blobs.blobs.keys.filter { (1..<CodeSignatureBlob.alternateSlots.lowerBound).contains($0) }
        var slots: [SpecialSlot] = []
        for slot in Set(embedded).union(1...max(3, directory.specialSlotCount)).sorted() {
            let expected = directory.specialHash(slot)
            let found: [UInt8]?
            if slot == 1 || slot == 3 {
                guard let surroundings else {
                    if expected != nil { slots.append(SpecialSlot(number: slot, isChecked: false)) }
                    continue
                }
                found = try surroundings.hash(ofSlot: slot, directory.hashType)
            } else {
                found = try blobs.content(ofSlot: slot).map { content throws(CodeFileError) in
                    try CodeHasher.hash(content, directory.hashType)
                }
            }
            switch (expected, found) {
            case (nil, nil): continue
            case (nil, .some): throw .unsignedContent(slot: slot)
            case (.some, nil):
                // The system does not read the content of the other slots from the signature. Their content may be
                // elsewhere, so it is not checked.
                guard slot != 3, CodeSignatureBlob.specialSlotMagics[slot] == nil else {
                    throw .missingContent(slot: slot)
                }
                slots.append(SpecialSlot(number: slot, isChecked: false))
            case (let expected?, let found?):
                guard expected.elementsEqual(found) else { throw .contentMismatch(slot: slot) }
                slots.append(SpecialSlot(number: slot, isChecked: true))
            }
        }
        return slots
    }

    static func name(ofSpecialSlot slot: UInt32) -> String {
        switch slot {
        case 1: "Info.plist"
        case 2: "requirements"
        case 3: "CodeResources"
        case 5: "entitlements"
        case 7: "DER entitlements"
        case 8: "launch constraint on itself"
        case 9: "launch constraint on the parent"
        case 10: "launch constraint on the responsible process"
        case 11: "library constraint"
        default: "special slot \(slot)"
        }
    }
}

extension SignedCode {
    struct Result {
        /// The architecture; `nil` if the bytes are not a Mach-O file.
        var architecture: Architecture?
        var outcome: Swift.Result<(code: SignedCode, specialSlots: [SpecialSlot]), CodeFileError>
    }

    /// Reads and checks every architecture of a thin or fat file. If a single architecture is faulty, its result
    /// contains the error. Throws only if the file as a whole is faulty. Reads the file twice from start to end,
    /// because seeking backwards in a compressed archive is slow.
    static func results(of source: any ByteSource, _ surroundings: Surroundings?) throws(CodeFileError) -> [Result] {
        let file = ByteWindow(source)
        let magic: UInt32 = try file.read(at: 0, count: 4, .machHeader).reduce(0) { $0 << 8 | UInt32($1) }
        let isFat = magic == FatFile.magic || magic == FatFile.magic64
        let slices: [(listed: Architecture?, bytes: ByteWindow)] =
            isFat
            ? try FatFile.slices(of: file, is64: magic == FatFile.magic64).map { ($0.architecture, $0.bytes) }
            : [(nil, file)]

        var read: [(architecture: Architecture?, code: Swift.Result<SignedCode, CodeFileError>)] = []
        var signatureLimit = CodeSignatureBlob.maximumByteCount
        for slice in slices {
            var architecture = slice.listed
            do throws(CodeFileError) {
                let header = try MachOFile.Header(slice.bytes)
                architecture = header.architecture
                // The system selects a slice by the architecture in the list, but the slice's own header determines how
                // the code runs. The two architectures must be equal.
                if let listed = slice.listed, !listed.isSameProcessor(as: header.architecture) {
                    throw .otherArchitecture(header.architecture, listed: listed)
                }
                let code = try SignedCode(slice.bytes, header, signatureLimit: &signatureLimit)
                read.append((architecture, .success(code)))
            } catch {
                read.append((architecture, .failure(error)))
            }
        }
        var results: [Result] = []
        for (architecture, code) in read {
            do throws(CodeFileError) {
                let code = try code.get()
                let slots = try code.checkSpecialSlots(surroundings)
                try code.checkPages()
                results.append(Result(architecture: architecture, outcome: .success((code, slots))))
            } catch {
                results.append(Result(architecture: architecture, outcome: .failure(error)))
            }
        }
        // The results for a damaged archive are meaningless, so the integrity is checked before the return.
        try source.checkIntegrity()
        return results
    }
}
