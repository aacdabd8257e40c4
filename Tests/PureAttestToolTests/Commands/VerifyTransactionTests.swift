import DebugSampling
import Foundation
import PureAppStore
import PureAppStoreTesting
import PureBytes
import PureDER
import Testing
import VectorSupport

@testable import pure_attest

/// Tests `verify-transaction`, and `inspect` and `simulate` on the same data.
@Suite("App Store data")
struct VerifyTransactionTests {
    private static let time = "2026-09-15T12:00:00Z"
    private static let signedDate: Int64 = 1_789_473_600_000
    private static let store = TestAppStore(seed: 1)
    private static let content = AppStoreContent.transaction(bundleID: "com.example", signedDate: signedDate)
    private static let good = store.sign(content)

    /// A file with signed data, and a file with the root that verifies this data.
    private struct Files {
        let folder: TemporaryFolder
        let path: String
        let root: String

        init(_ content: [UInt8] = good) throws {
            folder = try TemporaryFolder()
            path = try folder.write("data.jws", Data(content)).path
            root = try folder.write("root.pem", Data(PEM.encode(store.root, label: .certificate))).path
        }

        func words(_ more: [String] = []) -> [String] {
            ["verify-transaction", path, "--root", root, "--environment", "sandbox", "--at", time]
                + (more.contains { $0.hasPrefix("--bundle-id") } ? more : ["--bundle-id", "com.example"] + more)
        }

        func run(_ more: String...) throws -> Tool.Result { try Tool.run(words(more)) }
    }

    private struct Object: Decodable {
        let name: String
        let jws: String
    }

    private static func vector(_ name: String) throws -> Object {
        let file = VectorDirectory.committed.appending(path: "app-store/objects.json")
        let objects = try JSONDecoder().decode([Object].self, from: Data(contentsOf: file))
        return try #require(objects.first { $0.name == name })
    }

    // MARK: Good data

    @Test func verifies() throws {
        let files = try Files()
        let result = try files.run()
        #expect(result.status == 0 && result.error.isEmpty)
        #expect(result.output.hasPrefix("The transaction verifies under the test root of --root, not Apple's root: "))
        for text in [
            "Transaction ID           2000000000000002", "Product ID               com.example.monthly",
            "Signed                   2026-09-15T12:00:00Z", "Certificate status       not checked  (no --ocsp)",
        ] {
            #expect(result.output.contains(text), "\(text)")
        }
        let object = try files.run("--json").json()
        #expect(object["verified"] as? Bool == true && object["trustsTestAnchor"] as? Bool == true)
        #expect(object["reason"] is NSNull && object["kind"] as? String == "transaction")
        let content = try #require(object["content"] as? [String: Any])
        #expect(content["transactionID"] as? String == "2000000000000002")
        #expect(content["ownership"] as? String == "purchased" && content["revocationDate"] is NSNull)
        let members = try #require(object["members"] as? [String: Any])
        #expect(members["signedDate"] as? Int64 == Self.signedDate && members["price"] as? Int == 4_990)
        let steps = try #require(object["steps"] as? [String: String])
        #expect(steps["revocation"] == "notChecked" && steps.count == 11)
        #expect(steps.filter { $0.key != "revocation" }.values.allSatisfy { $0 == "passed" })
    }

    @Test(arguments: SignedDataReport.Kind.allCases)
    func everyKindVerifies(_ kind: SignedDataReport.Kind) throws {
        let (store, date) = (Self.store, Self.signedDate)
        let renewalInfo = AppStoreContent.renewalInfo(signedDate: date)
        let content =
            switch kind {
            case .transaction: Self.content
            case .renewalInfo: renewalInfo
            case .appTransaction:
                AppStoreContent.appTransaction(bundleID: "com.example", appAppleID: 5, signedDate: date)
            case .notification:
                AppStoreContent.notification(
                    type: "DID_RENEW", bundleID: "com.example", appAppleID: 5, signedDate: date,
                    signedTransaction: Self.good, signedRenewalInfo: store.sign(renewalInfo))
            }
        let files = try Files(store.sign(content))
        let result = try files.run("--kind", kind.word, "--json")
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        let object = try result.json()
        #expect(object["kind"] as? String == kind.word && object["content"] is [String: Any])
        if kind == .notification {
            let inner = (object["content"] as? [String: Any])?["transaction"] as? [String: Any]
            #expect(inner?["productID"] as? String == "com.example.monthly")
            #expect((object["steps"] as? [String: String])?["innerData"] == "passed")
            let body = try JSONSerialization.data(
                withJSONObject: ["signedPayload": String(decoding: store.sign(content), as: UTF8.self)])
            #expect(try Files([UInt8](body)).run("--kind", "notification").status == 0)
            #expect(try Files([UInt8](body)).run().error.contains("use --kind notification"))
        }
        // The command rejects the data if `--kind` has the value of `other`, because the data lacks members of `other`.
        // The test does not try all kinds, because data of some kinds has all members of a second kind.
        let other = kind == .transaction ? "notification" : "transaction"
        #expect(try files.run("--kind", other).status == 1)
    }

