import Foundation
import PureAttest
import PureBytes
import Testing
import VectorSupport

@Suite("README.md")
struct ReadmeTests {
    private static let readme = try! String(
        contentsOf: VectorDirectory.committed.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)

    private static func codeBlocks(_ language: String) -> [String] {
        readme.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    @Test func theExampleMatchesTheCompiledFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ReadmeExample.swift")
        let compiled = try String(contentsOf: file, encoding: .utf8)
        let example = try #require(compiled.firstRange(of: "import PureAttest\n"))
        #expect(Self.codeBlocks("swift").contains(String(compiled[example.lowerBound...])))
    }

    @Test func theFirstCommandVerifies() throws {
        let command = try #require(Self.codeBlocks("sh").first).split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(command.prefix(5) == ["swift", "run", "-c", "release", "pure-attest"])
        let root = VectorDirectory.committed.deletingLastPathComponent()
        let arguments = command.dropFirst(5).map { word in
            word.hasPrefix("Vectors/") ? root.appending(path: word).path : word
        }
        #expect(try Tool.run(arguments).status == 0)
    }

    @Test func theExampleVerifies() throws {
        let app = AppID(teamID: "1234567890", bundleID: "com.example.myapp")
        let publicKey = try [UInt8](hexEncoded: String(MadeAssertion.publicKey.dropFirst(4)))
        let record = try AttestedKey(
            trustingStoredKey: publicKey, appID: app, environment: .production, counter: 0
        ).serialized
        let assertion = try [UInt8](base64Encoded: MadeAssertion.assertions[0])
        let challenge = Array("benchmark".utf8)
        let next = try authorize(assertion: assertion, challenge: challenge, record: record)
        #expect(throws: PureAttestError.counterNotIncreased(previous: 1, received: 1)) {
            try authorize(assertion: assertion, challenge: challenge, record: next)
        }
        #expect(throws: PureAttestError.invalidSignature) {
            try authorize(assertion: assertion, challenge: [1], record: record)
        }
        // Apple's sample does not hash the challenge, so a server that hashes it rejects the sample.
        let sample = try ObjectFile.committed()
        #expect(throws: PureAttestError.nonceMismatch) {
            try register(
                attestation: [UInt8](sample.attestation), keyID: [UInt8](sample.keyID),
                challenge: [UInt8](sample.clientDataHash), now: UnixTime(secondsSince1970: sample.verifyAt))
        }
    }
}
