import Foundation
import PureDER
import PureX509
import PureX509Paths
import Testing

@testable import VectorSupport

/// Tests text with scalars that form one `Character` together with a delimiter: Prepend characters before the
/// delimiter, combining marks after it, and CR LF.
struct UntrustedTextTests {
    static let before = ["\u{0600}", "\u{06DD}", "\u{110BD}"]
    static let after = ["\u{0301}", "\u{200D}", "\u{FE0F}", "\u{20E3}"]

    @Test func delimitersAreBytes() {
        for scalar in Self.before + Self.after {
            #expect("a\(scalar),\(scalar)b".parts(between: ",") == ["a\(scalar)", "\(scalar)b"])
            #expect("ab\(scalar)".removing(prefix: "ab") == scalar)
            #expect("\(scalar)ab".removing(suffix: "ab") == scalar)
        }
        // Canonically equivalent scalars are different bytes.
        #expect("\u{212A}x".removing(prefix: "K") == nil && "x\u{212A}".removing(suffix: "K") == nil)
        #expect("".parts(between: ",") == [""] && ",".parts(between: ",") == ["", ""])
        #expect("ab".removing(suffix: "abc") == nil && "ab".removing(prefix: "abc") == nil)
        #expect("10".isDecimal && !"".isDecimal && !"+1".isDecimal && !"\u{0661}".isDecimal)
    }

    @Test(arguments: after) func responseFiles(_ mark: String) throws {
        let text = "#\(mark) a comment\r\n[\(mark)P-256,\(mark)SHA-256]\r\n\r\nMsg =\(mark)\r\nn\(mark)= 1\r\n"
        let file = try ResponseFile(contents: Data(text.utf8))
        #expect(file.comments == ["#\(mark) a comment"])
        #expect(file.sections.map(\.headers) == [["\(mark)P-256,\(mark)SHA-256"]])
        #expect(file.records.map(\.fieldNames) == [["Msg", "n\(mark)"]])
        #expect(try CAVPSuites.runSignatureVerification(file).skipped == ["curve \(mark)P-256": 1])
        // The verdict depends only on the first byte of the result field.
        let verdicts = try ResponseFile(contents: Data("Result = F\(mark)\n".utf8))
        #expect(try !CAVPSuites.isPositive(verdicts.records[0]))
    }

    @Test(arguments: before) func responseFilesWithCharactersBefore(_ scalar: String) throws {
        let file = try ResponseFile(contents: Data("[a\(scalar)]\nx\(scalar)= 1\n".utf8))
        #expect(file.sections.map(\.headers) == [["a\(scalar)"]] && file.records.map(\.fieldNames) == [["x\(scalar)"]])
    }

    @Test(arguments: before + after) func boundariesOfPEM(_ scalar: String) {
        let file = PemFile(
            "\(scalar)-----BEGIN A\(scalar)-----\r\nAQ I\tD\r\n\(scalar)-----END A\(scalar)-----\(scalar)\r\n")
        #expect(file.blocks.map(\.label) == ["A\(scalar)"])
        // The Base64 decoder skips nothing but white space.
        #expect(file.blocks.first?.bytes == nil)
        #expect(PemFile("\(scalar)-----BEGIN A-----\r\nAQ I\tD\r\n-----END A-----\(scalar)")["A"] == [1, 2, 3])
    }

    @Test(arguments: before + after) func namesOfFiles(_ scalar: String) throws {
        let json = #"{"deviations":[{"file":"a.json","case":"1","outcome":"accepted","reason":"r"}]}"#
        let list = try SuiteDeviations(json: Data(json.utf8))
        #expect(list.entries(of: "folder\(scalar)/a.json").count == 1)
        #expect(
            list.entries(of: "folder/\(scalar)a.json").isEmpty && list.entries(of: "folder/a.json\(scalar)").isEmpty)
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)\(scalar)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data().write(to: folder.appending(path: "x"))
        #expect(try VectorDirectory.files(at: folder.path + "/") == [folder.path + "/x"])
    }

    @Test(arguments: before + after) func identifiers(_ scalar: String) {
        #expect(ASN1ObjectIdentifier(dotted: "2.5.29") != nil)
        for text in [
            "2.5\(scalar).29", "2.5.\(scalar)29", "2.5.+29", "2.-5.29", "2..29", "", "2", "2.18446744073709551615",
        ] {
            #expect(ASN1ObjectIdentifier(dotted: text) == nil, "\(text)")
        }
        #expect(X509InputValue.text("NIST-test-policy-1\(scalar)").policies == nil)
        #expect(X509InputValue.text("NIST-test-policy-1").policies?.map(\.description) == ["2.16.840.1.101.3.2.1.48.1"])
        #expect(X509InputValue.text("NIST-test-policy-1.2").policies == nil)
        for name in ["anyPolicy", "ANY-policy", "2.5.29.32.0"] {
            #expect(X509InputValue.text(name).policies == [.anyPolicy] && !X509InputValue.text(name).asksForSomething)
            #expect(X509InputValue.text(name + scalar).asksForSomething)
        }
    }

    /// The prefix of an App ID ends at the first dot, whatever scalars are next to this dot.
    @Test(arguments: before + after) func appIDs(_ scalar: String) throws {
        let file = try VectorDirectory.committedFile("app-attest/apple-guide-2026.json")
        var object = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        object["appID"] = "ABCDE12345\(scalar).\(scalar)example"
        // The App ID can be parsed, but differs from the App ID in the object.
        let outcome = try ObjectFile.run(JSONSerialization.data(withJSONObject: object))
        #expect(outcome.failures.contains { $0.hasPrefix("attestation: RP ID") })
    }

    @Test(arguments: after) func kindsOfValues(_ mark: String) {
        func kinds(_ kind: String) throws -> SuiteOutcome {
            let test: [String: Any] = ["kind": kind, "hex": "ff", "valid": true, "value": "true"]
            return try DERValueSuite.run(
                JSONSerialization.data(withJSONObject: ["go": [test], "boringssl": [[String: Any]]()] as [String: Any]))
        }
        #expect((try? kinds("boolean-contents(\(mark)strict)"))?.passed == 1)
        #expect(throws: (any Error).self) { try kinds("boolean-contents\(mark)") }
    }
}
