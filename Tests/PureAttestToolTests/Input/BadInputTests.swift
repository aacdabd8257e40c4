import DebugSampling
import Foundation
import PureBytes
import Testing
import VectorSupport

@testable import pure_attest

/// For bad input, the tool prints one line to standard error, exits with status 1 or 2, and never traps.
@Suite("Bad input")
struct BadInputTests {
    static let contents: [(name: String, bytes: Data)] = {
        var generator = SystemRandomNumberGenerator()
        return [
            ("empty", Data()), ("white space", Data(" \n\t ".utf8)), ("one brace", Data("{".utf8)),
            (
                "one megabyte of garbage",
                Data((0..<131_072).flatMap { _ in bigEndian(generator.next() | 0x8080_8080_8080_8080) })
            ),
            ("NUL bytes", Data(count: 4_096)), ("a JSON array", Data("[]".utf8)), ("a JSON number", Data("1".utf8)),
            ("deep JSON", Data(repeating: UInt8(ascii: "["), count: 100_000)),
            ("deep JSON in an object", Data(String(repeating: #"{"a":"#, count: 100_000).utf8)),
            ("invalid UTF-8 in JSON", Data(#"{"appID":""#.utf8) + Data([0xff, 0xfe]) + Data(#""}"#.utf8)),
            ("wrong types", Data(#"{"attestation":1,"keyID":[],"verifyAt":"x"}"#.utf8)),
            ("invalid Base64", Data(#"{"attestation":"%%%"}"#.utf8)),
            ("a huge number", Data(#"{"verifyAt":1e400}"#.utf8)),
            ("a fraction", Data(#"{"verifyAt":1.5}"#.utf8)),
            ("an unfinished string", Data(#"{"appID":"x"#.utf8)),
            ("a lone surrogate", Data(#"{"appID":"\ud800"}"#.utf8)),
            ("line breaks in a key", Data(#"{"attestation":{"a\nb":1}}"#.utf8)),
            ("deep CBOR", Data(repeating: 0x81, count: 100_000)),
            ("CBOR length bomb", Data([0x9b] + [UInt8](repeating: 0xff, count: 8))),
            ("deep DER", Data((0..<20_000).flatMap { _ in [0x30, 0x80] as [UInt8] })),
            ("DER length bomb", Data([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])),
            ("an unfinished PEM", Data("-----BEGIN CERTIFICATE-----\nAAAA\n".utf8)),
            ("a PEM of nothing", Data("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".utf8)),
        ]
    }()

    static let readers = PureAttestTool.allCommands.filter { $0.operands.first?.value.isStandardInput("-") ?? false }
        .map { $0.name }

    private func expectRejection(_ arguments: [String], _ comment: Comment) throws {
        let result = try Tool.run(arguments)
        #expect(result.status == 2, comment)
        #expect(result.isOneLineOfError, comment)
    }

    @Test func unreadableFilesAreOneLineAndStatus2() throws {
        let folder = try TemporaryFolder()
        let pairs = Self.contents.flatMap { content in Self.readers.map { (content, $0) } }
        for ((name, bytes), command) in debugSample(pairs, every: 11, of: "contents of files, each for one command") {
            let path = try folder.write("input", bytes).path
            guard command == "inspect" else {
                try expectRejection([command, path], "\(command): \(name)")
                continue
            }
            let result = try Tool.run("inspect", path)
            // If JSON, CBOR or PEM contains no known object, the command shows it as plain data.
            #expect(result.status == 2 ? result.isOneLineOfError : result.status == 0, "inspect: \(name)")
        }
    }

    @Test(arguments: readers)
    func pathsWithoutAFileAreOneLineAndStatus2(command: String) throws {
        let folder = try TemporaryFolder()
        let paths = ["\(folder.url.path)/missing", folder.url.path, "", "/dev/zero", "a\u{0}b", "@", "a\nb"]
        let number = Self.readers.firstIndex(of: command) ?? 0
        for path in debugSample(paths, every: 4, from: number, of: "paths without a file") {
            try expectRejection([command, path], "\(command) \(path)")
        }
    }

    private static let wrongOptions = [
        ["--at", "yesterday"], ["--at", "2026-02-30T00:00:00Z"], ["--at", "2026-04-21"], ["--at", "1e3"], ["--at", ""],
        ["--at", "99999999999999999999"], ["--at", "2026-04-21T18:13:12"], ["--at", "2026-04-21T18:13:12.Z"],
        ["--at", "2026-04-21T18:13:12Zx"], ["--at", "+5"], ["--environment", "sandbox"], ["--environment", ""],
        ["--team", "x"], ["--bundle", "x"], ["--challenge", "hex:0"], ["--challenge", "hex:zz"],
        ["--challenge", "A"], ["--challenge", "A==="], ["--challenge", "AB=="], ["--challenge", "+_AA"],
        ["--challenge", "@/nonexistent"], ["--challenge", "@"], ["--challenge"], ["--key-id", "--json"],
        ["--challenge", "AAAA", "--client-data-hash", "AAAA"], ["second-file"], ["--counter", "1"],
        ["--challenge=AAAA", "--challenge=AAAA"],
    ]

    @Test(arguments: debugSample(wrongOptions, every: 4, of: "wrong options"))
    func wrongOptionsAreOneLineAndStatus2(options: [String]) throws {
        for command in ["verify-attestation", "verify-assertion"] {
            try expectRejection([command, VerificationTests.sample] + options, "\(command) \(options)")
        }
    }

    @Test(arguments: [
        ["--assertion", "AAAA"], ["--client-data", "AAAA"], ["--key", "AAAA"], ["--key", ""], ["--public-key", "AAAA"],
        ["--previous-counter", "-1"], ["--previous-counter", "4294967296"], ["--previous-counter", ""],
        ["--key", "AAAA", "--previous-counter", "1"], ["--key", "AAAA", "--public-key", "AAAA"],
        ["--key", "AAAA", "--attestation", "AAAA"], [],
    ])
    func wrongAssertionOptionsAreOneLineAndStatus2(options: [String]) throws {
        // The sample contains no assertion, so there is nothing to verify unless an option supplies one.
        try expectRejection(["verify-assertion", VerificationTests.sample] + options, "\(options)")
    }

    /// Options that would have no effect are rejected, above all the challenge.
    @Test(arguments: ["--attestation", "--key-id", "--challenge", "--client-data-hash", "--at"])
    func attestationOptionsDoNotGoWithAStoredKey(option: String) throws {
        let assertion = ["--assertion", MadeAssertion.assertions[0], "--client-data", MadeAssertion.clientData]
        for key in [["--key", "AAAA"], ["--public-key", MadeAssertion.publicKey]] {
            let app = ["--team", "1234567890", "--bundle", "com.example.myapp", "--environment", "production"]
            try expectRejection(["verify-assertion"] + assertion + key + app + [option, "0"], "\(option)")
        }
    }

    @Test(arguments: [
        ["verify-attestation"], ["verify-assertion"], ["inspect"], ["cdhash"], ["inspect", "--bytes", ""],
        ["inspect", "--bytes", "30"],
        ["inspect", VerificationTests.sample, "--bytes", "AAAA"], ["inspect", "--bytes", "hex:308000"],
    ])
    func missingInputIsOneLineAndStatus2(arguments: [String]) throws {
        try expectRejection(arguments, "\(arguments)")
    }

    @Test func everyMissingValueOfAnAttestationIsNamed() throws {
        for name in VerificationTests.sampleOptions.keys where name != "--at" {
            let result = try Tool.run(VerificationTests.arguments(without: name))
            #expect(result.status == 2, "\(name)")
            #expect(result.isOneLineOfError, "\(name)")
            #expect(result.error.contains(name), "\(name)")
        }
    }
    @Test func controlCharactersAreShownAndNotSent() throws {
        let escape = #"{"appID":"\u001b[31mred\nline\u202e","environment":"x"}"#
        let folder = try TemporaryFolder()
        let path = try folder.write("input", Data(escape.utf8)).path
        let result = try Tool.run("inspect", path)
        #expect(result.status == 0)
        #expect(!result.output.utf8.contains(0x1b))
        #expect(result.output.contains(#"\u{1b}[31mred\u{a}line\u{202e}"#))
        let json = try Tool.run("inspect", path, "--json")
        #expect(!json.output.utf8.contains(0x1b))
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    }

    @Test func mutatedObjectsDoNotTrap() throws {
        let attestation = try ObjectFile.committed().attestation
        let folder = try TemporaryFolder()
        for step in debugSample(Array(0..<24), every: 7, of: "mutations and truncations") {
            var bytes = attestation
            bytes[step * bytes.count / 24] ^= 0xff
            for mutant in [bytes, attestation.prefix(step * attestation.count / 24)] {
                let path = try folder.write("input", mutant).path
                let verified = try Tool.run(VerificationTests.arguments(["--attestation": "@\(path)"]))
                #expect((mutant.isEmpty ? [2] : [0, 1]).contains(verified.status))
                #expect(verified.status == 0 || verified.isOneLineOfError)
                let inspected = try Tool.run("inspect", path)
                #expect([0, 2].contains(inspected.status))
            }
        }
    }
}
