import PureAttest
import Testing

/// What errors say of what a device chose: bounded, and nothing that a log or a terminal takes for its own.
@Suite struct ErrorTextTests {
    @Test func bundleVersions() {
        for (version, text): (String, String) in [
            ("1.0.3", #""1.0.3""#), ("", #""""#), ("4.2\n2026-11-22 accepted", #""4.2\n2026-11-22 accepted""#),
            ("\u{1b}[2J", #""\u{1B}[2J""#), ("\"", #""\"""#), ("\\", #""\\""#), ("é\u{202e}", #""\u{00E9}\u{202E}""#),
            (String(repeating: "9", count: 40), "\"\(String(repeating: "9", count: 40))\""),
            (String(repeating: "9", count: 41), "\"\(String(repeating: "9", count: 40))\"... (41 bytes)"),
            (String(repeating: "9", count: 4_000), "\"\(String(repeating: "9", count: 40))\"... (4000 bytes)"),
        ] {
            let bundleVersion = BundleVersion(utf8: version.utf8)
            #expect(String(reflecting: bundleVersion) == text)
            #expect("\(bundleVersion)" == version)
            let error = PureAttestError.bundleVersionNotAllowed(bundleVersion)
            #expect("\(error)" == "the launch policy does not accept bundle version \(text)")
        }
        // Cut within a character.
        let long = BundleVersion(utf8: [UInt8](repeating: 0x39, count: 39) + [0xC3, 0xA9])
        #expect(String(reflecting: long).hasSuffix(#"\u{FFFD}"... (41 bytes)"#))
    }
}
