import PureDER

/// Checks the syntax of `GeneralName` (RFC 5280 §4.2.1.6). `SubjectName` compares names.
package enum GeneralName {
    /// An iPAddress is a host's address or, in name constraints, a network's address and mask (RFC 5280 §4.2.1.10).
    package enum AddressKind {
        case host
        case network
    }

    /// Reads `GeneralNames` to the end of `names`. There must be at least one name.
    package static func readAll(_ names: FieldReader) throws(X509Error) {
        var names = names
        try names.requireElement()
        while !names.isAtEnd { try read(&names, .host) }
    }

    package static func read(_ names: inout FieldReader, _ addressKind: AddressKind) throws(X509Error) {
        let name = try names.readElement()
        var contents = FieldReader(name.content, names.field)
        switch name.tag {
        case .context(0):
            // otherName: a type, and a value with an explicit tag.
            _ = try contents.readObjectIdentifier()
            var value = try contents.enter(.context(0))
            _ = try value.readElement()
            try value.finish()
            try contents.finish()
        case .contextPrimitive(1), .contextPrimitive(2), .contextPrimitive(6):
            // rfc822Name, dNSName, uniformResourceIdentifier: IA5String.
            guard name.content.allSatisfy({ $0 < 0x80 }) else { throw .invalidCharacters(names.field) }
        case .context(3):
            // x400Address: the contents are not checked.
            break
        case .context(5):
            // ediPartyName: an optional nameAssigner and a partyName. Each is a CHOICE, so the tags are explicit.
            if let assigner = try contents.readIfPresent(.context(0)) { try readDirectoryString(assigner, names.field) }
            try readDirectoryString(try contents.read(.context(1)), names.field)
            try contents.finish()
        case .context(4):
            // directoryName: a CHOICE, so the tag is explicit.
            try DistinguishedName.read(name.content, names.field)
        case .contextPrimitive(7):
            // iPAddress: IPv4 or IPv6.
            let count = addressKind == .host ? name.content.count : name.content.count / 2
            guard count == 4 || count == 16, addressKind == .host || name.content.count.isMultiple(of: 2) else {
                throw .invalidGeneralName(names.field)
            }
        case .contextPrimitive(8):
            var identifier = FieldReader(name.encoded, names.field)
            _ = try identifier.readObjectIdentifier(.contextPrimitive(8))
        default:
            throw .invalidGeneralName(names.field)
        }
    }
    /// Reads a string of any type (RFC 5280 §4.1.2.4).
    private static func readDirectoryString(
        _ contents: ArraySlice<UInt8>, _ field: CertificateField
    ) throws(X509Error) {
        var reader = FieldReader(contents, field)
        let string = try reader.readElement()
        try reader.finish()
        guard isValidCharacterString(string) else { throw .invalidCharacters(field) }
    }
}
