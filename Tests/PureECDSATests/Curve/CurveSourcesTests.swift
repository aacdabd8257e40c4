import Foundation
import Testing
import VectorSupport

/// Each curve has its own copy of the public types. If these types were generic, other modules would call them through
/// witness tables.
struct CurveSourcesTests {
    @Test func p384DiffersFromP256OnlyInNamesAndLengths() throws {
        let sources = VectorDirectory.committed.deletingLastPathComponent().appending(path: "Sources/PureECDSA")
        var text = try String(contentsOf: sources.appending(path: "P256.swift"), encoding: .utf8)
        for (name, other) in [
            ("secp256r1 and prime256v1 (SP 800-186 §3.2.1.3)", "secp384r1 (SP 800-186 §3.2.1.4)"),
            ("P-256", "P-384"), ("P256", "P384"),
            // This hash name occurs in `isValidSignature(_:for:)` for data, not in the function for digests.
            ("hashed with SHA-256", "hashed with SHA-384"), ("SHA256.hash", "SHA384.hash"),
            ("32 bytes", "48 bytes"), ("64 bytes", "96 bytes"), ("65 bytes", "97 bytes"), ("33 bytes", "49 bytes"),
            ("4 KiB", "9 KiB"),
        ] {
            #expect(text.contains(name))
            text = text.replacing(name, with: other)
        }
        let other = try String(contentsOf: sources.appending(path: "P384.swift"), encoding: .utf8)
        let difference = other.split(separator: "\n").difference(from: text.split(separator: "\n"))
        #expect(difference.isEmpty)
    }
}
