import Foundation
import Testing
import VectorSupport

/// Tests `verify-key-attestation`, and `inspect` on the same chains.
@Suite("Android key attestation")
struct VerifyKeyAttestationTests {
    private static let folder = VectorDirectory.committed.appending(path: "android-key-attestation")
    private static let tegu = folder.appending(path: "tegu/sdk36/TEE_EC_2026_ROOT.pem").path
    private static let challenge = "text:6417f92c-daef-4cc1-8828-5bb39338ffd5"
    private static let package = "com.google.android.attestation"
    private static let digest = "103938ee4537e59e8ee792f654504fb8346fc6b346d0bbc4415fc339fcfc8ec1"
    private static let time = "2026-02-25T00:00:00Z"

    private func run(_ file: String, _ more: String...) throws -> Tool.Result {
        try Tool.run(["verify-key-attestation", file] + more)
    }

    /// Writes a JSON file with the chain and the values that verify it.
    private func file(_ name: String, list: String? = nil, in folder: TemporaryFolder) throws -> String {
        let pem = PemFile(try String(contentsOfFile: Self.tegu, encoding: .utf8))
        var object: [String: Any] = [
            "chain": pem.blocks.compactMap { $0.bytes.map { Data($0).base64EncodedString() } },
            "challenge": Data("6417f92c-daef-4cc1-8828-5bb39338ffd5".utf8).base64EncodedString(),
            "packageName": Self.package, "signingDigests": [Self.digest], "verifyAt": 1_771_977_600,
        ]
        object["revocationList"] = list
        return try folder.write(name, JSONSerialization.data(withJSONObject: object)).path
    }

