import PureBytes
import PureECDSA
import Testing

@testable import PureAttest

/// The record of a returning device contains multiples of the device's public key.
@Suite struct ReturningKeyTests {
    private let device: TestDevice
    private let key: AttestedKey

    init() throws {
        var device = TestDevice()
        device.counter = 7
        self.device = device
        key = try device.storedKey()
    }

    private func field(_ key: AttestedKey) -> [UInt8] { [UInt8](key.serialized.suffix(194)) }

    private func record(_ field: [UInt8]) -> [UInt8] { [2] + key.serialized[1..<111] + field }

    @Test func recordHoldsMultiples() throws {
        let returning = key.withPublicKeyMultiples()
        let publicKey = try P256.Signing.PublicKey(x963Representation: TestDevice.key.x963)
        let multiples = P256.Signing.PublicKeyMultiples(publicKey).rawRepresentation
        #expect(!key.hasPublicKeyMultiples && key.serialized[0] == 1)
        #expect(returning.hasPublicKeyMultiples && returning != key && returning.keyID == key.keyID)
        #expect(returning.serialized == record([6, 192] + multiples))
        let restored = try AttestedKey(serialized: returning.serialized)
        #expect(restored == returning && restored.serialized == returning.serialized)
        #expect(restored.withPublicKeyMultiples() == restored)
        #expect(restored.resumed(at: 3).hasPublicKeyMultiples)
    }

    /// The longest record has 425 bytes: 111 in the fixed part, 194 for the multiples, at most 120 for other fields.
    @Test func longestRecord() throws {
        let longest = try KeyRecordTests().key(counter: 1, attestedAt: .max, KeyRecordTests.longest)
            .withPublicKeyMultiples()
        #expect(longest.serialized.count == 425)
        #expect(try AttestedKey(serialized: longest.serialized) == longest)
    }

    @Test func verifiesAndKeepsMultiples() throws {
        let plain = try device.verifyAssertion(key: key)
        let returning = try device.verifyAssertion(
            key: AttestedKey(serialized: key.withPublicKeyMultiples().serialized))
        #expect(returning.counter == plain.counter && returning.key.counter == 7)
        #expect(returning.key == plain.key.withPublicKeyMultiples())
        // A key with multiples rejects the same assertions as a key without them.
        var (other, signature) = (device, device)
        other.counter = 0
        signature.challenge[0] ^= 1
        #expect(throws: PureAttestError.counterNotIncreased(previous: 0, received: 0)) {
            try other.verifyAssertion(key: key.withPublicKeyMultiples())
        }
        #expect(throws: PureAttestError.invalidSignature) {
            try AssertionVerifier(apps: [device.appID], environment: .production, launchPolicy: .reportOnly)
                .verifyAssertion(
                    device.assertion, challenge: signature.challenge, key: key.withPublicKeyMultiples())
        }
    }

    /// A precomputed table changes neither the value of the key nor its record.
    @Test func verifiesWithTable() throws {
        let plain = try device.verifyAssertion(key: key)
        let returning = key.withPublicKeyTable()
        #expect(key.table.value == nil && returning.table.value?.publicKey == key.publicKey)
        #expect(returning == key && returning.hashValue == key.hashValue && returning.serialized == key.serialized)
        let advanced = try device.verifyAssertion(key: returning).key
        #expect(advanced == plain.key && advanced.table.value != nil)
        #expect(advanced.withPublicKeyTable().table.value != nil)
        // If a key is restored from its record, it can take over the table of another copy of the same key.
        let restored = try AttestedKey(serialized: key.serialized)
        #expect(restored.table.value == nil && restored.withPublicKeyTable(of: restored).table.value == nil)
        #expect(restored.withPublicKeyTable(of: returning).table.value?.publicKey == key.publicKey)
        #expect(try device.verifyAssertion(key: restored.withPublicKeyTable(of: returning)).key == plain.key)
        let other = try AttestedKey(
            trustingStoredKey: TestAuthority.root.key.x963, appID: device.appID, environment: .production, counter: 0)
        #expect(restored.withPublicKeyTable(of: other.withPublicKeyTable()).table.value == nil)
        var changed = device
        changed.challenge[0] ^= 1
        #expect(throws: PureAttestError.invalidSignature) {
            try AssertionVerifier(apps: [device.appID], environment: .production, launchPolicy: .reportOnly)
                .verifyAssertion(
                    device.assertion, challenge: changed.challenge,
                    key: returning)
        }
    }

    /// Each point must be on the curve, every byte affects the result, and the length is fixed.
    @Test func rejectsDamagedMultiples() throws {
        let field = field(key.withPublicKeyMultiples())
        for index in field.indices {
            var damaged = field
            damaged[index] ^= 1
            let expected: PureAttestError =
                index == 0 ? .unknownKeyRecordField(7) : .malformedKeyRecord
            #expect(throws: expected, "\(index)") { try AttestedKey(serialized: record(damaged)) }
        }
        for count in 1..<field.count {
            #expect(throws: PureAttestError.malformedKeyRecord) {
                try AttestedKey(serialized: record([UInt8](field.prefix(count))))
            }
        }
        #expect(throws: PureAttestError.malformedKeyRecord) { try AttestedKey(serialized: record(field + field)) }
    }

    /// Wrong multiples make the signature check fail, and the report states that the multiples are the cause.
    @Test func multiplesOfAnotherKeyFailAndAreExplained() throws {
        let point = [UInt8](TestDevice.key.x963.dropFirst())
        let damaged = try AttestedKey(serialized: record([6, 192] + point + point + point))
        #expect(throws: PureAttestError.invalidSignature) { try device.verifyAssertion(key: damaged) }
        let verifier = try device.verifier()
        let challenge = device.challenge
        func causes(_ key: AttestedKey, _ clientData: [UInt8]) -> [String] {
            verifier.explainAssertion(
                device.assertion, challenge: clientData, key: key
            ).steps.flatMap(\.likelyCauses)
        }
        let cause = "the precomputed multiples in the stored record do not match its public key: the record is damaged"
        #expect(causes(damaged, challenge) == [cause])
        #expect(causes(key.withPublicKeyMultiples(), challenge).isEmpty)
        #expect(!causes(damaged, challenge + [0]).contains(cause))
    }
}