    @Test func whiteSpaceAroundTheTextIsIgnored() throws {
        for (before, after) in [("", "\n"), ("", "\r\n"), (" \n", "\t \n")] {
            #expect(try Files(Array(before.utf8) + Self.good + Array(after.utf8)).run().status == 0)
        }
        var inside = Self.good
        inside.insert(0x0a, at: 100)
        #expect(try Files(inside).run().status == 1)
    }

    @Test func readsStandardInput() throws {
        let files = try Files()
        var words = files.words()
        words[1] = "-"
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        #expect(try Tool.runInShell("exec \"$0\" \(line) < '\(files.path)'").status == 0)
        #expect(try Tool.runInShell("exec \"$0\" \(line) < /dev/null").status == 2)
    }

    // MARK: Apple's data

    @Test func genuineData() throws {
        let files = try Files(Array(try Self.vector("mingos-transaction").jws.utf8))
        let words = ["verify-transaction", files.path, "--bundle-id", "com.goodheartapp", "--environment", "sandbox"]
        let result = try Tool.run(words)
        #expect(result.status == 0 && result.output.hasPrefix("The transaction is genuine.\n"))
        #expect(result.output.contains("Trusted root        Apple Root CA - G3"))
        #expect(try Tool.run(words + ["--json"]).json()["trustsTestAnchor"] as? Bool == false)
        // The leaf certificate expired in 2025.
        let now = try Tool.run(words + ["--certificates-valid", "now", "--at", "2026-06-01T00:00:00Z", "--json"])
        #expect(now.status == 1)
        #expect(try now.json()["reasonDetail"] as? String == "certificateChain.expired")
        #expect(now.error.hasSuffix("; for stored data, use --certificates-valid signing\n"))
        // Data from Apple is rejected under a different root, and test data is rejected under the Apple root.
        let other = try Tool.run(words + ["--root", files.root])
        #expect(other.status == 1 && other.output.hasPrefix("Checked under the test root of --root, not Apple's root"))
        let testFiles = try Files()
        let test = ["verify-transaction", testFiles.path, "--bundle-id", "com.example", "--environment", "sandbox"]
        let refused = try Tool.run(test + ["--at", Self.time])
        #expect(refused.status == 1 && refused.error.hasSuffix("; for data of a test App Store, give its --root\n"))
    }

