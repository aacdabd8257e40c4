import PureECDSA
import Testing

@testable import PureAttest

@Suite struct AttestedKeyTests {
    static func key(counter: UInt32 = 5) throws -> AttestedKey {
        try TestDevice().storedKey(counter: counter)
    }

    @Test func layout() throws {
        let key = try Self.key(counter: 0x0102_0304)
        let expected: [UInt8] =
            [1, 1] + TestDevice().appID.rpIDHash + TestDevice.key.x963 + [1, 2, 3, 4]
            + [UInt8](repeating: 0xff, count: 8)
        #expect(key.serialized == expected && expected.count == 111)
        #expect(key.keyID == TestDevice.key.keyID)
        #expect(key.publicKeyX963 == TestDevice.key.x963 && key.counter == 0x0102_0304)
    }

    @Test func roundTrip() throws {
        for counter in [0, 1, 62, 63, 64, 1000, .max] as [UInt32] {
            let key = try Self.key(counter: counter)
            #expect(try AttestedKey(serialized: key.serialized) == key)
            let padded = [0xff] + key.serialized + [0xff]
            #expect(try AttestedKey(serialized: padded[1..<112]) == key)
        }
        // Uses a counter state in which some values below the greatest value are unused.
        let key = try Self.key(counter: 5).accepting(20, policy: .strict).accepting(9, policy: .slidingWindow)
        let restored = try AttestedKey(serialized: key.serialized)
        #expect(restored == key && restored.counter == 20)
        #expect(throws: PureAttestError.counterReplayed(9)) { try restored.accepting(9, policy: .slidingWindow) }
    }

    /// A key has only one serialization, so flipping any bit yields a different key or an error.
    @Test func everyBitFlipped() throws {
        for key in try [Self.key(), KeyRecordTests().key()] {
            for index in key.serialized.indices {
                for bit in 0..<8 {
                    var bytes = key.serialized
                    bytes[index] ^= 1 << bit
                    guard let other = try? AttestedKey(serialized: bytes) else { continue }
                    #expect(other != key && other.serialized == bytes)
                }
            }
        }
    }

    @Test func everyTruncationThrows() throws {
        let bytes = try Self.key().serialized
        for count in bytes.indices {
            #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: bytes.prefix(count)) }
        }
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: bytes + [0]) }
    }

    @Test func everythingIsValidated() throws {
        let bytes = try Self.key().serialized
        func changed(_ index: Int, _ byte: UInt8) -> [UInt8] {
            var bytes = bytes
            bytes[index] = byte
            return bytes
        }
        for version in [0, 3, 255] as [UInt8] {
            #expect(throws: PureAttestError.unsupportedKeyRecord(version: version)) {
                try AttestedKey(serialized: changed(0, version))
            }
        }
        for environment in [0, 3] as [UInt8] {
            #expect(throws: PureAttestError.malformedKeyRecord) {
                try AttestedKey(serialized: changed(1, environment))
            }
        }
        #expect(throws: PureAttestError.invalidPublicKey(.pointNotOnCurve)) {
            try AttestedKey(serialized: changed(98, bytes[98] ^ 1))
        }
        #expect(throws: PureAttestError.invalidPublicKey(.invalidPointFormat)) {
            try AttestedKey(serialized: changed(34, 0))
        }
        // In the bit set of used values, bit 0 is always set. With 5 as the greatest value, no bit above bit 5 is set.
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: changed(110, 0x3e)) }
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: changed(110, 0x7f)) }
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: changed(110, 0x1f)) }
        #expect(throws: PureAttestError.invalidPublicKey(.invalidLength)) {
            try AttestedKey(
                trustingStoredKey: [4], appID: TestDevice().appID, environment: .production, counter: 0)
        }
    }

    @Test func equalityCoversEveryPart() throws {
        let key = try Self.key()
        let app = TestDevice().appID
        let x963 = TestDevice.key.x963
        for other in [
            try AttestedKey(trustingStoredKey: x963, appID: app, environment: .development, counter: 5),
            try AttestedKey(trustingStoredKey: x963, appID: app, environment: .production, counter: 6),
            try AttestedKey(
                trustingStoredKey: x963, appID: AppID(teamID: "A", bundleID: "b"), environment: .production, counter: 5),
            try AttestedKey(trustingStoredKey: TestKey(9).x963, appID: app, environment: .production, counter: 5),
        ] {
            #expect(other != key && Set([other, key]).count == 2)
        }
    }
}