    @Test func verifies() throws {
        let result = try run(
            Self.tegu, "--challenge", Self.challenge, "--package", Self.package, "--signing-digest", Self.digest,
            "--at", Self.time)
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("The key attestation is genuine.\n"))
        #expect(result.error == "")
        // Passes the digest in the notation of keytool.
        let pairs = stride(from: 0, to: 64, by: 2).map { Self.digest.dropFirst($0).prefix(2).uppercased() }
        let colons = try run(
            Self.tegu, "--challenge", Self.challenge, "--package", Self.package, "--signing-digest",
            pairs.joined(separator: ":"), "--at", Self.time, "--json")
        let object = try colons.json()
        #expect(object["verified"] as? Bool == true)
        #expect(object["provisioning"] as? String == "remote")
        #expect((object["steps"] as? [String: String])?.values.allSatisfy { $0 == "passed" } == true)
        #expect(object["keyRecord"] is String)
    }

    @Test(
        arguments: [
            (["--challenge", "text:other"], "challengeMismatch", "otherChallenge"),
            (["--package", "com.example"], "packageNotAllowed", nil),
            (["--signing-digest", String(repeating: "0", count: 64)], "signingDigestMismatch", "otherSigningKey"),
            (["--at", "2026-11-23T00:00:00Z"], "expired", "staleChain"),
        ])
    func rejects(_ change: [String], _ code: String, _ cause: String?) throws {
        var options = [
            "--challenge": Self.challenge, "--package": Self.package, "--signing-digest": Self.digest,
            "--at": Self.time,
        ]
        options[change[0]] = change[1]
        let words = ["verify-key-attestation", Self.tegu] + options.flatMap { [$0.key, $0.value] }
        let result = try Tool.run(words + ["--json"])
        #expect(result.status == 1)
        #expect(result.error.hasPrefix("refused: "))
        let object = try result.json()
        #expect(object["verified"] as? Bool == false)
        #expect(object["reasonCode"] as? String == code)
        #expect(object["causes"] as? [String] == (cause.map { [$0] } ?? []))
        #expect(object["keyRecord"] is NSNull)
    }

    /// The bootloaders of these devices are unlocked. At the given times, their certificate chains are valid.
    @Test func reportsOnly() throws {
        let chains: [(String, String, Int32)] = [
            ("akita/sdk34/TEE_EC_NONE", "1726500000", 0), ("akita/sdk34/SB_RSA_NONE", "1726500000", 0),
            ("blueline/sdk28/SB_RSA_NONE", "1800000000", 0), ("blueline/sdk28/TEE_RSA_BASE+IMEI", "1800000000", 0),
            ("tegu/sdk37/TEE_TRUSTED_CONF", "1783300000", 0), ("tokay/sdk37/TEE_MLDSA_FACTORY", "1783300000", 0),
            ("marlin/sdk29/TEE_EC_NONE", "1572308512", 1), ("invalid/malformed_rot_device_locked", "1700000000", 1),
            ("p256_sha384_intermediate", "1750000000", 1), ("allow_while_on_body", "1750000000", 1),
        ]
        for (name, time, status) in chains {
            let result = try run(
                Self.folder.appending(path: "\(name).pem").path, "--report-only", "--at", time, "--json")
            #expect(result.status == status, "\(name): \(result.error)")
            #expect(try result.json()["reportOnly"] as? Bool == true)
        }
        let result = try run(
            Self.folder.appending(path: "akita/sdk34/TEE_EC_NONE.pem").path, "--report-only", "--at", "1726500000")
        #expect(result.output.contains("deviceUnlocked  (the bootloader is unlocked)"))
    }

    /// Command-line options take precedence over the values in the file.
    @Test func readsJSON() throws {
        let folder = try TemporaryFolder()
        let file = try file("chain.json", in: folder)
        #expect(try run(file).status == 0)
        #expect(try run(file, "--challenge", "text:other").status == 1)
        let list = try folder.write(
            "list.json", Data(#"{"entries":{"b184cb05ec50fdc985f0ec53297cf823":{"status":"REVOKED"}}}"#.utf8)
        ).path
        let revoked = try run(file, "--revocation", list)
        #expect(revoked.status == 1)
        #expect(revoked.error.hasPrefix("refused: certificate 3 is revoked"))
    }

    /// The output states where the revocation list comes from, because the file's author may have forged it. If the
    /// list is malformed, the other steps still run.
    @Test func saysWhoseListItIs() throws {
        let folder = try TemporaryFolder()
        let list = try folder.write("list.json", Data(#"{"entries":{}}"#.utf8)).path
        let good = try file("good.json", list: #"{"entries":{}}"#, in: folder)
        #expect(try run(good).output.contains(/Revocation checked +yes +\(from the file\)/))
        #expect(try run(good, "--revocation", list).output.contains(/Revocation checked +yes +\(given\)/))
        let bad = try run(file("bad.json", list: "{", in: folder), "--json")
        #expect(bad.status == 1 && bad.error.hasPrefix("refused: the revocation list is malformed at byte"))
        let object = try bad.json()
        let steps = try #require(object["steps"] as? [String: String])
        #expect(steps["challenge"] == "passed" && steps["revocation"] == nil)
        #expect(object["revocationChecked"] as? Bool == false)
        #expect(try run(good, "--json").json()["steps"].flatMap { $0 as? [String: String] }?["revocation"] == "passed")
        #expect(object["causes"] as? [String] == [] && !bad.error.contains("likely"))
    }

    /// Anyone can write a file whose values match its own chain, so the verdict names the values from the file.
    @Test func saysWhichInputsAreFromTheFile() throws {
        let folder = try TemporaryFolder()
        let path = try file("chain.json", list: #"{"entries":{}}"#, in: folder)
        let result = try run(path)
        let verdict = "The key attestation is genuine and consistent with values from its own file"
        let labels = "Challenge, Package, Signing digests, Revocation list, Time"
        #expect(result.status == 0 && result.output.hasPrefix("\(verdict): \(labels).\n"), "\(result.output)")
        #expect(result.output.contains(/Package +com\.google\.android\.attestation +\(from the file\)/))
        let object = try run(path, "--json").json()
        let keys = ["challenge", "packageName", "signingDigests", "revocationList", "time"]
        #expect(object["inputsFromFile"] as? [String] == keys)
        let inputs = try #require(object["inputs"] as? [String: Any])
        #expect(inputs["signingDigests"] as? [String] == [Self.digest])
        #expect(inputs["time"] as? String == Self.time && object["verifiedAt"] as? String == Self.time)
        let given = try run(path, "--package", Self.package, "--at", Self.time, "--json").json()
        #expect(given["inputsFromFile"] as? [String] == ["challenge", "signingDigests", "revocationList"])
    }

    @Test func rejectsUnusableInput() throws {
        #expect(try run(Self.tegu).status == 2)
        #expect(try run(Self.tegu, "--challenge", Self.challenge).status == 2)
        let folder = try TemporaryFolder()
        let bad = try folder.write("bad.json", Data("{}".utf8)).path
        #expect(try run(bad).status == 2)
        #expect(try run(Self.tegu, "--report-only", "--revocation", bad).status == 2)
        #expect(try run(Self.tegu, "--report-only", "--signing-digest", "12").status == 2)
    }

    @Test func inspectShowsTheDescription() throws {
        let result = try Tool.run(["inspect", Self.tegu])
        #expect(result.status == 0)
        #expect(result.output.contains("Android key description"))
        #expect(result.output.contains("Boot state         Verified"))
    }

    /// This genuine leaf encodes keyUsage in more octets than necessary. `inspect` shows the leaf from PEM and from
    /// DER.
    @Test func inspectShowsTheDescriptionOfALeafThatIsNoCertificate() throws {
        let file = Self.folder.appending(path: "allow_while_on_body.pem")
        let pem = PemFile(try String(contentsOf: file, encoding: .utf8))
        let der = try #require(pem.blocks.first?.bytes)
        let folder = try TemporaryFolder()
        for path in [file.path, try folder.write("leaf.der", Data(der)).path] {
            let result = try Tool.run(["inspect", path])
            #expect(result.status == 0)
            #expect(result.output.contains("Malformed"))
            #expect(result.output.contains("Allowed while on body"))
        }
        let cut = try folder.write("cut.der", Data([0x30, 0x03, 0x02, 0x01, 0x01])).path
        #expect(try Tool.run(["inspect", cut]).status == 2)
    }
}