    /// The certificate that Xcode exports is the first certificate in the data that Xcode signs.
    @Test func dataOfXcode() throws {
        let object = try Self.vector("apple-swift-xcode-signed-transaction")
        let files = try Files(Array(object.jws.utf8))
        let header = try base64(String(object.jws.split(separator: ".")[0]))
        let members = try #require(try JSONSerialization.jsonObject(with: Data(header)) as? [String: Any])
        let certificate = try #require((members["x5c"] as? [String])?.first)
        let root = try files.folder.write("xcode.cer", try #require(Data(base64Encoded: certificate))).path
        let bundleID = "com.example.naturelab.backyardbirds.example"
        let words = ["verify-transaction", files.path, "--bundle-id", bundleID, "--environment"]
        let result = try Tool.run(words + ["xcode", "--root", root])
        #expect(result.status == 0 && result.output.hasPrefix("The transaction verifies under the key of --root"))
        let steps = try Tool.run(words + ["xcode", "--root", root, "--json"]).json()["steps"] as? [String: String]
        #expect(steps?["chain"] == "notChecked" && steps?["signature"] == "passed")
        #expect(try Tool.run(words + ["local-testing", "--root", root]).status == 1)
        // The Xcode certificate is not a root, and the test root is no Xcode key because its key is on P-384.
        for more in [
            ["xcode"], ["sandbox", "--root", root], ["xcode", "--root", files.root],
            ["xcode", "--root", root, "--ocsp", root],
        ] {
            let unusable = try Tool.run(words + more)
            #expect(unusable.status == 2 && unusable.isOneLineOfError, "\(unusable.error)")
        }
    }

    // MARK: Rejected data

    @Test(arguments: debugSample(SignedDataFault.allCases, every: 7, of: "faults of transactions"))
    func everyFaultIsRejected(_ fault: SignedDataFault) throws {
        let files = try Files(Self.store.sign(Self.content, fault: fault))
        let result = try files.run("--json")
        // The command ignores white space at the end of a file, so this fault has no effect.
        guard fault != .signatureWhiteSpace else {
            #expect(result.status == 0)
            return
        }
        #expect(result.status == 1 && result.error.hasPrefix("refused: "), "\(fault): \(result.error)")
        let object = try result.json()
        #expect(object["verified"] as? Bool == false && object["content"] is NSNull && object["members"] is NSNull)
        let reason = RefusalReason(fault.error)
        #expect(object["reasonCode"] as? String == reason.code)
        #expect(object["reasonDetail"] as? String == reason.detail)
        let code = [reason.code, reason.detail].compactMap(\.self).joined(separator: ".")
        #expect((object["steps"] as? [String: String])?.values.contains(code) == true)
    }

    @Test func everyStepIsPrinted() throws {
        let result = try Files(Self.store.sign(Self.content, fault: .signatureOfOtherKey)).run()
        #expect(
            result.status == 1 && result.error == "refused: the key did not sign this header and payload\n",
            "\(result.error)")
        #expect(result.output.contains("  Certificate chain    passed\n"))
        #expect(result.output.contains("  Signature            failed  (the key did not sign this header and payload)"))
        let form = try Files(Array("no JWS".utf8)).run()
        #expect(form.status == 1 && form.output.contains("  Signature            not run\n"))
    }

    @Test(arguments: [
        (["--environment", "production", "--apple-id", "1"], "otherEnvironment", "use --environment sandbox"),
        (["--bundle-id", "com.example.other"], "otherBundleID", "--bundle-id names another"),
        (["--at", "2026-09-15T11:00:00Z"], "signedInFuture", "after 2026-09-15"),
        (["--kind", "notification"], "memberMissing", "check --kind"),
        (["--kind", "app-transaction"], "memberMissing", "check --kind"),
    ])
    func otherDataIsRejected(_ change: [String], _ code: String, _ text: String) throws {
        let files = try Files()
        var words = files.words() + ["--json"]
        for (name, value) in zip(change, change.dropFirst()) where name.hasPrefix("--") {
            if let index = words.firstIndex(of: name) {
                words[index + 1] = value
            } else {
                words += [name, value]
            }
        }
        let result = try Tool.run(words)
        #expect(result.status == 1 && result.error.contains(text), "\(result.error)")
        #expect(try result.json()["reasonCode"] as? String == code)
    }

