import Foundation
import Testing
import VectorSupport

@testable import pure_attest

/// Tests scalars that form one `Character` with a delimiter: Prepend characters, combining marks, and CR LF.
@Suite struct UntrustedTextTests {
    static let before = ["\u{0600}", "\u{110BD}"]
    static let after = ["\u{0301}", "\u{200D}", "\u{FE0F}"]

    @Test(arguments: after) func valuesBeginWithMarks(_ mark: String) throws {
        #expect(try byteValue("text:\(mark)x", of: "--challenge") == Array("\(mark)x".utf8))
        #expect(throws: UnusableInput.self) { try byteValue("hex:\(mark)00", of: "--challenge") }
        // The tool interprets the value as the name of a file, which is missing, and not as Base64.
        #expect { try byteValue("@\(mark)x", of: "--challenge") } throws: {
            ($0 as? UnusableInput)?.reason.contains("cannot read") == true
        }
        #expect(byteValueAsText("text:\(mark)x") == nil && byteValueAsText("@\(mark)") == nil)
        #expect(byteValueAsText("ab-\(mark)cd")?.alphabet == "base64url")
    }

    @Test(arguments: after) func optionsAreSplitAtTheirFirstSign(_ mark: String) throws {
        let arguments = try Arguments(["--team=\(mark)T=x", "--json", "--", "-\(mark)"], of: Explain.self)
        #expect(arguments.value("--team") == "\(mark)T=x" && arguments.operand == "-\(mark)")
        // A dash with a combining mark still starts an option, not an operand or an option's value.
        #expect { try Arguments(["-\(mark)x"], of: Explain.self) } throws: {
            ($0 as? UnusableInput)?.reason.contains("unknown option") == true
        }
        #expect { try Arguments(["--team", "--\(mark)x"], of: Explain.self) } throws: {
            ($0 as? UnusableInput)?.reason.contains("needs a value") == true
        }
    }

    @Test(arguments: before) func optionsWithCharactersBeforeTheSign(_ scalar: String) {
        #expect { try Arguments(["--team\(scalar)=T"], of: Explain.self) } throws: {
            ($0 as? UnusableInput)?.reason.contains("unknown option --team\(scalar)") == true
        }
    }

    /// A letter with any number of marks is one Character, so the length in bytes must be limited too.
    @Test func excerptsAreBounded() {
        let marks = String(repeating: "\u{0301}", count: 100_000)
        #expect(excerpt("a" + marks).utf8.count < 400)
        #expect(excerpt("abc") == "abc" && excerpt(String(repeating: "b", count: 81)).utf8.count == 83)
        #expect(excerpt(" \u{0301}") == "\" \u{0301}\"" && excerpt("a\r\n") == "\"a\r\n\"")
    }

    @Test func lines() {
        #expect("a\n\u{0301}b\n\nc\r\nd".lines == ["a", "\u{0301}b", "c\r", "d"])
        #expect("ab".removing(prefix: "a") == "b" && "a\u{0301}".removing(prefix: "a") == "\u{0301}")
        #expect("\u{212A}".removing(prefix: "K") == nil)
    }

    /// A digest has no colons at all, or the colons that keytool prints.
    @Test func digests() {
        let hex = [String](repeating: "AB", count: 32)
        for (text, isDigest) in [
            (hex.joined(separator: ":"), true), (hex.joined(separator: ":\u{0301}"), false),
            (hex.joined(separator: "\u{0600}:"), false), (hex.joined(), true),
        ] {
            #expect((try? VerifyKeyAttestation.digest(text)) == (isDigest ? [UInt8](repeating: 0xAB, count: 32) : nil))
        }
    }
}
