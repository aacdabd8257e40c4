import Foundation
import PureBytes
import Testing

@testable import VectorSupport

/// Tests the module wrapper's answers to requests from `acvptool`.
@Suite struct ACVPModuleTests {
    private static func encoded(_ strings: [[UInt8]]) -> [UInt8] {
        let numbers: [Int] = [strings.count] + strings.map(\.count)
        let header: [UInt8] = numbers.flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return header + strings.joined()
    }

    private static func request(_ name: String, _ arguments: [UInt8]...) -> [UInt8] {
        encoded([Array(name.utf8)] + arguments)
    }

    /// Returns the module's output for `input`, and the failure that stopped the module.
    private static func conversation(_ input: [UInt8]) -> (output: [UInt8], failure: ACVPModule.Failure?) {
        var rest = input[...], output: [UInt8] = []
        do {
            try ACVPModule.converse {
                let bytes = Array(rest.prefix($0))
                rest = rest.dropFirst(bytes.count)
                return bytes
            } writing: {
                output += $0
            }
            return (output, rest.isEmpty ? nil : .tooLarge)
        } catch { return (output, error as? ACVPModule.Failure) }
    }

    private static func answer(_ request: [UInt8]) -> [UInt8]? {
        let (output, failure) = conversation(request)
        guard failure == nil, output.prefix(4) == [1, 0, 0, 0] else { return nil }
        return output.count >= 8 && output == encoded([Array(output.dropFirst(8))]) ? Array(output.dropFirst(8)) : nil
    }

    private static func tests(_ name: String) throws -> [(ACVPVectorSet.Group, ACVPVectorSet.Test)] {
        let file = try VectorDirectory.committedFile("acvp/\(name).json")
        return try JSONDecoder().decode(ACVPVectorSet.self, from: file).testGroups.flatMap { group in
            (group.tests ?? []).map { (group, $0) }
        }
    }

    @Test func configuration() throws {
        let json = try #require(Self.answer(Self.request("getConfig")))
        let algorithms = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [[String: Any]])
        let names = algorithms.map { "\($0["algorithm"] ?? "") \($0["mode"] ?? "")" }
        #expect(
            names == [
                "SHA2-256 ", "SHA2-384 ", "SHA2-512 ", "HMAC-SHA2-256 ", "HMAC-SHA2-384 ", "HMAC-SHA2-512 ",
                "ECDSA keyVer", "ECDSA sigVer",
            ])
    }

    @Test func digests() throws {
        for name in ["SHA2-256", "SHA2-384", "SHA2-512"] {
            for (group, test) in try Self.tests(name) {
                let message = test.msg?.bytes ?? []
                switch group.testType {
                case "AFT"?: #expect(Self.answer(Self.request(name, message)) == test.md?.bytes)
                case "MCT"?:
                    #expect(Self.answer(Self.request(name + "/MCT", message)) == test.resultsArray?[0].md.bytes)
                default: break
                }
            }
        }
    }

    @Test func codes() throws {
        for name in ["HMAC-SHA2-256", "HMAC-SHA2-384", "HMAC-SHA2-512"] {
            for (_, test) in try Self.tests(name) {
                let code = try #require(Self.answer(Self.request(name, test.msg!.bytes, test.key!.bytes)))
                #expect(code.starts(with: test.mac!.bytes))
            }
        }
    }

    @Test func keysAndSignatures() throws {
        func verdict(_ test: ACVPVectorSet.Test) -> [UInt8] { [test.testPassed == true ? 1 : 0] }
        for (group, test) in try Self.tests("ECDSA-keyVer") {
            let request = Self.request("ECDSA/keyVer", Array(group.curve!.utf8), test.qx!.bytes, test.qy!.bytes)
            #expect(Self.answer(request) == verdict(test), "\(test.tcId)")
        }
        for (group, test) in try Self.tests("ECDSA-sigVer") where test.tcId % 5 == 0 {
            let request = Self.request(
                "ECDSA/sigVer", Array(group.curve!.utf8), Array(group.hashAlg!.utf8), test.message!.bytes,
                test.qx!.bytes,
                test.qy!.bytes, test.r!.bytes, test.s!.bytes)
            #expect(Self.answer(request) == verdict(test), "\(test.tcId)")
        }
    }

    @Test func truncation() {
        let first = Self.request("SHA2-256", [1, 2, 3]), second = Self.request("HMAC-SHA2-512", [4], [])
        let input = first + second
        let whole = Self.conversation(input)
        #expect(whole.failure == nil && whole.output.count == (8 + 32) + (8 + 64))
        for count in 0..<input.count {
            let (output, failure) = Self.conversation(Array(input.prefix(count)))
            #expect(failure == ([0, first.count].contains(count) ? nil : .truncated))
            #expect(output.elementsEqual(whole.output.prefix(count < first.count ? 0 : 40)))
        }
    }

    @Test func sizes() {
        let ff: [UInt8] = [255, 255, 255, 255], one: [UInt8] = [1, 0, 0, 0]
        #expect(Self.conversation(ff).failure == .tooLarge)
        #expect(Self.conversation([9, 0, 0, 0] + [UInt8](repeating: 0, count: 36)).failure == .tooLarge)
        #expect(Self.conversation(one + ff).failure == .tooLarge)
        // The request declares two strings of 512 KiB, and of 512 KiB plus one byte. The module rejects the lengths
        // without reading the contents.
        #expect(Self.conversation([2, 0, 0, 0, 0, 0, 8, 0, 1, 0, 8, 0]).failure == .tooLarge)
        let longest = [UInt8](repeating: 7, count: ACVPModule.maximumByteCount - 8)
        #expect(Self.answer(Self.request("SHA2-256", longest)) == VectorHash.sha256.digest(of: longest))
        #expect(Self.conversation(Self.request("SHA2-256", longest + [7])).failure == .tooLarge)
    }

    @Test func unknownCommands() {
        for (request, name) in [
            (Self.encoded([]), ""), (Self.request("SHA2-224", []), "SHA2-224"), (Self.request("SHA2-256"), "SHA2-256"),
            (Self.request("/MCT", []), "/MCT"), (Self.request("HMAC-SHA2-224", [], []), "HMAC-SHA2-224"),
            (Self.request("SHA2-256", [], []), "SHA2-256"), (Self.request("getConfig", []), "getConfig"),
            (Self.request("ECDSA/keyVer", Array("P-521".utf8), [], []), "ECDSA/keyVer"),
        ] {
            let (output, failure) = Self.conversation(request)
            #expect(output.isEmpty && failure == .unknownCommand(name))
        }
    }
}
