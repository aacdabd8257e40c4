import PureBytes

extension SignedCode.Result {
    var json: JSON {
        switch outcome {
        case .success(let (code, slots)): code.json(specialSlots: slots)
        case .failure(let error):
            .object([
                ("architecture", .text(architecture?.name)), ("reason", .string(describe(error))),
                ("codeDirectoryHash", .null), ("truncatedHash", .null),
            ])
        }
    }
}

extension SignedCode {
    fileprivate func json(specialSlots: [SpecialSlot]) -> JSON {
        let platforms = file.platforms.map { platform in
            JSON.object([
                ("platform", .string(platform.name)), ("minimumVersion", .string(platform.minimumVersionText)),
            ])
        }
        let slots = specialSlots.map { slot in
            JSON.object([
                ("slot", .integer(-Int64(slot.number))), ("name", .string(Self.name(ofSpecialSlot: slot.number))),
                ("isChecked", .bool(slot.isChecked)),
            ])
        }
        return .object([
            ("architecture", .string(file.header.architecture.name)), ("reason", .null),
            ("codeDirectoryHash", .string(hexEncodedString(codeDirectoryHash))),
            ("truncatedHash", .string(hexEncodedString(truncatedHash))),
            ("identifier", .string(directory.identifier)), ("teamIdentifier", .text(directory.teamIdentifier)),
            ("hashType", .string(directory.hashType.name)),
            ("hashTypes", .array(hashTypes.map { .string($0.name) })),
            ("version", .string("0x" + String(directory.version, radix: 16))),
            ("flags", .array(directory.flagNames.map { .string($0) })),
            ("platformIdentifier", .integer(Int64(directory.platformIdentifier))), ("platforms", .array(platforms)),
            ("isExecutable", .bool(file.header.isExecutable)), ("isEncrypted", .bool(file.isEncrypted)),
            ("codeLimit", .integer(Int64(clamping: directory.codeLimit))),
            ("pageSize", .integer(Int64(clamping: directory.pageByteCount ?? directory.codeLimit))),
            ("pageCount", .integer(Int64(directory.pageHashCount))), ("specialSlots", .array(slots)),
        ])
    }

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
