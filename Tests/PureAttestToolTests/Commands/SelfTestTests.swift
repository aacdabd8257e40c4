import DebugSampling
import Foundation
import Testing

@Suite("self-test")
struct SelfTestTests {
    /// The names of all known answers, which must equal the names in the tool.
    static let names = [
        "SHA-256", "SHA-384", "SHA-512", "HMAC-SHA-256", "HMAC-SHA-384", "HMAC-SHA-512", "DER OBJECT IDENTIFIER",
        "DER BIT STRING", "DER BOOLEAN that is BER", "CBOR map", "CBOR negative integer",
        "CBOR that is not well-formed", "P-256 signature", "P-256 signature, precomputed key", "P-384 signature",
        "P-384 signature, precomputed key", "constants of this build", "root of receipts", "certificate path",
        "attestation",
        "attestation of another challenge", "receipt", "assertion", "assertion once more",
    ]

    private struct Output: Decodable {
        struct Answer: Decodable {
            let name: String
            let source: String
            let expected: String
            let computed: String
            let ok: Bool
        }

        let ok: Bool
        let milliseconds: Double
        let answers: [Answer]
    }

    private func decode(_ result: Tool.Result) throws -> Output {
        try JSONDecoder().decode(Output.self, from: Data(result.output.utf8))
    }

    @Test func everyAnswerIsRight() throws {
        let result = try Tool.run("self-test")
        #expect(result.status == 0 && result.error.isEmpty)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == Self.names.count + 1)
        for (line, name) in zip(lines, Self.names) { #expect(line.hasPrefix("ok     \(name) (")) }
        #expect(lines.last?.hasPrefix("\(Self.names.count) known answers, 0 wrong, ") == true)
    }

    @Test func json() throws {
        let result = try Tool.run("self-test", "--json")
        let output = try decode(result)
        #expect(result.status == 0 && output.ok && output.milliseconds > 0)
        #expect(output.answers.map(\.name) == Self.names)
        for answer in output.answers {
            #expect(answer.ok && answer.expected == answer.computed && !answer.source.isEmpty)
        }
    }
    @Test(arguments: debugSample(names, every: 16, of: "damaged answers"))
    func aDamagedAnswerIsNoticed(name: String) throws {
        let result = try Tool.run("self-test", "--json", "--damage", name)
        let output = try decode(result)
        #expect(result.status == 1 && !output.ok)
        #expect(output.answers.filter { !$0.ok }.map(\.name) == [name])
        let text = try Tool.run("self-test", "--damage", name)
        #expect(text.status == 1)
        #expect(text.output.contains("WRONG  \(name) (") && text.output.contains("\n       expected "))
    }

    @Test func wrongUsage() throws {
        for arguments in [["--damage", "SHA-1"], ["--damage"], ["operand"], ["--json=1"]] {
            let result = try Tool.run(["self-test"] + arguments)
            #expect(result.status == 2 && result.isOneLineOfError)
        }
        #expect(try Tool.run("self-test", "--help").output.contains("Usage: pure-attest self-test [options]"))
    }
}
