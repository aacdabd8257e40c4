import PureDER

/// A genuine object file is smaller than 100 KB. Without a limit, reading `/dev/zero` would exhaust memory.
let maximumFileSize = 16 << 20

/// This limit is higher than for other inputs, because generated test vector files contain many cases.
let maximumVectorFileSize = 256 << 20

func inputName(_ path: String) -> String { path == "-" ? "standard input" : excerpt(path) }

/// Reads at most `maximum` bytes from a file, pipe or device, or from standard input if the path is `-`.
func fileBytes(_ path: String, maximum: Int = maximumFileSize) throws(UnusableInput) -> [UInt8] {
    func failure(_ reason: String) -> UnusableInput { UnusableInput("cannot read \(inputName(path)): \(reason)") }
    // A NUL would end the C string, so the string would name a different file.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("not a file name") }
    var descriptor: Int32 = 0
    if path == "-" {
        // Rejects a terminal: users do not type such input, and a program that waits for input seems to hang.
        guard !standardInputIsTerminal else { throw failure("it is a terminal; pipe or redirect a file into it") }
    } else {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(systemError()) }
    }
    defer { if path != "-" { _ = close(descriptor) } }

    var bytes: [UInt8] = []
    // Reserves the capacity, because growing a large array needs twice its memory.
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0 { bytes.reserveCapacity(max(0, min(Int(status.st_size), maximum))) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR { continue }
            throw failure(systemError())
        }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
        guard bytes.count <= maximum else { throw failure("larger than \(maximum >> 20) MB") }
    }
}

/// Returns fewer than `count` bytes only at the end of the input.
func standardInputBytes(_ count: Int) throws(UnusableInput) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
        let more = unsafe bytes.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress! + filled, count - filled) }
        if more < 0, errno == EINTR { continue }
        guard more >= 0 else { throw UnusableInput("cannot read standard input: \(systemError())") }
        if more == 0 { break }
        filled += more
    }
    return Array(bytes.prefix(filled))
}

var standardInputIsTerminal: Bool { isatty(0) != 0 }

func systemError() -> String {
    unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
}

/// Writes the text. If writing fails, the function ends the process, because a verdict that was not written must not
/// count as success.
func print(_ text: String) { writeOutput(Array(text.utf8)) }

func writeOutput(_ bytes: [UInt8]) {
    guard write(bytes, to: 1) else {
        printError("pure-attest: cannot write the output: \(systemError())\n")
        exit(ExitStatus.unusable.rawValue)
    }
}

func printError(_ text: String) { _ = write(Array(text.utf8), to: 2) }

/// Writes an error as one line to standard error. Escapes the text, because it may come from an untrusted object.
func printErrorLine(_ status: ExitStatus, _ reason: String, hint: String = "") {
    let label = Colour.red.text(status == .refused ? "refused:" : "pure-attest:", on: .error)
    let hint = hint.isEmpty ? "" : Colour.yellow.text(hint.printable, on: .error)
    printError("\(label) \(reason.printable)\(hint)\n")
}

private func write(_ output: [UInt8], to descriptor: Int32) -> Bool {
    var bytes = output[...]
    while !bytes.isEmpty {
        let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        bytes = bytes.dropFirst(count)
    }
    return true
}

var standardErrorIsTerminal: Bool { isatty(2) != 0 }

func leave(_ status: ExitStatus) -> Never { exit(status.rawValue) }

extension UnixTime {
    static var now: UnixTime { UnixTime(secondsSince1970: Int64(time(nil))) }
}