    @Test func revocationIsChecked() throws {
        let files = try Files()
        let (from, to) = (UnixTime(secondsSince1970: 1_789_473_600), UnixTime(secondsSince1970: 1_789_560_000))
        func ocsp(
            _ role: TestAppStore.CertificateRole, _ answer: TestAppStore.CertificateAnswer
        ) throws -> String {
            let response = Self.store.ocspResponse(about: role, answer, from: from, to: to)
            return try files.folder.write("\(role)-\(answer)", Data(response)).path
        }
        let leaf = try ocsp(.leaf, .good), intermediate = try ocsp(.intermediate, .good)
        let good = try files.run("--ocsp", leaf, "--ocsp", intermediate)
        #expect(good.status == 0 && good.output.contains("good  (until 2026-09-16T12:00:00Z)"))
        let revoked = try files.run("--ocsp", try ocsp(.leaf, .revoked), "--ocsp", intermediate, "--json")
        #expect(revoked.status == 1)
        #expect(try revoked.json()["reasonDetail"] as? String == "ocsp.revoked")
        let missing = try files.run("--ocsp", leaf)
        #expect(missing.status == 1 && missing.error.contains("no OCSP response is about certificate 1"))
    }
    @Test func untrustedTextIsEscaped() throws {
        let members = #","appAccountToken":"\u001b[31mred\u202e\nline","\u001b[32m\u202e":1"#
        let content = AppStoreContent.transaction(bundleID: "com.example", signedDate: Self.signedDate, more: members)
        let files = try Files(Self.store.sign(content))
        for words in [
            files.words(), files.words(["--json"]), ["inspect", files.path], ["inspect", files.path, "--json"],
        ] {
            let result = try Tool.run(words)
            #expect(result.status == 0)
            #expect(!result.output.utf8.contains(0x1b) && !result.output.contains("\u{202e}"), "\(words)")
        }
        let other = try files.run("--bundle-id", "com.\u{1b}[31m.other")
        #expect(other.status == 1 && !other.output.utf8.contains(0x1b) && !other.error.utf8.contains(0x1b))
    }

    // MARK: Unusable input

