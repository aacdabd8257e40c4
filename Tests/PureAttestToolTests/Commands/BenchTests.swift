import Foundation
import Testing

@testable import pure_attest

@Suite("bench")
struct BenchTests {
    private func results(_ result: Tool.Result) throws -> (all: [String: Any], list: [[String: Any]]) {
        #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
        let json = try result.json()
        return (json, try #require(json["results"] as? [[String: Any]]))
    }

    @Test func measuresEveryOperation() throws {
        let (json, list) = try results(Tool.run("bench", "--seconds", "0.01", "--rounds", "3", "--json"))
        #expect(json["rounds"] as? Int == 3 && json["openssl"] is NSNull)
        #expect(
            list.map { $0["name"] as? String } == [
                "p256-verify", "p384-verify", "p256-verify-precomputed", "p256-verify-multiples",
                "p256-verify-batch", "p256-verify-multiples-batch",
                "p384-verify-precomputed", "rsa2048-verify", "rsa4096-verify", "sha256-16k",
                "sha384-16k", "sha512-16k", "attestation-verify", "assertion-verify", "assertion-verify-multiples",
                "assertion-verify-table",
            ])
        for measurement in list {
            let rate = try #require(measurement["operationsPerSecond"] as? Double)
            let time = try #require(measurement["nanosecondsPerOperation"] as? Double)
            #expect(rate > 0 && abs(rate * time / 1e9 - 1) < 1e-6)
            let samples = try #require(measurement["samplesMicroseconds"] as? [Double]).sorted()
            #expect(samples.count == 3 && abs(samples[1] * 1e3 / time - 1) < 1e-6)
            #expect(try abs(#require(measurement["minimumNanoseconds"] as? Double) / samples[0] / 1e3 - 1) < 1e-6)
            #expect(try abs(#require(measurement["maximumNanoseconds"] as? Double) / samples[2] / 1e3 - 1) < 1e-6)
            let isHash = (measurement["name"] as? String)?.hasPrefix("sha") == true
            #expect((measurement["megabytesPerSecond"] as? Double != nil) == isHash)
        }
    }

    @Test func printsATable() throws {
        let result = try Tool.run("bench", "--seconds", "0.01", "--rounds", "2", "--only", "sha256-16k")
        #expect(result.status == 0 && result.error.isEmpty)
        #expect(result.output.contains(#/median, µs +range, µs +operations/s +MB/s\n/#))
        #expect(result.output.contains(#/sha256-16k +\d+\.\d\d +\d+\.\d\d–\d+\.\d\d +\d+ +\d+\n2 rounds, CPU time\n/#))
    }

    @Test func terminalsGetAProgressLine() throws {
        let words = ["bench", "--seconds", "0.01", "--rounds", "2", "--only", "sha256-16k"]
        let output = try Tool.outputAtTerminal(words, environment: [:])
        #expect(output.contains("\rpreparing: sha256-16k ") && output.contains("\rround 2 of 2: sha256-16k "))
    }

    @Test func medians() {
        #expect(BenchSamples.median(of: [3, 1, 2]) == 2 && BenchSamples.median(of: [4, 1, 2, 3]) == 2.5)
        #expect(BenchSamples.median(of: [7]) == 7)
    }

    /// Each round runs all operations in order, and takes a sample of the other program after each operation.
    @Test func roundsAreInterleaved() throws {
        var log: [String] = []
        let operations = ["a", "b"].map { name in
            BenchOperation(name: name) { iterations in for _ in 0..<iterations { _ = (0..<1_000).reduce(0, &+) } }
        }
        let samples = try BenchRounds(count: 3, seconds: 0.01, openSSL: nil).run(operations) {
            log.append("\($0)\($1)")
        }
        #expect(log == ["0a", "0b", "1a", "1b", "2a", "2b", "3a", "3b"])
        #expect(samples.map(\.microseconds.count) == [3, 3] && samples.allSatisfy { $0.range.lowerBound > 0 })
    }

    /// The calibration must end even if the optimiser removes an operation, which then takes no time.
    @Test func calibrationEnds() throws {
        let samples = try BenchRounds(count: 1, seconds: 0.01, openSSL: nil).run([BenchOperation(name: "a") { _ in }]) {
            _, _ in
        }
        #expect(samples[0].microseconds.count == 1)
    }

    // MARK: OpenSSL

    /// Returns a folder with a fake `openssl`, to be used as PATH.
    private func folder(version: String, speed: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let script = "#!/bin/sh\ncase $1 in version) echo '\(version)' ;; *) echo '\(speed)' ;; esac\n"
        let file = try folder.write("openssl", Data(script.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return folder
    }

    private func compare(_ path: String, _ options: String) throws -> Tool.Result {
        try Tool.runInShell("PATH='\(path)' exec \"$0\" bench --compare openssl --seconds 0.01 \(options)")
    }

    @Test func comparesWithOpenSSL() throws {
        let fake = try folder(version: "OpenSSL 9.9.9", speed: "+F4:3:256:70000.5:20000.0")
        let (json, list) = try results(compare(fake.url.path, "--rounds 2 --json --only p256-verify"))
        #expect(json["openssl"] as? String == "OpenSSL 9.9.9")
        #expect(list[0]["opensslSamplesMicroseconds"] as? [Double] == [50, 50])
        let samples = try #require(list[0]["samplesMicroseconds"] as? [Double])
        let ratio = try #require(list[0]["ratioToOpenSSL"] as? Double)
        #expect(abs(ratio / (samples.map { 50 / $0 }.reduce(0, +) / 2) - 1) < 1e-9)
        let table = try compare(fake.url.path, "--rounds 1 --only p256-verify")
        #expect(table.output.contains("× OpenSSL\n") && table.output.contains("compared with OpenSSL 9.9.9\n"))
        #expect(table.output.contains(" 50.00 "))
    }

    @Test func saysWhyItCannotCompare() throws {
        let others = try folder(version: "LibreSSL 3.3.6", speed: "")
        let silent = try folder(version: "OpenSSL 9.9.9", speed: "nothing")
        for (path, options, reason) in [
            ("/nonexistent", "", "no openssl on PATH; install OpenSSL, or measure without --compare"),
            (others.url.path, "", "needs OpenSSL's speed command, not LibreSSL 3.3.6"),
            (silent.url.path, "--only p256-verify --rounds 1", "openssl speed printed no result for ecdsap256"),
            (silent.url.path, "--only sha256-16k", "OpenSSL has no counterpart of sha256-16k"),
            (silent.url.path, "--only p256-verify --iterations 1", "cannot be combined"),
        ] {
            let result = try compare(path, options)
            #expect(result.status == 2 && result.isOneLineOfError && result.error.contains(reason), "\(result.error)")
        }
    }

    @Test func readsMachineReadableLines() {
        #expect(OpenSSLSpeed.verificationsPerSecond("+F2:2:2048:4641.9:77204.3\n") == 77204.3)
        // From OpenSSL 3.2, RSA lines have two more fields.
        #expect(OpenSSLSpeed.verificationsPerSecond("x\n+F2:2:2048:1.0:2.0:3.0:4.0\n") == 2)
        for line in ["", "+F4:3:256:1", "+F4:3:256:1:0", "+F4:3:256:1:x", "+F4:3:256:1:inf", "+H:a:b:c:d"] {
            #expect(OpenSSLSpeed.verificationsPerSecond(line) == nil, "\(line)")
        }
    }
}
