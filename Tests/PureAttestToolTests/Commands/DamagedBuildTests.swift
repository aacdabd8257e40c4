import DebugSampling
import Foundation
import Testing
import VectorSupport

/// The self-test detects one flipped bit in the constants of the program.
@Suite struct DamagedBuildTests {
    private static let sources = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Sources")

    private static let tables = [
        ("PureECDSA/Generated/P256GeneratorTable.swift", "part0: InlineArray<2048, UInt64> = [", "generatorTableP256"),
        (
            "PureECDSA/Generated/P256GeneratorTable.swift", "upperParts: InlineArray<3584, UInt64> = [",
            "generatorTableP256"
        ),
        ("PureECDSA/Generated/P384GeneratorTable.swift", "part0: InlineArray<3072, UInt64> = [", "generatorTableP384"),
        (
            "PureECDSA/Generated/P384GeneratorTable.swift", "upperParts: InlineArray<8448, UInt64> = [",
            "generatorTableP384"
        ),
        ("PureAttest/Generated/AppleKeyTables.swift", "root: InlineArray<1152, UInt64> = [", "appleKeyTables"),
        ("PureAttest/Generated/AppleKeyTables.swift", "intermediate: InlineArray<4608, UInt64> = [", "appleKeyTables"),
    ]

    /// Returns the last number of a table, as the program contains it. The number is in the table's last point.
    /// Known-answer tests use this point only by chance.
    private static func lastNumber(_ path: String, _ declaration: String) throws -> Data {
        let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
        let start = try #require(text.range(of: declaration)?.upperBound)
        let end = try #require(text[start...].range(of: "]\n")?.lowerBound)
        let digits = try #require(text[start..<end].matches(of: /0x([0-9a-f_]+)/).last).output.1
        let number = try #require(UInt64(digits.replacing("_", with: ""), radix: 16))
        return Data((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    /// Each case damages one table, so that a failure message names the table.
    @Test(arguments: debugSample(tables, every: 4, of: "tables of constants"))
    func aTableWithOneWrongBit(_ path: String, _ declaration: String, _ part: String) throws {
        let program = try Data(contentsOf: Tool.executable, options: .alwaysMapped)
        let number = try Self.lastNumber(path, declaration)
        // The number may occur twice in a debug build, so the test damages all copies.
        var places: [Int] = [], rest = program.startIndex..<program.endIndex
        while let found = program.range(of: number, in: rest) {
            places.append(found.lowerBound)
            rest = found.upperBound..<program.endIndex
        }
        #expect(!places.isEmpty)
        let folder = try TemporaryFolder()
        let copy = folder.url.appending(path: "pure-attest")
        try FileManager.default.copyItem(at: Tool.executable, to: copy)
        let handle = try FileHandle(forUpdating: copy)
        for place in places {
            try handle.seek(toOffset: UInt64(place))
            try handle.write(contentsOf: [program[place] ^ 0x10])
        }
        try handle.close()
        let result = try Self.runSelfTest(of: copy)
        #expect(result.status == 1)
        #expect(result.output.contains("WRONG  constants of this build ("))
        #expect(result.output.contains("computed wrong: \(part)"))
    }

    /// Repeats the self-test while Linux reports ETXTBSY. A concurrent test may start a process, which inherits the
    /// descriptor of this file. The file stays open until that process executes its own program.
    private static func runSelfTest(of program: URL) throws -> Tool.Result {
        for _ in 0..<100 {
            do { return try Tool.run(program, ["self-test"]) } catch let error as NSError {
                let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
                guard cause?.domain == NSPOSIXErrorDomain, cause?.code == Int(ETXTBSY) else { throw error }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        return try Tool.run(program, ["self-test"])
    }
}