    @Test func unusableInputIsOneLineAndStatus2() throws {
        let files = try Files()
        let huge = files.folder.url.appending(path: "huge").path
        #expect(FileManager.default.createFile(atPath: huge, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: huge))
        try handle.truncate(atOffset: 300 << 20)
        try handle.close()
        let contents: [(String, Data)] = [
            ("empty", Data()), ("only white space", Data(" \n".utf8)), ("binary", Data([0x30, 0x82, 0xff, 0x00])),
            ("use --kind notification", Data(#"{"signedPayload":"a.b.c"}"#.utf8)),
        ]
        for (text, bytes) in contents {
            let result = try Files([UInt8](bytes)).run()
            #expect(result.status == 2 && result.isOneLineOfError && result.error.contains(text), "\(result.error)")
        }
        let paths = [huge, files.folder.url.path, files.folder.url.path + "/missing", "/dev/zero", ""]
        let lines = paths.flatMap { path in
            [[path, "--root", files.root], [files.path, "--root", path], [files.path, "--ocsp", path]]
        }
        for words in debugSample(lines, every: 4, of: "unusable files") {
            let result = try Tool.run(
                ["verify-transaction", "--bundle-id", "com.example", "--environment", "sandbox"] + words)
            #expect(result.status == 2 && result.isOneLineOfError, "\(words): \(result)")
        }
        for (text, body) in [
            ("version 1", #"{"notification_type":"RENEWAL"}"#), ("signedPayload", "{}"), ("invalid JSON", "{"),
            ("signedPayload", #"{"signedPayload":1}"#),
        ] {
            let result = try Files(Array(body.utf8)).run("--kind", "notification")
            #expect(result.status == 2 && result.isOneLineOfError && result.error.contains(text), "\(result.error)")
        }
    }

    @Test func missingOptionsAreNamed() throws {
        let files = try Files()
        for (name, words) in [
            ("--bundle-id", ["--environment", "sandbox"]), ("--apple-id", ["--bundle-id", "com.example"]),
            ("--root", ["--bundle-id", "com.example", "--environment", "xcode"]),
        ] {
            let result = try Tool.run(["verify-transaction", files.path] + words)
            #expect(result.status == 2 && result.isOneLineOfError && result.error.contains("missing \(name)"))
        }
    }

    /// The text is longer than the verifier's maximum for a JWS, but shorter than the command's limit for files.
    @Test func aLongTextIsRejected() throws {
        let result = try Files([UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)).run("--json")
        #expect(result.status == 1)
        #expect(try result.json()["reasonDetail"] as? String == "tooLarge")
    }

    // MARK: Other commands

    @Test(arguments: SignedDataReport.Kind.allCases)
    func simulatedDataVerifies(_ kind: SignedDataReport.Kind) throws {
        let folder = try TemporaryFolder()
        func file(_ name: String) -> String { folder.url.appending(path: name).path }
        let simulate = ["simulate", "transaction", "--seed", "3", "--out", folder.url.path, "--kind", kind.word]
        #expect(try Tool.run(simulate).status == 0)
        let words = [
            "verify-transaction", file("\(kind.word).jws"), "--kind", kind.word, "--bundle-id", "com.example.app",
            "--environment", "sandbox", "--root", file("app-store-root.pem"), "--at", Self.time,
        ]
        let ocsp = ["--ocsp", file("leaf.ocsp"), "--ocsp", file("intermediate.ocsp")]
        #expect(try Tool.run(words + ocsp).status == 0)
        #expect(try Tool.run(simulate + ["--fault", "appStore.signatureOfOtherKey"]).status == 0)
        #expect(try Tool.run(words).error == "refused: the key did not sign this header and payload\n")
        let other = try Tool.run(simulate + ["--fault", "attestation.nonceMismatch"])
        #expect(other.status == 2 && other.isOneLineOfError)
        for option in ["--bundle-id", "--product", "--original-id"] {
            let unquoted = try Tool.run(simulate + [option, "a\"b"])
            #expect(unquoted.status == 2 && unquoted.isOneLineOfError)
        }
    }

    @Test func simulatedPurchasesAreAsTheOptionsSay() throws {
        let folder = try TemporaryFolder()
        func file(_ name: String) -> String { folder.url.appending(path: name).path }
        let options = [
            "--product", "com.example.pro", "--original-id", "7", "--store", "production", "--apple-id", "42",
        ]
        let simulate = ["simulate", "transaction", "--seed", "3", "--out", folder.url.path, "--kind", "notification"]
        #expect(try Tool.run(simulate + options + ["--refunded"]).status == 0)
        let words = [
            "verify-transaction", file("notification.json"), "--kind", "notification", "--bundle-id", "com.example.app",
            "--environment", "production", "--root", file("app-store-root.pem"), "--at", Self.time, "--json",
        ]
        let content = try #require(Tool.run(words + ["--apple-id", "42"]).json()["content"] as? [String: Any])
        let transaction = try #require(content["transaction"] as? [String: Any])
        #expect(content["type"] as? String == "REFUND")
        #expect(transaction["productID"] as? String == "com.example.pro")
        #expect(transaction["originalTransactionID"] as? String == "7")
        #expect(transaction["environment"] as? String == "Production")
        #expect(!(transaction["revocationDate"] is NSNull))
        #expect(try Tool.run(words + ["--apple-id", "43"]).json()["reasonCode"] as? String == "otherAppAppleID")
    }

    @Test func faultsOfTransactionsAreListed() throws {
        let output = try Tool.run("faults").output
        for fault in SignedDataFault.allCases { #expect(output.contains("\n\(fault.id) "), "\(fault.id)") }
        for command in ["attest", "android"] {
            let result = try Tool.run(
                "simulate", command, "--seed", "1", "--out", "/dev/full", "--fault", "appStore.leafOnly")
            #expect(result.status == 2 && result.error.contains("is for transaction"), "\(result.error)")
        }
    }

    @Test func inspectShowsAJWS() throws {
        let files = try Files()
        let result = try Tool.run("inspect", files.path)
        #expect(result.status == 0 && result.output.hasPrefix("JWS, unverified\n"))
        for text in [
            "alg  ES256", "Subject            CN=Test Mac App Store and iTunes Store Receipt Signing",
            "Certificate 3 of 3", "bundleId               com.example", "(2026-09-15T12:00:00Z)",
        ] {
            #expect(result.output.contains(text), "\(text)")
        }
        let object = try Tool.run("inspect", files.path, "--json").json()
        let payload = (object["jws"] as? [String: Any])?["payload"] as? [String: Any]
        #expect(payload?["bundleId"] as? String == "com.example")
        let badFiles = try Files(Array("a.b.c".utf8))
        let bad = try Tool.run("inspect", badFiles.path)
        #expect(bad.status == 2 && bad.isOneLineOfError && bad.error.contains("looks like a JWS"))
        let attestation = try Tool.run("verify-attestation", files.path)
        #expect(attestation.status == 2 && attestation.error.contains("use verify-transaction"))
    }
}
