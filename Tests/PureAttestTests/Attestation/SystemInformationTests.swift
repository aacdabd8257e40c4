import CertificateDrafts
import Testing

@testable import PureAttest

/// Tests the system properties that Apple certifies (1.2.840.113635.100.8.7).
@Suite struct SystemInformationTests {
    static let identifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x63, 0x64, 0x08, 0x07]

    /// Encodes `[number] { value }`. The tag number takes two octets.
    static func field(_ number: Int, _ value: [UInt8]) -> [UInt8] {
        [0xbf, UInt8(0x80 | number >> 7), UInt8(number & 0x7f), UInt8(value.count)] + value
    }

    static func text(_ number: Int, _ text: String) -> [UInt8] { field(number, DER.octets(Array(text.utf8))) }

    private func system(_ value: [UInt8]) throws -> SystemInformation {
        var device = TestDevice()
        device.moreLeafExtensions = [DER.certificateExtension(Self.identifier, value)]
        return try device.verify().system
    }

    @Test func everyField() throws {
        let value = DER.sequence(
            Self.text(1400, "27.2"), Self.field(1104, [2, 1, 2]), Self.text(1403, "24B5089g"),
            Self.text(1026, "iphoneos"), Self.text(1029, "Beta"))
        let system = try system(value)
        #expect(system.version == SystemVersion(27, 2) && system.platform?.description == "iphoneos")
        #expect(system.build?.description == "24B5089g" && system.releaseType == "Beta")
        #expect(system.platform?.appPlatform == .device)
    }

    /// If a version or build is missing, duplicated or malformed, the result reports it as absent.
    @Test func absence() throws {
        let nothing = SystemInformation()
        #expect(try TestDevice().verify().system == nothing)
        #expect(try system(DER.sequence()) == nothing)
        #expect(try system(DER.sequence(Self.field(1400, DER.octets([0x31]) + [5, 0]))) == nothing)
        #expect(try system(DER.sequence(Self.text(1400, "27.0"), Self.text(1400, "27.0"))) == nothing)
        #expect(try system(DER.sequence(Self.field(1403, [0x0c, 1, 0x41]))) == nothing)
        for text in ["", "a\u{7f}", "\n", "é", String(repeating: "a", count: 33)] {
            #expect(try system(DER.sequence(Self.text(1403, text))) == nothing, "\(text)")
        }
        let longest = String(repeating: "~", count: 32)
        #expect(try system(DER.sequence(Self.text(1403, longest))).build?.description == longest)
        #expect(try system(DER.sequence(Self.text(1029, " "))).releaseType == " ")
    }

    /// An unreadable platform is rejected. An unreadable release type is reported as "?".
    @Test func unreadable() throws {
        for malformed in [
            [], DER.sequence(Self.text(1400, "27.0")) + [5, 0], DER.sequence(Self.text(1400, "27.0"), [0xbf, 0x8a]),
            DER.sequence(Self.text(1026, "macosx"), Self.text(1026, "iphoneos")),
            DER.sequence(Self.field(1026, [0x0c, 1, 0x41])),
            DER.sequence(Self.field(1026, DER.octets([0x31]) + [5, 0])),
            DER.sequence(Self.text(1026, "")), DER.sequence(Self.text(1026, "é")),
        ] as [[UInt8]] {
            #expect(throws: PureAttestError.malformedSystemInformation) { try system(malformed) }
        }
        for value in [
            DER.sequence(Self.text(1029, "Beta"), Self.text(1029, "Beta")), DER.sequence(Self.text(1029, "")),
            DER.sequence(Self.field(1029, [2, 1, 1])), DER.sequence(Self.text(1029, String(repeating: "B", count: 33))),
        ] {
            #expect(try system(value).releaseType == "?")
        }
        // A field with a tag that the verifier does not know may have any content.
        let other = DER.sequence(Self.field(1500, DER.octets([1]) + DER.octets([2])), Self.text(1026, "iphoneos"))
        #expect(try system(other).platform?.description == "iphoneos")
    }

    /// Every platform name that begins with "mac" means macOS.
    @Test func platforms() {
        for (name, platform) in [
            ("macosx", AppID.Platform.macOS), ("iphoneos", .device), ("MacOSX", .macOS), ("macos", .macOS),
            ("mac", .macOS), ("ma", .device), ("lac", .device), ("xros", .device), ("imac", .device),
        ] {
            #expect(SystemPlatform(ascii: name.utf8)?.appPlatform == platform)
        }
    }

    @Test func versions() {
        for (text, version) in [
            ("27.2", SystemVersion(27, 2)), ("17.5.1", SystemVersion(17, 5, 1)), ("14", SystemVersion(14)),
            ("0", SystemVersion(0)), ("9.8.9", SystemVersion(9, 8, 9)), ("10.0.10", SystemVersion(10, 0, 10)),
            ("65535.65535.65535", SystemVersion(.max, .max, .max)),
        ] {
            #expect(SystemVersion(ascii: text.utf8) == version)
        }
        for text in [
            "", ".", "27.", "1/2", "1:2", "/", ":", ".27", "27..2", "1.2.3.4", "1.2.3.", "01", "27.00", "27.02",
            "65536", "1.70000",
            "99999999999", "-1",
            "+1", "27.2 ", "27,2", "27.2b", "２７",
        ] {
            #expect(SystemVersion(ascii: text.utf8) == nil, "\(text)")
        }
        let ascending = [
            SystemVersion(0), SystemVersion(0, 0, 1), SystemVersion(0, 0, .max), SystemVersion(0, 1),
            SystemVersion(0, .max, .max), SystemVersion(1), SystemVersion(9, .max, .max),
            SystemVersion(10),
            SystemVersion(10, 0, 1), SystemVersion(10, 2), SystemVersion(10, 10), SystemVersion(.max),
        ]
        for (i, left) in ascending.enumerated() {
            for (j, right) in ascending.enumerated() { #expect((left < right) == (i < j)) }
        }
        #expect(SystemVersion(27).description == "27.0" && SystemVersion(17, 5, 1).description == "17.5.1")
    }
}
