import PureBytes

extension Report {
    init(_ result: SignedCode.Result) {
        switch result.outcome {
        case .success(let (code, slots)): self.init(code, specialSlots: slots)
        case .failure(let error):
            self.init()
            add("architecture", "", result.architecture.map { .text($0.name) } ?? .absent)
            add("reason", "", .text(describe(error)))
            add("codeDirectoryHash", "", .absent)
            add("truncatedHash", "", .absent)
        }
    }

    private init(_ code: SignedCode, specialSlots: [SignedCode.SpecialSlot]) {
        let directory = code.directory
        add("architecture", "", .text(code.file.header.architecture.name))
        add("reason", "", .absent)
        add("codeDirectoryHash", "", .text(hexEncodedString(code.codeDirectoryHash)))
        add("truncatedHash", "", .text(hexEncodedString(code.truncatedHash)))
        add("identifier", "", .text(directory.identifier))
        add("teamIdentifier", "", directory.teamIdentifier.map { .text($0) } ?? .absent)
        add("hashType", "", .text(directory.hashType.name))
        add("hashTypes", "", .words(code.hashTypes.map(\.name)))
        add("version", "", .text("0x" + String(directory.version, radix: 16)))
        add("flags", "", .words(directory.flagNames))
        add("platformIdentifier", "", .number(Int64(directory.platformIdentifier)))
        add(
            "platforms", "",
            .list(
                code.file.platforms.map { platform in
                    var report = Report()
                    report.add("platform", "", .text(platform.name))
                    report.add("minimumVersion", "", .text(platform.minimumVersionText))
                    return report
                }))
        add("isExecutable", "", .bool(code.file.header.isExecutable))
        add("isEncrypted", "", .bool(code.file.isEncrypted))
        add("codeLimit", "", .number(Int64(clamping: directory.codeLimit)))
        add("pageSize", "", .number(Int64(clamping: directory.pageByteCount ?? directory.codeLimit)))
        add("pageCount", "", .number(Int64(directory.pageHashCount)))
        add(
            "specialSlots", "",
            .list(
                specialSlots.map { slot in
                    var report = Report()
                    report.add("slot", "", .number(-Int64(slot.number)))
                    report.add("name", "", .text(SignedCode.name(ofSpecialSlot: slot.number)))
                    report.add("isChecked", "", .bool(slot.isChecked))
                    return report
                }))
    }
}

extension SignedCode {
    /// Returns the remarks that a user should read before adding the hash to a list of accepted builds.
    func remarks(_ specialSlots: [SpecialSlot]) -> [String] {
        var remarks = directory.flagNames.compactMap { name in
            switch name {
            case "adhoc": "signed ad hoc"
            case "runtime": "hardened runtime"
            case "linker-signed": "signed by the linker"
            default: nil
            }
        }
        if !file.header.isExecutable { remarks.append("not an executable: devices attest the app's main executable") }
        if file.isEncrypted {
            remarks.append("encrypted by the store: the page hashes cover the encrypted pages and match")
        }
        if directory.hashType == .sha384 {
            remarks.append("the code directory uses SHA-384; devices attest SHA-256 (type 2)")
        }
        let unchecked = specialSlots.filter { !$0.isChecked }.map { Self.name(ofSpecialSlot: $0.number) }
        if !unchecked.isEmpty { remarks.append("not checked, because missing: " + unchecked.joined(separator: ", ")) }
        return remarks
    }
}
