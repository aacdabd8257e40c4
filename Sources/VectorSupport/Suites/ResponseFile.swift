private import PureBytes

/// A file of NIST's CAVP (`.rsp`, or BoringSSL's `.txt` in the same format). It consists of comments (`#`), section
/// headers in brackets, and records: groups of `name = value` lines between blank lines. Lines end in LF or CRLF.
package struct ResponseFile: Sendable {
    /// The records below one or more consecutive headers, such as `[P-256]` and `[B.4.2 …]`. Records before the first
    /// header form a section without headers.
    package struct Section: Sendable {
        /// The text in the brackets.
        package internal(set) var headers: [String]

        /// The records, in the order of the file.
        package internal(set) var records: [Record] = []

        /// Returns the value of a header of the form `[name = value]`.
        package func parameter(_ name: String) -> String? {
            headers.lazy.compactMap { ResponseFile.assignment(Array($0.utf8)[...]) }.first { $0.name == name }?.value
        }
    }

    /// The fields between two blank lines.
    package struct Record: Sendable {
        var fields: [(name: String, value: String)] = []

        /// The names of the fields, in the order of the file.
        package var fieldNames: [String] { fields.map(\.name) }

        /// Returns the value of the field `name`.
        package subscript(name: String) -> String? {
            fields.first { $0.name == name }?.value
        }

        /// Returns the value of `name`, which must be hexadecimal with an even number of digits.
        package func bytes(_ name: String) throws -> [UInt8] {
            try [UInt8](hexEncoded: required(name))
        }

        /// Returns the value of `name` as a big-endian integer. NIST may write an odd number of digits.
        package func integer(_ name: String) throws -> [UInt8] {
            let digits = try required(name)
            return try [UInt8](hexEncoded: digits.utf8.count.isMultiple(of: 2) ? digits : "0" + digits)
        }

        /// Returns the value of `name` as a decimal number.
        package func decimal(_ name: String) throws -> Int {
            guard let number = Int(try required(name)) else { throw ResponseFileError.notANumber(field: name) }
            return number
        }

        private func required(_ name: String) throws -> String {
            guard let value = self[name] else { throw ResponseFileError.missing(field: name) }
            return value
        }
    }

    /// The sections, in the order of the file.
    package let sections: [Section]

    /// The comments above the first section, which describe the file.
    let comments: [String]

    /// The records of all sections.
    package var records: [Record] { sections.flatMap(\.records) }

    /// Reads a file in `Vectors/`. `path` is relative to this folder.
    package init(committed path: String) throws {
        try self.init(contents: VectorDirectory.committedFile(path))
    }

    /// Parses the contents of a file. Throws for a line of unknown form.
    package init(contents: Data) throws {
        var sections: [Section] = []
        var comments: [String] = []
        var record = Record()
        func endRecord() {
            guard !record.fields.isEmpty else { return }
            if sections.isEmpty { sections.append(Section(headers: [])) }
            sections[sections.count - 1].records.append(record)
            record = Record()
        }

        // Splits bytes, not Characters, because CR LF is a single Character that does not equal LF. Reads one line at a
        // time, because an array of all line slices would be larger than the file.
        let contents = [UInt8](contents)
        var number = 0
        var start = 0
        while start <= contents.count {
            let end = contents[start...].firstIndex(of: UInt8(ascii: "\n")) ?? contents.count
            let line = Self.trimmed(contents[start..<end])
            (number, start) = (number + 1, end + 1)
            if line.first == UInt8(ascii: "#") {
                if sections.isEmpty, record.fields.isEmpty { comments.append(String(decoding: line, as: UTF8.self)) }
            } else if line.isEmpty {
                endRecord()
            } else if line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
                endRecord()
                let header = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
                if let last = sections.last, last.records.isEmpty {
                    sections[sections.count - 1].headers.append(header)
                } else {
                    sections.append(Section(headers: [header]))
                }
            } else if let field = Self.assignment(line) {
                record.fields.append(field)
            } else {
                throw ResponseFileError.malformedLine(number: number)
            }
        }
        endRecord()
        (self.sections, self.comments) = (sections, comments)
    }

    private static func assignment(_ text: ArraySlice<UInt8>) -> (name: String, value: String)? {
        let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (String(decoding: trimmed(parts[0]), as: UTF8.self), String(decoding: trimmed(parts[1]), as: UTF8.self))
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
        let start = text.drop(while: isSpace)
        return start[..<((start.lastIndex { !isSpace($0) } ?? start.startIndex - 1) + 1)]
    }
}

/// The reason why a ``ResponseFile`` cannot be used.
package enum ResponseFileError: Error, Hashable {
    /// The line is not a comment, a header or a field. Line numbers start at 1.
    case malformedLine(number: Int)
    /// The record has no such field.
    case missing(field: String)
    /// The field's value is not a decimal number.
    case notANumber(field: String)
}
