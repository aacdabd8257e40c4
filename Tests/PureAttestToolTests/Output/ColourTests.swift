import Foundation
import Testing

@testable import pure_attest

@Suite("Colours")
struct ColourTests {
    @Test(
        arguments: [
            (true, nil, "xterm-256color", false, true), (true, "", "xterm", false, true),
            (true, nil, "vt100", false, true),
            (false, nil, "xterm", false, false), (true, "1", "xterm", false, false), (true, "0", "xterm", false, false),
            (true, nil, "dumb", false, false), (true, nil, "", false, false), (true, nil, nil, false, false),
            (true, nil, "xterm", true, false),
        ] as [(Bool, String?, String?, Bool, Bool)])
    func decision(isTerminal: Bool, noColour: String?, term: String?, isJSON: Bool, expected: Bool) {
        #expect(Colour.isUsed(isTerminal: isTerminal, noColour: noColour, term: term, isJSON: isJSON) == expected)
    }

    @Test func sequences() {
        #expect(Colour.red.coloured("x") == "\u{1b}[31mx\u{1b}[0m")
        #expect(Colour.green.coloured("x") == "\u{1b}[32mx\u{1b}[0m")
        #expect(Colour.yellow.coloured("x") == "\u{1b}[33mx\u{1b}[0m")
    }

    private func atTerminal(_ arguments: String..., environment: [String: String] = ["TERM": "xterm"]) throws -> String
    {
        try Tool.outputAtTerminal(arguments, environment: environment)
    }

    @Test func terminalsGetColours() throws {
        let refused = try atTerminal(
            "verify-attestation", VerificationTests.sample, "--environment", "development")
        #expect(refused.contains("\u{1b}[31mrefused:\u{1b}[0m "))
        #expect(try atTerminal("no-such-command").contains("\u{1b}[31mpure-attest:\u{1b}[0m unknown command"))
        #expect(try atTerminal("verify-attestation", VerificationTests.sample).contains("\u{1b}[32mThe attestation is"))
        let explained = try atTerminal("explain", VerificationTests.sample, "--environment", "development")
        #expect(explained.contains("\u{1b}[32mok \u{1b}[0m") && explained.contains("\u{1b}[31mFAILED \u{1b}[0m8: "))
        #expect(try atTerminal("self-test").contains("\u{1b}[32mok\u{1b}[0m     SHA-256"))
    }

    @Test func othersGetNone() throws {
        let words = ["verify-attestation", VerificationTests.sample, "--environment", "development"]
        for environment in [["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"], [:]] {
            let output = try Tool.outputAtTerminal(words, environment: environment)
            #expect(output.contains("refused:") && !output.contains("\u{1b}"), "\(environment)")
        }
        #expect(try !atTerminal("self-test", "--json").contains("\u{1b}"))
        let redirected = try Tool.run(words)
        #expect(redirected.error.hasPrefix("refused: ") && !redirected.error.contains("\u{1b}"))
    }
}
