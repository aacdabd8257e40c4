import Foundation
import PureBytes
import PureECDSA
import Testing

@testable import PureAttest

/// Tests version 2 records, which are version 1 records with additional fields.
@Suite struct KeyRecordTests {
    static let system = SystemInformation(
        platform: SystemPlatform(ascii: "iphoneos".utf8), version: SystemVersion(27, 2, 1),
        build: SystemBuild(ascii: "24B5089g".utf8), releaseTypeASCII: Array("Beta".utf8))
    private static let longestText = [UInt8](repeating: 0x7e, count: 32)
    static let longest = SystemInformation(
        platform: SystemPlatform(ascii: longestText), version: SystemVersion(.max, .max, .max),
        build: SystemBuild(ascii: longestText), releaseTypeASCII: longestText)

    func key(
        counter: UInt32 = 5, attestedAt: Int64? = 1_789_473_600, _ system: SystemInformation = Self.system
    ) throws -> AttestedKey {
        let publicKey = try P256.Signing.PublicKey(x963Representation: TestDevice.key.x963)
        return AttestedKey(
            publicKey: publicKey, keyDigest: AttestedKey.digest(of: publicKey), environment: .production,
            rpIDHash: TestDevice().appID.rpIDHash, counterState: CounterState(greatest: counter),
            attestedAt: attestedAt.map(UnixTime.init(secondsSince1970:)), system: system)
    }

    @Test func layout() throws {
        let used = [UInt8](repeating: 0xff, count: 8)
        let head: [UInt8] = [2, 1] + TestDevice().appID.rpIDHash + TestDevice.key.x963 + [1, 2, 3, 4] + used
        var fields: [UInt8] = [1, 8, 0, 0, 0, 0, 0x6a, 0xa9, 0x33, 0x40]
        fields += [2, 8] + Array("iphoneos".utf8)
        fields += [3, 6, 0, 27, 0, 2, 0, 1]
        fields += [4, 8] + Array("24B5089g".utf8)
        fields += [5, 4] + Array("Beta".utf8)
        let record = try key(counter: 0x0102_0304).serialized
        #expect(record == head + fields && head.count == 111)
        #expect(try AttestedKey(serialized: record) == key(counter: 0x0102_0304))
    }

    @Test func roundTrip() throws {
        for present in 0..<32 {
            func field<Value>(_ bit: Int, _ value: Value?) -> Value? { present >> bit & 1 == 1 ? value : nil }
            let system = SystemInformation(
                platform: field(1, Self.system.platform),
                version: field(2, Self.system.version),
                build: field(3, Self.system.build),
                releaseTypeASCII: field(4, Self.system.releaseTypeASCII))
            for time in [Int64.min, -1, 0, 1, .max] {
                let key = try key(attestedAt: field(0, time), system)
                let record = key.serialized
                // A key without additional fields is stored as a version 1 record.
                #expect(record[0] == (present == 0 ? 1 : 2) && (record.count == 111) == (present == 0))
                let padded = [0xff] + record + [0xff]
                #expect(try AttestedKey(serialized: padded[1..<(1 + record.count)]) == key)
            }
        }
    }

    @Test func longestTexts() throws {
        let record = try key(Self.longest).serialized
        #expect(record.count == 231)
        #expect(try AttestedKey(serialized: record).system == Self.longest)
        // With multiples added, this is the longest version 2 record. The article states its length.
        let returning = try key(Self.longest).withPublicKeyMultiples().serialized
        #expect(returning.starts(with: record) && returning.count <= AttestedKey.maximumRecordSize)
        #expect(try AttestedKey(serialized: returning).hasPublicKeyMultiples)
        let limits = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/PureAttest/PureAttest.docc/Limits.md").standardized
        let row = try String(contentsOf: limits, encoding: .utf8).split(separator: "\n")
            .first { $0.hasPrefix("| `AttestedKey.maximumRecordSize` |") }
        let stated = try #require(row?.firstMatch(of: /have up to (\d+) bytes/)?.1)
        #expect(Int(stated) == returning.count)
    }

