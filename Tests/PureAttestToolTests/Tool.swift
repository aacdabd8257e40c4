import Foundation
import Testing

/// Runs the built `pure-attest` program as users run it.
enum Tool {
    struct Result {
        var status: Int32
        var output: String
        var error: String

        /// Whether the tool printed one line on standard error and nothing else, as it must for every failure.
        var isOneLineOfError: Bool {
            output.isEmpty && error.hasSuffix("\n") && error.dropLast().allSatisfy { !$0.isNewline } && error.count > 1
        }

        /// Returns the output, which must be a JSON object.
        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        }
    }

    /// SwiftPM puts products beside the test bundle. On Linux, the bundle path is already the products' folder.
    static let executable: URL = {
        let bundle = Bundle(for: Marker.self).bundleURL
        let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        return folder.appending(path: "pure-attest")
    }()

    private final class Marker {}

    /// Runs the tool with `arguments`. A trap gives a status above 128 or a signal number, never 0, 1 or 2.
    static func run(_ arguments: [String]) throws -> Result {
        try run(executable, arguments)
    }

    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// Runs a shell script, in which `$0` is the path of the tool.
    static func runInShell(_ script: String) throws -> Result {
        try run(URL(filePath: "/bin/sh"), ["-c", script, executable.path])
    }

    /// Runs the tool with an idle terminal as its standard input.
    static func runAtTerminal(_ arguments: [String]) throws -> Result {
        // Uses the control side of a new pseudo-terminal, because `isatty` reports this side as a terminal too.
        let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard terminal >= 0, isatty(terminal) == 1 else { throw CocoaError(.fileReadUnknown) }
        return try run(executable, arguments, input: FileHandle(fileDescriptor: terminal, closeOnDealloc: true))
    }

    /// Runs the tool with a terminal as standard output and standard error, and returns the text.
    static func outputAtTerminal(_ arguments: [String], environment: [String: String]) throws -> String {
        let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard terminal >= 0 else { throw CocoaError(.fileReadUnknown) }
        let reader = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
        let writer = try openOtherSide(of: terminal)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: writer)
        process.standardError = FileHandle(fileDescriptor: writer)
        try process.run()
        close(writer)
        // The process is the last writer, so reading fails when the process has exited.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(terminal, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        process.waitUntilExit()
        withExtendedLifetime(reader) {}
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func openOtherSide(of terminal: Int32) throws -> Int32 {
        #if os(Linux)
            // TIOCSPTLCK and TIOCGPTN from asm-generic/ioctls.h, because the Glibc module lacks unlockpt and ptsname.
            var lock: Int32 = 0
            var number: Int32 = 0
            let isUnlocked = unsafe ioctl(terminal, 0x4004_5431, &lock) == 0
            guard isUnlocked, unsafe ioctl(terminal, 0x8004_5430, &number) == 0 else {
                throw CocoaError(.fileReadUnknown)
            }
            let side = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        #else
            guard grantpt(terminal) == 0, unlockpt(terminal) == 0, let name = unsafe ptsname(terminal) else {
                throw CocoaError(.fileReadUnknown)
            }
            let side = unsafe open(name, O_RDWR | O_NOCTTY)
        #endif
        guard side >= 0 else { throw CocoaError(.fileReadUnknown) }
        return side
    }

    static func run(
        _ executable: URL, _ arguments: [String], input: FileHandle = .nullDevice
    ) throws -> Result {
        // Uses files instead of pipes, because a full pipe that nobody reads would block the process.
        let folder = try TemporaryFolder()
        let output = try folder.write("output", Data())
        let error = try folder.write("error", Data())
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: error)
        try process.run()
        // Terminates a process that hangs, so that its exit status reports the failure.
        let identifier = process.processIdentifier
        let watch = DispatchWorkItem { kill(identifier, SIGTERM) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
        process.waitUntilExit()
        watch.cancel()
        return Result(
            status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
    }
}

/// A folder that is removed when the object is deallocated.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pure-attest-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ name: String, _ content: Data) throws -> URL {
        let file = url.appending(path: name)
        try content.write(to: file)
        return file
    }
}
