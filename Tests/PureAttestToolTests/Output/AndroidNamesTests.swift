import Foundation
import PureKeyAttestation
import Testing
import VectorSupport

@testable import pure_attest

/// Text output shows the names of enumeration values, and JSON output shows their numbers.
@Suite("Names of Android's enumerations")
struct AndroidNamesTests {
    private static let chain = VectorDirectory.committed
        .appending(path: "android-key-attestation/akita/sdk34/SB_RSA_NONE.pem").path

    @Test func reportsShowNames() throws {
        let inspected = try Tool.run("inspect", Self.chain)
        let verified = try Tool.run("verify-key-attestation", Self.chain, "--report-only", "--at", "1726500000")
        for output in [inspected.output, verified.output] {
            for line in [
                #/Attested by +StrongBox\n/#, #/Kept by +StrongBox\n/#, #/Algorithm +RSA\n/#, #/Purposes +SIGN\n/#,
                #/Origin +GENERATED\n/#, #/Boot state +Unverified\n/#,
            ] as [Regex<Substring>] { #expect(output.contains(line), "\(output)") }
        }
    }

    @Test func jsonKeepsNumbers() throws {
        let result = try Tool.run("verify-key-attestation", Self.chain, "--report-only", "--at", "1726500000", "--json")
        let json = try result.json()
        let description = try #require(json["keyDescription"] as? [String: Any])
        let hardware = try #require(description["hardwareEnforced"] as? [String: Any])
        #expect(description["attestationSecurityLevel"] as? String == "strongBox")
        #expect(hardware["algorithm"] as? Int == 1 && hardware["origin"] as? Int == 0)
        #expect((hardware["purposes"] as? [String])?.contains("2") == true)
    }

    @Test func setsOfAuthenticators() {
        for (set, text) in [
            (0, "NONE"), (1, "PASSWORD"), (2, "FINGERPRINT"), (3, "PASSWORD, FINGERPRINT"), (4, "4"), (7, "7"),
            (0xffff_ffff, "ANY"),
        ] as [(UInt64, String)] {
            #expect(AndroidNames.userAuthenticators(set) == text)
        }
    }

    @Test func anUnknownValueIsItsNumber() throws {
        // An empty software list, then a hardware list with [1] purposes { 2, 9 }, [2] algorithm 77, [4] block modes {
        // 32 }, [5] digests { 4 }, [6] paddings { 5 }, [10] curve 1, [702] origin 2.
        let list: [UInt8] = [
            0xa1, 0x08, 0x31, 0x06, 0x02, 0x01, 0x02, 0x02, 0x01, 0x09, 0xa2, 0x03, 0x02, 0x01, 0x4d,
            0xa4, 0x05, 0x31, 0x03, 0x02, 0x01, 0x20, 0xa5, 0x05, 0x31, 0x03, 0x02, 0x01, 0x04,
            0xa6, 0x05, 0x31, 0x03, 0x02, 0x01, 0x05, 0xaa, 0x03, 0x02, 0x01, 0x01,
            0xbf, 0x85, 0x3e, 0x03, 0x02, 0x01, 0x02,
        ]
        let head: [UInt8] = [
            0x02, 0x01, 0x04, 0x0a, 0x01, 0x01, 0x02, 0x01, 0x04, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00, 0x30, 0x00,
        ]
        let contents = head + [0x30, UInt8(list.count)] + list
        let description = try KeyDescription(decoding: ([0x30, UInt8(contents.count)] + contents)[...])
        let text = Report(description).text
        #expect(text.contains(#/Attested by +TrustedEnvironment\n/#) && text.contains(#/Kept by +Software\n/#))
        #expect(text.contains(#/Purposes +SIGN, 9\n/#) && text.contains(#/Algorithm +77\n/#))
        #expect(text.contains(#/Curve +P_256\n/#) && text.contains(#/Origin +IMPORTED\n/#))
        #expect(text.contains(#/Digests +SHA_2_256\n/#) && text.contains(#/Paddings +RSA_PKCS1_1_5_SIGN\n/#))
        #expect(text.contains(#/Block modes +GCM\n/#))
    }
}