    @Test func advancedKeyKeepsItsFields() throws {
        let advanced = try key().accepting(9, policy: .strict)
        #expect(advanced.system == Self.system && advanced.attestedAt == UnixTime(secondsSince1970: 1_789_473_600))
        let restored = try AttestedKey(serialized: advanced.serialized)
        #expect(restored == advanced && restored.counter == 9)
        // The fields that version 1 lacks are unknown in the restored key.
        let old = try AttestedKey(serialized: AttestedKeyTests.key().accepting(9, policy: .strict).serialized)
        #expect(old.attestedAt == nil && old.system == SystemInformation() && old.serialized[0] == 1)
    }

    /// Resuming a key replaces only its counter.
    @Test func resumedKey() throws {
        let key = try key().accepting(20, policy: .strict)
        let resumed = key.resumed(at: 9)
        #expect(resumed.counter == 9 && resumed.system == key.system && resumed.attestedAt == key.attestedAt)
        #expect(try resumed.accepting(10, policy: .strict).counter == 10)
    }

    @Test func everyTruncationThrows() throws {
        let record = try key().serialized
        // A record that is truncated after the fixed part or after a whole field is still a valid record.
        let ends = [121, 131, 139, 149, 155]
        #expect(record.count == 155)
        for count in record.indices {
            if ends.contains(count) {
                #expect(try AttestedKey(serialized: record.prefix(count)).serialized == Array(record.prefix(count)))
            } else {
                #expect(throws: PureAttestError.malformedKeyRecord) {
                    try AttestedKey(serialized: record.prefix(count))
                }
            }
        }
    }

    /// Rule A11.
    @Test func fieldsAreValidated() throws {
        let head = try [2] + key().serialized[1..<111]
        func read(_ fields: [UInt8]) throws -> AttestedKey { try AttestedKey(serialized: head + fields) }
        #expect(try read([3, 6, 0, 27, 0, 0, 0, 0]).system.version == SystemVersion(27))
        for malformed in [
            // A version 2 record has at least one field. A field is a number, a length and a value of the right form.
            [], [1], [1, 8], [1, 0], [1, 7, 0, 0, 0, 0, 0, 0, 0], [1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0], [2, 0],
            [2, 1, 0x1f], [2, 1, 0x7f], [4, 1, 0x80], [5, 1, 0x0a], [3, 5, 0, 27, 0, 0, 0],
            [3, 7, 0, 27, 0, 0, 0, 0, 0], [6, 0], [6, 192], [6, 64] + TestDevice.key.x963.dropFirst(),
            [2, 33] + [UInt8](repeating: 0x61, count: 33), [4, 33] + [UInt8](repeating: 0x61, count: 33),
            // Fields are in ascending order, and no field is repeated.
            [4, 1, 0x61, 2, 1, 0x61], [4, 1, 0x61, 4, 1, 0x61], [0, 1, 0x61], [4, 1, 0x61, 0, 0],
        ] as [[UInt8]] {
            #expect(throws: PureAttestError.malformedKeyRecord, "\(malformed)") { try read(malformed) }
        }
        for number in [7, 8, 255] as [UInt8] {
            #expect(throws: PureAttestError.unknownKeyRecordField(number)) { try read([2, 1, 0x61, number, 0]) }
        }
        // Version 1 records contain no fields.
        let old = try AttestedKeyTests.key().serialized
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: old + [4, 1, 0x61]) }
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: head) }
        #expect(throws: PureAttestError.malformedKeyRecord) { try read([3, 4, 0, 27, 0, 0]) }
        #expect(throws: PureAttestError.malformedKeyRecord) { try read([3, 0]) }
        // The parser reads at most 1,024 bytes, and stops at the first unknown field.
        let longest = head + [7, 0] + [UInt8](repeating: 0, count: 1_024 - head.count - 2)
        #expect(throws: PureAttestError.unknownKeyRecordField(7)) { try AttestedKey(serialized: longest) }
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: longest + [0]) }
    }
}
