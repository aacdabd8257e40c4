import Foundation
import Testing
import VectorSupport

@Suite("inspect")
struct InspectTests {
    @Test func theSampleIsShown() throws {
        let result = try Tool.run("inspect", VerificationTests.sample)
        #expect(result.status == 0)
        for text in [
            "appattest and seven zeros: production", "CN=Apple App Attestation CA 1, O=Apple Inc., ST=California",
            "2026-04-20T18:13:12Z", "2030-03-13T00:00:00Z", "keyCertSign, cRLSign  (critical)", "CA, path length 0",
            "[1400]  27.0  (system version)", "[1026]  iphoneos  (platform)", "okd: yes, oa: yes, osgn: yes",
            "1.2.840.113635.100.4.24", "Certificate 2 of 2",
        ] {
            #expect(result.output.contains(text), "\(text)")
        }
    }

    @Test func everyFormOfAnObjectIsRead() throws {
        let attestation = try ObjectFile.committed().attestation
        let folder = try TemporaryFolder()
        let binary = try folder.write("binary", attestation).path
        let base64 = try folder.write("base64", attestation.base64EncodedData(options: .lineLength76Characters)).path
        let expected = try Tool.run("inspect", binary)
        #expect(expected.status == 0)
        #expect(expected.output.hasPrefix("Attestation\n"))
        #expect(try Tool.run("inspect", base64).output == expected.output)
        #expect(try Tool.run("inspect", "--bytes", "@\(binary)").output == expected.output)

        // Finds the first certificate, which begins with 30 82.
        let start = try #require(attestation.firstRange(of: Data([0x30, 0x82]))).lowerBound
        let length = 4 + Int(attestation[start + 2]) << 8 + Int(attestation[start + 3])
        let der = attestation[start..<start + length]
        let certificate = try Tool.run("inspect", try folder.write("der", Data(der)).path)
        #expect(certificate.status == 0)
        #expect(certificate.output.contains("Not after          2026-04-23T18:13:12Z"))
        let pem =
            "-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString(options: .lineLength64Characters))"
            + "\n-----END CERTIFICATE-----\n"
        let fromPEM = try Tool.run("inspect", try folder.write("pem", Data(pem.utf8)).path)
        #expect(fromPEM.status == 0)
        #expect(fromPEM.output.contains("Certificate 1 of 1"))
    }

    @Test(arguments: ["{}", #"{"a":1}"#, #"{"assertions":[],"receipts":[]}"#])
    func nothingIsNotShown(_ text: String) throws {
        let folder = try TemporaryFolder()
        let result = try Tool.run("inspect", try folder.write("nothing.json", Data(text.utf8)).path)
        #expect(result.status == 2)
        #expect(result.isOneLineOfError)
    }

    /// The names of these files differ only in the last character, after more characters than other messages show.
    @Test func longPathsAreShownWhole() throws {
        let folder = try TemporaryFolder()
        let attestation = try ObjectFile.committed().attestation
        let start = String(repeating: "x", count: 100)
        let paths = try ["a", "b"].map { try folder.write(start + $0, attestation).path }
        let text = try Tool.run(["inspect"] + paths)
        #expect(text.status == 0)
        for path in paths { #expect(text.output.contains("==> \(path) <==\n")) }
        let missing = folder.url.appending(path: start + "c").path
        let json = try Tool.run(["inspect", "--json"] + paths + [missing])
        #expect(json.status == 2)
        let object = try json.json()
        let files = try #require(object["files"] as? [[String: Any]])
        #expect(files.compactMap { $0["file"] as? String } == paths + [missing])
    }

    @Test func anAssertionIsShown() throws {
        let result = try Tool.run("inspect", "--bytes", MadeAssertion.assertions[1], "--json")
        #expect(result.status == 0)
        let json = try result.json()
        let data = try #require((json["assertion"] as? [String: Any])?["authenticatorData"] as? [String: Any])
        #expect(data["counter"] as? Int == 2)
    }
}
